#include "lint/lint.h"

#include "lint/run.h"

#include <stdlib.h>

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

/* By entry in the order of the plan; findings of no entry come last. */
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
    finish(&run, out);
    return lq_arena_status(arena, LQ_OK);
}

const struct lq_lint_finding *lq_lint_at(const struct lq_lint_report *report,
                                         size_t index)
{
    const struct lq_lint_finding *const items = report->findings.items;

    return &items[index];
}
