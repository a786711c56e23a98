/*
 * Which policies are in force for a queue or an exchange, and which value of
 * each key.
 */
#ifndef LQ_POLICY_IN_FORCE_H
#define LQ_POLICY_IN_FORCE_H

#include "live/live.h"
#include "policy/matcher.h"

/* What a policy may apply to. */
enum lq_target { LQ_TARGET_EXCHANGE, LQ_TARGET_CLASSIC, LQ_TARGET_QUORUM };

#define LQ_TARGET_COUNT 3

static inline enum lq_target lq_target_of(enum lq_queue_type type)
{
    return type == LQ_QUORUM ? LQ_TARGET_QUORUM : LQ_TARGET_CLASSIC;
}

/*
 * Whether a broker applies a policy to what its pattern matches: its scope must
 * fit, and a queue must be of a type that supports all of its keys. Where the
 * tested versions (3.10.8, 4.0.5, 4.3.6) differ, the answer is unknown between
 * them, and for a broker of unknown version.
 */
enum lq_match lq_policy_applies(const struct lq_live *live,
                                const struct lq_live_policy *policy,
                                enum lq_target target);

/* How a broker settles a key that is set more than once. */
enum lq_precedence {
    LQ_SMALLEST,     /* the least of policy, operator policy and argument */
    LQ_SMALLEST_SET, /* the same, but a negative number stands for no limit, and
                        gives way to one */
    LQ_OVERFLOW,     /* operator policy, policy; on classic queues the argument
                        before both */
    LQ_ARGUMENT      /* argument, operator policy, policy */
};

enum lq_precedence lq_policy_precedence(const char *key);

/* The policies or operator policies of a virtual host, ready to match. */
struct lq_ready_policies {
    struct lq_ready_policy *items; /* the greatest priority first */
    size_t count;
};

struct lq_policies {
    const struct lq_live *live;
    const struct lq_matcher *matcher;
    struct lq_ready_policies policies;
    struct lq_ready_policies operator_policies;
};

/*
 * The policy that is in force. Among those of the greatest priority, a broker
 * takes the first in its own order, in which it also exports them.
 */
struct lq_winner {
    const struct lq_live_policy *policy;   /* NULL: none, or not known */
    const struct lq_live_policy *doubtful; /* may be in force: whether it
                                              matches is not known; or NULL */
    const struct lq_live_policy *rival;    /* matches, or may, with the same
                                              priority and another definition;
                                              or NULL */
};

/* A policy and an operator policy can be in force together. */
struct lq_in_force {
    struct lq_winner policy;
    struct lq_winner operator_policy;
};

/*
 * Prepares the policies in `live`, compiling each pattern once. `live` and the
 * matcher must outlive `policies`. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_policies_init(struct lq_policies *policies,
                                const struct lq_live *live,
                                const struct lq_matcher *matcher,
                                struct lq_arena *arena) LQ_CHECK;

/* Whether there are no policies at all, so that none can be in force. */
bool lq_policies_none(const struct lq_policies *policies);

/*
 * Finds what is in force for a queue or exchange of that name, whether the
 * broker has it or not. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_policies_find(const struct lq_policies *policies,
                                enum lq_target target, const char *name,
                                struct lq_in_force *out) LQ_CHECK;

/* The value of a key that is in force, and where it comes from. */
struct lq_effective {
    const struct lq_live_argument *value; /* NULL: the argument's, if any */
    const struct lq_live_policy *policy;  /* that sets `value` */
    bool by_operator;                     /* `policy` is an operator policy */
};

/*
 * The value of a policy key, such as "message-ttl", that is in force for a
 * queue with that argument (NULL: without one). Brokers settle it as
 * lq_policy_precedence() says; of equal values, the argument's holds.
 */
struct lq_effective lq_effective(const struct lq_in_force *in_force,
                                 enum lq_target target, const char *key,
                                 const struct lq_argument *argument);

/* The argument of a planned queue that matches a policy key, or NULL. */
const struct lq_argument *lq_argument_of_key(const struct lq_queue *queue,
                                             const char *key);

#endif
