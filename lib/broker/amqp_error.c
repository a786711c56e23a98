#include "broker/amqp_link.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum lq_status lq_amqp_fail(struct lq_link *link, enum lq_status status,
                            const char *format, ...)
{
    va_list args;
    const char *text = NULL;

    va_start(args, format);
    text = lq_vformat(link->diags->arena, format, args);
    va_end(args);
    if (!text ||
        lq_error(link->diags, NULL, "%s: %s", link->name, text) == LQ_NOMEM) {
        return LQ_NOMEM;
    }
    return status;
}

enum lq_status lq_amqp_late(struct lq_link *link, const char *what,
                            uint64_t millis, const char *more)
{
    const bool whole = millis % 1000 == 0;

    if (!more) {
        return LQ_NOMEM;
    }
    return lq_amqp_fail(link, LQ_LOST, "%s within %" PRIu64 " %s%s", what,
                        whole ? millis / 1000 : millis, whole ? "s" : "ms",
                        more);
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

char *lq_amqp_text(struct lq_arena *arena, amqp_bytes_t bytes)
{
    return lq_strndup(arena, bytes.bytes, bytes.len);
}

/* Whether a connection that ends so is refused something, rather than lost. */
static bool is_refusal(unsigned code)
{
    return code != AMQP_REPLY_SUCCESS && code != AMQP_CONNECTION_FORCED;
}

/* What the broker's own words leave to guess. */
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

    if (!text) {
        return LQ_NOMEM;
    }
    link->broker.refused = is_refusal(close->reply_code);
    return lq_amqp_fail(
        link, LQ_LOST, "the broker closed the connection: %s (%u)%s", text,
        (unsigned)close->reply_code, hint(close->reply_code, text));
}
