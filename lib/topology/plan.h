#ifndef LQ_TOPOLOGY_PLAN_H
#define LQ_TOPOLOGY_PLAN_H

#include "base/diag.h"
#include "topology/topology.h"

/*
 * Expands entries into the v2 topology, which lives in the arena of `diags`
 * and points into `entries`. Checks every rule that needs more than one field
 * or entry, reports all that are broken and then returns LQ_INVALID without a
 * topology. A capacity that does not fit in an int64 is a warning.
 */
enum lq_status lq_plan_build(const struct lq_entry *entries, size_t count,
                             struct lq_diags *diags,
                             const struct lq_topology **out) LQ_CHECK;

#endif
