#include "format/drift_report.h"

#include "base/map.h"
#include "base/text.h"
#include "format/drift_lines.h"
#include "format/drift_words.h"
#include "format/writer.h"

#include <string.h>

/* So many of those that share a line have their names on it. */
#define MOST_NAMED 2

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

struct printer {
    struct lq_writer writer;
    struct lq_arena *arena;
    const struct lq_drift *drift;
    const struct lq_drift_style *style;
};

struct sign {
    const char *text;
    const char *colour;
};

static const struct sign *sign_of(const struct lq_finding *finding)
{
    static const struct sign signs[LQ_FINDING_KIND_COUNT] = {
        [LQ_MISSING] = {"+", "\033[32m"},    [LQ_DIFFERENT] = {"~", "\033[33m"},
        [LQ_UNEXPECTED] = {"-", "\033[31m"}, [LQ_SHADOWED] = {"!", "\033[35m"},
        [LQ_NOT_SEEN] = {"?", "\033[36m"},   [LQ_NOTE] = {"*", "\033[34m"},
    };

    return &signs[lq_finding_kind(finding->code)];
}

static void write_or_fail(struct printer *printer, const char *text)
{
    if (text) {
        lq_write_text(&printer->writer, text);
    } else {
        lq_writer_fail(&printer->writer, LQ_NOMEM);
    }
}

/* "  + " */
static void write_sign(struct printer *printer, const struct sign *sign)
{
    const bool colour = printer->style->colour;

    lq_write_texts(&printer->writer, "  ", colour ? sign->colour : "",
                   sign->text, colour ? PLAIN " " : " ", NULL);
}

static void write_detail(struct printer *printer,
                         const struct lq_finding *finding)
{
    const char *const detail = lq_drift_detail(finding, printer->arena);

    if (!detail || *detail) {
        lq_write_text(&printer->writer, ": ");
        write_or_fail(printer, detail);
    }
    lq_write_text(&printer->writer, "\n");
}

static void write_alone(struct printer *printer,
                        const struct lq_finding *finding)
{
    write_sign(printer, sign_of(finding));
    write_or_fail(printer, lq_drift_subject(finding, printer->arena));
    write_detail(printer, finding);
}

/* "17 queues, 'a', 'b' and 15 more" */
static void write_together(struct printer *printer,
                           const struct lq_drift_line *line)
{
    struct lq_writer *const writer = &printer->writer;
    const struct lq_finding *const first = line->named[0];

    write_sign(printer, sign_of(first));
    lq_write_number(writer, line->count);
    lq_write_texts(writer, " ", lq_resource_word(first->resource),
                   first->binding ? "s to" : "s", NULL);
    for (size_t i = 0; i < MOST_NAMED; ++i) {
        const char *const name = line->named[i]->name;

        lq_write_text(writer, i ? ", '" : " '");
        write_or_fail(printer,
                      lq_printable(printer->arena, name, strlen(name)));
        lq_write_text(writer, "'");
    }
    lq_write_text(writer, " and ");
    lq_write_number(writer, line->count - MOST_NAMED);
    lq_write_text(writer, " more");
    write_detail(printer, first);
}

static void write_line(struct printer *printer,
                       const struct lq_drift_line *line)
{
    if (line->count > LQ_DRIFT_ALONE) {
        write_together(printer, line);
        return;
    }
    for (size_t i = 0; i < line->count; ++i) {
        write_alone(printer, line->named[i]);
    }
}

/* The findings of one logical queue, from `first` on. */
struct group {
    const struct lq_finding *first;
    size_t count;
};

static enum lq_status write_lines(struct printer *printer,
                                  const struct group *group)
{
    struct lq_array lines;
    struct lq_drift_line *const *items = NULL;

    if (lq_drift_lines(group->first, group->count, printer->arena, &lines) !=
        LQ_OK) {
        return LQ_NOMEM;
    }
    items = lines.items;
    for (size_t i = 0; i < lines.count; ++i) {
        write_line(printer, items[i]);
    }
    return LQ_OK;
}

static void write_heading(struct printer *printer,
                          const struct lq_logical *logical)
{
    const char *const name =
        logical ? logical->entry->name : printer->drift->vhost;
    const char *const shown = lq_printable(printer->arena, name, strlen(name));
    const bool colour = printer->style->colour;

    lq_write_text(&printer->writer, colour ? BOLD : "");
    lq_write_text(&printer->writer, logical ? "" : "virtual host '");
    write_or_fail(printer, shown);
    lq_write_texts(&printer->writer, logical ? "" : "'", colour ? PLAIN : "",
                   "\n", NULL);
}

static void write_group(struct printer *printer, const struct group *group)
{
    write_heading(printer, group->first->logical);
    if (!printer->style->whole) {
        if (write_lines(printer, group) != LQ_OK) {
            lq_writer_fail(&printer->writer, LQ_NOMEM);
        }
        return;
    }
    for (size_t i = 0; i < group->count; ++i) {
        write_alone(printer, &group->first[i]);
    }
}

static void write_groups(struct printer *printer)
{
    const struct lq_finding *const findings =
        printer->drift->diff.findings.items;
    const size_t count = printer->drift->diff.findings.count;
    size_t end = 0;

    for (size_t start = 0; start < count; start = end) {
        struct group group = {.first = &findings[start]};

        while (end < count && findings[end].logical == group.first->logical) {
            ++end;
        }
        group.count = end - start;
        write_group(printer, &group);
        lq_write_text(&printer->writer, "\n");
    }
}

/* What to do about all findings of a kind that want the same. */
struct advice {
    const struct sign *sign;
    const char *text;
    size_t count;
};

static enum lq_status count_advice(struct printer *printer,
                                   const struct lq_finding *finding,
                                   struct lq_map *index, struct lq_array *list)
{
    struct lq_arena *const arena = printer->arena;
    const struct sign *const sign = sign_of(finding);
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

static void write_advice(struct printer *printer)
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

        write_sign(printer, advice->sign);
        lq_write_number(&printer->writer, advice->count);
        lq_write_texts(&printer->writer, ": ", advice->text, "\n", NULL);
    }
}

enum lq_status lq_drift_text_render(const struct lq_drift *drift,
                                    const struct lq_drift_style *style,
                                    struct lq_arena *arena,
                                    const struct lq_sink *sink)
{
    struct printer printer = {.arena = arena, .drift = drift, .style = style};

    lq_writer_init(&printer.writer, sink);
    if (drift->diff.findings.count > 0) {
        write_groups(&printer);
        lq_write_texts(&printer.writer, style->colour ? BOLD : "", "What to do",
                       style->colour ? PLAIN : "", "\n", NULL);
        write_advice(&printer);
    }
    return lq_writer_end(&printer.writer);
}
