#include "base/clock.h"
#include "base/text.h"
#include "broker/amqp/amqp.h"
#include "broker/amqp/link.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PROBE_MILLIS 1000
#define GOODBYE_MILLIS 2000
#define REOPEN_MILLIS 200 /* until a broker has forgotten what was closed */

/* Awaits a connection under way; its errno, or 0 once it is made. */
static int await_connection(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};
    int error = 0;
    socklen_t size = sizeof(error);

    if (poll(&poll_fd, 1, PROBE_MILLIS) != 1) {
        return ETIMEDOUT;
    }
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size)) {
        return errno;
    }
    return error;
}

/* Tries one address and returns its errno; 0 when it connects. */
static int probe(const struct addrinfo *address)
{
    const int fd =
        socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    int error = 0;

    if (fd < 0) {
        return errno;
    }
    if (fcntl(fd, F_SETFL, O_NONBLOCK) ||
        connect(fd, address->ai_addr, address->ai_addrlen)) {
        error = errno == EINPROGRESS ? await_connection(fd) : errno;
    }
    (void)close(fd);
    return error;
}

/* Why there is no TCP connection. */
static const char *why_unreachable(struct lq_arena *arena, const char *host,
                                   unsigned port)
{
    /* rabbitmq-c says no more than "a socket error occurred" */
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    char service[16];
    int error = 0;

    (void)snprintf(service, sizeof(service), "%u", port);
    error = getaddrinfo(host, service, &hints, &list);
    if (error == EAI_MEMORY) {
        lq_arena_note(arena, LQ_NOMEM);
        return "";
    }
    if (error) {
        return lq_format(arena, "the host name cannot be resolved: %s",
                         gai_strerror(error));
    }
    for (const struct addrinfo *at = list; at; at = at->ai_next) {
        error = probe(at);
    }
    freeaddrinfo(list);
    return lq_format(arena, "cannot connect: %s",
                     error ? strerror(error) : "the connection broke");
}

static struct timeval time_of(uint64_t millis)
{
    return (struct timeval){.tv_sec = (time_t)(millis / 1000),
                            .tv_usec = (suseconds_t)(millis % 1000 * 1000)};
}

/* Connecting may take no longer than what is left of the whole run. */
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
        why = why_unreachable(link->diags->arena, connection->host,
                              connection->port);
        return lq_amqp_fail(link, LQ_LOST, "%s", why);
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
        result = AMQP_STATUS_SSL_ERROR; /* the peer showed no certificate */
    }
    return result == AMQP_STATUS_OK ? LQ_OK
                                    : not_opened(link, result, connection);
}

/* TCP, TLS and login; the caller cleans up. */
static enum lq_status connect_link(struct lq_link *link,
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

static enum lq_status name_peer(struct lq_link *link,
                                const struct lq_connection *connection)
{
    struct lq_arena *const arena = link->diags->arena;
    const char *const user =
        connection->username ? connection->username : "of the certificate";
    const char *const address = lq_connection_address(arena, connection);
    const char *const shown_vhost =
        lq_printable(arena, connection->vhost, strlen(connection->vhost));
    const char *const shown_user = lq_printable(arena, user, strlen(user));
    const char *const quote = connection->username ? "'" : "";

    link->name = lq_format(arena, "broker %s (vhost '%s', user %s%s%s)",
                           address, shown_vhost, quote, shown_user, quote);
    return link->name ? LQ_OK : LQ_NOMEM;
}

/* Refuses what the broker would refuse in words that help nobody. */
static enum lq_status check(struct lq_link *link,
                            const struct lq_connection *connection)
{
    if (!lq_is_vhost(connection->vhost)) {
        return lq_amqp_fail(link, LQ_INVALID,
                            "the virtual host must be at most 255 bytes of "
                            "UTF-8");
    }
    if (connection->username && !connection->password) {
        return lq_amqp_fail(link, LQ_INVALID, "the user has no password");
    }
    if (!connection->tls &&
        (connection->tls_cert_file || connection->tls_key_file ||
         connection->tls_ca_file)) {
        return lq_amqp_fail(link, LQ_INVALID,
                            "certificates need an amqps:// URL");
    }
    return LQ_OK;
}

static enum lq_status prepare(struct lq_link *link,
                              const struct lq_connection *connection)
{
    const struct lq_login login = {connection->username, connection->password};

    link->broker.run = lq_amqp_run;
    link->connection = *connection;
    link->timeout_millis = connection->timeout_millis;
    link->deadline = lq_connection_deadline(connection);
    for (size_t i = 0; i < LQ_CHANNELS; ++i) {
        link->channels[i].number = (amqp_channel_t)(i + 1);
    }
    lq_diags_hide(link->diags, &login);
    return name_peer(link, connection);
}

static enum lq_status open_link(const struct lq_connection *connection,
                                struct lq_diags *diags, bool carries,
                                struct lq_link **out)
{
    struct lq_connection settled = *connection;
    struct lq_link *const link = lq_alloc(diags->arena, sizeof(*link));
    enum lq_status status = LQ_OK;

    if (!link) {
        return LQ_NOMEM;
    }
    link->diags = diags;
    link->carries = carries;
    lq_connection_settle(&settled);
    status = prepare(link, &settled);
    if (status == LQ_OK) {
        status = check(link, &settled);
    }
    if (status == LQ_OK) {
        status = connect_link(link, &settled);
    }
    if (status != LQ_OK) {
        lq_amqp_close(&link->broker);
        return status;
    }
    *out = link;
    return LQ_OK;
}

enum lq_status lq_amqp_open(const struct lq_connection *connection,
                            struct lq_diags *diags, struct lq_broker **out)
{
    struct lq_link *link = NULL;
    const enum lq_status status = open_link(connection, diags, false, &link);

    if (status == LQ_OK) {
        *out = &link->broker;
    }
    return status;
}

enum lq_status lq_amqp_open_carrier(const struct lq_connection *connection,
                                    struct lq_diags *diags,
                                    struct lq_link **out)
{
    return open_link(connection, diags, true, out);
}

/* Waits for the answer to the goodbye, past whatever else is on its way. */
static void say_goodbye(struct lq_link *link)
{
    const uint64_t patience = lq_now_millis() + GOODBYE_MILLIS;
    const uint64_t until =
        patience < link->deadline ? patience : link->deadline;
    amqp_connection_close_t method = {.reply_code = AMQP_REPLY_SUCCESS};
    struct lq_incoming in;
    int result =
        amqp_send_method(link->state, 0, AMQP_CONNECTION_CLOSE_METHOD, &method);

    do {
        result =
            result == AMQP_STATUS_OK ? lq_amqp_read(link, until, &in) : result;
    } while (result == AMQP_STATUS_OK &&
             in.method.id != AMQP_CONNECTION_CLOSE_OK_METHOD &&
             lq_millis_until(until) > 0);
}

static void hang_up(struct lq_link *link)
{
    lq_amqp_reader_free(link);
    (void)amqp_destroy_connection(link->state);
    link->state = NULL;
    link->open = false;
}

void lq_amqp_close(struct lq_broker *broker)
{
    struct lq_link *const link = (struct lq_link *)broker;

    if (!link || !link->state) {
        return;
    }
    if (link->open) {
        say_goodbye(link);
    }
    hang_up(link);
}

/* How many channels to make do with once those in use were too many. */
static size_t fewer_channels(const struct lq_link *link)
{
    const size_t half = link->channel_count > 1 ? link->channel_count / 2 : 1;

    return link->channel_limit > 0 && link->channel_limit < link->channel_count
               ? link->channel_limit
               : half;
}

enum lq_status lq_amqp_reopen(struct lq_link *link)
{
    const struct timespec pause = {.tv_nsec = REOPEN_MILLIS * 1000000L};
    const size_t count = fewer_channels(link);
    enum lq_status status = LQ_OK;

    hang_up(link);
    (void)nanosleep(&pause, NULL);
    link->tls = NULL;
    link->blocked = false;
    link->short_of_channels = false;
    link->limited = true;
    ++link->reopened;
    for (size_t i = 0; i < LQ_CHANNELS; ++i) {
        link->channels[i].state = LQ_CHANNEL_CLOSED;
    }
    status = connect_link(link, &link->connection);
    if (link->channel_count > count) {
        link->channel_count = count;
    }
    return status;
}
