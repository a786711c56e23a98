/* What the policy_verdict*.c files share. */
#ifndef LQ_TOPOLOGY_POLICY_JUDGE_H
#define LQ_TOPOLOGY_POLICY_JUDGE_H

#include "compare/own.h"
#include "topology/policies.h"
#include "topology/policy_future.h"

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

/* policy_verdict_words.c: tells of every meeting. LQ_OK or LQ_NOMEM. */
enum lq_status lq_judge_tell(struct lq_judge *judge) LQ_CHECK;

#endif
