/* The URLs of brokers, and what they share with those of management APIs. */
#ifndef LQ_BROKER_URL_H
#define LQ_BROKER_URL_H

#include "base/diag.h"
#include "broker/connection.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Reads amqp://user:password@host:port/vhost or amqps://..., each part
 * optional and percent-encoded as in the AMQP URI specification.
 * "amqp://host" leaves the vhost unset, "amqp://host/%2F" is the vhost "/" and
 * "amqp://host/" the vhost "". Sets `tls` and what the URL names, and nothing
 * else; nothing at all on LQ_INVALID. The strings live in the arena of `diags`.
 * Errors never quote a part of the URL that could belong to a password.
 */
enum lq_status lq_url_parse(const char *text, struct lq_diags *diags,
                            struct lq_connection *out) LQ_CHECK;

/*
 * Reads one such URL, or several with commas between them: ways to the same
 * broker, such as the nodes of a cluster, to be tried in turn. Blanks may
 * follow a comma. Reports what is wrong with each of them. `out` is an array
 * of `count` connections, in the arena of `diags`.
 */
enum lq_status lq_url_list_parse(const char *urls, struct lq_diags *diags,
                                 struct lq_connection **out,
                                 size_t *count) LQ_CHECK;

/* A URL while it is read. */
struct lq_url {
    const char *what;  /* begins messages: "broker URL" */
    const char *comma; /* what they say about a misplaced ',' */
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
 * Checks that a URL begins with "NAME://" or "NAMEs://", in upper or lower
 * case; sets `tls` for the latter, and `rest` to what follows. An error quotes
 * the scheme only if it cannot be something else that is misplaced.
 */
enum lq_status lq_url_scheme(const struct lq_url *url, const char *text,
                             const char *name, bool *tls,
                             const char **rest) LQ_CHECK;

/* Splits what follows "scheme://"; the parts point into `text`. */
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

/* Percent-encodes all but letters, digits, '-', '_' and '~'. */
const char *lq_url_encode(struct lq_arena *arena, const char *text);

#endif
