#ifndef LQ_TOPOLOGY_CAPACITY_H
#define LQ_TOPOLOGY_CAPACITY_H

#include "base/diag.h"
#include "topology/topology.h"

/* What an entry may hold at worst: main + buckets x per bucket + DLQ. */
struct lq_capacity lq_capacity_of(const struct lq_entry *entry,
                                  size_t bucket_count);

/*
 * Sums up the logicals, and warns of every sum that an int64 does not hold:
 * each queue's own and the whole one. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_capacity_total(const struct lq_logical *logicals,
                                 size_t count, struct lq_diags *diags,
                                 struct lq_capacity *out) LQ_CHECK;

#endif
