#ifndef LQ_COMPARE_UNEXPECTED_H
#define LQ_COMPARE_UNEXPECTED_H

#include "compare/compare.h"

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

#endif
