/* What the apply*.c files share. */
#ifndef LQ_BROKER_APPLY_JOB_H
#define LQ_BROKER_APPLY_JOB_H

#include "broker/apply_run.h"

/*
 * What is planned, and what becomes of it. Once everything was looked at, a
 * managed resource that is LQ_NOT_DONE is missing.
 */
struct lq_job {
    struct lq_apply_run run;
    const struct lq_topology *plan;
    struct lq_apply_report *report;
};

static inline bool lq_is_managed(enum lq_ownership ownership)
{
    return ownership == LQ_FRAMEWORK_MANAGED;
}

/* Adds a request about the exchange or queue of that number to the stage. */
void lq_job_add_exchange(struct lq_job *job, size_t index,
                         enum lq_request_kind kind, struct lq_step step);
void lq_job_add_queue(struct lq_job *job, size_t index,
                      enum lq_request_kind kind, struct lq_step step);

/*
 * apply_look.c: asks for everything, then declares again what was found, which
 * changes nothing; in a dry run so that it could not, come what may. LQ_REFUSED
 * when there are conflicts, or something external is missing; else as
 * lq_apply_stage().
 */
enum lq_status lq_job_look(struct lq_job *job) LQ_CHECK;

/*
 * apply_live.c: compares what the options know of the broker, and asks for
 * nothing. LQ_REFUSED as lq_job_look(); LQ_NOMEM.
 */
enum lq_status lq_job_look_at_live(struct lq_job *job) LQ_CHECK;

/* Exchanges and queues that a look found; parallel to the plan's. */
struct lq_found {
    bool *exchanges;
    bool *queues;
};

/*
 * apply_dry.c: compares what was found with the plan, unable to create
 * anything. What is gone by now is missing. As lq_apply_stage().
 */
enum lq_status lq_job_compare_dry(struct lq_job *job,
                                  const struct lq_found *found) LQ_CHECK;

/* apply_look.c: asks for what is external only. */
enum lq_status lq_job_look_at_external(struct lq_job *job) LQ_CHECK;

/* apply_declare.c: declares what is missing, as lq_apply_stage(). */
enum lq_status lq_job_declare(struct lq_job *job) LQ_CHECK;

/* apply_declare.c: says of what is missing that it is pending: LQ_OK or
 * LQ_NOMEM. */
enum lq_status lq_job_leave_pending(struct lq_job *job) LQ_CHECK;

#endif
