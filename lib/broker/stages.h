/* Batches one after another, with those who wait kept informed. */
#ifndef LQ_BROKER_STAGES_H
#define LQ_BROKER_STAGES_H

#include "base/diag.h"
#include "broker/broker.h"

/* How to go on, and whom to tell; each function may be NULL. */
struct lq_stage_hooks {
    size_t max_in_flight;   /* as in struct lq_batch */
    bool fail_when_blocked; /* ends the run then, instead of waiting */
    /* Called now and then with requests answered of all. */
    void (*progress)(void *data, size_t done, size_t total);
    /* Asked several times a second; true ends the run. */
    bool (*stop)(void *data);
    /* Told at once what people should know while they wait. */
    void (*notice)(void *data, const char *text);
    void *data;
};

/* Requests to one broker, stage by stage: each stage is a batch. */
struct lq_stages {
    struct lq_broker *broker;
    struct lq_diags *diags;
    struct lq_stage_hooks hooks;
    /* the stage being made; room for every request of any stage */
    struct lq_request *requests;
    struct lq_answer *answers;
    struct lq_answer **takers; /* where each answer goes */
    size_t count;
    size_t finished; /* requests of earlier stages */
    size_t total;    /* requests of all stages, as far as is known */
    bool stopped;    /* the hooks' stop said so, or an alarm ended it */
};

/*
 * Makes room for stages of up to `capacity` requests, in the arena of the
 * diags. The caller has set the first three. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_stages_reserve(struct lq_stages *stages,
                                 size_t capacity) LQ_CHECK;

/* Adds a request to the stage; its answer goes to `taker`. */
void lq_stages_add(struct lq_stages *stages, struct lq_request request,
                   struct lq_answer *taker);

/*
 * Runs what was added, if anything, and hands out every answer, whatever is
 * returned but LQ_NOMEM. `writes` is as in struct lq_batch. LQ_OK; LQ_REFUSED
 * when some request was not sent, be it for a stop or a denial; else as
 * the broker's run().
 */
enum lq_status lq_stages_run(struct lq_stages *stages, bool writes) LQ_CHECK;

#endif
