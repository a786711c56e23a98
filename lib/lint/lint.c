#include "lint/lint.h"

#include "base/text.h"
#include "lint/run.h"
#include "model/entry.h"

#include <inttypes.h>
#include <stdlib.h>
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

static void (*const entry_checks[])(struct lq_lint_run *,
                                    const struct lq_logical *) = {
    lq_lint_loss,  lq_lint_times,  lq_lint_lifetime,
    lq_lint_names, lq_lint_bounds, lq_lint_idle,
};

static void (*const checks[])(struct lq_lint_run *) = {
    lq_lint_routes,    lq_lint_limits,   lq_lint_versions, lq_lint_policies,
    lq_lint_unapplied, lq_lint_bindings, lq_lint_ignores,
};

static void check_entry(struct lq_lint_run *run,
                        const struct lq_logical *logical)
{
    for (size_t i = 0; i < sizeof(entry_checks) / sizeof(entry_checks[0]);
         ++i) {
        entry_checks[i](run, logical);
    }
}

static void check_all(struct lq_lint_run *run)
{
    for (size_t i = 0; i < run->topology->logical_count; ++i) {
        check_entry(run, &run->topology->logicals[i]);
    }
    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); ++i) {
        checks[i](run);
    }
}

static int compare_numbers(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* By entry in the order of the plan; what belongs to none comes last. */
static int compare_owners(const struct lq_logical *a,
                          const struct lq_logical *b)
{
    if (!a || !b) {
        return (a == NULL) - (b == NULL);
    }
    return (a > b) - (a < b);
}

static int compare(const void *left, const void *right)
{
    const struct lq_lint_finding *const a = left;
    const struct lq_lint_finding *const b = right;
    const int owner = compare_owners(a->logical, b->logical);
    const int severity = (int)lq_lint_rule(b->code)->severity -
                         (int)lq_lint_rule(a->code)->severity;

    if (owner != 0) {
        return owner;
    }
    if (a->logical && severity != 0) {
        return severity;
    }
    return a->logical && a->code != b->code
               ? compare_numbers(a->code, b->code)
               : compare_numbers(a->order, b->order);
}

static void finish(struct lq_lint_run *run, struct lq_lint_report *out)
{
    const struct lq_topology *const topology = run->topology;

    out->version = run->settings->version;
    out->file = topology->logical_count > 0
                    ? topology->logicals[0].entry->place.file
                    : NULL;
    out->findings = run->findings;
    if (run->findings.count > 0) {
        qsort(run->findings.items, run->findings.count,
              sizeof(struct lq_lint_finding), compare);
    }
    for (size_t i = 0; i < run->findings.count; ++i) {
        const struct lq_lint_finding *const finding = lq_lint_at(out, i);

        if (finding->reason) {
            ++out->ignored;
        } else {
            ++out->counts[lq_lint_rule(finding->code)->severity];
        }
    }
}

enum lq_status lq_lint(const struct lq_topology *topology,
                       const struct lq_lint_settings *settings,
                       struct lq_arena *arena, struct lq_lint_report *out)
{
    struct lq_lint_run run = {
        .topology = topology,
        .settings = settings,
        .arena = arena,
    };

    *out = (struct lq_lint_report){0};
    lq_array_init(&run.findings, sizeof(struct lq_lint_finding));
    lq_lint_find_guards(&run);
    check_all(&run);
    if (run.failed) {
        return LQ_NOMEM;
    }
    finish(&run, out);
    return LQ_OK;
}

const struct lq_lint_finding *lq_lint_at(const struct lq_lint_report *report,
                                         size_t index)
{
    const struct lq_lint_finding *const items = report->findings.items;

    return &items[index];
}
