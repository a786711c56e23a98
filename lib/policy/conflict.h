/* Where the policies of a plan meet those of a broker, and which conflict. */
#ifndef LQ_POLICY_CONFLICT_H
#define LQ_POLICY_CONFLICT_H

#include "model/own.h"
#include "policy/future.h"
#include "policy/in_force.h"

/* The policies of a plan, and the broker that they are for. */
struct lq_policy_case {
    const struct lq_topology *plan;
    const struct lq_own_policies *own;
    const struct lq_live *live; /* must show policies */
    const struct lq_matcher *matcher;
};

/*
 * Finds what there is to do about each policy; `out` has room for all. A policy
 * has a conflict when
 *
 * - another policy of a higher priority is or may be in force for one of its
 *   queues, or one of the same priority with another definition;
 * - a policy of its name is in force for a queue that the plan does not have,
 *   and which would lose it: that policy may belong to another topology.
 *
 * Each conflict adds an error to `diags`. A warning each: a policy of somebody
 * else that is in force for queues of the plan, and no longer would be; a queue
 * that the plan once had, and that would lose its policy. Linear in the number
 * of queues, for each policy. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_own_policies_judge(const struct lq_policy_case *about,
                                     struct lq_diags *diags,
                                     struct lq_policy_step *out) LQ_CHECK;

/* How a policy of the plan meets one of the broker. */
enum lq_meeting_kind {
    LQ_POLICY_RIVAL,     /* the other will be in force for a planned queue */
    LQ_POLICY_MAYBE,     /* the other may be in force for one */
    LQ_POLICY_STRANGER,  /* it has our name, for a queue that is not planned */
    LQ_POLICY_LEFTOVER,  /* the same, but the plan once had that queue */
    LQ_POLICY_DISPLACED, /* the other will no longer be in force */
};

struct lq_meeting {
    enum lq_meeting_kind kind;
    const struct lq_live_policy *other;
    size_t own;        /* the index of the plan's policy */
    const char *queue; /* the first one where they meet */
    size_t count;      /* of queues */
};

/* The search for these meetings. */
struct lq_judge {
    const struct lq_own_policies *own;
    const struct lq_live *live;
    struct lq_diags *diags;
    struct lq_policy_step *out;
    struct lq_policy_future future;
    struct lq_policies now;
    struct lq_policies others; /* without those of own names */
    struct lq_own names;
    struct lq_array meetings; /* struct lq_meeting */
};

/*
 * Finds what there is to do about each policy, and where they meet those of the
 * broker. The caller sets `own`, `live`, `diags` and `out`, which has room for
 * all. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_judge_find(struct lq_judge *judge,
                             const struct lq_topology *plan,
                             const struct lq_matcher *matcher) LQ_CHECK;

#endif
