#include "broker/amqp_link.h"

#include "base/clock.h"

#include <string.h>
#include <sys/time.h>

#define FRAME_MAX 131072
#define NO_HEARTBEAT 0

static struct timeval time_of(uint64_t millis)
{
    return (struct timeval){.tv_sec = (time_t)(millis / 1000),
                            .tv_usec = (suseconds_t)(millis % 1000 * 1000)};
}

/* Begins to connect; it may take no more than is left of the whole run. */
static void start_clock(struct lq_link *link,
                        const struct lq_connection *connection)
{
    const uint64_t left = lq_millis_until(link->deadline);
    const uint64_t given = connection->connect_timeout_millis;

    link->connect_millis = given < left ? given : left;
    link->connect_deadline = lq_now_millis() + link->connect_millis;
}

static enum lq_status not_opened(struct lq_link *link, int status,
                                 const struct lq_connection *connection)
{
    const char *why = NULL;

    switch (status) {
    case AMQP_STATUS_TIMEOUT:
        return lq_amqp_late(link, "no connection", link->connect_millis, "");
    case AMQP_STATUS_NO_MEMORY:
        return LQ_NOMEM;
    case AMQP_STATUS_HOSTNAME_RESOLUTION_FAILED:
    case AMQP_STATUS_SOCKET_ERROR:
        why = lq_amqp_unreachable(link->diags->arena, connection->host,
                                  connection->port);
        return why ? lq_amqp_fail(link, LQ_LOST, "%s", why) : LQ_NOMEM;
    case AMQP_STATUS_SSL_ERROR:
    case AMQP_STATUS_SSL_CONNECTION_FAILED:
    case AMQP_STATUS_SSL_PEER_VERIFY_FAILED:
    case AMQP_STATUS_SSL_HOSTNAME_VERIFY_FAILED:
        return lq_amqp_tls_failed(link, connection);
    default:
        return lq_amqp_fail(link, LQ_LOST, "%s", lq_amqp_words(status));
    }
}

static enum lq_status open_socket(struct lq_link *link,
                                  const struct lq_connection *connection)
{
    const struct timeval limit =
        time_of(lq_millis_until(link->connect_deadline));
    amqp_socket_t *socket = NULL;
    enum lq_status status = LQ_OK;
    int result = 0;

    if (connection->tls) {
        status = lq_amqp_tls_socket(link, connection, &socket);
    } else {
        socket = amqp_tcp_socket_new(link->state);
        status = socket ? LQ_OK : LQ_NOMEM;
    }
    if (status != LQ_OK) {
        return status;
    }
    result = amqp_socket_open_noblock(socket, connection->host,
                                      (int)connection->port, &limit);
    return result == AMQP_STATUS_OK ? LQ_OK
                                    : not_opened(link, result, connection);
}

static amqp_table_entry_t text_entry(const char *key, const char *text)
{
    amqp_table_entry_t entry = {.key = amqp_cstring_bytes(key)};

    entry.value.kind = AMQP_FIELD_KIND_UTF8;
    entry.value.value.bytes = amqp_cstring_bytes(text);
    return entry;
}

/* Logs in under the name that operators see in the broker's lists. */
static amqp_rpc_reply_t login(struct lq_link *link,
                              const struct lq_connection *connection)
{
    amqp_table_entry_t blocked = {
        .key = amqp_cstring_bytes("connection.blocked"),
        .value = {.kind = AMQP_FIELD_KIND_BOOLEAN, .value.boolean = 1}};
    amqp_table_entry_t entries[] = {
        text_entry("product", "lilyq"),
        text_entry("connection_name", "lilyq"),
        {.key = amqp_cstring_bytes("capabilities"),
         .value = {.kind = AMQP_FIELD_KIND_TABLE,
                   .value.table = {.num_entries = 1, .entries = &blocked}}},
    };
    const amqp_table_t properties = {
        .num_entries = (int)(sizeof(entries) / sizeof(entries[0])),
        .entries = entries};

    if (!connection->username) {
        /* the broker reads the certificate, but an empty identity would be
           taken for lack of memory */
        return amqp_login_with_properties(
            link->state, connection->vhost, LQ_CHANNELS, FRAME_MAX,
            NO_HEARTBEAT, &properties, AMQP_SASL_METHOD_EXTERNAL, "lilyq");
    }
    return amqp_login_with_properties(
        link->state, connection->vhost, LQ_CHANNELS, FRAME_MAX, NO_HEARTBEAT,
        &properties, AMQP_SASL_METHOD_PLAIN, connection->username,
        connection->password);
}

/* The broker answered the login with connection.close. */
static enum lq_status turned_away(struct lq_link *link,
                                  const amqp_connection_close_t *close)
{
    const char *const text =
        lq_amqp_text(link->diags->arena, close->reply_text);

    if (!text) {
        return LQ_NOMEM;
    }
    if (close->reply_code == AMQP_ACCESS_REFUSED) {
        return lq_amqp_fail(link, LQ_REFUSED,
                            "the broker does not know this user and password: "
                            "%s (403)",
                            text);
    }
    if (close->reply_code == AMQP_NOT_ALLOWED) {
        return lq_amqp_fail(link, LQ_REFUSED, "%s: %s (530)",
                            strstr(text, "not found")
                                ? "there is no such virtual host"
                                : "this user may not use the virtual host",
                            text);
    }
    return lq_amqp_closed(link, close);
}

static enum lq_status not_logged_in(struct lq_link *link, int status,
                                    const struct lq_connection *connection)
{
    switch (status) {
    case AMQP_STATUS_NO_MEMORY:
        return LQ_NOMEM;
    case AMQP_STATUS_TIMEOUT:
        return lq_amqp_late(link, "connected, but no AMQP answer",
                            link->connect_millis, "");
    case AMQP_STATUS_SSL_ERROR: /* TLS 1.3 refuses a client that late */
        return lq_amqp_fail(link, LQ_LOST,
                            "the peer broke off TLS before the login was "
                            "done%s",
                            connection->tls_cert_file
                                ? " (it may not trust the client certificate)"
                                : " (it may want a client certificate)");
    case AMQP_STATUS_BROKER_UNSUPPORTED_SASL_METHOD:
        return lq_amqp_fail(link, LQ_REFUSED,
                            "the broker does not offer %s logins",
                            connection->username ? "PLAIN" : "EXTERNAL");
    case AMQP_STATUS_CONNECTION_CLOSED:
    case AMQP_STATUS_SOCKET_ERROR:
        return lq_amqp_fail(
            link, LQ_LOST, "the peer hung up before the login was done%s",
            connection->tls ? "" : " (a TLS port wants amqps://)");
    case AMQP_STATUS_BAD_AMQP_DATA:
    case AMQP_STATUS_WRONG_METHOD:
    case AMQP_STATUS_UNKNOWN_CLASS:
    case AMQP_STATUS_UNKNOWN_METHOD:
    case AMQP_STATUS_INCOMPATIBLE_AMQP_VERSION:
        return lq_amqp_fail(link, LQ_REFUSED,
                            "the peer does not speak AMQP 0-9-1");
    default:
        return lq_amqp_fail(link, LQ_LOST, "%s", lq_amqp_words(status));
    }
}

static enum lq_status log_in(struct lq_link *link,
                             const struct lq_connection *connection)
{
    const struct timeval limit =
        time_of(lq_millis_until(link->connect_deadline));
    amqp_rpc_reply_t reply;

    if (amqp_set_handshake_timeout(link->state, &limit) != AMQP_STATUS_OK) {
        return LQ_NOMEM;
    }
    reply = login(link, connection);
    switch (reply.reply_type) {
    case AMQP_RESPONSE_NORMAL:
        return LQ_OK;
    case AMQP_RESPONSE_SERVER_EXCEPTION:
        if (reply.reply.id == AMQP_CONNECTION_CLOSE_METHOD) {
            return turned_away(link, reply.reply.decoded);
        }
        return not_logged_in(link, AMQP_STATUS_WRONG_METHOD, connection);
    case AMQP_RESPONSE_NONE:
    case AMQP_RESPONSE_LIBRARY_EXCEPTION:
        break;
    }
    return not_logged_in(link, reply.library_error, connection);
}

enum lq_status lq_amqp_connect(struct lq_link *link,
                               const struct lq_connection *connection)
{
    const struct timeval limit = time_of(LQ_REPLY_TIMEOUT_MILLIS);
    enum lq_status status = LQ_OK;

    start_clock(link, connection);
    link->state = amqp_new_connection();
    if (!link->state ||
        amqp_set_rpc_timeout(link->state, &limit) != AMQP_STATUS_OK) {
        return LQ_NOMEM;
    }
    status = open_socket(link, connection);
    if (status == LQ_OK) {
        status = log_in(link, connection);
    }
    if (status == LQ_OK) {
        const int channels = amqp_get_channel_max(link->state);

        link->open = true;
        link->channel_count = channels > 0 && channels < LQ_CHANNELS
                                  ? (size_t)channels
                                  : LQ_CHANNELS;
    }
    return status;
}
