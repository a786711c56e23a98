#include "broker/amqp_channel.h"

#include "base/text.h"

static enum lq_status take_blocked(const struct lq_flight *flight,
                                   amqp_bytes_t reason)
{
    const struct lq_batch *const batch = flight->batch;
    struct lq_link *const link = flight->link;
    const char *const text =
        lq_diags_shown(link->diags, reason.bytes, reason.len);

    link->blocked = true;
    if (!text) {
        return LQ_NOMEM;
    }
    return batch->blocked ? batch->blocked(batch->data, text) : LQ_OK;
}

static enum lq_status take_unblocked(const struct lq_flight *flight)
{
    const struct lq_batch *const batch = flight->batch;
    const bool was_blocked = flight->link->blocked;

    flight->link->blocked = false;
    return was_blocked && batch->blocked ? batch->blocked(batch->data, NULL)
                                         : LQ_OK;
}

/* A method on channel 0. */
static enum lq_status take_connection_method(const struct lq_flight *flight,
                                             const amqp_method_t *method)
{
    struct lq_link *const link = flight->link;
    const amqp_connection_blocked_t *const blocked = method->decoded;
    amqp_connection_close_ok_t ok = {0};

    switch (method->id) {
    case AMQP_CONNECTION_CLOSE_METHOD:
        (void)amqp_send_method(link->state, 0, AMQP_CONNECTION_CLOSE_OK_METHOD,
                               &ok);
        return lq_amqp_closed(link, method->decoded);
    case AMQP_CONNECTION_BLOCKED_METHOD:
        return take_blocked(flight, blocked->reason);
    case AMQP_CONNECTION_UNBLOCKED_METHOD:
        return take_unblocked(flight);
    default:
        return lq_amqp_fail(link, LQ_LOST, "%s",
                            lq_amqp_words(AMQP_STATUS_WRONG_METHOD));
    }
}

enum lq_status lq_flight_take(struct lq_flight *flight,
                              const struct lq_incoming *in)
{
    struct lq_link *const link = flight->link;

    if (in->frame.channel == 0) {
        return take_connection_method(flight, &in->method);
    }
    if (in->frame.channel <= flight->channel_count) {
        return lq_channel_take(flight, &link->channels[in->frame.channel - 1],
                               &in->method);
    }
    return lq_amqp_fail(link, LQ_LOST, "%s",
                        lq_amqp_words(AMQP_STATUS_WRONG_METHOD));
}
