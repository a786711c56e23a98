/* What brokers make of the keys of policies. */
#ifndef LQ_POLICY_KEY_H
#define LQ_POLICY_KEY_H

#include "live/live.h"
#include "policy/matcher.h"

/* What a policy may be for. */
enum lq_target { LQ_TARGET_EXCHANGE, LQ_TARGET_CLASSIC, LQ_TARGET_QUORUM };

#define LQ_TARGET_COUNT 3

static inline enum lq_target lq_target_of(enum lq_queue_type type)
{
    return type == LQ_QUORUM ? LQ_TARGET_QUORUM : LQ_TARGET_CLASSIC;
}

/*
 * Whether a broker applies a policy to what its pattern matches: by its scope,
 * and not at all to a queue whose type does not support one of its keys. What
 * changed between two versions that were asked (3.10.8, 4.0.5, 4.3.6) is
 * unknown between them, and when the version of the broker is not known.
 */
enum lq_match lq_policy_applies(const struct lq_live *live,
                                const struct lq_live_policy *policy,
                                enum lq_target target);

/* How a broker settles a key that is set more than once. */
enum lq_precedence {
    LQ_SMALLEST,     /* the least of policy, operator policy and argument */
    LQ_SMALLEST_SET, /* the same, where a negative number is no limit and gives
                        way to one */
    LQ_OVERFLOW,     /* operator policy, policy; on classic queues the argument
                        before both */
    LQ_ARGUMENT      /* argument, operator policy, policy */
};

enum lq_precedence lq_policy_precedence(const char *key);

#endif
