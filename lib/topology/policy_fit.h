/* How many queues a policy can be for. */
#ifndef LQ_TOPOLOGY_POLICY_FIT_H
#define LQ_TOPOLOGY_POLICY_FIT_H

#include "topology/own_policies.h"

/*
 * Gives a policy the pattern of the first of these queues, of which there is
 * one at least, and of so many as every broker takes in one pattern. LQ_OK or
 * LQ_NOMEM.
 */
enum lq_status lq_policy_fit(const struct lq_queue *const *queues, size_t count,
                             struct lq_arena *arena,
                             struct lq_own_policy *policy) LQ_CHECK;

#endif
