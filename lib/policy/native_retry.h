/* The same retries by RabbitMQ 4.3's own delayed retry, in queues beside v2. */
#ifndef LQ_POLICY_NATIVE_RETRY_H
#define LQ_POLICY_NATIVE_RETRY_H

#include "policy/own_policies.h"

/* How the name of such a queue ends; no name of a v2 queue does. */
#define LQ_NATIVE_SUFFIX ".native"

/* A logical queue that uses the broker's delayed retry. */
struct lq_native_retry {
    const struct lq_logical *logical;
    const char *queue;
    struct lq_own_policy policy; /* its `queues` is empty: none is of v2 */
};

struct lq_native_retries {
    const struct lq_native_retry *list;
    size_t count;
};

/*
 * Makes a policy for each logical queue that is framework-managed and has
 * retries. It matches a queue of its own and none of v2, since the two ways
 * must not meet in one queue. The DLQ's members of `wants` are not used. LQ_OK,
 * LQ_NOMEM, or LQ_INVALID with an error in `diags`: the broker is known to be
 * too old, or a name is taken or not allowed.
 */
enum lq_status lq_native_retries_build(const struct lq_topology *topology,
                                       const struct lq_policy_wants *wants,
                                       struct lq_diags *diags,
                                       struct lq_native_retries *out) LQ_CHECK;

/*
 * How many milliseconds the broker delays attempt n, from 1: n times the
 * backoff, up to the cap. v2 doubles instead.
 */
uint64_t lq_native_delay(const struct lq_logical *logical, size_t attempt);

/* The delays of all attempts together, in milliseconds. */
uint64_t lq_native_wait(const struct lq_logical *logical);

#endif
