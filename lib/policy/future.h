/* The policies that a broker will have once those of a plan are set. */
#ifndef LQ_POLICY_FUTURE_H
#define LQ_POLICY_FUTURE_H

#include "live/live.h"
#include "policy/own_policies.h"

enum lq_policy_need {
    LQ_POLICY_KEEP,   /* the broker has it as planned */
    LQ_POLICY_CREATE, /* the broker does not have it */
    LQ_POLICY_UPDATE  /* the broker has another one of that name */
};

/* What there is to do about one policy of a plan. */
struct lq_policy_step {
    enum lq_policy_need need;
    const char *change;   /* LQ_POLICY_UPDATE: what differs */
    const char *conflict; /* why setting it would do harm or no good; NULL:
                             nothing is in the way */
};

/* The plan's own policies beside those that a broker holds. */
struct lq_policy_future {
    struct lq_live others; /* what is live, without policies of own names */
    /* each own policy, as the broker will have it and as it has it now; NULL:
       it has none of that name */
    const struct lq_live_policy **then;
    const struct lq_live_policy **now;
    struct lq_map own; /* the items of `now` by name */
};

/* `live` must outlive the future. LQ_OK or LQ_NOMEM. */
enum lq_status lq_policy_future_init(struct lq_policy_future *future,
                                     const struct lq_live *live,
                                     const struct lq_own_policies *own,
                                     struct lq_arena *arena) LQ_CHECK;

/*
 * What the broker will hold. `out` lives as long as `live`, `own` and the
 * arena. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_policy_future_live(const struct lq_live *live,
                                     const struct lq_own_policies *own,
                                     struct lq_arena *arena,
                                     struct lq_live *out) LQ_CHECK;

/* Whether the definitions of both are known and equal. */
bool lq_policy_is_same(const struct lq_live_policy *a,
                       const struct lq_live_policy *b);

/* Whether a policy of the broker has the name of one of the plan's. */
bool lq_policy_is_own(const struct lq_policy_future *future,
                      const struct lq_live_policy *policy);

/* What there is to do about an own policy; `change` NULL: out of memory. */
struct lq_policy_step lq_policy_need(const struct lq_policy_future *future,
                                     size_t index, struct lq_arena *arena);

#endif
