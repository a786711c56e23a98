#include "base/clock.h"
#include "base/text.h"
#include "broker/amqp/link.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define ALARMS_TOLD 3 /* each of the first ones */
#define TALK_MOST 200 /* alarms and their ends with no answer in between */
#define REOPEN_MOST 10
#define TICK_MILLIS 50
#define STOP_TIMEOUT_MILLIS 5000 /* for what is in flight when told to stop */
#define LOOK_WINDOW 128 /* requests in flight on a channel that only look */
#define BURST 64 /* sent before reading answers, and read before sending */

/* In what a broker says when a user, or a node, has too many channels. */
#define CHANNELS "number of channels"

/* The first three, then the 10th, 20th, 30th, 100th, 200th and so on. */
static bool is_told(size_t alarms)
{
    while (alarms > ALARMS_TOLD && alarms % 10 == 0) {
        alarms /= 10;
    }
    return alarms <= ALARMS_TOLD;
}

static void take_blocked(const struct lq_flight *flight, amqp_bytes_t reason)
{
    const struct lq_batch *const batch = flight->batch;
    struct lq_link *const link = flight->link;
    struct lq_arena *const arena = link->diags->arena;
    const char *text = NULL;

    if (link->blocked) {
        return;
    }
    link->blocked = true;
    ++link->alarms;
    if (!batch->blocked || !is_told(link->alarms)) {
        return;
    }
    text = lq_diags_shown(link->diags, reason.bytes, reason.len);
    if (link->alarms > ALARMS_TOLD) {
        text = lq_format(arena, "%s, for the %zuth time", text, link->alarms);
    }
    batch->blocked(batch->data, text);
}

static void take_unblocked(const struct lq_flight *flight)
{
    const struct lq_batch *const batch = flight->batch;
    const bool was_blocked = flight->link->blocked;

    flight->link->blocked = false;
    if (was_blocked && batch->blocked && is_told(flight->link->alarms)) {
        batch->blocked(batch->data, NULL);
    }
}

/* Alarms come and go, but not for ever without a single answer. */
static enum lq_status check_talk(struct lq_link *link)
{
    return ++link->talk <= TALK_MOST
               ? LQ_OK
               : lq_amqp_fail(link, LQ_LOST,
                              "the peer said %d times that it is blocked or "
                              "no longer is, and answered nothing meanwhile",
                              TALK_MOST);
}

/* The last number in a text; 0 if there is none. */
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

/* Whether one channel too many ended it, and fewer may be enough. */
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

/* The peer closes the connection. */
static enum lq_status take_close(struct lq_flight *flight,
                                 const amqp_connection_close_t *close)
{
    struct lq_link *const link = flight->link;
    amqp_connection_close_ok_t ok = {0};
    const char *const text =
        lq_amqp_text(link->diags->arena, close->reply_text);

    (void)amqp_send_method(link->state, 0, AMQP_CONNECTION_CLOSE_OK_METHOD,
                           &ok);
    if (may_do_with_fewer(link, close, text)) {
        return LQ_LOST;
    }
    (void)lq_amqp_closed(link, close);
    if (link->broker.refused && !strstr(text, CHANNELS)) {
        lq_flight_blame(flight, close);
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
        if (check_talk(link) != LQ_OK) {
            return LQ_LOST;
        }
        take_blocked(flight, blocked->reason);
        return LQ_OK;
    case AMQP_CONNECTION_UNBLOCKED_METHOD:
        if (check_talk(link) != LQ_OK) {
            return LQ_LOST;
        }
        take_unblocked(flight);
        return LQ_OK;
    default:
        return lq_amqp_fail(link, LQ_LOST, "%s",
                            lq_amqp_words(AMQP_STATUS_WRONG_METHOD));
    }
}

/* Takes an incoming method, on whatever channel. LQ_LOST, with an error. */
static enum lq_status take_method(struct lq_flight *flight,
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

/* Times of a batch under way: lq_now_millis(). */
struct timing {
    uint64_t heard;     /* the last answer, or the beginning */
    uint64_t next_tick; /* when to call the batch's tick again */
    uint64_t stopped;   /* when the tick said stop; LQ_NEVER: it did not */
    uint64_t looked;    /* when the clock was last read */
};

/* Whether a denial, which closes the channel, is likely. */
static bool is_check(enum lq_request_kind kind)
{
    return kind == LQ_CHECK_EXCHANGE || kind == LQ_CHECK_QUEUE ||
           kind == LQ_COMPARE_EXCHANGE;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t greatest(size_t a, size_t b)
{
    return a > b ? a : b;
}

/*
 * Requests that write are spread over all channels, since a broker serves
 * channels in parallel; a few requests need fewer channels. Requests that only
 * look are cheap: they fill one channel before they use the next. A check that
 * finds nothing closes its channel, so each channel starts with one check.
 */
static enum lq_status share_out(struct lq_flight *flight)
{
    struct lq_link *const link = flight->link;
    const struct lq_batch *const batch = flight->batch;
    const bool careful = is_check(batch->requests[0].kind);
    const size_t most =
        batch->max_in_flight ? batch->max_in_flight : LQ_IN_FLIGHT;
    size_t wanted = careful ? (batch->count + 1) / 2 : link->channel_count;
    size_t window = 0;

    if (batch->writes) {
        wanted = (batch->count + 15) / 16;
    }
    flight->max_in_flight = most;
    flight->channel_count = least(least(wanted, most), link->channel_count);
    window = (most - 1) / flight->channel_count + 1;
    if (!batch->writes) {
        window = greatest(window, least(most, LOOK_WINDOW));
    }
    for (size_t i = 0; i < flight->channel_count; ++i) {
        if (lq_channel_reset(&link->channels[i], careful ? 1 : window, window,
                             link->diags->arena) != LQ_OK) {
            return LQ_NOMEM;
        }
    }
    return LQ_OK;
}

/* Whether a request can be written without waiting for the peer to read. */
static bool is_writable(const struct lq_link *link)
{
    struct pollfd fd = {.fd = amqp_get_sockfd(link->state), .events = POLLOUT};

    return poll(&fd, 1, 0) == 1;
}

/*
 * Sends what the channels have room for, up to a burst. When writing, the
 * channels take turns, one request each.
 */
static enum lq_status send_some(struct lq_flight *flight, size_t *sent)
{
    size_t idle = 0;
    size_t at = 0;

    while (idle < flight->channel_count && *sent < BURST) {
        struct lq_channel *const channel = &flight->link->channels[at];
        const bool sends = lq_channel_can_send(flight, channel);
        enum lq_status status = LQ_OK;

        if (sends && !is_writable(flight->link)) {
            break;
        }
        if (sends) {
            status = lq_channel_send(flight, channel);
            ++*sent;
        }
        if (status != LQ_OK) {
            return status;
        }
        idle = sends ? 0 : idle + 1;
        if (!sends || flight->batch->writes) {
            at = (at + 1) % flight->channel_count;
        }
    }
    return LQ_OK;
}

/*
 * Takes what has come in, waiting up to `wait` for the first method. Only an
 * answer counts as heard, so a peer cannot gain time by sending anything else.
 */
static enum lq_status receive(struct lq_flight *flight, uint64_t wait,
                              struct timing *timing)
{
    struct lq_link *const link = flight->link;
    uint64_t until = lq_now_millis() + wait;

    for (size_t i = 0; i < BURST; ++i) {
        const size_t answered = flight->answered;
        struct lq_incoming in;
        enum lq_status status = LQ_OK;
        const int result = lq_amqp_read(link, until, &in);

        if (result == AMQP_STATUS_TIMEOUT) {
            return LQ_OK;
        }
        if (result == AMQP_STATUS_NO_MEMORY) {
            return LQ_NOMEM;
        }
        if (result != AMQP_STATUS_OK) {
            return lq_amqp_fail(link, LQ_LOST, "%s", lq_amqp_words(result));
        }
        status = take_method(flight, &in);
        if (flight->answered > answered) {
            timing->heard = lq_now_millis();
        }
        if (status != LQ_OK || lq_amqp_input(link).length == 0) {
            return status;
        }
        until = 0;
    }
    return LQ_OK;
}

static enum lq_status check_time(struct lq_flight *flight,
                                 const struct timing *timing, uint64_t now)
{
    struct lq_link *const link = flight->link;
    struct lq_arena *const arena = link->diags->arena;
    const char *const blocked =
        link->blocked ? " (it says that it is blocked by an alarm)" : "";

    if (now >= link->deadline) {
        return lq_amqp_late(
            link, "not done", link->timeout_millis,
            lq_format(arena, ", the time for the whole run%s", blocked));
    }
    if (now - timing->heard >= link->connection.answer_timeout_millis) {
        return lq_amqp_unanswered(link, lq_flight_awaited(flight));
    }
    if (timing->stopped != LQ_NEVER &&
        now - timing->stopped >= STOP_TIMEOUT_MILLIS) {
        return lq_amqp_late(link, "told to stop, and no answer",
                            STOP_TIMEOUT_MILLIS, blocked);
    }
    return LQ_OK;
}

static void tick(struct lq_flight *flight, struct timing *timing, uint64_t now)
{
    const struct lq_batch *const batch = flight->batch;

    if (now < timing->next_tick || !batch->tick) {
        return;
    }
    timing->next_tick = now + TICK_MILLIS;
    if (batch->tick(batch->data, flight->answered) && flight->sending) {
        flight->sending = false;
        timing->stopped = now;
    }
}

static bool is_over(const struct lq_flight *flight)
{
    return flight->in_flight == 0 &&
           (!flight->sending || flight->answered == flight->batch->count);
}

static enum lq_status fly(struct lq_flight *flight)
{
    const uint64_t start = lq_now_millis();
    struct timing timing = {
        .heard = start, .stopped = LQ_NEVER, .looked = start};
    enum lq_status status = LQ_OK;

    while (status == LQ_OK && !is_over(flight)) {
        const uint64_t now = lq_now_millis();
        size_t sent = 0;

        if (flight->link->blocked) {
            /* it owes no answer meanwhile */
            timing.heard = least(timing.heard + now - timing.looked, now);
        }
        timing.looked = now;
        tick(flight, &timing, now);
        status = check_time(flight, &timing, now);
        if (status == LQ_OK) {
            status = send_some(flight, &sent);
        }
        if (status == LQ_OK && !is_over(flight)) {
            status = receive(flight, sent == BURST ? 0 : TICK_MILLIS, &timing);
        }
    }
    return status;
}

static void abandon(struct lq_flight *flight)
{
    flight->link->open = false;
    for (size_t i = 0; i < flight->channel_count; ++i) {
        lq_channel_abandon(flight, &flight->link->channels[i]);
    }
}

/* Sends all that has no answer yet. */
static enum lq_status take_off(struct lq_flight *flight)
{
    enum lq_status status = LQ_OK;

    flight->in_flight = 0;
    flight->next = lq_flight_unanswered(flight, 0);
    status = share_out(flight);
    if (status == LQ_OK) {
        status = fly(flight);
    }
    if (status != LQ_OK) {
        abandon(flight);
    }
    return status;
}

enum lq_status lq_amqp_run(struct lq_broker *broker,
                           const struct lq_batch *batch)
{
    struct lq_link *const link = (struct lq_link *)broker;
    struct lq_flight flight = {.link = link, .batch = batch, .sending = true};
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < batch->count; ++i) {
        batch->answers[i] = (struct lq_answer){.kind = LQ_UNSENT};
    }
    if (!link->open) {
        return LQ_LOST;
    }
    if (batch->count == 0) {
        return LQ_OK;
    }
    status = take_off(&flight);
    while (status == LQ_LOST && link->short_of_channels) {
        /* declaring something twice does no harm */
        status = lq_amqp_reopen(link);
        if (status == LQ_OK) {
            status = take_off(&flight);
        }
    }
    return status;
}
