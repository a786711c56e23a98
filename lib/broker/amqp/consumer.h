/* A connection that takes messages from queues, one queue at a time. */
#ifndef LQ_BROKER_AMQP_CONSUMER_H
#define LQ_BROKER_AMQP_CONSUMER_H

#include "base/diag.h"
#include "broker/broker.h"
#include "broker/connection.h"
#include "model/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More cannot be asked for, and 0 would mean 2000 on a quorum queue. */
#define LQ_PREFETCH_MAX 65535

struct lq_consumer;

/*
 * Functions that return a status: LQ_LOST when the connection is gone, with an
 * error in the diags, after which only lq_consumer_close() is left; LQ_NOMEM.
 *
 * Those that take an answer wait for it, and return LQ_OK with LQ_DONE, or with
 * LQ_DENIED when the broker closed the channel instead of an answer. A closed
 * channel puts everything that was delivered and not settled back into its
 * queue; the next call opens another, whose delivery tags start anew. An answer
 * owed for answer_timeout_millis is LQ_LOST, and so is one owed for 5 s once
 * the connection's stop says true.
 *
 * Heartbeats are sent and listened for in these functions only: with a
 * heartbeat, call lq_consumer_next() at least every half of it, if only with a
 * moment that has passed.
 */

/* Connects as lq_amqp_open() does, and opens a channel. */
enum lq_status lq_consumer_open(const struct lq_connection *connection,
                                struct lq_diags *diags,
                                struct lq_consumer **out) LQ_CHECK;

/*
 * Says goodbye and hangs up: what is not settled goes back to its queue, and a
 * lock is freed. NULL is fine.
 */
void lq_consumer_close(struct lq_consumer *consumer);

/*
 * How the broker introduced itself, such as "RabbitMQ" and "4.0.5"; printable,
 * "" when it did not say.
 */
const char *lq_consumer_product(const struct lq_consumer *consumer);
const char *lq_consumer_version(const struct lq_consumer *consumer);

/*
 * The next functions return LQ_INVALID, with an error and nothing sent, when a
 * name has more than 255 bytes.
 */

/*
 * Takes a lock that ends with the connection: an exclusive queue of this name,
 * whose argument x-lilyq-holder tells people who has it. Denied with 405 when
 * another connection holds it, with 403 when this user may not declare it.
 */
enum lq_status lq_consumer_lock(struct lq_consumer *consumer, const char *name,
                                const char *holder,
                                struct lq_answer *answer) LQ_CHECK;

/* Frees it: deletes the queue. */
enum lq_status lq_consumer_unlock(struct lq_consumer *consumer,
                                  const char *name,
                                  struct lq_answer *answer) LQ_CHECK;

/*
 * Starts to consume a queue. No more than `prefetch` messages, 1 to
 * LQ_PREFETCH_MAX (else LQ_INVALID), are delivered and not settled at any time.
 * Everything from an earlier queue must be settled.
 */
enum lq_status lq_consumer_start(struct lq_consumer *consumer,
                                 const char *queue, unsigned prefetch,
                                 struct lq_answer *answer) LQ_CHECK;

/* The consumer's tag, printable; "" when not started. */
const char *lq_consumer_tag(const struct lq_consumer *consumer);

enum lq_delivery_kind {
    LQ_NO_DELIVERY, /* none by that moment, or a stop ended the wait */
    LQ_DELIVERY,
    LQ_CONSUMER_CANCELLED, /* the broker takes no more messages from the queue:
                              it was deleted, or an acknowledgement took too
                              long (RabbitMQ 4.3). Told once. */
    LQ_CONSUMER_CLOSED     /* the channel is closed: `code`, `text`, `shown` */
};

struct lq_delivery {
    enum lq_delivery_kind kind;
    uint64_t tag;
    bool redelivered;
    struct lq_message message; /* valid until the next call */
    int code;                  /* as in struct lq_answer */
    const char *text;
    const char *shown;
};

/*
 * Takes the next message, waiting for it until `until`, a moment of
 * lq_now_millis(). Takes what has already arrived even after that. The first
 * time that the connection's stop says true, it ends the wait; later waits last
 * as long as they are told to.
 */
enum lq_status lq_consumer_next(struct lq_consumer *consumer, uint64_t until,
                                struct lq_delivery *out) LQ_CHECK;

/* What came in while an answer was awaited, and is not handed out. */
struct lq_surplus {
    size_t count;
    uint64_t last_tag; /* of all deliveries of the channel; 0: none */
    /* The broker ended it first: what was held may be in its queue again. */
    bool cancelled;
};

/*
 * Stops consuming: nothing more is delivered then, and everything that is held,
 * the surplus included, can be settled with tag 0. Done when it was not
 * started.
 */
enum lq_status lq_consumer_stop(struct lq_consumer *consumer,
                                struct lq_surplus *surplus,
                                struct lq_answer *answer) LQ_CHECK;

/*
 * Settle a delivery, or with `multiple` all up to it that are not settled, all
 * there are for tag 0: acknowledged, or put back into the queue. The channel is
 * closed (406) when there is none, but for tag 0. They are on their way when
 * this returns; lq_consumer_sync() proves that they have arrived. LQ_REFUSED,
 * with nothing sent, when the channel is closed.
 */
enum lq_status lq_consumer_ack(struct lq_consumer *consumer, uint64_t tag,
                               bool multiple) LQ_CHECK;
enum lq_status lq_consumer_put_back(struct lq_consumer *consumer, uint64_t tag,
                                    bool multiple) LQ_CHECK;

/*
 * Waits until the broker has taken everything that was sent, by a passive
 * declare of the queue that was started last: its answer has the messages that
 * are ready, perhaps without those that were just put back. For a consumer that
 * is stopped: what is delivered meanwhile is not handed out. Done, with no
 * count, when none was started.
 */
enum lq_status lq_consumer_sync(struct lq_consumer *consumer,
                                struct lq_answer *answer) LQ_CHECK;

#endif
