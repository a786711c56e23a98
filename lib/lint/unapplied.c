/* Policies that match queues of a type that they are not for. */
#include "lint/run.h"

#include "policy/key.h"

/* A policy of which a type of queue does not know one key. */
struct misfit {
    struct lq_lint_run *run;
    const struct lq_live_policy *policy;
    bool by_operator;
    enum lq_target target;
    const char *key;
};

/* Whether it would apply with so many keys, from this one on. */
static enum lq_match applies(const struct misfit *misfit, size_t first,
                             size_t count)
{
    struct lq_live_policy part = *misfit->policy;

    part.definition.items += first;
    part.definition.count = count;
    return lq_policy_applies(misfit->run->settings->live, &part,
                             misfit->target);
}

/* Finds the key that is in the way; false when there is none. */
static bool find_key(struct misfit *misfit)
{
    const struct lq_live_arguments *const keys = &misfit->policy->definition;

    if (applies(misfit, 0, 0) != LQ_MATCH_YES) {
        return false; /* it is for something else */
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

    lq_lint_found(
        run, LQ_LINT_POLICY_NOT_APPLIED,
        (struct lq_lint_spot){queue->logical, LQ_FIELD_COUNT},
        "%spolicy '%s' matches '%s', but is not applied to it: %s queues do "
        "not know %s, so none of its keys is in force",
        misfit->by_operator ? "operator " : "",
        lq_lint_shown(run, misfit->policy->name), queue->name,
        misfit->target == LQ_TARGET_QUORUM ? "quorum" : "classic",
        lq_lint_shown(run, misfit->key));
}

/* Whether a queue is one that the policy matches, but is not applied to. */
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

/* Tells of the first queue of each entry. */
static void check_queues(const struct misfit *misfit)
{
    struct lq_lint_run *const run = misfit->run;
    const struct lq_matcher *const matcher = run->settings->matcher;
    const struct lq_logical *told = NULL;
    void *pattern = NULL;

    run->failed |= matcher->compile(matcher->context, misfit->policy->pattern,
                                    &pattern) != LQ_OK;
    for (size_t i = 0;
         pattern && i < run->topology->queue_count && !run->failed; ++i) {
        const struct lq_queue *const queue = &run->topology->queues[i];
        enum lq_match matches = LQ_MATCH_NO;

        if (queue->logical != told) {
            run->failed |= match(misfit, pattern, queue, &matches) != LQ_OK;
        }
        if (matches == LQ_MATCH_YES) {
            report(misfit, queue);
            told = queue->logical;
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
