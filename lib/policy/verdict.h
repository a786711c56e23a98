/* What setting the policies of a plan would do on a broker. */
#ifndef LQ_POLICY_VERDICT_H
#define LQ_POLICY_VERDICT_H

#include "model/own.h"
#include "policy/future.h"
#include "policy/in_force.h"
/* Policies, and where they would be set. */
struct lq_policy_case {
    const struct lq_topology *plan;
    const struct lq_own_policies *own;
    const struct lq_live *live; /* must show policies */
    const struct lq_matcher *matcher;
};

/*
 * Judges each policy; `out` has room for all. It is a conflict when
 *
 * - for one of its queues another policy of a higher priority wins, or may do
 *   so, or one of the same priority that holds something else;
 * - one of its name is in force for a queue that the plan knows nothing of and
 *   would lose it: it may be that of another topology.
 *
 * Each conflict is an error in `diags`. A warning each: a policy of somebody
 * else that is in force now for queues of the plan, and would not be; and what
 * the plan once had and would lose its policy. Linear in the number of queues,
 * for each policy. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_own_policies_judge(const struct lq_policy_case *about,
                                     struct lq_diags *diags,
                                     struct lq_policy_verdict *out) LQ_CHECK;

/* Why a policy of the plan meets one of the broker. */
enum lq_meeting_kind {
    LQ_POLICY_RIVAL,     /* the other is in force for a planned queue */
    LQ_POLICY_MAYBE,     /* it may be */
    LQ_POLICY_STRANGER,  /* it has our name, and a queue that is not planned */
    LQ_POLICY_LEFTOVER,  /* the same, and the plan once had the queue */
    LQ_POLICY_DISPLACED, /* the other is no longer in force */
};

struct lq_meeting {
    enum lq_meeting_kind kind;
    const struct lq_live_policy *other;
    size_t own;        /* the index of the plan's */
    const char *queue; /* the first one where they meet */
    size_t count;      /* of queues */
};

struct lq_judge {
    const struct lq_own_policies *own;
    const struct lq_live *live;
    struct lq_diags *diags;
    struct lq_policy_verdict *out;
    struct lq_policy_future future;
    struct lq_policies now;
    struct lq_policies others; /* without those of own names */
    struct lq_own names;
    struct lq_array meetings; /* struct lq_meeting */
};

/*
 * Finds what is to be done about each policy, and where they meet those of the
 * broker: `own`, `live`, `diags` and `out`, which has room for all, are set.
 * LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_judge_find(struct lq_judge *judge,
                             const struct lq_topology *plan,
                             const struct lq_matcher *matcher) LQ_CHECK;

#endif
