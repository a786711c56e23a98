/* Which policies are in force for a queue or an exchange, and what of it. */
#ifndef LQ_POLICY_IN_FORCE_H
#define LQ_POLICY_IN_FORCE_H

#include "policy/key.h"

/* The policies or operator policies of a virtual host, made ready. */
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
 * The policy that is in force. Of those with the greatest priority a broker
 * takes the first in an order of its own, in which it also exports them.
 */
struct lq_winner {
    const struct lq_live_policy *policy;   /* NULL: none, or not known */
    const struct lq_live_policy *doubtful; /* it may be in force: whether it
                                              matches is not known; or NULL */
    const struct lq_live_policy *rival;    /* matches, or may, with the priority
                                              of the one above, and holds
                                              something else; or NULL */
};

/* One of each is in force at a time, both together. */
struct lq_in_force {
    struct lq_winner policy;
    struct lq_winner operator_policy;
};

/*
 * Makes what `live` shows ready, each pattern once. `live` and the matcher
 * must outlive it. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_policies_init(struct lq_policies *policies,
                                const struct lq_live *live,
                                const struct lq_matcher *matcher,
                                struct lq_arena *arena) LQ_CHECK;

/* Whether there is none at all, so that nothing can be in force. */
bool lq_policies_none(const struct lq_policies *policies);

/*
 * What is in force for what has that name, whether it is there or not. LQ_OK
 * or LQ_NOMEM.
 */
enum lq_status lq_policies_find(const struct lq_policies *policies,
                                enum lq_target target, const char *name,
                                struct lq_in_force *out) LQ_CHECK;

/* The value of a key that is in force, and whose it is. */
struct lq_effective {
    const struct lq_live_argument *value; /* NULL: the argument, if any */
    const struct lq_live_policy *policy;  /* whose `value` is */
    bool by_operator;                     /* it is an operator policy */
};

/*
 * What is in force of a key of policies, such as "message-ttl", for a queue
 * with that argument, or with none when it is NULL. Brokers settle it by
 * lq_policy_precedence(); of equal values the argument's holds.
 */
struct lq_effective lq_effective(const struct lq_in_force *in_force,
                                 enum lq_target target, const char *key,
                                 const struct lq_argument *argument);

/* The argument of a planned queue for a key of policies, or NULL. */
const struct lq_argument *lq_argument_of_key(const struct lq_queue *queue,
                                             const char *key);

#endif
