/* The policies of a broker, once those of a plan are set. */
#ifndef LQ_POLICY_FUTURE_H
#define LQ_POLICY_FUTURE_H

#include "live/live.h"
#include "policy/own_policies.h"

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

struct lq_policy_future {
    struct lq_live others; /* as now, but without policies of own names */
    /* each own policy as the broker will have it, and has it or NULL */
    const struct lq_live_policy **then;
    const struct lq_live_policy **now;
    struct lq_map own; /* own policies by name */
};

/* `live` must outlive it. LQ_OK or LQ_NOMEM. */
enum lq_status lq_policy_future_init(struct lq_policy_future *future,
                                     const struct lq_live *live,
                                     const struct lq_own_policies *own,
                                     struct lq_arena *arena) LQ_CHECK;

/*
 * The broker as it will be, which lives as long as what it was made of. LQ_OK
 * or LQ_NOMEM.
 */
enum lq_status lq_policy_future_live(const struct lq_live *live,
                                     const struct lq_own_policies *own,
                                     struct lq_arena *arena,
                                     struct lq_live *out) LQ_CHECK;

/* Whether two policies hold the same. */
bool lq_policy_is_same(const struct lq_live_policy *a,
                       const struct lq_live_policy *b);

/* Whether a policy of the broker has the name of an own one. */
bool lq_policy_is_own(const struct lq_policy_future *future,
                      const struct lq_live_policy *policy);

/* What there is to do about an own policy; `change` NULL: out of memory. */
struct lq_policy_verdict lq_policy_need(const struct lq_policy_future *future,
                                        size_t index, struct lq_arena *arena);

#endif
