#ifndef LQ_BROKER_AMQP_CHANNEL_H
#define LQ_BROKER_AMQP_CHANNEL_H

#include "broker/amqp_link.h"

/* A batch under way. */
struct lq_flight {
    struct lq_link *link;
    const struct lq_batch *batch;
    size_t channel_count; /* in use for this batch */
    size_t max_in_flight;
    size_t next; /* the first request not given to a channel yet */
    size_t answered;
    size_t in_flight;
    bool sending; /* false once nothing new is to be sent */
};

/*
 * Gets a channel ready for a batch: it may have `window` requests in flight at
 * first, later up to `capacity`. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_channel_reset(struct lq_channel *channel, size_t window,
                                size_t capacity,
                                struct lq_arena *arena) LQ_CHECK;

/* Whether the channel has something to send and room for it. */
bool lq_channel_can_send(const struct lq_flight *flight,
                         const struct lq_channel *channel);

/* Sends the channel's next request; opens the channel first if need be. */
enum lq_status lq_channel_send(struct lq_flight *flight,
                               struct lq_channel *channel) LQ_CHECK;

/*
 * Takes a method that came in on the channel: an answer, or the channel's
 * end, after which what it had in flight is sent again.
 */
enum lq_status lq_channel_take(struct lq_flight *flight,
                               struct lq_channel *channel,
                               const amqp_method_t *method) LQ_CHECK;

/*
 * amqp_take.c: takes a method that came in, on whatever channel. Errors are
 * reported: LQ_LOST, LQ_NOMEM.
 */
enum lq_status lq_flight_take(struct lq_flight *flight,
                              const struct lq_incoming *in) LQ_CHECK;

/*
 * What an answer is waited for, to follow "no answer within ...": " about
 * queue 'x'". NULL when out of memory.
 */
const char *lq_flight_awaited(const struct lq_flight *flight);

/* The first request from `index` on without an answer; or how many there are.
 */
size_t lq_flight_unanswered(const struct lq_flight *flight, size_t index);

/*
 * Blames the request that a refusal, which ended the connection, names, or the
 * only one in flight: it is
 * denied, and what its channel was asked behind it was never looked at. Nothing
 * is done when none is named. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_flight_blame(struct lq_flight *flight,
                               const amqp_connection_close_t *close) LQ_CHECK;

/* Marks what was in flight when the connection ended. */
void lq_channel_abandon(struct lq_flight *flight,
                        const struct lq_channel *channel);

#endif
