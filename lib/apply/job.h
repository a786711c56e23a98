/* Shared by the files of this folder. */
#ifndef LQ_APPLY_JOB_H
#define LQ_APPLY_JOB_H

#include "apply/apply.h"
#include "broker/broker.h"

/*
 * What is planned, and what becomes of it. After the look, a managed resource
 * that is LQ_NOT_DONE is missing, or not known to be there.
 */
struct lq_job {
    struct lq_stages stages;
    const struct lq_apply_options *options;
    const struct lq_topology *plan;
    struct lq_apply_report *report;
    /* parallel to the plan's: whether it may be there, unseen */
    bool *unseen_exchanges;
    bool *unseen_queues;
    bool shows_bindings; /* the source does */
    bool conflict;       /* something is there, but not as planned */
    bool failed;         /* something was refused */
};

static inline bool lq_is_managed(enum lq_ownership ownership)
{
    return ownership == LQ_FRAMEWORK_MANAGED;
}

/* Whether a request with this result has, or may have, changed the broker. */
bool lq_is_write(enum lq_result result);

/*
 * Makes a denial the outcome of what was requested, and reports it.
 */
void lq_job_deny(struct lq_job *job, const struct lq_request *request,
                 const struct lq_answer *answer, struct lq_outcome *outcome);

/*
 * findings.c: compares the plan with what is live, from the options or from the
 * broker itself, and turns the findings into outcomes. Creates nothing.
 * LQ_REFUSED when there are conflicts, something external is missing or a stop
 * ends it; LQ_LOST; LQ_NOMEM.
 */
enum lq_status lq_job_look(struct lq_job *job) LQ_CHECK;

/*
 * declare.c: declares what is missing. LQ_REFUSED when a stop or a denial ends
 * it; LQ_LOST; LQ_NOMEM.
 */
enum lq_status lq_job_declare(struct lq_job *job) LQ_CHECK;

/* declare.c: marks what is missing as pending: LQ_OK or LQ_NOMEM. */
enum lq_status lq_job_leave_pending(struct lq_job *job) LQ_CHECK;

#endif
