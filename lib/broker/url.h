/* What URLs of all kinds have in common. */
#ifndef LQ_BROKER_URL_H
#define LQ_BROKER_URL_H

#include "base/diag.h"
#include "broker/connection.h"

#include <stdbool.h>
#include <stddef.h>

/* A URL while it is read. */
struct lq_url {
    const char *what;  /* begins messages: "broker URL" */
    const char *comma; /* what they say about a ',' that is none of a list's */
    struct lq_diags *diags;
};

/* A part of a URL, still percent-encoded. `at` is NULL when it is absent. */
struct lq_url_part {
    const char *at;
    size_t length;
};

struct lq_url_parts {
    struct lq_url_part user;
    struct lq_url_part password;
    struct lq_url_part host; /* an IPv6 address keeps its brackets */
    struct lq_url_part port;
    const char *tail; /* from the first '/', '?' or '#' on; may be "" */
};

/* Reports "WHAT TEXT": LQ_INVALID or LQ_NOMEM. */
enum lq_status lq_url_fail(const struct lq_url *url, const char *text) LQ_CHECK;

/*
 * Whether a URL begins with "NAME://" or "NAMEs://", in any case; sets `tls`
 * for the latter, and `rest` to what follows. An error names the scheme unless
 * it could be something else, misplaced.
 */
enum lq_status lq_url_scheme(const struct lq_url *url, const char *text,
                             const char *name, bool *tls,
                             const char **rest) LQ_CHECK;

/* Cuts up what follows "scheme://"; the parts point into `text`. */
enum lq_status lq_url_split(const struct lq_url *url, const char *text,
                            struct lq_url_parts *out) LQ_CHECK;

/* Undoes percent-encoding. An absent part leaves `out` alone. */
enum lq_status lq_url_decode(const struct lq_url *url, struct lq_url_part part,
                             const char **out) LQ_CHECK;

/*
 * Reads host (an IPv6 address without its brackets), port (1 to 65535), user
 * and password, and sets those that the URL names.
 */
enum lq_status lq_url_peer(const struct lq_url *url,
                           const struct lq_url_parts *parts,
                           struct lq_connection *out) LQ_CHECK;

/* Percent-encodes all but letters, digits, '-', '_' and '~'; NULL when out of
 * memory. */
const char *lq_url_encode(struct lq_arena *arena, const char *text);

#endif
