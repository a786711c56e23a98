#include "base/clock.h"
#include "base/text.h"
#include "broker/amqp/link.h"

#include <string.h>

#define SLICE_MILLIS 50 /* how soon a stop is noticed */

/* Reports that the peer answered the login by closing the connection. */
static enum lq_status turned_away(struct lq_link *link,
                                  const amqp_connection_close_t *close)
{
    amqp_connection_close_ok_t ok = {0};
    const char *const text = lq_printable(
        link->diags->arena, close->reply_text.bytes, close->reply_text.len);

    (void)amqp_send_method(link->state, 0, AMQP_CONNECTION_CLOSE_OK_METHOD,
                           &ok);
    if (close->reply_code == AMQP_ACCESS_REFUSED) {
        return lq_amqp_fail(link, LQ_REFUSED,
                            "the broker does not know this user and password: "
                            "%s (403)",
                            text);
    }
    if (close->reply_code == AMQP_NOT_ALLOWED && strstr(text, " limit (")) {
        return lq_amqp_fail(link, LQ_LOST,
                            "the broker takes no more connections: %s (530)",
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

static enum lq_status not_amqp(struct lq_link *link)
{
    const char *const guess = lq_wire_guess(lq_amqp_input(link));
    const bool tls = guess && strcmp(guess, "TLS") == 0;

    return lq_amqp_fail(link, LQ_REFUSED,
                        "the peer does not speak AMQP 0-9-1%s%s%s",
                        guess ? ", but " : "", guess ? guess : "",
                        tls ? " (a TLS port wants amqps://)" : "");
}

/*
 * Reports what a status of rabbitmq-c means for a login; `greeted` when the
 * peer has shown that it speaks AMQP.
 */
static enum lq_status not_logged_in(struct lq_link *link, int status,
                                    const struct lq_connection *connection,
                                    bool greeted)
{
    switch (status) {
    case AMQP_STATUS_NO_MEMORY:
        return LQ_NOMEM;
    case AMQP_STATUS_TIMEOUT:
        return lq_amqp_late(link,
                            greeted ? "connected, but not logged in"
                                    : "connected, but no AMQP answer",
                            link->connect_millis, "");
    case AMQP_STATUS_SSL_ERROR: /* TLS 1.3 refuses a client only now */
        return lq_amqp_fail(link, LQ_LOST,
                            "the peer broke off TLS before the login was "
                            "done%s",
                            connection->tls_cert_file
                                ? " (it may not trust the client certificate)"
                                : " (it may want a client certificate)");
    case AMQP_STATUS_CONNECTION_CLOSED:
    case AMQP_STATUS_SOCKET_ERROR:
        return lq_amqp_fail(
            link, LQ_LOST, "the peer hung up before the login was done%s",
            connection->tls || greeted ? "" : " (a TLS port wants amqps://)");
    case AMQP_STATUS_WRONG_METHOD:
        return lq_amqp_fail(link, LQ_REFUSED, "%s", lq_amqp_words(status));
    case AMQP_STATUS_BAD_AMQP_DATA:
        return not_amqp(link);
    default:
        return lq_amqp_fail(link, LQ_LOST, "%s", lq_amqp_words(status));
    }
}

/* A login under way. */
struct login {
    struct lq_link *link;
    const struct lq_connection *connection;
    bool greeted; /* connection.start has come */
};

static enum lq_status failed(const struct login *login, int status)
{
    return not_logged_in(login->link, status, login->connection,
                         login->greeted);
}

static bool is_stopped(const struct lq_connection *connection)
{
    return connection->stop && connection->stop(connection->stop_data);
}

/* Awaits the next method; AMQP_STATUS_TIMEOUT also when told to stop. */
static int await(const struct login *login, struct lq_incoming *out)
{
    const uint64_t limit = login->link->connect_deadline;
    int result = AMQP_STATUS_TIMEOUT;

    while (result == AMQP_STATUS_TIMEOUT && lq_millis_until(limit) > 0 &&
           !is_stopped(login->connection)) {
        const uint64_t slice = lq_now_millis() + SLICE_MILLIS;

        result = lq_amqp_read(login->link, slice < limit ? slice : limit, out);
    }
    return result;
}

/* Awaits one method of channel 0. */
static enum lq_status expect(const struct login *login, amqp_method_number_t id,
                             struct lq_incoming *out)
{
    const int result = await(login, out);

    if (result == AMQP_STATUS_TIMEOUT && is_stopped(login->connection)) {
        return lq_amqp_fail(login->link, LQ_LOST,
                            "stopped before the login was done");
    }
    if (result != AMQP_STATUS_OK) {
        return failed(login, result);
    }
    if (out->method.id == AMQP_CONNECTION_CLOSE_METHOD) {
        return turned_away(login->link, out->method.decoded);
    }
    return out->method.id == id ? LQ_OK
                                : failed(login, AMQP_STATUS_WRONG_METHOD);
}

static enum lq_status tell(const struct login *login, amqp_method_number_t id,
                           void *method)
{
    const int result = amqp_send_method(login->link->state, 0, id, method);

    return result == AMQP_STATUS_OK ? LQ_OK : failed(login, result);
}

static const char *mechanism_of(const struct lq_connection *connection)
{
    return connection->username ? "PLAIN" : "EXTERNAL";
}

/* What the broker says about itself; "" when it does not. */
static const char *told(const struct lq_link *link,
                        const struct lq_greeting *greeting, const char *key)
{
    struct lq_bytes text = {0};

    return lq_table_text(greeting->properties, key, &text)
               ? lq_diags_shown(link->diags, (const char *)text.at, text.length)
               : "";
}

static enum lq_status greet(struct login *login)
{
    struct lq_link *const link = login->link;
    const char *const mechanism = mechanism_of(login->connection);
    const int sent = amqp_send_header(link->state);
    struct lq_incoming in = {0};
    struct lq_greeting greeting;
    enum lq_status status = LQ_OK;

    if (sent != AMQP_STATUS_OK) {
        return failed(login, sent);
    }
    status = expect(login, AMQP_CONNECTION_START_METHOD, &in);
    if (status != LQ_OK) {
        return status;
    }
    if (!lq_greeting_read(in.frame.arguments, &greeting)) {
        return failed(login, AMQP_STATUS_BAD_AMQP_DATA);
    }
    if (greeting.major != 0 || greeting.minor != 9) {
        return lq_amqp_fail(link, LQ_REFUSED,
                            "the peer does not speak AMQP 0-9-1, but %u-%u",
                            greeting.major, greeting.minor);
    }
    if (!lq_greeting_offers(&greeting, mechanism)) {
        return lq_amqp_fail(link, LQ_REFUSED,
                            "the broker does not offer %s logins", mechanism);
    }
    login->greeted = true;
    link->product = told(link, &greeting, "product");
    link->version = told(link, &greeting, "version");
    return link->product && link->version ? LQ_OK : LQ_NOMEM;
}

/* NUL, user, NUL, password; empty when the certificate names the user. */
static enum lq_status response(const struct login *login, amqp_bytes_t *out)
{
    const struct lq_connection *const connection = login->connection;
    char *text = NULL;
    size_t user = 0;
    size_t password = 0;

    *out = amqp_empty_bytes;
    if (!connection->username) {
        return LQ_OK;
    }
    user = strlen(connection->username);
    password = strlen(connection->password);
    text = lq_alloc(login->link->diags->arena, user + password + 2);
    if (!text) {
        return LQ_NOMEM;
    }
    memcpy(text + 1, connection->username, user);
    memcpy(text + user + 2, connection->password, password);
    *out = (amqp_bytes_t){.len = user + password + 2, .bytes = text};
    return LQ_OK;
}

static amqp_table_entry_t truth(const char *key)
{
    return (amqp_table_entry_t){
        .key = amqp_cstring_bytes(key),
        .value = {.kind = AMQP_FIELD_KIND_BOOLEAN, .value.boolean = 1}};
}

static amqp_table_entry_t text(const char *key, const char *value)
{
    return (amqp_table_entry_t){
        .key = amqp_cstring_bytes(key),
        .value = {.kind = AMQP_FIELD_KIND_UTF8,
                  .value.bytes = amqp_cstring_bytes(value)}};
}

/* Sends the login, and the name that operators see in the broker's lists. */
static enum lq_status introduce(const struct login *login)
{
    amqp_table_entry_t able[] = {truth("authentication_failure_close"),
                                 truth("connection.blocked"),
                                 truth("consumer_cancel_notify")};
    const int able_count = login->link->carries ? 3 : 2;
    amqp_table_entry_t entries[] = {
        text("product", "lilyq"),
        text("connection_name", "lilyq"),
        {.key = amqp_cstring_bytes("capabilities"),
         .value = {.kind = AMQP_FIELD_KIND_TABLE,
                   .value.table = {.num_entries = able_count,
                                   .entries = able}}},
    };
    amqp_connection_start_ok_t method = {
        .client_properties = {.num_entries = 3, .entries = entries},
        .mechanism = amqp_cstring_bytes(mechanism_of(login->connection)),
        .locale = amqp_cstring_bytes("en_US"),
    };

    if (response(login, &method.response) != LQ_OK) {
        return LQ_NOMEM;
    }
    return tell(login, AMQP_CONNECTION_START_OK_METHOD, &method);
}

/* The lesser of two limits; 0 means that the peer sets none. */
static unsigned lesser(unsigned theirs, unsigned ours)
{
    return theirs > 0 && theirs < ours ? theirs : ours;
}

/* Only links that carry messages are heard of while they wait. */
static uint16_t heartbeat(const struct lq_link *link, unsigned theirs)
{
    const unsigned ours = link->connection.heartbeat_seconds;

    return link->carries
               ? (uint16_t)lesser(theirs, ours < UINT16_MAX ? ours : UINT16_MAX)
               : 0;
}

static enum lq_status tune(const struct login *login)
{
    struct lq_link *const link = login->link;
    struct lq_incoming in = {0};
    amqp_connection_tune_ok_t answer = {0};
    const enum lq_status status =
        expect(login, AMQP_CONNECTION_TUNE_METHOD, &in);
    const amqp_connection_tune_t *const offer = in.method.decoded;

    if (status != LQ_OK || !offer) {
        return status;
    }
    if (offer->frame_max > 0 && offer->frame_max < LQ_FRAME_MIN) {
        return lq_amqp_fail(link, LQ_REFUSED,
                            "the peer allows frames of at most %u bytes, but "
                            "AMQP needs at least %d",
                            (unsigned)offer->frame_max, LQ_FRAME_MIN);
    }
    answer.channel_max = (uint16_t)lesser(offer->channel_max, LQ_CHANNELS);
    answer.frame_max = lesser(offer->frame_max, LQ_AMQP_FRAME_MAX);
    answer.heartbeat = heartbeat(link, offer->heartbeat);
    link->heartbeat_millis = answer.heartbeat * 1000ULL;
    link->channel_count = answer.channel_max;
    link->frame_max = answer.frame_max;
    return tell(login, AMQP_CONNECTION_TUNE_OK_METHOD, &answer);
}

static enum lq_status open_vhost(const struct login *login)
{
    amqp_connection_open_t method = {
        .virtual_host = amqp_cstring_bytes(login->connection->vhost)};
    struct lq_incoming in;
    const enum lq_status status =
        tell(login, AMQP_CONNECTION_OPEN_METHOD, &method);

    return status == LQ_OK ? expect(login, AMQP_CONNECTION_OPEN_OK_METHOD, &in)
                           : status;
}

enum lq_status lq_amqp_log_in(struct lq_link *link,
                              const struct lq_connection *connection)
{
    struct login login = {.link = link, .connection = connection};
    enum lq_status status = greet(&login);

    if (status == LQ_OK) {
        status = introduce(&login);
    }
    if (status == LQ_OK) {
        status = tune(&login);
    }
    return status == LQ_OK ? open_vhost(&login) : status;
}
