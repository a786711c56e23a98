/* What policies of the broker put in force instead of what is planned. */
#include "lint/run.h"

#include "topology/live.h"
#include "topology/shadow.h"

#include <string.h>

/* What one policy does by one key to queues or exchanges of an entry. */
struct change {
    const struct lq_finding *first;
    size_t others; /* besides the first */
};

/* Those of one entry. */
struct changes {
    struct lq_lint_run *run;
    struct lq_array list; /* struct change */
};

static bool is_alike(const struct lq_finding *a, const struct lq_finding *b)
{
    return a->policy == b->policy && a->by_operator == b->by_operator &&
           a->resource == b->resource && strcmp(a->field, b->field) == 0 &&
           strcmp(a->actual.text, b->actual.text) == 0 &&
           a->removes == b->removes && (!a->removes || a->role == b->role);
}

static void add(struct changes *changes, const struct lq_finding *finding)
{
    struct change *const items = changes->list.items;
    struct change *fresh = NULL;

    for (size_t i = 0; i < changes->list.count; ++i) {
        if (is_alike(items[i].first, finding)) {
            ++items[i].others;
            return;
        }
    }
    fresh = lq_array_push(&changes->list, changes->run->arena);
    if (fresh) {
        fresh->first = finding;
    }
    changes->run->failed |= !fresh;
}

/* "" or " and 2 more of the entry"; "" also when out of memory. */
static const char *and_more(struct lq_lint_run *run,
                            const struct change *change)
{
    const char *const text =
        change->others == 0
            ? ""
            : lq_format(run->arena, " and %zu more of the entry",
                        change->others);

    run->failed |= !text;
    return text ? text : "";
}

/* What a full queue does with its oldest messages. */
static const char *fate_in(enum lq_role role)
{
    static const char *const fates[] = {
        [LQ_ROLE_MAIN] =
            "drops its oldest messages, which become dead letters untried",
        [LQ_ROLE_RETRY] = "drops its oldest messages, which return at once",
        [LQ_ROLE_DEAD_LETTER] = "deletes its oldest messages",
    };

    return fates[role];
}

static void report_overflow(struct lq_lint_run *run,
                            const struct change *change)
{
    const struct lq_finding *const finding = change->first;

    lq_lint_found(
        run, LQ_LINT_OVERFLOW_POLICY,
        (struct lq_lint_spot){finding->logical, LQ_FIELD_COUNT},
        "%spolicy '%s' puts overflow = %s in force for '%s'%s: when full, it "
        "confirms what is published all the same, and %s",
        finding->by_operator ? "operator " : "",
        lq_lint_shown(run, finding->policy->name),
        lq_lint_shown(run, finding->actual.text), finding->name,
        and_more(run, change), fate_in(finding->role));
}

static void report_other(struct lq_lint_run *run, const struct change *change)
{
    const struct lq_finding *const finding = change->first;
    const char *const planned = finding->planned.text;

    lq_lint_found(
        run,
        finding->removes ? LQ_LINT_POLICY_DELETES : LQ_LINT_POLICY_IN_FORCE,
        (struct lq_lint_spot){finding->logical, LQ_FIELD_COUNT},
        "%spolicy '%s' puts %s = %s in force for '%s' (planned: %s)%s%s%s",
        finding->by_operator ? "operator " : "",
        lq_lint_shown(run, finding->policy->name), finding->field,
        lq_lint_shown(run, finding->actual.text), finding->name,
        planned ? lq_lint_shown(run, planned) : "none", and_more(run, change),
        finding->removes ? ": " : "",
        finding->removes ? lq_shadow_effect(finding) : "");
}

/* Tells of the entry's changes, and forgets them. */
static void flush(struct changes *changes)
{
    const struct change *const items = changes->list.items;

    for (size_t i = 0; i < changes->list.count && !changes->run->failed; ++i) {
        const bool overflow = strcmp(items[i].first->field, "overflow") == 0;

        (overflow ? report_overflow : report_other)(changes->run, &items[i]);
    }
    changes->list.count = 0;
}

static bool is_shadowed(const struct lq_finding *finding)
{
    return lq_finding_kind(finding->code) == LILYQ_SHADOWED &&
           finding->logical && finding->policy && finding->field &&
           finding->actual.text;
}

void lq_lint_policies(struct lq_lint_run *run)
{
    const struct lq_diff *const drift = run->settings->drift;
    struct changes changes = {.run = run};
    const struct lq_logical *logical = NULL;

    if (!drift) {
        return;
    }
    lq_array_init(&changes.list, sizeof(struct change));
    for (size_t i = 0; i < drift->findings.count && !run->failed; ++i) {
        const struct lq_finding *const finding = lq_diff_at(drift, i);

        if (!is_shadowed(finding)) {
            continue;
        }
        if (finding->logical != logical) {
            flush(&changes);
            logical = finding->logical;
        }
        add(&changes, finding);
    }
    flush(&changes);
}
