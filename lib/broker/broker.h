#ifndef LQ_BROKER_BROKER_H
#define LQ_BROKER_BROKER_H

#include "base/diag.h"
#include "topology/topology.h"

#include <stddef.h>

enum lq_request_kind {
    LQ_DECLARE_EXCHANGE,
    LQ_DECLARE_QUEUE,
    LQ_BIND_QUEUE,
    LQ_CHECK_EXCHANGE, /* passive declare: only whether it exists */
    LQ_CHECK_QUEUE
};

/* One thing asked of a broker. */
struct lq_request {
    enum lq_request_kind kind;
    union {
        const struct lq_exchange *exchange;
        const struct lq_queue *queue;
        const struct lq_binding *binding;
    } of;
};

enum lq_answer_kind {
    LQ_UNSENT, /* never reached the broker */
    LQ_DONE,   /* the broker said ok */
    LQ_DENIED, /* the broker said no: `code` and `text` */
    LQ_UNKNOWN /* sent, but the connection ended before an answer */
};

struct lq_answer {
    enum lq_answer_kind kind;
    int code;         /* AMQP reply code, e.g. 403, 404, 406; else 0 */
    const char *text; /* the broker's own words, in the arena; else NULL */
};

/*
 * A broker as `apply` sees it. An implementation may have any number of
 * requests of one batch in flight and answer them in any order; a batch is a
 * barrier, so what depends on each other goes into successive batches.
 */
struct lq_broker {
    /*
     * Fills answers[i] for requests[i]. A denied request does not end the
     * batch unless `stop_at_denial`; then the rest may stay LQ_UNSENT.
     * LQ_OK when every answer is DONE, DENIED or, after a denial, UNSENT;
     * LQ_LOST when the connection is gone (diags say why), LQ_NOMEM.
     */
    enum lq_status (*run)(struct lq_broker *broker,
                          const struct lq_request *requests, size_t count,
                          bool stop_at_denial, struct lq_answer *answers);
};

#endif
