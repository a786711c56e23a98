#include "broker/amqp/carrier.h"

#include "base/clock.h"
#include "broker/amqp/amqp.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>

#define SLICE_MILLIS 50          /* how soon a stop is noticed */
#define GOODBYE_MILLIS 2000      /* for the peer to say goodbye, too */
#define STOP_TIMEOUT_MILLIS 5000 /* for an answer when told to stop */
#define TALK_MOST 200 /* alarms and their ends with nothing in between */

/* The connection is of no more use. */
static enum lq_status lose(struct lq_carrier *carrier, enum lq_status status)
{
    carrier->link->open = false;
    return status;
}

/* Reports what a status of rabbitmq-c means. */
static enum lq_status broke(struct lq_carrier *carrier, int result)
{
    return lose(carrier, result == AMQP_STATUS_NO_MEMORY
                             ? LQ_NOMEM
                             : lq_amqp_fail(carrier->link, LQ_LOST, "%s",
                                            lq_amqp_words(result)));
}

enum lq_status lq_carrier_confused(struct lq_carrier *carrier)
{
    return broke(carrier, AMQP_STATUS_WRONG_METHOD);
}

static enum lq_status not_amqp(struct lq_carrier *carrier)
{
    return broke(carrier, AMQP_STATUS_BAD_AMQP_DATA);
}

enum lq_status lq_carrier_open(struct lq_carrier *carrier,
                               const struct lq_connection *connection,
                               struct lq_diags *diags)
{
    const enum lq_status status =
        lq_amqp_open_carrier(connection, diags, &carrier->link);

    carrier->output.wrote = lq_now_millis();
    return status;
}

enum lq_status lq_carrier_put(struct lq_carrier *carrier,
                              amqp_method_number_t id, void *method)
{
    const int result =
        lq_output_method(&carrier->output, carrier->link, id, method);

    return result == AMQP_STATUS_OK ? LQ_OK : broke(carrier, result);
}

/*
 * Writes what the peer takes at once. Returns the events to poll for when it
 * does not take all, else 0.
 */
static short flush(struct lq_carrier *carrier)
{
    short events = 0;

    if (carrier->write_error == AMQP_STATUS_OK) {
        carrier->write_error =
            lq_output_write(&carrier->output, carrier->link, &events);
    }
    return events;
}

void lq_carrier_flush(struct lq_carrier *carrier)
{
    (void)flush(carrier);
}

/* Hands out a message all of which is there. */
static enum lq_status hand_out(struct lq_carrier *carrier,
                               struct lq_carried *out)
{
    const struct lq_parcel *const parcel = &carrier->parcel;
    const bool delivered = parcel->method == AMQP_BASIC_DELIVER_METHOD;
    const struct lq_bytes arguments = {parcel->bytes, parcel->arguments_length};

    if (delivered ? !lq_deliver_read(arguments, &out->deliver)
                  : !lq_return_read(arguments, &out->returned)) {
        return not_amqp(carrier);
    }
    out->kind = delivered ? LQ_CARRIED_DELIVERY : LQ_CARRIED_RETURN;
    out->message = lq_parcel_message(parcel);
    out->message.exchange =
        delivered ? out->deliver.exchange : out->returned.exchange;
    out->message.routing_key =
        delivered ? out->deliver.routing_key : out->returned.routing_key;
    if (delivered) {
        carrier->last_tag = out->deliver.tag;
    }
    return LQ_OK;
}

/* Takes the header, or a part of the body, of the message under way. */
static enum lq_status take_content(struct lq_carrier *carrier,
                                   const struct lq_frame *frame,
                                   struct lq_carried *out)
{
    struct lq_parcel *const parcel = &carrier->parcel;
    const int result = frame->channel == LQ_CARRIER_CHANNEL
                           ? lq_parcel_add(parcel, frame)
                           : AMQP_STATUS_BAD_AMQP_DATA;

    if (result != AMQP_STATUS_OK) {
        return broke(carrier, result);
    }
    return parcel->state == LQ_PARCEL_WHOLE ? hand_out(carrier, out) : LQ_OK;
}

static enum lq_status begin_content(struct lq_carrier *carrier,
                                    const struct lq_frame *frame)
{
    const int result = lq_parcel_begin(&carrier->parcel, frame);

    return result == AMQP_STATUS_OK ? LQ_OK : broke(carrier, result);
}

/* The peer closes the connection. */
static enum lq_status take_close(struct lq_carrier *carrier,
                                 const amqp_connection_close_t *close)
{
    amqp_connection_close_ok_t ok = {0};
    const enum lq_status status = lq_amqp_closed(carrier->link, close);

    if (lq_carrier_put(carrier, AMQP_CONNECTION_CLOSE_OK_METHOD, &ok) ==
        LQ_OK) {
        lq_carrier_flush(carrier);
    }
    return lose(carrier, status);
}

/* Alarms come and go, but not for ever with nothing in between. */
static enum lq_status take_alarm(struct lq_carrier *carrier, bool blocked,
                                 struct lq_carried *out)
{
    struct lq_link *const link = carrier->link;

    if (++link->talk > TALK_MOST) {
        return lose(carrier,
                    lq_amqp_fail(link, LQ_LOST,
                                 "the peer said %d times that it is blocked or "
                                 "no longer is, and nothing else meanwhile",
                                 TALK_MOST));
    }
    if (link->blocked != blocked) {
        link->blocked = blocked;
        out->kind = LQ_CARRIED_BLOCKED;
    }
    return LQ_OK;
}

/* A method of channel 0. */
static enum lq_status take_connection_method(struct lq_carrier *carrier,
                                             const amqp_method_t *method,
                                             struct lq_carried *out)
{
    switch (method->id) {
    case AMQP_CONNECTION_CLOSE_METHOD:
        return take_close(carrier, method->decoded);
    case AMQP_CONNECTION_BLOCKED_METHOD:
        return take_alarm(carrier, true, out);
    case AMQP_CONNECTION_UNBLOCKED_METHOD:
        return take_alarm(carrier, false, out);
    default:
        return lq_carrier_confused(carrier);
    }
}

/* The peer closes the channel: nothing on it is held or awaited any more. */
static enum lq_status take_channel_close(struct lq_carrier *carrier,
                                         const amqp_channel_close_t *close,
                                         struct lq_carried *out)
{
    struct lq_diags *const diags = carrier->link->diags;
    amqp_channel_close_ok_t ok = {0};

    carrier->channel_open = false;
    carrier->parcel.state = LQ_PARCEL_WHOLE;
    carrier->closed = (struct lq_answer){
        .kind = LQ_DENIED,
        .code = close->reply_code,
        .text = lq_amqp_text(diags->arena, close->reply_text),
        .shown = lq_diags_shown(diags, close->reply_text.bytes,
                                close->reply_text.len)};
    out->kind = LQ_CARRIED_CLOSED;
    if (!carrier->closed.text || !carrier->closed.shown) {
        return lose(carrier, LQ_NOMEM);
    }
    return lq_carrier_put(carrier, AMQP_CHANNEL_CLOSE_OK_METHOD, &ok);
}

/* A method of the channel. */
static enum lq_status take_channel_method(struct lq_carrier *carrier,
                                          const struct lq_incoming *in,
                                          struct lq_carried *out)
{
    carrier->link->talk = 0;
    if (in->method.id == AMQP_CHANNEL_CLOSE_METHOD) {
        return take_channel_close(carrier, in->method.decoded, out);
    }
    if (carrier->parcel.state != LQ_PARCEL_WHOLE) {
        return not_amqp(carrier);
    }
    if (in->method.id == AMQP_BASIC_DELIVER_METHOD ||
        in->method.id == AMQP_BASIC_RETURN_METHOD) {
        return begin_content(carrier, &in->frame);
    }
    if (in->method.id == AMQP_BASIC_CANCEL_METHOD) {
        carrier->cancelled = true;
    }
    out->kind = LQ_CARRIED_METHOD;
    out->arguments = in->frame.arguments;
    return LQ_OK;
}

static enum lq_status take_frame(struct lq_carrier *carrier,
                                 const struct lq_incoming *in,
                                 struct lq_carried *out)
{
    if (in->frame.type != LQ_FRAME_METHOD) {
        return take_content(carrier, &in->frame, out);
    }
    out->method = in->method;
    if (in->frame.channel == 0) {
        return take_connection_method(carrier, &in->method, out);
    }
    return in->frame.channel == LQ_CARRIER_CHANNEL
               ? take_channel_method(carrier, in, out)
               : lq_carrier_confused(carrier);
}

/*
 * Takes what has arrived until something can be handed out. With nothing,
 * `events` are what to poll for, as of lq_amqp_take().
 */
static enum lq_status take_arrived(struct lq_carrier *carrier,
                                   struct lq_carried *out, short *events)
{
    enum lq_status status = LQ_OK;

    while (status == LQ_OK && out->kind == LQ_CARRIED_NOTHING) {
        struct lq_incoming in = {0};
        const int result = lq_amqp_take(carrier->link, &in, events);

        if (result == AMQP_STATUS_TIMEOUT) {
            return LQ_OK;
        }
        status = result == AMQP_STATUS_OK ? take_frame(carrier, &in, out)
                                          : broke(carrier, result);
    }
    return status;
}

/* Says that this side is still there, when it has said nothing for a while. */
static enum lq_status keep_alive(struct lq_carrier *carrier)
{
    const uint64_t interval = carrier->link->heartbeat_millis;

    if (interval == 0 || !lq_output_is_empty(&carrier->output) ||
        lq_now_millis() - carrier->output.wrote < interval / 2) {
        return LQ_OK;
    }
    return lq_output_heartbeat(&carrier->output) ? LQ_OK
                                                 : lose(carrier, LQ_NOMEM);
}

/* Whether there is still time, now that nothing is left to be read. */
static enum lq_status check_time(struct lq_carrier *carrier)
{
    struct lq_link *const link = carrier->link;
    const uint64_t silence = 2 * link->heartbeat_millis;
    const uint64_t now = lq_now_millis();

    if (now >= link->deadline) {
        return lose(carrier,
                    lq_amqp_late(link, "not done", link->timeout_millis,
                                 ", the time for the whole run"));
    }
    if (silence > 0 && now - link->heard >= silence) {
        return lose(carrier, lq_amqp_fail(link, LQ_LOST,
                                          "the broker was silent for %" PRIu64
                                          " s, two heartbeats",
                                          silence / 1000));
    }
    return LQ_OK;
}

static bool is_stopped(const struct lq_carrier *carrier)
{
    const struct lq_connection *const connection = &carrier->link->connection;

    return connection->stop && connection->stop(connection->stop_data);
}

/* Waits for some of the events, but not for long. */
static int await(const struct lq_carrier *carrier, short events, uint64_t until)
{
    struct pollfd fd = {.fd = amqp_get_sockfd(carrier->link->state),
                        .events = events};
    const uint64_t left = lq_millis_until(until);
    const int limit = left < SLICE_MILLIS ? (int)left : SLICE_MILLIS;

    return poll(&fd, 1, limit) < 0 && errno != EINTR ? AMQP_STATUS_SOCKET_ERROR
                                                     : AMQP_STATUS_OK;
}

/*
 * Writes and takes what can be at once. With nothing taken, `events` are what
 * to poll for; 0: nothing, since more may have come in already.
 */
static enum lq_status exchange(struct lq_carrier *carrier,
                               struct lq_carried *out, short *events)
{
    enum lq_status status = keep_alive(carrier);
    const short to_write = flush(carrier);

    if (status == LQ_OK) {
        status = take_arrived(carrier, out, events);
    }
    if (status != LQ_OK || out->kind != LQ_CARRIED_NOTHING || !*events) {
        return status;
    }
    *events = (short)(*events | to_write);
    return carrier->write_error == AMQP_STATUS_OK
               ? LQ_OK
               : broke(carrier, carrier->write_error);
}

/* Whether to end a wait: a stop does so once. */
static bool is_cut_short(struct lq_carrier *carrier)
{
    const bool first = is_stopped(carrier) && !carrier->stopped;

    carrier->stopped |= first;
    return first;
}

/* Takes what comes in until `until`, or until a stop if that is to count. */
static enum lq_status advance(struct lq_carrier *carrier, uint64_t until,
                              bool heeds_stop, struct lq_carried *out)
{
    *out = (struct lq_carried){.kind = LQ_CARRIED_NOTHING};
    if (!carrier->link->open) {
        return LQ_LOST;
    }
    for (;;) {
        short events = 0;
        int result = AMQP_STATUS_OK;
        enum lq_status status = exchange(carrier, out, &events);

        if (status != LQ_OK || out->kind != LQ_CARRIED_NOTHING) {
            return status;
        }
        status = check_time(carrier);
        if (status != LQ_OK || lq_millis_until(until) == 0 ||
            (heeds_stop && is_cut_short(carrier))) {
            return status;
        }
        if (events) {
            result = await(carrier, events, until);
        }
        if (result != AMQP_STATUS_OK) {
            return broke(carrier, result);
        }
    }
}

enum lq_status lq_carrier_next(struct lq_carrier *carrier, uint64_t until,
                               struct lq_carried *out)
{
    return advance(carrier, until, true, out);
}

/* Whether there is still time for an answer asked for at `asked`. */
static enum lq_status check_patience(struct lq_carrier *carrier,
                                     const struct lq_question *question,
                                     uint64_t asked, uint64_t *stopped)
{
    struct lq_link *const link = carrier->link;
    const uint64_t now = lq_now_millis();

    if (*stopped == LQ_NEVER && is_stopped(carrier)) {
        *stopped = now;
    }
    if (now - asked >= link->connection.answer_timeout_millis) {
        return lose(carrier, lq_amqp_unanswered(link, question->about));
    }
    if (*stopped != LQ_NEVER && now - *stopped >= STOP_TIMEOUT_MILLIS) {
        return lose(carrier, lq_amqp_late(link, "told to stop, and no answer",
                                          STOP_TIMEOUT_MILLIS, ""));
    }
    return LQ_OK;
}

/* Takes what came in while an answer is awaited; sets the answer's kind. */
static enum lq_status take_reply(struct lq_carrier *carrier,
                                 const struct lq_question *question,
                                 const struct lq_carried *in,
                                 struct lq_answer *answer)
{
    switch (in->kind) {
    case LQ_CARRIED_CLOSED:
        *answer = carrier->closed;
        return LQ_OK;
    case LQ_CARRIED_DELIVERY:
        ++carrier->surplus;
        return LQ_OK;
    case LQ_CARRIED_METHOD:
        if (in->method.id == question->reply) {
            answer->kind = LQ_DONE;
            return LQ_OK;
        }
        return in->method.id == AMQP_BASIC_CANCEL_METHOD
                   ? LQ_OK
                   : lq_carrier_confused(carrier);
    case LQ_CARRIED_RETURN:
        return lq_carrier_confused(carrier);
    case LQ_CARRIED_NOTHING:
    case LQ_CARRIED_BLOCKED:
        break;
    }
    return LQ_OK;
}

static enum lq_status ask(struct lq_carrier *carrier,
                          const struct lq_question *question,
                          struct lq_answer *answer, amqp_method_t *reply)
{
    const uint64_t asked = lq_now_millis();
    uint64_t stopped = LQ_NEVER;
    struct lq_carried in;
    enum lq_status status =
        question->about
            ? lq_carrier_put(carrier, question->id, question->method)
            : LQ_NOMEM;

    while (status == LQ_OK && answer->kind == LQ_UNKNOWN) {
        status = advance(carrier, lq_now_millis() + SLICE_MILLIS, false, &in);
        if (status == LQ_OK) {
            status = take_reply(carrier, question, &in, answer);
        }
        if (status == LQ_OK && answer->kind == LQ_UNKNOWN) {
            status = check_patience(carrier, question, asked, &stopped);
        }
    }
    if (status == LQ_OK) {
        *reply = in.method;
    }
    return status;
}

enum lq_status lq_carrier_open_channel(struct lq_carrier *carrier)
{
    amqp_channel_open_t method = {.out_of_band = amqp_empty_bytes};
    const struct lq_question question = {.id = AMQP_CHANNEL_OPEN_METHOD,
                                         .method = &method,
                                         .reply = AMQP_CHANNEL_OPEN_OK_METHOD,
                                         .about = " about a channel"};
    struct lq_answer answer = {.kind = LQ_UNKNOWN};
    amqp_method_t reply;
    const enum lq_status status = ask(carrier, &question, &answer, &reply);

    if (status != LQ_OK) {
        return status;
    }
    if (answer.kind != LQ_DONE) {
        return lq_carrier_confused(carrier);
    }
    carrier->channel_open = true;
    carrier->last_tag = 0;
    carrier->cancelled = false;
    return LQ_OK;
}

enum lq_status lq_carrier_ask(struct lq_carrier *carrier,
                              const struct lq_question *question,
                              struct lq_answer *answer, amqp_method_t *reply)
{
    enum lq_status status = LQ_OK;

    *answer = (struct lq_answer){.kind = LQ_UNSENT};
    if (!carrier->link->open) {
        return LQ_LOST;
    }
    if (!carrier->channel_open) {
        status = lq_carrier_open_channel(carrier);
    }
    if (status == LQ_OK) {
        answer->kind = LQ_UNKNOWN;
        status = ask(carrier, question, answer, reply);
    }
    return status;
}

/* Waits for the peer's goodbye, past whatever else is on its way. */
static void await_goodbye(struct lq_carrier *carrier)
{
    const uint64_t patience = lq_now_millis() + GOODBYE_MILLIS;
    const uint64_t until =
        patience < carrier->link->deadline ? patience : carrier->link->deadline;
    struct lq_incoming in = {0};
    int result = AMQP_STATUS_TIMEOUT;

    while ((result == AMQP_STATUS_OK || result == AMQP_STATUS_TIMEOUT) &&
           in.method.id != AMQP_CONNECTION_CLOSE_OK_METHOD &&
           lq_millis_until(until) > 0) {
        short to_write = 0;
        short to_read = 0;

        result = lq_output_write(&carrier->output, carrier->link, &to_write);
        if (result == AMQP_STATUS_OK) {
            result = lq_amqp_take(carrier->link, &in, &to_read);
        }
        if (result == AMQP_STATUS_TIMEOUT && to_read &&
            await(carrier, (short)(to_read | to_write), until) !=
                AMQP_STATUS_OK) {
            result = AMQP_STATUS_SOCKET_ERROR;
        }
    }
}

static void say_goodbye(struct lq_carrier *carrier)
{
    amqp_connection_close_t method = {.reply_code = AMQP_REPLY_SUCCESS};
    short events = 0;

    if (lq_output_write(&carrier->output, carrier->link, &events) !=
            AMQP_STATUS_OK ||
        !lq_output_is_empty(&carrier->output)) {
        return;
    }
    if (lq_carrier_put(carrier, AMQP_CONNECTION_CLOSE_METHOD, &method) ==
        LQ_OK) {
        await_goodbye(carrier);
    }
}

void lq_carrier_close(struct lq_carrier *carrier)
{
    struct lq_link *const link = carrier->link;

    if (link && link->open) {
        say_goodbye(carrier);
        link->open = false;
    }
    if (link) {
        lq_amqp_close(&link->broker);
    }
    free(carrier->output.bytes);
    free(carrier->parcel.bytes);
    carrier->output.bytes = NULL;
    carrier->parcel.bytes = NULL;
}
