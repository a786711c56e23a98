#include "format/drift_print.h"

#include "base/map.h"
#include "base/text.h"

const struct lq_drift_sign *lq_drift_sign_of(const struct lq_finding *finding)
{
    static const struct lq_drift_sign signs[LILYQ_FINDING_COUNT] = {
        [LILYQ_MISSING] = {"+", "\033[32m"},
        [LILYQ_DIFFERENT] = {"~", "\033[33m"},
        [LILYQ_UNEXPECTED] = {"-", "\033[31m"},
        [LILYQ_SHADOWED] = {"!", "\033[35m"},
        [LILYQ_UNVERIFIED] = {"?", "\033[36m"},
        [LILYQ_NOTE] = {"*", "\033[34m"},
    };

    return &signs[lq_finding_kind(finding->code)];
}

void lq_drift_write_or_fail(struct lq_drift_printer *printer, const char *text)
{
    if (text) {
        lq_write_text(&printer->writer, text);
    } else {
        lq_writer_fail(&printer->writer, LQ_NOMEM);
    }
}

void lq_drift_write_sign(struct lq_drift_printer *printer,
                         const struct lq_drift_sign *sign)
{
    const bool colour = printer->style->colour;

    lq_write_texts(&printer->writer, "  ", colour ? sign->colour : "",
                   sign->text, colour ? LQ_PLAIN " " : " ", NULL);
}

/* What to do about all findings of a kind that want the same. */
struct advice {
    const struct lq_drift_sign *sign;
    const char *text;
    size_t count;
};

static enum lq_status count_advice(struct lq_drift_printer *printer,
                                   const struct lq_finding *finding,
                                   struct lq_map *index, struct lq_array *list)
{
    struct lq_arena *const arena = printer->arena;
    const struct lq_drift_sign *const sign = lq_drift_sign_of(finding);
    const char *const text = lq_finding_advice(finding);
    const char *const key = lq_format(arena, "%s%s", sign->text, text);
    struct advice *advice = key ? lq_map_get(index, key) : NULL;
    struct advice **slot = NULL;
    void *held = NULL;

    if (key && !advice) {
        advice = lq_alloc(arena, sizeof(*advice));
        slot = advice ? lq_array_push(list, arena) : NULL;
        if (!slot || lq_map_add(index, key, advice, &held) != LQ_OK) {
            return LQ_NOMEM;
        }
        *advice = (struct advice){sign, text, 0};
        *slot = advice;
    }
    if (!advice) {
        return LQ_NOMEM;
    }
    ++advice->count;
    return LQ_OK;
}

void lq_drift_write_advice(struct lq_drift_printer *printer)
{
    const struct lq_diff *const diff = &printer->drift->diff;
    struct lq_map index;
    struct lq_array list;

    lq_map_init(&index, printer->arena);
    lq_array_init(&list, sizeof(struct advice *));
    for (size_t i = 0; i < diff->findings.count; ++i) {
        if (count_advice(printer, lq_diff_at(diff, i), &index, &list) !=
            LQ_OK) {
            lq_writer_fail(&printer->writer, LQ_NOMEM);
            return;
        }
    }
    for (size_t i = 0; i < list.count; ++i) {
        const struct advice *const advice = ((struct advice **)list.items)[i];

        lq_drift_write_sign(printer, advice->sign);
        lq_write_number(&printer->writer, advice->count);
        lq_write_texts(&printer->writer, ": ", advice->text, "\n", NULL);
    }
}
