#include "broker/amqp_link.h"

#include "base/clock.h"

#include <sys/time.h>

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

    link->connect_millis = given < left ? given : connection->timeout_millis;
    link->connect_deadline = lq_now_millis() + (given < left ? given : left);
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
    if (result == AMQP_STATUS_OK && connection->tls && !link->tls) {
        result = AMQP_STATUS_SSL_ERROR; /* never without a certificate */
    }
    return result == AMQP_STATUS_OK ? LQ_OK
                                    : not_opened(link, result, connection);
}

enum lq_status lq_amqp_connect(struct lq_link *link,
                               const struct lq_connection *connection)
{
    enum lq_status status = LQ_OK;

    start_clock(link, connection);
    link->state = amqp_new_connection();
    if (!link->state || !lq_amqp_reader_init(link)) {
        return LQ_NOMEM;
    }
    status = open_socket(link, connection);
    if (status == LQ_OK) {
        status = lq_amqp_log_in(link, connection);
    }
    link->open = status == LQ_OK;
    return status;
}
