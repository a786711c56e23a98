#ifndef LQ_FORMAT_PLAN_LOGICAL_H
#define LQ_FORMAT_PLAN_LOGICAL_H

#include "format/plan_take.h"

#include "topology/topology.h"

/*
 * Reads one of the "logical_queues" of a saved plan, the one of that number.
 * Its entry has what the document says of it, and no more.
 */
void lq_plan_read_logical(struct lq_plan_taker *taker,
                          const struct lq_node *object, size_t index,
                          struct lq_logical *out);

/* Reads a "worst_case". */
struct lq_capacity lq_plan_take_capacity(struct lq_plan_taker *taker,
                                         const struct lq_node *object);

#endif
