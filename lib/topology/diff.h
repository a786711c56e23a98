#ifndef LQ_TOPOLOGY_DIFF_H
#define LQ_TOPOLOGY_DIFF_H

#include "topology/finding.h"
#include "topology/live.h"
#include "topology/topology.h"

/* Every difference, in the order of the plan. */
struct lq_diff {
    struct lq_array findings;             /* struct lq_finding */
    size_t counts[LQ_FINDING_KIND_COUNT]; /* by enum lq_finding_kind */
};

/*
 * Compares a plan with what a broker holds, as the broker itself would when
 * the plan is declared: the width of an integer does not matter, nor does the
 * order of arguments; a value of another type differs, and one that is not set
 * differs from the default. Only a queue without x-queue-type counts as one of
 * its actual type. All differences of a resource are found. An argument that
 * is there but not planned is `different` where the broker compares it, else
 * of a code of its own that stands in nobody's way. What is external must
 * exist, and is not compared. What `live` does not show is `unverified`.
 * Linear in the size of both. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_diff(const struct lq_topology *plan,
                       const struct lq_live *live, struct lq_arena *arena,
                       struct lq_diff *out) LQ_CHECK;

const struct lq_finding *lq_diff_at(const struct lq_diff *diff, size_t index);

/* Adds a finding and counts it: LQ_OK or LQ_NOMEM. */
enum lq_status lq_diff_add(struct lq_diff *diff,
                           const struct lq_finding *finding,
                           struct lq_arena *arena) LQ_CHECK;

#endif
