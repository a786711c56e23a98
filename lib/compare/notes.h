#ifndef LQ_COMPARE_NOTES_H
#define LQ_COMPARE_NOTES_H

#include "compare/compare.h"

/*
 * Adds notes on figures, if `live` has them: consumers of buckets, and queues
 * of the plan's own that hold 80 % of their x-max-length or more. In the order
 * of the plan.
 */
void lq_diff_notes(const struct lq_topology *plan,
                             const struct lq_live *live, struct lq_arena *arena,
                             struct lq_diff *diff);

#endif
