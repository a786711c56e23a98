#ifndef LQ_RENDER_APPLY_H
#define LQ_RENDER_APPLY_H

#include "apply/apply.h"
#include "lilyq.h"
#include "model/topology.h"

#include <stddef.h>

/*
 * A table of counts per kind, then every resource that is not as planned.
 * LQ_OK or LQ_IO (the sink refused).
 */
enum lq_status lq_apply_text_render(const struct lq_topology *topology,
                                    const struct lq_apply_report *report,
                                    const struct lilyq_sink *sink) LQ_CHECK;

/*
 * The same and more as a document (man/lilyq-apply.schema.json). `arena` is for
 * scratch. LQ_OK, LQ_IO (the sink refused) or LQ_NOMEM.
 */
enum lq_status lq_apply_json_render(const struct lq_topology *topology,
                                    const struct lq_apply_report *report,
                                    struct lq_arena *arena,
                                    const struct lilyq_sink *sink) LQ_CHECK;

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
