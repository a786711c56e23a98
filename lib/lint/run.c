#include "lint/run.h"

#include "base/text.h"
#include "topology/field.h"

#include <inttypes.h>
#include <string.h>

/* Adds a finding, and returns it to be completed; NULL: there is none. */
static struct lq_lint_finding *add(struct lq_lint_run *run,
                                   enum lq_lint_code code, const char *format,
                                   va_list args)
    __attribute__((format(printf, 3, 0)));

static struct lq_lint_finding *add(struct lq_lint_run *run,
                                   enum lq_lint_code code, const char *format,
                                   va_list args)
{
    const struct lq_lint_rule *const rule = lq_lint_rule(code);
    struct lq_lint_finding *finding = NULL;
    const char *text = NULL;

    if (!lq_lint_rule_holds(rule, run->settings->version)) {
        return NULL;
    }
    text = lq_vformat(run->arena, format, args);
    finding = text ? lq_array_push(&run->findings, run->arena) : NULL;
    if (!finding) {
        run->failed = true;
        return NULL;
    }
    finding->order = run->findings.count;
    finding->code = code;
    finding->field = LQ_FIELD_COUNT;
    finding->text = text;
    finding->advice = rule->advice;
    return finding;
}

/* The field's line, if it stands in the entry itself; else the entry's. */
static enum lq_status find_place(const struct lq_lint_spot *spot,
                                 struct lq_arena *arena, struct lq_place *out)
{
    const struct lq_entry *const entry = spot->logical->entry;

    *out = entry->place;
    return spot->field == LQ_FIELD_COUNT ||
                   (entry->inherited & lq_field_bit(spot->field)) != 0
               ? LQ_OK
               : lq_field_place(entry, spot->field, arena, out);
}

void lq_lint_found(struct lq_lint_run *run, enum lq_lint_code code,
                   struct lq_lint_spot spot, const char *format, ...)
{
    struct lq_lint_finding *finding = NULL;
    va_list args;

    va_start(args, format);
    finding = add(run, code, format, args);
    va_end(args);
    if (finding) {
        finding->logical = spot.logical;
        finding->field = spot.field;
        run->failed |= find_place(&spot, run->arena, &finding->place) != LQ_OK;
    }
}

void lq_lint_found_at(struct lq_lint_run *run, enum lq_lint_code code,
                      const struct lq_place *place, const char *format, ...)
{
    struct lq_lint_finding *finding = NULL;
    va_list args;

    va_start(args, format);
    finding = add(run, code, format, args);
    va_end(args);
    if (finding && place) {
        finding->place = *place;
    }
}

/* The text, or "" and a failed run. */
static const char *checked(struct lq_lint_run *run, const char *text)
{
    run->failed |= !text;
    return text ? text : "";
}

const char *lq_lint_shown(struct lq_lint_run *run, const char *text)
{
    return checked(run, lq_printable(run->arena, text, strlen(text)));
}

const char *lq_lint_entry_text(struct lq_lint_run *run,
                               const struct lq_logical *logical)
{
    const char *const label =
        checked(run, lq_entry_label(run->arena, logical->entry));
    const char *const place =
        checked(run, lq_place_text(run->arena, &logical->entry->place));

    return checked(run, lq_format(run->arena, "%s (%s)", label, place));
}

const char *lq_lint_number_text(struct lq_lint_run *run, enum lq_field field,
                                uint64_t number)
{
    return checked(run, lq_format(run->arena, "%s = %" PRIu64,
                                  lq_field_name(field), number));
}
