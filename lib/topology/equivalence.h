#ifndef LQ_TOPOLOGY_EQUIVALENCE_H
#define LQ_TOPOLOGY_EQUIVALENCE_H

#include "topology/live.h"

/*
 * Whether a broker compares an x-argument of a queue when the queue is
 * declared again. It compares those that the type of the existing queue knows,
 * and lets any other be different or missing. Where version or type are not
 * known, what is compared somewhere is taken to be. From the brokers
 * themselves: 3.10.8, 4.0.5 and 4.3.6.
 */
bool lq_is_compared(const struct lq_live *live,
                    const struct lq_live_queue *queue, const char *key);

/* The same for an exchange's. */
bool lq_is_compared_exchange(const char *key);

/* Whether the broker takes two values for the same. */
bool lq_is_same_value(const struct lq_argument *planned,
                      const struct lq_live_argument *actual);

#endif
