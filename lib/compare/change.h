#ifndef LQ_COMPARE_CHANGE_H
#define LQ_COMPARE_CHANGE_H

#include "compare/compare.h"

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
