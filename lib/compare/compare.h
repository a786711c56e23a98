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

/*
 * Adds notes on figures, if `live` has them: consumers of buckets, and queues
 * of the plan's own that hold 80 % of their x-max-length or more. In the order
 * of the plan.
 */
void lq_diff_notes(const struct lq_topology *plan, const struct lq_live *live,
                   struct lq_arena *arena, struct lq_diff *diff);

/*
 * Adds to `diff` what is there but not planned, and concerns the plan:
 *
 * - what its entries left: buckets that are no longer theirs, their bindings
 *   and those of their main queues and DLQs under former names, and the
 *   exchanges that former names gave names to, v1's too;
 * - main queues, buckets and DLQs of entries that are not in the plan, with
 *   their bindings and the exchanges that have no other use: see
 *   compare/former.h for how they are known. They may be another plan's;
 * - others' bindings: from a retry exchange or dead-letter exchange of a
 *   derived name, or to it; to a bucket or DLQ from anywhere; and from a main
 *   exchange, or one chosen as dead_letter_exchange, by a key of the plan: any
 *   other key there is business as usual, unless it leads to a main queue of
 *   the same exchange.
 *
 * A name alone never tells: what is neither in the plan nor bound and declared
 * as v2 does it is a stranger's. So is all that is external: nothing is said
 * about what is bound to it, or left around it. Neither about default bindings,
 * nor about exchanges named amq.…; and that two entries share a key is planned.
 * Ordered by entry, then exchanges, queues, bindings, then name. If `live` does
 * not list exchanges, queues and bindings all, that is one finding of its own,
 * and what it lists is looked at. Linear in the size of both, but for the
 * ordering of what is found. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_diff_unexpected(const struct lq_topology *plan,
                                  const struct lq_live *live,
                                  struct lq_arena *arena,
                                  struct lq_diff *diff) LQ_CHECK;

/*
 * Finds what it means for a broker that is as one plan says to be brought to
 * another one with `apply`: what is created, what stays behind as an orphan
 * (it never deletes or unbinds), what cannot be changed in place, and whose
 * owner changes. Equality is that of lq_diff(). What was external is not
 * compared, as the plan before does not know it. Findings are about the plan
 * after, in its order, then about what only the one before has: these are of
 * the logical queue of the same name in the plan after, or of none. Linear in
 * the size of both. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_change(const struct lq_topology *before,
                         const struct lq_topology *after,
                         struct lq_arena *arena, struct lq_diff *out) LQ_CHECK;

#endif
