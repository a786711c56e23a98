/* What setting the policies of a plan would do on a broker. */
#ifndef LQ_TOPOLOGY_POLICY_VERDICT_H
#define LQ_TOPOLOGY_POLICY_VERDICT_H

#include "topology/live.h"
#include "topology/matcher.h"
#include "topology/own_policies.h"

enum lq_policy_need {
    LQ_POLICY_KEEP,   /* it is there as wanted */
    LQ_POLICY_CREATE, /* it is not there */
    LQ_POLICY_UPDATE  /* it is there, but otherwise */
};

struct lq_policy_verdict {
    enum lq_policy_need need;
    const char *change;   /* LQ_POLICY_UPDATE: what differs */
    const char *conflict; /* why it must not be set, or would be in vain; NULL:
                             nothing is in the way */
};

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

#endif
