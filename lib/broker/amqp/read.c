#include "base/clock.h"
#include "base/text.h"
#include "broker/amqp/link.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>

#define POOL_PAGE 4096             /* bytes */
#define CARRIER_ROOM (1024 * 1024) /* bytes of input; must hold a frame */
#define FILLS_MOST 16              /* before others have their turn */

enum lq_status lq_amqp_fail(struct lq_link *link, enum lq_status status,
                            const char *format, ...)
{
    va_list args;
    const char *text = NULL;

    va_start(args, format);
    text = lq_vformat(link->diags->arena, format, args);
    va_end(args);
    (void)lq_error(link->diags, NULL, "%s: %s", link->name, text);
    return status;
}

enum lq_status lq_amqp_late(struct lq_link *link, const char *what,
                            uint64_t millis, const char *more)
{
    const bool whole = millis % 1000 == 0;

    return lq_amqp_fail(link, LQ_LOST, "%s within %" PRIu64 " %s%s", what,
                        whole ? millis / 1000 : millis, whole ? "s" : "ms",
                        more);
}

enum lq_status lq_amqp_unanswered(struct lq_link *link, const char *about)
{
    return lq_amqp_late(link, "no answer",
                        link->connection.answer_timeout_millis,
                        lq_format(link->diags->arena,
                                  "%s: a node of the cluster may be down; "
                                  "--answer-timeout waits longer",
                                  about));
}

const char *lq_amqp_words(int status)
{
    switch (status) {
    case AMQP_STATUS_CONNECTION_CLOSED:
    case AMQP_STATUS_SOCKET_CLOSED:
        return "the peer hung up";
    case AMQP_STATUS_SOCKET_ERROR:
    case AMQP_STATUS_TCP_ERROR:
        return "the connection broke";
    case AMQP_STATUS_SSL_ERROR:
        return "the TLS connection broke";
    case AMQP_STATUS_BAD_AMQP_DATA:
        return "the peer sent something that is not AMQP 0-9-1";
    case AMQP_STATUS_WRONG_METHOD:
        return "the peer sent an answer that nobody asked for";
    default:
        return amqp_error_string2(status);
    }
}

const char *lq_amqp_text(struct lq_arena *arena, amqp_bytes_t bytes)
{
    return lq_strndup(arena, bytes.bytes, bytes.len);
}

/* Whether a connection closed with this code was refused, rather than lost. */
static bool is_refusal(unsigned code)
{
    return code != AMQP_REPLY_SUCCESS && code != AMQP_CONNECTION_FORCED;
}

/* Explains what the broker's own words leave open. */
static const char *hint(unsigned code, const char *text)
{
    if (code == AMQP_NOT_ALLOWED && strstr(text, "number of channels")) {
        return "; it takes no more channels until others are closed, or the "
               "limit is raised";
    }
    /* the server keeps them under VHOST_QUEUE: a_b + c is a + b_c */
    if (code == AMQP_INTERNAL_ERROR && strstr(text, "cluster_not_formed")) {
        return "; a quorum queue of another virtual host may have the same "
               "name on disk, where '_' joins virtual host and queue: one of "
               "them needs another name";
    }
    return "";
}

enum lq_status lq_amqp_closed(struct lq_link *link,
                              const amqp_connection_close_t *close)
{
    const char *const text = lq_printable(
        link->diags->arena, close->reply_text.bytes, close->reply_text.len);

    link->broker.refused = is_refusal(close->reply_code);
    return lq_amqp_fail(
        link, LQ_LOST, "the broker closed the connection: %s (%u)%s", text,
        (unsigned)close->reply_code, hint(close->reply_code, text));
}

/*
 * rabbitmq-c sends, and decodes methods, but never sees a peer's bytes before
 * they are checked here. Left to itself it keeps every frame that it did not
 * expect, recurses as deep as the bytes nest, and reads the clock only when
 * nothing comes in: a peer that never stops talking would fill the memory.
 */

bool lq_amqp_reader_init(struct lq_link *link)
{
    link->frame_max = LQ_AMQP_FRAME_MAX;
    link->input_start = 0;
    link->input_end = 0;
    if (!link->input) { /* NULL unless the connection is reopened */
        link->input_room = link->carries ? CARRIER_ROOM : LQ_AMQP_FRAME_MAX;
        link->input = lq_alloc(link->diags->arena, link->input_room);
    }
    init_amqp_pool(&link->pool, POOL_PAGE);
    return link->input != NULL;
}

void lq_amqp_reader_free(struct lq_link *link)
{
    empty_amqp_pool(&link->pool);
}

struct lq_bytes lq_amqp_input(const struct lq_link *link)
{
    return (struct lq_bytes){link->input + link->input_start,
                             link->input_end - link->input_start};
}

/*
 * Reads what there is; without any, AMQP_STATUS_TIMEOUT, and `events` are what
 * to poll for.
 */
static int read_some(struct lq_link *link, uint8_t *at, size_t room,
                     size_t *count, short *events)
{
    ssize_t got = 0;

    *events = POLLIN;
    if (link->tls) {
        return lq_amqp_tls_read(link, at, room, count, events);
    }
    do {
        got = recv(amqp_get_sockfd(link->state), at, room, 0);
    } while (got < 0 && errno == EINTR);
    if (got > 0) {
        *count = (size_t)got;
        return AMQP_STATUS_OK;
    }
    if (got == 0) {
        return AMQP_STATUS_CONNECTION_CLOSED;
    }
    return errno == EAGAIN || errno == EWOULDBLOCK ? AMQP_STATUS_TIMEOUT
                                                   : AMQP_STATUS_SOCKET_ERROR;
}

/* Reads more into the input, which holds less than a frame. */
static int fill(struct lq_link *link, short *events)
{
    const struct lq_bytes rest = lq_amqp_input(link);
    size_t count = 0;
    int result = AMQP_STATUS_OK;

    memmove(link->input, rest.at, rest.length);
    link->input_start = 0;
    link->input_end = rest.length;
    result = read_some(link, link->input + rest.length,
                       link->input_room - rest.length, &count, events);
    link->input_end += count;
    if (count > 0) {
        link->heard = lq_now_millis();
    }
    return result;
}

static int await(const struct lq_link *link, short events, uint64_t millis)
{
    struct pollfd fd = {.fd = amqp_get_sockfd(link->state), .events = events};
    const int limit = millis < INT_MAX ? (int)millis : INT_MAX;

    return poll(&fd, 1, limit) < 0 && errno != EINTR ? AMQP_STATUS_SOCKET_ERROR
                                                     : AMQP_STATUS_OK;
}

/* Whether a broker may send this method to a client that only declares. */
static bool is_expected(const struct lq_frame *frame)
{
    switch (frame->method) {
    case AMQP_CONNECTION_START_METHOD:
    case AMQP_CONNECTION_TUNE_METHOD:
    case AMQP_CONNECTION_OPEN_OK_METHOD:
    case AMQP_CONNECTION_CLOSE_METHOD:
    case AMQP_CONNECTION_CLOSE_OK_METHOD:
    case AMQP_CONNECTION_BLOCKED_METHOD:
    case AMQP_CONNECTION_UNBLOCKED_METHOD:
        return frame->channel == 0;
    case AMQP_CHANNEL_OPEN_OK_METHOD:
    case AMQP_CHANNEL_CLOSE_METHOD:
    case AMQP_EXCHANGE_DECLARE_OK_METHOD:
    case AMQP_QUEUE_DECLARE_OK_METHOD:
    case AMQP_QUEUE_BIND_OK_METHOD:
        return frame->channel > 0;
    default:
        return false;
    }
}

/* What a broker may send besides where messages are carried. */
static bool is_carried(const struct lq_frame *frame)
{
    switch (frame->method) {
    case AMQP_BASIC_QOS_OK_METHOD:
    case AMQP_BASIC_CONSUME_OK_METHOD:
    case AMQP_BASIC_CANCEL_METHOD:
    case AMQP_BASIC_CANCEL_OK_METHOD:
    case AMQP_BASIC_DELIVER_METHOD:
    case AMQP_BASIC_RETURN_METHOD:
    case AMQP_BASIC_ACK_METHOD:
    case AMQP_BASIC_NACK_METHOD:
    case AMQP_CONFIRM_SELECT_OK_METHOD:
    case AMQP_QUEUE_DELETE_OK_METHOD:
        return frame->channel > 0;
    default:
        return false;
    }
}

/* Whether the arguments are read by wire.c. */
static bool is_read_elsewhere(uint32_t method)
{
    return method == AMQP_CONNECTION_START_METHOD ||
           method == AMQP_BASIC_DELIVER_METHOD ||
           method == AMQP_BASIC_RETURN_METHOD ||
           method == AMQP_BASIC_ACK_METHOD || method == AMQP_BASIC_NACK_METHOD;
}

static int decode(struct lq_link *link, struct lq_incoming *out)
{
    const struct lq_bytes arguments = out->frame.arguments;
    const amqp_bytes_t encoded = {.len = arguments.length,
                                  .bytes = link->input +
                                           (arguments.at - link->input)};

    out->method.id = out->frame.method;
    out->method.decoded = NULL;
    if (!is_expected(&out->frame) &&
        !(link->carries && is_carried(&out->frame))) {
        return AMQP_STATUS_WRONG_METHOD;
    }
    if (is_read_elsewhere(out->method.id)) {
        return AMQP_STATUS_OK;
    }
    recycle_amqp_pool(&link->pool);
    return amqp_decode_method(out->method.id, &link->pool, encoded,
                              &out->method.decoded);
}

static enum lq_cut cut(const struct lq_link *link, struct lq_frame *out,
                       size_t *size)
{
    const struct lq_bytes input = lq_amqp_input(link);

    return link->carries ? lq_frame_cut_any(input, link->frame_max, out, size)
                         : lq_frame_cut(input, link->frame_max, out, size);
}

/*
 * Takes the next method out of the input. AMQP_STATUS_TIMEOUT: there is none,
 * and less than a frame is left.
 */
static int next_method(struct lq_link *link, struct lq_incoming *out)
{
    size_t size = 0;

    for (;;) {
        switch (cut(link, &out->frame, &size)) {
        case LQ_CUT_BAD:
            return AMQP_STATUS_BAD_AMQP_DATA;
        case LQ_CUT_MORE:
            return AMQP_STATUS_TIMEOUT;
        case LQ_CUT_FRAME:
            link->input_start += size;
            if (out->frame.type == LQ_FRAME_METHOD) {
                return decode(link, out);
            }
            if (out->frame.type != LQ_FRAME_HEARTBEAT) {
                out->method.id = 0;
                return AMQP_STATUS_OK;
            }
            break;
        }
    }
}

int lq_amqp_read(struct lq_link *link, uint64_t until, struct lq_incoming *out)
{
    short events = 0;

    for (bool looked = false;; looked = true) {
        int result = next_method(link, out);

        if (result != AMQP_STATUS_TIMEOUT) {
            return result;
        }
        if (looked && lq_millis_until(until) == 0) {
            return AMQP_STATUS_TIMEOUT;
        }
        result = fill(link, &events);
        if (result == AMQP_STATUS_TIMEOUT) {
            result = await(link, events, lq_millis_until(until));
        }
        if (result != AMQP_STATUS_OK) {
            return result;
        }
    }
}

int lq_amqp_take(struct lq_link *link, struct lq_incoming *out, short *events)
{
    int result = next_method(link, out);

    for (size_t i = 0; i < FILLS_MOST && result == AMQP_STATUS_TIMEOUT; ++i) {
        result = fill(link, events);
        if (result != AMQP_STATUS_OK) {
            return result;
        }
        result = next_method(link, out);
    }
    *events = 0;
    return result;
}

int lq_amqp_write(struct lq_link *link, struct lq_bytes bytes, size_t *count,
                  short *events)
{
    ssize_t sent = 0;

    *events = POLLOUT;
    if (link->tls) {
        return lq_amqp_tls_write(link, bytes, count, events);
    }
    do {
        sent = send(amqp_get_sockfd(link->state), bytes.at, bytes.length,
                    MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent >= 0) {
        *count = (size_t)sent;
        return AMQP_STATUS_OK;
    }
    return errno == EAGAIN || errno == EWOULDBLOCK ? AMQP_STATUS_TIMEOUT
                                                   : AMQP_STATUS_SOCKET_ERROR;
}
