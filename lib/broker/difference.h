#ifndef LQ_BROKER_DIFFERENCE_H
#define LQ_BROKER_DIFFERENCE_H

#include "broker/mismatch.h"

/*
 * A difference in words, such as "x-max-length is 1000 there, plan says 2000".
 * Both types are named where they differ; a side whose type is not known is
 * "of another type" when its value cannot be of the other side's. NULL when
 * out of memory.
 */
const char *lq_difference_text(const struct lq_mismatch *difference,
                               struct lq_arena *arena);

#endif
