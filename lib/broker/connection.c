#include "broker/connection.h"

#include "base/clock.h"
#include "base/text.h"

#include <stddef.h>
#include <string.h>

#define CONNECT_TIMEOUT_MILLIS 10000
#define VHOST_MAX_BYTES 255

bool lq_is_vhost(const char *name)
{
    const size_t length = strlen(name);

    return length <= VHOST_MAX_BYTES && lq_utf8_valid(name, length);
}

enum lq_status lq_vhost_check(const char *name, struct lq_diags *diags)
{
    const char *const shown = lq_printable(diags->arena, name, strlen(name));

    if (lq_is_vhost(name)) {
        return LQ_OK;
    }
    return lq_error(diags, NULL,
                    "vhost must be at most %d bytes of UTF-8, not '%s'",
                    VHOST_MAX_BYTES, shown);
}

void lq_connection_settle(struct lq_connection *connection)
{
    const bool certified = connection->tls && connection->tls_cert_file;

    if (!connection->host) {
        connection->host = "localhost";
    }
    if (!connection->vhost) {
        connection->vhost = "/";
    }
    if (!connection->port) {
        connection->port = connection->tls ? 5671 : 5672;
    }
    if (!connection->username && !certified) {
        connection->username = "guest";
        if (!connection->password) {
            connection->password = "guest";
        }
    }
    if (!connection->connect_timeout_millis) {
        connection->connect_timeout_millis = CONNECT_TIMEOUT_MILLIS;
    }
    if (!connection->answer_timeout_millis) {
        connection->answer_timeout_millis = LQ_ANSWER_TIMEOUT_MILLIS;
    }
}

uint64_t lq_connection_deadline(const struct lq_connection *connection)
{
    if (!connection->timeout_millis) {
        return LQ_NEVER;
    }
    return connection->deadline ? connection->deadline
                                : lq_now_millis() + connection->timeout_millis;
}

const char *lq_connection_address(struct lq_arena *arena,
                                  const struct lq_connection *connection)
{
    const char *const host =
        lq_printable(arena, connection->host, strlen(connection->host));
    const bool bracketed = strchr(connection->host, ':') != NULL;

    return lq_format(arena, "%s%s%s:%u", bracketed ? "[" : "", host,
                     bracketed ? "]" : "", connection->port);
}
