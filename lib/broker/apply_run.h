#ifndef LQ_BROKER_APPLY_RUN_H
#define LQ_BROKER_APPLY_RUN_H

#include "broker/apply.h"

/* What hangs on the answer to one request. */
struct lq_step {
    struct lq_outcome *outcome;
    enum lq_result done; /* the outcome's result when the broker says ok */
    bool *found; /* a check's: set instead of the result, and a miss is fine */
    struct lq_answer
        *keep; /* takes the answer, of which nothing else is made */
};

/* A run of apply, stage by stage: each stage is a batch. */
struct lq_apply_run {
    struct lq_broker *broker;
    const struct lq_apply_options *options;
    struct lq_diags *diags;
    /* the stage being made; room for every request of any stage */
    struct lq_request *requests;
    struct lq_answer *answers;
    struct lq_step *steps;
    size_t count;
    size_t finished; /* requests of earlier stages */
    size_t total;    /* requests of all stages */
    bool stopped;    /* the options' stop said so */
    bool conflict;   /* something is there, but not as planned */
    bool failed;     /* something was refused */
};

/* Whether a request that ends so well may have changed the broker. */
bool lq_is_write(enum lq_result result);

/* Makes room for stages of up to `capacity` requests. */
enum lq_status lq_apply_reserve(struct lq_apply_run *run,
                                size_t capacity) LQ_CHECK;

/* Adds a request to the stage. */
void lq_apply_add(struct lq_apply_run *run, struct lq_request request,
                  struct lq_step step);

/*
 * Notes a denial as the outcome of what was requested, with an error: LQ_OK or
 * LQ_NOMEM.
 */
enum lq_status lq_apply_deny(struct lq_apply_run *run,
                             const struct lq_request *request,
                             const struct lq_answer *answer,
                             struct lq_outcome *outcome) LQ_CHECK;

/*
 * Runs what was added, if anything, and notes every outcome, each conflict and
 * failure with an error. LQ_REFUSED when a stop, or a denial of what `writes`,
 * ends the run here; LQ_LOST, LQ_NOMEM.
 */
enum lq_status lq_apply_stage(struct lq_apply_run *run, bool writes) LQ_CHECK;

#endif
