#ifndef LQ_FORMAT_APPLY_TALLY_H
#define LQ_FORMAT_APPLY_TALLY_H

#include "apply/apply.h"
#include "topology/topology.h"

#include <stddef.h>

/* How many resources of one kind came to each result. */
struct lq_tally {
    size_t of[LQ_RESULT_COUNT]; /* by enum lq_result */
};

/* What an apply did, in numbers. */
struct lq_tallies {
    struct lq_tally exchanges;
    struct lq_tally queues;
    struct lq_tally bindings;
    struct lq_tally policies;
    size_t external_unverified; /* bindings */
};

void lq_tally_report(const struct lq_topology *topology,
                     const struct lq_apply_report *report,
                     struct lq_tallies *out);

/* The order in which results are told: first what is well. */
extern const enum lq_result lq_result_order[LQ_RESULT_COUNT];

/* Of one resource: "created", "conflict", "not_done", ... A constant. */
const char *lq_result_word(enum lq_result result);

/* Of a count: the same, but for "conflicts". */
const char *lq_result_count_word(enum lq_result result);

#endif
