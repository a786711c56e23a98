#ifndef LQ_BROKER_MISMATCH_H
#define LQ_BROKER_MISMATCH_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>

/* One side of a comparison, as a broker words it. */
struct lq_side {
    bool known; /* false: the text was cut before it (255 bytes are allowed) */
    const char *value; /* NULL, when known: not set */
    const char *type;  /* e.g. "longstr", or NULL when it is not said */
};

/*
 * What a 406 says about a declaration that differs from what exists. A broker
 * names the first difference only.
 */
struct lq_mismatch {
    const char *field; /* "x-message-ttl", "durable", "type", ... */
    struct lq_side planned;
    struct lq_side there;
};

/*
 * Reads the reply text of a 406 about the resource `name`, as RabbitMQ 3.x and
 * 4.x write it. LQ_INVALID when it is not about a difference, or of another
 * shape; LQ_NOMEM.
 */
enum lq_status lq_mismatch_parse(const char *text, const char *name,
                                 struct lq_arena *arena,
                                 struct lq_mismatch *out) LQ_CHECK;

/* What a 403 says about who may not do what. */
struct lq_refusal {
    bool exchange;          /* the access refused is to an exchange */
    const char *name;       /* of that exchange or queue */
    const char *vhost;      /* where it would be */
    const char *user;       /* who was refused */
    const char *permission; /* "configure", "write", "read"; NULL before 4.0 */
};

/* The same for the reply text of a 403. */
enum lq_status lq_refusal_parse(const char *text, struct lq_arena *arena,
                                struct lq_refusal *out) LQ_CHECK;

/* Whether a 404 says that the resource does not exist, and not that it cannot
 * be reached at the moment. */
bool lq_is_missing(const char *text);

#endif
