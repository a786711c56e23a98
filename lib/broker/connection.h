#ifndef LQ_BROKER_CONNECTION_H
#define LQ_BROKER_CONNECTION_H

#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* RabbitMQ 4.3 gives up on a queue whose node is down after 60 s. */
#define LQ_ANSWER_TIMEOUT_MILLIS 90000

/* How to reach a broker. Strings are borrowed; NULL means the default. */
struct lq_connection {
    const char *host;  /* a name or address; NULL: localhost */
    unsigned port;     /* 0: 5672, with TLS 5671 */
    const char *vhost; /* NULL: "/" */
    /*
     * NULL: "guest" with its password, or the client certificate's identity
     * (SASL EXTERNAL) when there is a certificate.
     */
    const char *username;
    const char *password; /* never shown, logged or reported */
    bool tls;
    bool insecure;           /* neither peer nor host name is verified */
    const char *tls_ca_file; /* NULL: the system's certificates */
    const char *tls_cert_file;
    const char *tls_key_file;        /* NULL: in tls_cert_file too */
    unsigned connect_timeout_millis; /* TCP, TLS and login; 0: 10 s */
    unsigned timeout_millis;         /* the whole run; 0: no limit */
    unsigned answer_timeout_millis;  /* until a request is answered; 0: 90 s */
    uint64_t deadline; /* the end of timeout_millis: lq_now_millis(); 0: it is
                          counted from when the connection is opened */
    /*
     * How often each side says that it is still there, in seconds. A peer that
     * is silent for twice as long is lost. 0: never. Links that carry messages
     * only.
     */
    unsigned heartbeat_seconds;
    /*
     * Asked several times a second while something is awaited: during login
     * true gives up; links that carry messages tell what else it does. May be
     * NULL.
     */
    bool (*stop)(void *data);
    void *stop_data;
};

/* Whether a name can be a virtual host's: at most 255 bytes of UTF-8. */
bool lq_is_vhost(const char *name);

/* The same with an error in `diags`: LQ_OK, LQ_INVALID or LQ_NOMEM. */
enum lq_status lq_vhost_check(const char *name,
                              struct lq_diags *diags) LQ_CHECK;

/* Fills in every default that is still open. */
void lq_connection_settle(struct lq_connection *connection);

/* When a run that opens it now must be over: lq_now_millis() or LQ_NEVER. */
uint64_t lq_connection_deadline(const struct lq_connection *connection);

/*
 * "host:5672" or "[::1]:5672", printable, of a connection whose host and port
 * are set.
 */
const char *lq_connection_address(struct lq_arena *arena,
                                  const struct lq_connection *connection);

#endif
