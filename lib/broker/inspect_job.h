/* What the inspect*.c files share. */
#ifndef LQ_BROKER_INSPECT_JOB_H
#define LQ_BROKER_INSPECT_JOB_H

#include "base/map.h"
#include "broker/apply_run.h"
#include "broker/comparison.h"
#include "compare/compare.h"

/* An exchange or queue of the plan, and the last that was said of it. */
struct lq_sight {
    struct lq_request request;
    struct lq_answer answer;
    struct lq_comparison comparison; /* what the answer means */
    bool managed;
    bool doubted; /* it was there, could not be compared, and is asked for again
                   */
};

struct lq_inspection {
    struct lq_apply_run run;
    const struct lq_topology *plan;
    struct lq_sight *sights; /* exchanges, then queues */
    size_t count;
    struct lq_map missing_exchanges; /* their sights, by name */
    struct lq_map missing_queues;
    struct lq_diff *diff;
};

/* inspect_findings.c: what the sights come to. LQ_OK or LQ_NOMEM. */
enum lq_status
lq_inspection_add_findings(struct lq_inspection *inspection) LQ_CHECK;

#endif
