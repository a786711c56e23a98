#ifndef LQ_BROKER_BROKER_H
#define LQ_BROKER_BROKER_H

#include "base/diag.h"
#include "model/topology.h"

#include <stdbool.h>
#include <stddef.h>

enum lq_request_kind {
    LQ_DECLARE_EXCHANGE,
    LQ_DECLARE_QUEUE,
    LQ_BIND_QUEUE,
    LQ_CHECK_EXCHANGE, /* passive declare: only whether it exists */
    LQ_CHECK_QUEUE,
    /*
     * A declaration that the broker compares with what exists, and that it
     * cannot create anything by: it has an argument that no such thing can be
     * created with. lq_comparison_of() tells what the answer means.
     */
    LQ_COMPARE_EXCHANGE,
    LQ_COMPARE_QUEUE
};

/*
 * The arguments that keep LQ_COMPARE_... from creating anything. Brokers of
 * 3.10, 4.0 and 4.3 compare what exists first, and refuse to create a queue
 * with a negative size of segments, or an exchange whose alternate is a number.
 */
#define LQ_QUEUE_BARRIER "x-stream-max-segment-size-bytes"
#define LQ_EXCHANGE_BARRIER "alternate-exchange"

/* One thing asked of a broker. */
struct lq_request {
    enum lq_request_kind kind;
    union {
        const struct lq_exchange *exchange;
        const struct lq_queue *queue;
        const struct lq_binding *binding;
    } of;
};

/* Whether it is about an exchange, and not a queue or binding. */
bool lq_is_about_exchange(const struct lq_request *request);

/*
 * What a request is about, as messages name it: "queue 'x'", or for a binding
 * what it binds. NULL when out of memory.
 */
const char *lq_request_subject(const struct lq_request *request,
                               struct lq_arena *arena);

enum lq_answer_kind {
    LQ_UNSENT, /* never reached the broker */
    LQ_DONE,   /* the broker said ok */
    LQ_DENIED, /* the broker said no: `code` and `text` */
    LQ_UNKNOWN /* sent, but the connection ended before an answer */
};

struct lq_answer {
    enum lq_answer_kind kind;
    int code;          /* AMQP reply code, e.g. 403, 404, 406; else 0 */
    const char *text;  /* the broker's own words, in the arena; else NULL */
    const char *shown; /* the same as they may be shown; NULL: as they are */
};

/*
 * Requests that do not depend on each other: they may be in flight at once
 * and be answered in any order.
 */
struct lq_batch {
    const struct lq_request *requests;
    size_t count;
    struct lq_answer *answers; /* one a request, filled by run() */
    /*
     * The requests are to change the broker: they are spread as widely as it
     * works in parallel, and after a denial nothing more is sent. Otherwise
     * they only look, and a denial ends nothing.
     */
    bool writes;
    size_t max_in_flight; /* without an answer at any time; 0: LQ_IN_FLIGHT */
    /*
     * Called several times a second with how many are answered; true sends
     * nothing more. May be NULL.
     */
    bool (*tick)(void *data, size_t answered);
    /*
     * Called when the broker says that it is blocked by an alarm, with its
     * printable reason, and with NULL when it no longer is. Nothing is sent in
     * between. LQ_OK or LQ_NOMEM. May be NULL.
     */
    enum lq_status (*blocked)(void *data, const char *reason);
    void *data; /* for the two above */
};

/* More in flight gain nothing, not even over long distances. */
#define LQ_IN_FLIGHT 512

/* A broker as `apply` sees it. */
struct lq_broker {
    /*
     * Fills an answer for each request of the batch. What was in flight when
     * the sending ended is waited for, the rest is LQ_UNSENT. LQ_OK when every
     * answer is DONE, DENIED or, after a denial or a tick that said so,
     * UNSENT; LQ_LOST when the connection is gone or did not answer in time
     * (an error says why): nothing more can be run then. LQ_NOMEM. One that
     * connects only when it is needed may also return LQ_REFUSED or LQ_INVALID,
     * with everything LQ_UNSENT.
     */
    enum lq_status (*run)(struct lq_broker *broker,
                          const struct lq_batch *batch);
    /*
     * After LQ_LOST: the broker ended the connection because it refuses
     * something, and will refuse it again. What it names as the reason is
     * DENIED then, if it can be told from the rest.
     */
    bool refused;
};

/* Batches one after another, with those who wait kept informed. */
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
