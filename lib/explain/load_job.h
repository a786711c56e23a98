#ifndef LQ_EXPLAIN_LOAD_JOB_H
#define LQ_EXPLAIN_LOAD_JOB_H

#include "explain/flow.h"
#include "explain/load.h"

/* A load while it is worked out. */
struct lq_load_job {
    const struct lq_logical *logical;
    struct lq_load *load;
    struct lq_level *levels;
    struct lq_flow_plan plan;
    struct lq_flow flow;
    struct lq_curve slope; /* of the main queue */
    /* how much of the load's normal time the buckets can hold, up to 1: where
       it is less, the consumer stops before they hold more */
    double share;
};

/*
 * Takes the memory, and fills in what each queue may hold and what it holds in
 * normal time. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_load_start(struct lq_load_job *job,
                             const struct lq_logical *logical,
                             struct lq_load *load,
                             struct lq_arena *arena) LQ_CHECK;

/* Has the attempts wait with another jitter; no bucket means anything then. */
void lq_load_jitter(struct lq_load_job *job, double ratio);

/* The load in an outage without an end, that nothing stops. */
struct lq_flow_case lq_load_flow_case(const struct lq_load *load);

/* Works out the flows. */
void lq_load_run(struct lq_load_job *job, const struct lq_flow_case *given);

/*
 * Works out what becomes of the outage that is asked for, once it is known what
 * an endless one breaks. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_load_run_outage(struct lq_load_job *job,
                                  struct lq_arena *arena) LQ_CHECK;

#endif
