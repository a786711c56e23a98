#ifndef LQ_FORMAT_PLAN_ARGUMENTS_H
#define LQ_FORMAT_PLAN_ARGUMENTS_H

#include "format/plan_take.h"

#include "topology/topology.h"

/* Takes the "arguments" of a queue, in the order of the document. */
void lq_plan_take_arguments(struct lq_plan_taker *taker,
                            const struct lq_node *object, struct lq_queue *out);

#endif
