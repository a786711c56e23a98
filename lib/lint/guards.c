/* What policies of the broker do for the queues of each entry. */
#include "lint/run.h"

#include <string.h>

static const char *text_of(const struct lq_live_argument *value)
{
    return value && value->type == LQ_LIVE_STRING ? value->text : "";
}

/* Whether a queue keeps what it cannot deliver, by which policy. */
static const struct lq_live_policy *keeper(const struct lq_in_force *in_force)
{
    const struct lq_effective strategy =
        lq_effective(in_force, LQ_TARGET_QUORUM, "dead-letter-strategy", NULL);
    const struct lq_effective overflow =
        lq_effective(in_force, LQ_TARGET_QUORUM, "overflow", NULL);

    if (strcmp(text_of(strategy.value), "at-least-once") != 0 ||
        (overflow.value &&
         strcmp(text_of(overflow.value), "reject-publish") != 0)) {
        return NULL;
    }
    return strategy.policy;
}

/* The delivery limit; that of the broker when no policy sets one. */
static struct lq_effective limit_of(const struct lq_in_force *in_force)
{
    static const struct lq_effective none;
    const struct lq_effective limit =
        lq_effective(in_force, LQ_TARGET_QUORUM, "delivery-limit", NULL);

    return limit.value && limit.value->type == LQ_LIVE_INTEGER ? limit : none;
}

static void note(struct lq_lint_guard *guard, enum lq_role role,
                 const struct lq_in_force *in_force)
{
    const struct lq_live_policy *policy = NULL;

    switch (role) {
    case LQ_ROLE_MAIN:
        guard->main_limit = limit_of(in_force);
        guard->main_keeper = keeper(in_force);
        break;
    case LQ_ROLE_DEAD_LETTER:
        guard->dead_limit = limit_of(in_force);
        break;
    case LQ_ROLE_RETRY:
        policy = keeper(in_force);
        guard->bare |= !policy;
        guard->at_least_once = guard->bare ? NULL : policy;
        break;
    }
}

static enum lq_status find(const struct lq_lint_run *run,
                           const struct lq_policies *policies,
                           struct lq_lint_guard *guards)
{
    const struct lq_topology *const topology = run->topology;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < topology->queue_count && status == LQ_OK; ++i) {
        const struct lq_queue *const queue = &topology->queues[i];
        struct lq_in_force in_force;

        if (!lq_lint_is_quorum(queue->logical)) {
            continue;
        }
        status = lq_policies_find(policies, LQ_TARGET_QUORUM, queue->name,
                                  &in_force);
        if (status == LQ_OK) {
            note(&guards[queue->logical - topology->logicals], queue->role,
                 &in_force);
        }
    }
    return status;
}

void lq_lint_find_guards(struct lq_lint_run *run)
{
    const struct lq_lint_settings *const settings = run->settings;
    struct lq_lint_guard *guards = NULL;
    struct lq_policies policies;

    if (!settings->live) {
        return;
    }
    guards = lq_alloc_array(run->arena, run->topology->logical_count,
                            sizeof(*guards));
    if (!guards ||
        lq_policies_init(&policies, settings->live, settings->matcher,
                         run->arena) != LQ_OK ||
        find(run, &policies, guards) != LQ_OK) {
        run->failed = true;
        return;
    }
    run->guards = guards;
}

const struct lq_lint_guard *lq_lint_guard(const struct lq_lint_run *run,
                                          const struct lq_logical *logical)
{
    static const struct lq_lint_guard none;

    return run->guards ? &run->guards[logical - run->topology->logicals]
                       : &none;
}
