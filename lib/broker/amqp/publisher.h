/* A connection that publishes messages, and hears what became of each. */
#ifndef LQ_BROKER_AMQP_PUBLISHER_H
#define LQ_BROKER_AMQP_PUBLISHER_H

#include "base/diag.h"
#include "broker/connection.h"
#include "model/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lq_publisher;

/*
 * Connects as lq_amqp_open() does, and opens a channel in confirm mode.
 * Heartbeats are sent and listened for in lq_publisher_next() only: with a
 * heartbeat, call it at least every half of it.
 */
enum lq_status lq_publisher_open(const struct lq_connection *connection,
                                 struct lq_diags *diags,
                                 struct lq_publisher **out) LQ_CHECK;

/* Says goodbye, unless something is still to be written, and hangs up. */
void lq_publisher_close(struct lq_publisher *publisher);

/* As lq_consumer_product() and lq_consumer_version(). */
const char *lq_publisher_product(const struct lq_publisher *publisher);
const char *lq_publisher_version(const struct lq_publisher *publisher);

/*
 * Publishes messages, mandatory, without waiting. `*taken` is how many of them
 * were taken: fewer than `count`, perhaps none, when megabytes are still to be
 * written, or when an alarm blocks the broker; lq_publisher_next() then makes
 * room. The bytes are copied. The messages of a publisher are numbered from 1
 * in the order in which they were taken.
 *
 * LQ_OK; LQ_INVALID when the first message that was not taken can never be (its
 * properties do not fit in a frame, or its key or exchange has more than 255
 * bytes), with an error; LQ_REFUSED when the channel is closed; LQ_LOST;
 * LQ_NOMEM.
 */
enum lq_status lq_publisher_send(struct lq_publisher *publisher,
                                 const struct lq_message *messages,
                                 size_t count, size_t *taken) LQ_CHECK;

/* Messages that were taken and have no outcome yet. */
size_t lq_publisher_in_flight(const struct lq_publisher *publisher);

enum lq_publisher_event_kind {
    LQ_NO_EVENT, /* none by that moment, or a stop ended the wait */
    /* The outcome of messages `first` to `last`; each has one outcome. */
    LQ_CONFIRMED,
    LQ_NACKED,   /* the broker did not take them */
    LQ_RETURNED, /* no queue wanted it: `code` and `text` */
    /*
     * They are confirmed, but a message was returned, and it cannot be told
     * which of these it was: any of them may have reached no queue. That is so
     * for messages in flight together that are alike in everything; `code` and
     * `text` are of the last return.
     */
    LQ_DOUBTFUL,
    LQ_BLOCKED,   /* an alarm: `text` has the reason, printable */
    LQ_UNBLOCKED, /* no longer */
    /*
     * The channel is closed: `code` and `text`. Messages without an outcome
     * may be in their queues all the same. Told at each call from then on, once
     * all outcomes are.
     */
    LQ_PUBLISHER_CLOSED
};

struct lq_publisher_event {
    enum lq_publisher_event_kind kind;
    uint64_t first;
    uint64_t last;
    int code;          /* AMQP reply code, e.g. 312 or 406 */
    const char *text;  /* the broker's own words, in the arena; else NULL */
    const char *shown; /* the same, fit to be shown */
};

/*
 * Writes what is still to be written and takes the next event, waiting for it
 * until `until`, a moment of lq_now_millis(). Takes what has already arrived
 * even after that. The first time that the connection's stop says true, it ends
 * the wait; later waits last as long as they are told to. LQ_OK; LQ_LOST, with
 * an error, when the connection is gone: messages without an outcome may be in
 * their queues all the same; LQ_NOMEM.
 */
enum lq_status lq_publisher_next(struct lq_publisher *publisher, uint64_t until,
                                 struct lq_publisher_event *out) LQ_CHECK;

#endif
