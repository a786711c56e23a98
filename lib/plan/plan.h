#ifndef LQ_PLAN_PLAN_H
#define LQ_PLAN_PLAN_H

#include "base/diag.h"
#include "model/topology.h"

/*
 * Expands entries into the v2 topology, which lives in the arena of `diags`
 * and points into `entries`. Checks every rule that needs more than one field
 * or entry, reports all that are broken and then returns LQ_INVALID without a
 * topology. A capacity that does not fit in an int64 is a warning.
 */
enum lq_status lq_plan_build(const struct lq_entry *entries, size_t count,
                             struct lq_diags *diags,
                             const struct lq_topology **out) LQ_CHECK;

/* What an entry may hold at worst: main + buckets x per bucket + DLQ. */
struct lq_capacity lq_capacity_of(const struct lq_entry *entry,
                                  size_t bucket_count);

/*
 * Sums up the logicals, and warns of every sum that an int64 does not hold:
 * each queue's own and the whole one.
 */
struct lq_capacity lq_capacity_total(const struct lq_logical *logicals,
                                     size_t count, struct lq_diags *diags);

#endif
