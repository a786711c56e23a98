#include "broker/amqp_link.h"

#include "base/text.h"

#include <string.h>

enum lq_status lq_amqp_turned_away(struct lq_link *link,
                                   const amqp_connection_close_t *close)
{
    amqp_connection_close_ok_t ok = {0};
    const char *const text = lq_printable(
        link->diags->arena, close->reply_text.bytes, close->reply_text.len);

    (void)amqp_send_method(link->state, 0, AMQP_CONNECTION_CLOSE_OK_METHOD,
                           &ok);
    if (!text) {
        return LQ_NOMEM;
    }
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

enum lq_status lq_amqp_not_logged_in(struct lq_link *link, int status,
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
    case AMQP_STATUS_SSL_ERROR: /* TLS 1.3 refuses a client that late */
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
