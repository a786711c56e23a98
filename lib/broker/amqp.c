#include "broker/amqp.h"

#include "base/clock.h"
#include "base/text.h"
#include "broker/amqp_link.h"

#include <string.h>
#include <time.h>

#define GOODBYE_MILLIS 2000
#define REOPEN_MILLIS 200 /* until a broker has forgotten what was closed */

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

    if (!address || !shown_vhost || !shown_user) {
        return LQ_NOMEM;
    }
    link->name = lq_format(arena, "broker %s (vhost '%s', user %s%s%s)",
                           address, shown_vhost, quote, shown_user, quote);
    return link->name ? LQ_OK : LQ_NOMEM;
}

/* What the broker would refuse in words that help nobody. */
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
    return lq_diags_hide(link->diags, &login) == LQ_OK
               ? name_peer(link, connection)
               : LQ_NOMEM;
}

enum lq_status lq_amqp_open(const struct lq_connection *connection,
                            struct lq_diags *diags, struct lq_broker **out)
{
    struct lq_connection settled = *connection;
    struct lq_link *const link = lq_alloc(diags->arena, sizeof(*link));
    enum lq_status status = LQ_OK;

    if (!link) {
        return LQ_NOMEM;
    }
    link->diags = diags;
    lq_connection_settle(&settled);
    status = prepare(link, &settled);
    if (status == LQ_OK) {
        status = check(link, &settled);
    }
    if (status == LQ_OK) {
        status = lq_amqp_connect(link, &settled);
    }
    if (status != LQ_OK) {
        lq_amqp_close(&link->broker);
        return status;
    }
    *out = &link->broker;
    return LQ_OK;
}

/* Waits for the goodbye to be answered, whatever else is still on its way. */
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

/* How many channels to make do with, when those in use were too many. */
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
    status = lq_amqp_connect(link, &link->connection);
    if (link->channel_count > count) {
        link->channel_count = count;
    }
    return status;
}
