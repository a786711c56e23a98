#ifndef LQ_BROKER_TLS_WORDS_H
#define LQ_BROKER_TLS_WORDS_H

#include "base/arena.h"
#include "broker/connection.h"

/*
 * Why a peer's certificate is refused, to follow the peer's name. `error` is
 * OpenSSL's X509_V_ERR_*.
 */
const char *lq_tls_untrusted(int error, const struct lq_connection *connection,
                             struct lq_arena *arena);

#endif
