#ifndef LQ_BROKER_BROKER_H
#define LQ_BROKER_BROKER_H

#include "base/diag.h"
#include "model/topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lq_request_kind {
    LQ_DECLARE_EXCHANGE,
    LQ_DECLARE_QUEUE,
    LQ_BIND_QUEUE,
    LQ_CHECK_EXCHANGE, /* passive declare: only whether it exists */
    LQ_CHECK_QUEUE,
    /*
     * A declaration that makes the broker compare what exists, but cannot
     * create anything: one of its arguments is not valid for a new exchange or
     * queue. lq_comparison_of() tells what the answer means.
     */
    LQ_COMPARE_EXCHANGE,
    LQ_COMPARE_QUEUE
};

/*
 * The arguments that keep LQ_COMPARE_... from creating anything. RabbitMQ 3.10,
 * 4.0 and 4.3 compare what exists first, and refuse to create a queue with a
 * negative segment size, or an exchange whose alternate is a number.
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

/* Whether the request is about an exchange, not a queue or binding. */
bool lq_is_about_exchange(const struct lq_request *request);

/*
 * What a request is about, as messages name it: "queue 'x'", or for a binding
 * both ends and the key.
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
    const char *shown; /* the same, fit to be shown; NULL: as it is */
    /* of a queue that was declared or checked, else 0 */
    uint32_t messages; /* ready to be delivered */
    uint32_t consumers;
};

/*
 * Requests that do not depend on each other: they may be in flight together
 * and be answered in any order.
 */
struct lq_batch {
    const struct lq_request *requests;
    size_t count;
    struct lq_answer *answers; /* one a request, filled by run() */
    /*
     * The requests may change the broker: they are spread over what it serves
     * in parallel, and nothing more is sent after a denial. Otherwise they only
     * look, and a denial ends nothing.
     */
    bool writes;
    size_t max_in_flight; /* unanswered at any time; 0: LQ_IN_FLIGHT */
    /*
     * Called several times a second with the number of answers so far; once it
     * returns true nothing more is sent. May be NULL.
     */
    bool (*tick)(void *data, size_t answered);
    /*
     * Called with a printable reason when an alarm blocks the broker, and with
     * NULL when it no longer does. Nothing is sent in between. May be NULL.
     */
    void (*blocked)(void *data, const char *reason);
    void *data; /* for both functions */
};

/* More in flight is no faster, not even over long distances. */
#define LQ_IN_FLIGHT 512

/* A broker that can be sent requests. */
struct lq_broker {
    /*
     * Fills in an answer for each request of the batch. When a denial or the
     * tick ends the sending, requests in flight are still waited for, and the
     * rest are LQ_UNSENT. LQ_OK when every answer is DONE, DENIED or, for
     * either of these reasons, UNSENT; LQ_LOST when the connection is gone or
     * did not answer in time (an error says why), after which nothing more can
     * be run; LQ_NOMEM. A broker that connects only when needed may also return
     * LQ_REFUSED or LQ_INVALID, with everything LQ_UNSENT.
     */
    enum lq_status (*run)(struct lq_broker *broker,
                          const struct lq_batch *batch);
    /*
     * After LQ_LOST: the broker closed the connection to refuse something, and
     * would refuse it again. The request that it refused is DENIED, if it can
     * be told from the others.
     */
    bool refused;
};

/* What steers stages, and is told about them; each function may be NULL. */
struct lq_stage_hooks {
    size_t max_in_flight;   /* as in struct lq_batch */
    bool fail_when_blocked; /* an alarm ends the run, instead of a wait */
    /* Called now and then with the answered requests, out of all. */
    void (*progress)(void *data, size_t done, size_t total);
    /* Asked several times a second; true ends the run. */
    bool (*stop)(void *data);
    /* Called at once with what people should know while they wait. */
    void (*notice)(void *data, const char *text);
    void *data;
};

/* Requests to one broker, stage by stage; each stage is a batch. */
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
    size_t total;    /* requests of all stages, as far as they are known */
    bool stopped;    /* by the hooks, or by an alarm */
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
 * Runs what was added, if anything, and hands out every answer unless it
 * returns LQ_NOMEM. `writes` is as in struct lq_batch. LQ_OK; LQ_REFUSED when
 * a stop or a denial kept some request from being sent; otherwise what the
 * broker's run() returns.
 */
enum lq_status lq_stages_run(struct lq_stages *stages, bool writes) LQ_CHECK;

#endif
