/* What the files here share. */
#ifndef LQ_APPLY_JOB_H
#define LQ_APPLY_JOB_H

#include "apply/apply.h"
#include "broker/broker.h"

/*
 * What is planned, and what becomes of it. Once everything was looked at, a
 * managed resource that is LQ_NOT_DONE is missing, or not known to be there.
 */
struct lq_job {
    struct lq_stages stages;
    const struct lq_apply_options *options;
    const struct lq_topology *plan;
    struct lq_apply_report *report;
    bool
        *unseen_exchanges; /* those that may be there; parallel to the plan's */
    bool *unseen_queues;
    bool shows_bindings; /* the source does */
    bool conflict;       /* something is there, but not as planned */
    bool failed;         /* something was refused */
};

static inline bool lq_is_managed(enum lq_ownership ownership)
{
    return ownership == LQ_FRAMEWORK_MANAGED;
}

/* Whether a request that ends so well may have changed the broker. */
bool lq_is_write(enum lq_result result);

/*
 * Notes a denial as the outcome of what was requested, with an error: LQ_OK or
 * LQ_NOMEM.
 */
enum lq_status lq_job_deny(struct lq_job *job, const struct lq_request *request,
                           const struct lq_answer *answer,
                           struct lq_outcome *outcome) LQ_CHECK;

/*
 * findings.c: compares the plan with what the options know of the broker, or
 * with what it shows of itself, and notes what the findings come to. Creates
 * nothing. LQ_REFUSED when there are conflicts, something external is missing
 * or a stop ends it; LQ_LOST; LQ_NOMEM.
 */
enum lq_status lq_job_look(struct lq_job *job) LQ_CHECK;

/*
 * declare.c: declares what is missing. LQ_REFUSED when a stop or a denial ends
 * it; LQ_LOST; LQ_NOMEM.
 */
enum lq_status lq_job_declare(struct lq_job *job) LQ_CHECK;

/* declare.c: says of what is missing that it is pending: LQ_OK or LQ_NOMEM. */
enum lq_status lq_job_leave_pending(struct lq_job *job) LQ_CHECK;

#endif
