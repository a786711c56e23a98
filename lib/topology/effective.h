/* What is in force of a queue: policies merged with its arguments. */
#ifndef LQ_TOPOLOGY_EFFECTIVE_H
#define LQ_TOPOLOGY_EFFECTIVE_H

#include "topology/policies.h"

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
