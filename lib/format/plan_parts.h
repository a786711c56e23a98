#ifndef LQ_FORMAT_PLAN_PARTS_H
#define LQ_FORMAT_PLAN_PARTS_H

#include "base/map.h"
#include "format/plan_take.h"
#include "topology/topology.h"

/* The names of what a saved plan has. */
struct lq_plan_names {
    struct lq_map exchanges;
    struct lq_map queues;
};

/*
 * Fails unless the exchanges and queues that the logical queues are made of
 * are in the plan, with a binding for each queue, and no more queues than that.
 */
void lq_plan_check_parts(struct lq_plan_taker *taker,
                         const struct lq_node *document,
                         const struct lq_topology *plan,
                         const struct lq_plan_names *names);

#endif
