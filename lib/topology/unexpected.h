#ifndef LQ_TOPOLOGY_UNEXPECTED_H
#define LQ_TOPOLOGY_UNEXPECTED_H

#include "topology/diff.h"

/*
 * Adds to `diff` what is there but not planned, and concerns the plan:
 *
 * - what its entries left: buckets that are no longer theirs, their bindings
 *   and those of their DLQs under former names, the retry and dead-letter
 *   exchanges that their exchange_name gave names to, and v1's;
 * - buckets and DLQs of entries that are not in the plan, if one of its own
 *   derived exchanges leads there by the very key that v2 derives, and a
 *   bucket if it also dead-letters to the main exchange of that one. They may
 *   be another plan's for the same exchange;
 * - others' bindings: from a retry exchange or dead-letter exchange of a
 *   derived name, or to it; to a bucket or DLQ from anywhere; and from a main
 *   exchange, or one chosen as dead_letter_exchange, by a key of the plan: any
 *   other key there is business as usual.
 *
 * A name is never guessed: what is neither in the plan nor derived from it is
 * a stranger's. So is all that is external: nothing is said about what is
 * bound to it, or left around it. Neither about default bindings, nor about
 * exchanges named amq.…; and that two entries share a key is planned. Ordered
 * by entry, then exchanges, queues, bindings, then name. If `live` does not
 * list exchanges, queues and bindings all, that is one finding of its own,
 * and what it lists is looked at. Linear in the size of both, but for the
 * ordering of what is found. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_diff_unexpected(const struct lq_topology *plan,
                                  const struct lq_live *live,
                                  struct lq_arena *arena,
                                  struct lq_diff *diff) LQ_CHECK;

#endif
