#include "broker/amqp_channel.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define ALARMS_TOLD 3 /* one by one */
#define TALK_MOST 200 /* alarms, or their ends, without an answer between */
#define REOPEN_MOST 10

/* What a broker says of that is too many, of a user or of a node. */
#define CHANNELS "number of channels"

/* The first three, then the 10th, 20th, 30th, 100th, 200th and so on. */
static bool is_told(size_t alarms)
{
    while (alarms > ALARMS_TOLD && alarms % 10 == 0) {
        alarms /= 10;
    }
    return alarms <= ALARMS_TOLD;
}

static enum lq_status take_blocked(const struct lq_flight *flight,
                                   amqp_bytes_t reason)
{
    const struct lq_batch *const batch = flight->batch;
    struct lq_link *const link = flight->link;
    struct lq_arena *const arena = link->diags->arena;
    const char *text = NULL;

    if (link->blocked) {
        return LQ_OK;
    }
    link->blocked = true;
    ++link->alarms;
    if (!batch->blocked || !is_told(link->alarms)) {
        return LQ_OK;
    }
    text = lq_diags_shown(link->diags, reason.bytes, reason.len);
    if (text && link->alarms > ALARMS_TOLD) {
        text = lq_format(arena, "%s, for the %zuth time", text, link->alarms);
    }
    return text ? batch->blocked(batch->data, text) : LQ_NOMEM;
}

static enum lq_status take_unblocked(const struct lq_flight *flight)
{
    const struct lq_batch *const batch = flight->batch;
    const bool was_blocked = flight->link->blocked;

    flight->link->blocked = false;
    return was_blocked && batch->blocked && is_told(flight->link->alarms)
               ? batch->blocked(batch->data, NULL)
               : LQ_OK;
}

/* Alarms come and go, but not without end while nothing is answered. */
static enum lq_status check_talk(struct lq_link *link)
{
    return ++link->talk <= TALK_MOST
               ? LQ_OK
               : lq_amqp_fail(link, LQ_LOST,
                              "the peer said %d times that it is blocked or "
                              "no longer is, and answered nothing meanwhile",
                              TALK_MOST);
}

/* The last number in a text, 0 without one. */
static size_t last_number(const char *text)
{
    const char *end = text + strlen(text);

    while (end > text && !strchr("0123456789", end[-1])) {
        --end;
    }
    while (end > text && strchr("0123456789", end[-1])) {
        --end;
    }
    return strtoul(end, NULL, 10);
}

/* Whether a channel too many ended it, and fewer may do. */
static bool may_do_with_fewer(struct lq_link *link,
                              const amqp_connection_close_t *close,
                              const char *text)
{
    if (close->reply_code != AMQP_NOT_ALLOWED || !strstr(text, CHANNELS) ||
        strstr(text, "limit of 0") || strstr(text, "limit of (0)") ||
        link->reopened >= REOPEN_MOST) {
        return false;
    }
    link->short_of_channels = true;
    link->channel_limit = last_number(text);
    return true;
}

/* The peer ended the connection. */
static enum lq_status take_close(struct lq_flight *flight,
                                 const amqp_connection_close_t *close)
{
    struct lq_link *const link = flight->link;
    amqp_connection_close_ok_t ok = {0};
    const char *const text =
        lq_amqp_text(link->diags->arena, close->reply_text);

    (void)amqp_send_method(link->state, 0, AMQP_CONNECTION_CLOSE_OK_METHOD,
                           &ok);
    if (!text) {
        return LQ_NOMEM;
    }
    if (may_do_with_fewer(link, close, text)) {
        return LQ_LOST;
    }
    if (lq_amqp_closed(link, close) == LQ_NOMEM ||
        (link->broker.refused && !strstr(text, CHANNELS) &&
         lq_flight_blame(flight, close) != LQ_OK)) {
        return LQ_NOMEM;
    }
    return LQ_LOST;
}

/* A method on channel 0. */
static enum lq_status take_connection_method(struct lq_flight *flight,
                                             const amqp_method_t *method)
{
    struct lq_link *const link = flight->link;
    const amqp_connection_blocked_t *const blocked = method->decoded;

    switch (method->id) {
    case AMQP_CONNECTION_CLOSE_METHOD:
        return take_close(flight, method->decoded);
    case AMQP_CONNECTION_BLOCKED_METHOD:
        return check_talk(link) == LQ_OK ? take_blocked(flight, blocked->reason)
                                         : LQ_LOST;
    case AMQP_CONNECTION_UNBLOCKED_METHOD:
        return check_talk(link) == LQ_OK ? take_unblocked(flight) : LQ_LOST;
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
