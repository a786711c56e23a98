/* A plan against what a broker holds. */
#ifndef LQ_COMPARE_COMPARE_H
#define LQ_COMPARE_COMPARE_H

#include "compare/finding.h"
#include "live/live.h"
#include "model/topology.h"

/*
 * Compares a plan with what a broker holds, as the broker itself would when
 * the plan is declared: the width of an integer does not matter, nor does the
 * order of arguments; a value of another type differs, and one that is not set
 * differs from the default. Only a queue without x-queue-type counts as one of
 * its actual type. All differences of a resource are found. An argument that
 * is there but not planned is `different` where the broker compares it, else
 * of a code of its own that stands in nobody's way. What is external must
 * exist, and is not compared. What `live` does not show is `unverified`.
 * Linear in the size of both. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_diff(const struct lq_topology *plan,
                       const struct lq_live *live, struct lq_arena *arena,
                       struct lq_diff *out) LQ_CHECK;

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

#endif
