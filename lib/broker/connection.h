#ifndef LQ_BROKER_CONNECTION_H
#define LQ_BROKER_CONNECTION_H

#include "base/diag.h"

#include <stdbool.h>

/* How to reach a broker. Strings are borrowed; NULL means the default. */
struct lq_connection {
    const char *host;
    unsigned port; /* 0: 5672, with TLS 5671 */
    const char *vhost;
    const char *username;
    const char *password; /* never shown, logged or reported */
    bool tls;
    bool insecure;           /* neither peer nor host name are verified */
    const char *tls_ca_file; /* NULL: the system's certificates */
    const char *tls_cert_file;
    const char *tls_key_file;
    unsigned connect_timeout_millis; /* TCP, TLS handshake and login */
    unsigned timeout_millis;         /* the whole run; 0: no limit */
};

/*
 * Reads amqp://user:password@host:port/vhost or amqps://..., everything but
 * the host optional and percent-encoded as the AMQP URI specification says.
 * "amqp://host" and "amqp://host/%2F" are the vhost "/", "amqp://host/" the
 * vhost "". Sets only what the URL names. Errors never quote the password.
 */
enum lq_status lq_url_parse(const char *url, struct lq_diags *diags,
                            struct lq_connection *out) LQ_CHECK;

#endif
