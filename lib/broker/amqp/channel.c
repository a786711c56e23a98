#include "base/clock.h"
#include "base/text.h"
#include "broker/amqp/link.h"

#include <string.h>

#define SHUT_MILLIS 30

enum lq_status lq_channel_reset(struct lq_channel *channel, size_t window,
                                size_t capacity, struct lq_arena *arena)
{
    if (capacity > channel->room) {
        channel->ring = lq_alloc_array(arena, capacity, sizeof(*channel->ring));
        channel->room = channel->ring ? capacity : 0;
    }
    channel->head = 0;
    channel->sent = 0;
    channel->tail = 0;
    channel->window = window;
    channel->capacity = capacity;
    return channel->ring ? LQ_OK : LQ_NOMEM;
}

/*
 * A broker that limits channels may go on counting one for a moment after it
 * has closed it, and refuses a new one until then.
 */
static bool is_counted(const struct lq_link *link,
                       const struct lq_channel *channel)
{
    return link->limited && channel->state == LQ_CHANNEL_CLOSED &&
           lq_now_millis() - channel->shut < SHUT_MILLIS;
}

bool lq_channel_can_send(const struct lq_flight *flight,
                         const struct lq_channel *channel)
{
    return flight->sending && !flight->link->blocked &&
           flight->in_flight < flight->max_in_flight &&
           channel->sent - channel->head < channel->window &&
           (channel->sent < channel->tail ||
            flight->next < flight->batch->count) &&
           !is_counted(flight->link, channel);
}

static size_t *slot(const struct lq_channel *channel, size_t position)
{
    return &channel->ring[position % channel->capacity];
}

static int open_channel(struct lq_link *link, struct lq_channel *channel)
{
    amqp_channel_open_t method = {.out_of_band = amqp_empty_bytes};

    channel->state = LQ_CHANNEL_OPENING;
    return amqp_send_method(link->state, channel->number,
                            AMQP_CHANNEL_OPEN_METHOD, &method);
}

enum lq_status lq_channel_send(struct lq_flight *flight,
                               struct lq_channel *channel)
{
    struct lq_link *const link = flight->link;
    int result = AMQP_STATUS_OK;
    size_t index = 0;

    if (channel->state == LQ_CHANNEL_CLOSED) {
        result = open_channel(link, channel);
    }
    if (channel->sent == channel->tail) {
        *slot(channel, channel->tail++) = flight->next;
        flight->next = lq_flight_unanswered(flight, flight->next + 1);
    }
    index = *slot(channel, channel->sent++);
    ++flight->in_flight;
    if (result == AMQP_STATUS_OK) {
        result = lq_amqp_send(link, channel->number,
                              &flight->batch->requests[index]);
    }
    if (result == AMQP_STATUS_NO_MEMORY) {
        return LQ_NOMEM;
    }
    return result == AMQP_STATUS_OK
               ? LQ_OK
               : lq_amqp_fail(link, LQ_LOST, "%s", lq_amqp_words(result));
}

/* Answers the oldest request in flight. */
static struct lq_answer *answer(struct lq_flight *flight,
                                struct lq_channel *channel,
                                enum lq_answer_kind kind)
{
    const size_t index = *slot(channel, channel->head++);

    --flight->in_flight;
    ++flight->answered;
    flight->link->talk = 0;
    flight->link->reopened = 0;
    flight->batch->answers[index].kind = kind;
    return &flight->batch->answers[index];
}

/* Doubles the window with each success; a denial wastes all that follows. */
static void widen(struct lq_channel *channel)
{
    channel->window *= 2;
    if (channel->window > channel->capacity) {
        channel->window = channel->capacity;
    }
}

static enum lq_status denied(struct lq_flight *flight,
                             struct lq_channel *channel,
                             const amqp_channel_close_t *close)
{
    struct lq_link *const link = flight->link;
    amqp_channel_close_ok_t method = {0};
    struct lq_answer *const no = answer(flight, channel, LQ_DENIED);
    int result = AMQP_STATUS_OK;

    no->code = close->reply_code;
    no->text = lq_amqp_text(link->diags->arena, close->reply_text);
    no->shown = lq_diags_shown(link->diags, close->reply_text.bytes,
                               close->reply_text.len);
    if (!no->text || !no->shown) {
        return LQ_NOMEM;
    }
    /* the broker dropped what was sent behind the denied request */
    flight->in_flight -= channel->sent - channel->head;
    channel->sent = channel->head;
    channel->window = 1;
    channel->state = LQ_CHANNEL_CLOSED;
    channel->shut = lq_now_millis();
    if (flight->batch->writes) {
        flight->sending = false;
    }
    result = amqp_send_method(link->state, channel->number,
                              AMQP_CHANNEL_CLOSE_OK_METHOD, &method);
    return result == AMQP_STATUS_OK
               ? LQ_OK
               : lq_amqp_fail(link, LQ_LOST, "%s", lq_amqp_words(result));
}

static bool answers_head(const struct lq_flight *flight,
                         struct lq_channel *channel, amqp_method_number_t id)
{
    const struct lq_request *const requests = flight->batch->requests;

    return channel->state == LQ_CHANNEL_OPEN && channel->head < channel->sent &&
           id == lq_amqp_reply_to(requests[*slot(channel, channel->head)].kind);
}

/* Notes what the declaration of a queue tells. */
static void count_messages(struct lq_answer *yes, const amqp_method_t *method)
{
    const amqp_queue_declare_ok_t *const declared = method->decoded;

    if (method->id == AMQP_QUEUE_DECLARE_OK_METHOD) {
        yes->messages = declared->message_count;
        yes->consumers = declared->consumer_count;
    }
}

enum lq_status lq_channel_take(struct lq_flight *flight,
                               struct lq_channel *channel,
                               const amqp_method_t *method)
{
    if (method->id == AMQP_CHANNEL_OPEN_OK_METHOD &&
        channel->state == LQ_CHANNEL_OPENING) {
        channel->state = LQ_CHANNEL_OPEN;
        return LQ_OK;
    }
    if (method->id == AMQP_CHANNEL_CLOSE_METHOD &&
        channel->head < channel->sent) {
        return denied(flight, channel, method->decoded);
    }
    if (answers_head(flight, channel, method->id)) {
        count_messages(answer(flight, channel, LQ_DONE), method);
        widen(channel);
        return LQ_OK;
    }
    return lq_amqp_fail(flight->link, LQ_LOST,
                        "the peer sent an answer that nobody asked for (%s)",
                        amqp_method_name(method->id)
                            ? amqp_method_name(method->id)
                            : "unknown method");
}

size_t lq_flight_unanswered(const struct lq_flight *flight, size_t index)
{
    const struct lq_batch *const batch = flight->batch;

    while (index < batch->count && (batch->answers[index].kind == LQ_DONE ||
                                    batch->answers[index].kind == LQ_DENIED)) {
        ++index;
    }
    return index;
}

/* Whether the broker's text names the subject of a request: "queue 'x'". */
static bool is_named(const struct lq_request *request, const char *text,
                     struct lq_arena *arena)
{
    return strstr(text, lq_request_subject(request, arena)) != NULL;
}

/* Denies one request; those before it on the channel stay unknown. */
static void deny_at(struct lq_flight *flight, struct lq_channel *channel,
                    size_t position, struct lq_answer denial)
{
    flight->batch->answers[*slot(channel, position)] = denial;
    for (size_t at = channel->head; at < position; ++at) {
        flight->batch->answers[*slot(channel, at)].kind = LQ_UNKNOWN;
    }
    channel->head = channel->sent;
}

void lq_flight_blame(struct lq_flight *flight,
                     const amqp_connection_close_t *close)
{
    struct lq_arena *const arena = flight->link->diags->arena;
    const char *const text = lq_amqp_text(arena, close->reply_text);
    const char *const shown = lq_diags_shown(
        flight->link->diags, close->reply_text.bytes, close->reply_text.len);

    for (size_t i = 0; i < flight->channel_count; ++i) {
        struct lq_channel *const channel = &flight->link->channels[i];

        for (size_t at = channel->head; at < channel->sent; ++at) {
            const size_t index = *slot(channel, at);

            if (flight->in_flight == 1 ||
                is_named(&flight->batch->requests[index], text, arena)) {
                deny_at(flight, channel, at,
                        (struct lq_answer){.kind = LQ_DENIED,
                                           .code = close->reply_code,
                                           .text = text,
                                           .shown = shown});
                return;
            }
        }
    }
}

void lq_channel_abandon(struct lq_flight *flight,
                        const struct lq_channel *channel)
{
    for (size_t at = channel->head; at < channel->sent; ++at) {
        flight->batch->answers[*slot(channel, at)].kind = LQ_UNKNOWN;
    }
}

const char *lq_flight_awaited(const struct lq_flight *flight)
{
    struct lq_arena *const arena = flight->link->diags->arena;

    for (size_t i = 0; i < flight->channel_count; ++i) {
        struct lq_channel *const channel = &flight->link->channels[i];

        if (channel->head < channel->sent) {
            const size_t index = *slot(channel, channel->head);
            const char *const what =
                lq_request_subject(&flight->batch->requests[index], arena);

            return lq_format(arena, " about %s%s", what,
                             flight->in_flight > 1 ? " and others" : "");
        }
    }
    return "";
}
