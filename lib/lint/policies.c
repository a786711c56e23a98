#include "compare/shadow.h"
#include "lint/run.h"
#include "live/live.h"

#include <string.h>

/* What policies of the broker put in force instead of what is planned. */

/* What one policy does by one key to queues or exchanges of an entry. */
struct change {
    const struct lq_finding *first;
    size_t others; /* alike, besides the first */
};

/* The changes of one entry. */
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
}

/* "" or " and 2 more of the entry" */
static const char *and_more(struct lq_lint_run *run,
                            const struct change *change)
{
    return change->others == 0
               ? ""
               : lq_lint_format(run, " and %zu more of the entry",
                                change->others);
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

    lq_lint_found(run, LQ_LINT_OVERFLOW_POLICY,
                  (struct lq_lint_spot){finding->logical, LQ_FIELD_COUNT},
                  "%spolicy '%s' puts overflow = %s in force for '%s'%s: when "
                  "full, it still confirms what is published, and %s",
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

/* Reports the entry's changes, and forgets them. */
static void flush(struct changes *changes)
{
    const struct change *const items = changes->list.items;

    for (size_t i = 0; i < changes->list.count; ++i) {
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
    for (size_t i = 0; i < drift->findings.count; ++i) {
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

/* Policies that match queues of a type that they are not for. */

/* A policy with a key that a type of queue does not support. */
struct misfit {
    struct lq_lint_run *run;
    const struct lq_live_policy *policy;
    bool by_operator;
    enum lq_target target;
    const char *key;
};

/* Whether it would apply if it had these of its keys only. */
static enum lq_match applies(const struct misfit *misfit, size_t first,
                             size_t count)
{
    struct lq_live_policy part = *misfit->policy;

    part.definition.items += first;
    part.definition.count = count;
    return lq_policy_applies(misfit->run->settings->live, &part,
                             misfit->target);
}

/* Finds the key that is not supported; false when there is none. */
static bool find_key(struct misfit *misfit)
{
    const struct lq_live_arguments *const keys = &misfit->policy->definition;

    if (applies(misfit, 0, 0) != LQ_MATCH_YES) {
        return false; /* its scope is something else */
    }
    for (size_t i = 0; i < keys->count; ++i) {
        if (applies(misfit, i, 1) == LQ_MATCH_NO) {
            misfit->key = keys->items[i].key;
            return true;
        }
    }
    return false;
}

static void report(const struct misfit *misfit, const struct lq_queue *queue)
{
    struct lq_lint_run *const run = misfit->run;

    lq_lint_found(run, LQ_LINT_POLICY_NOT_APPLIED,
                  (struct lq_lint_spot){queue->logical, LQ_FIELD_COUNT},
                  "%spolicy '%s' matches '%s', but is not applied to it: %s "
                  "queues do not support %s, so none of its keys is in force",
                  misfit->by_operator ? "operator " : "",
                  lq_lint_shown(run, misfit->policy->name), queue->name,
                  misfit->target == LQ_TARGET_QUORUM ? "quorum" : "classic",
                  lq_lint_shown(run, misfit->key));
}

/* Whether the policy matches a queue that it is not applied to. */
static enum lq_status match(const struct misfit *misfit, void *pattern,
                            const struct lq_queue *queue, enum lq_match *out)
{
    const struct lq_matcher *const matcher = misfit->run->settings->matcher;

    *out = LQ_MATCH_NO;
    return lq_owner(queue->logical) == LQ_FRAMEWORK_MANAGED &&
                   lq_target_of(queue->logical->entry->queue_type) ==
                       misfit->target
               ? matcher->match(matcher->context, pattern, queue->name, out)
               : LQ_OK;
}

/* Reports the first queue of each entry. */
static void check_queues(const struct misfit *misfit)
{
    struct lq_lint_run *const run = misfit->run;
    const struct lq_matcher *const matcher = run->settings->matcher;
    const struct lq_logical *reported = NULL;
    void *pattern = NULL;

    lq_arena_note(
        run->arena,
        matcher->compile(matcher->context, misfit->policy->pattern, &pattern));
    for (size_t i = 0; pattern && i < run->topology->queue_count; ++i) {
        const struct lq_queue *const queue = &run->topology->queues[i];
        enum lq_match matches = LQ_MATCH_NO;

        if (queue->logical != reported) {
            lq_arena_note(run->arena, match(misfit, pattern, queue, &matches));
        }
        if (matches == LQ_MATCH_YES) {
            report(misfit, queue);
            reported = queue->logical;
        }
    }
}

static void check_policies(struct lq_lint_run *run,
                           const struct lq_array *policies, bool by_operator)
{
    static const enum lq_target targets[] = {LQ_TARGET_CLASSIC,
                                             LQ_TARGET_QUORUM};

    for (size_t i = 0; i < policies->count; ++i) {
        for (size_t j = 0; j < sizeof(targets) / sizeof(targets[0]); ++j) {
            struct misfit misfit = {run, lq_live_policy_at(policies, i),
                                    by_operator, targets[j], NULL};

            if (find_key(&misfit)) {
                check_queues(&misfit);
            }
        }
    }
}

void lq_lint_unapplied(struct lq_lint_run *run)
{
    const struct lq_live *const live = run->settings->live;

    if (live) {
        check_policies(run, &live->policies, false);
        check_policies(run, &live->operator_policies, true);
    }
}

/* What a version of the broker lacks, or may do otherwise. */

static void check_quorum(struct lq_lint_run *run,
                         const struct lq_logical *logical)
{
    if (lq_lint_is_quorum(logical) && logical->bucket_count > 0) {
        lq_lint_found(run, LQ_LINT_QUORUM_TTL_VERSION,
                      (struct lq_lint_spot){logical, LQ_QUEUE_TYPE},
                      "the %zu buckets are quorum queues with a message TTL, "
                      "which RabbitMQ has from 3.10 on",
                      logical->bucket_count);
    }
}

/* The findings were verified on versions from 3.10 to 4.3. */
static bool is_verified(struct lq_version version)
{
    return lq_version_is_from(version, 3, 10) &&
           lq_version_is_before(version, 4, 4);
}

void lq_lint_versions(struct lq_lint_run *run)
{
    const struct lq_version version = run->settings->version;

    if (!version.known || run->topology->logical_count == 0) {
        return;
    }
    for (size_t i = 0; i < run->topology->logical_count; ++i) {
        check_quorum(run, &run->topology->logicals[i]);
    }
    if (!is_verified(version)) {
        lq_lint_found_at(run, LQ_LINT_VERSION_NOT_SHOWN, NULL,
                         "the findings were verified on RabbitMQ 3.10, 4.0 and "
                         "4.3, and may not hold on %u.%u",
                         version.major, version.minor);
    }
}
