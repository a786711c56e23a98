#ifndef LQ_FORMAT_PLAN_VERIFY_H
#define LQ_FORMAT_PLAN_VERIFY_H

#include "format/plan_take.h"

#include "topology/topology.h"

/*
 * Fails unless the document is what the plan read from it is written as: with
 * the same members, in any order, and the same values. Linear.
 */
void lq_plan_verify(struct lq_plan_taker *taker, const struct lq_node *document,
                    const struct lq_topology *plan,
                    const struct lq_diags *warnings);

#endif
