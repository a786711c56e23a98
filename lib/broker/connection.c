#include "broker/connection.h"

#include <stddef.h>

#define CONNECT_TIMEOUT_MILLIS 10000

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
}
