/* Reads from a broker's management API, and writes to it. */
#ifndef LQ_BROKER_HTTP_MANAGEMENT_H
#define LQ_BROKER_HTTP_MANAGEMENT_H

#include "broker/connection.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * How to connect to a management API. The defaults of `peer` are those of AMQP
 * except the port: 80, or 443 with TLS, as for any URL. The virtual host serves
 * messages only. No proxy is used, whatever the environment says.
 */
struct lq_management_settings {
    struct lq_connection peer;
    const char *prefix; /* of "/api", encoded as in a URL; NULL: "" */
    /* Asked about once a second; true ends a request. May be NULL. */
    bool (*stop)(void *data);
    void *data; /* for `stop` */
};

/*
 * Reads http://user:password@host:port/prefix or https://...; "/api" at the
 * end is ignored. Sets the prefix, `tls` and what the URL names, and nothing
 * else; nothing at all on LQ_INVALID. The strings live in the arena of `diags`.
 * Errors never quote a part of the URL that could belong to a password.
 */
enum lq_status
lq_management_url_parse(const char *text, struct lq_diags *diags,
                        struct lq_management_settings *out) LQ_CHECK;

/* Fills in every default that is still open. */
void lq_management_settle(struct lq_management_settings *settings);

struct lq_management;

/*
 * Gets ready, but does not connect yet; the timeout of the whole run starts
 * here. The settings must outlive it. LQ_OK, LQ_INVALID (settings), LQ_IO
 * (libcurl cannot be loaded) or LQ_NOMEM; the caller closes what it opened.
 * libcurl stays loaded; if it is older than 7.84, no other thread may use it
 * meanwhile.
 */
enum lq_status lq_management_open(const struct lq_management_settings *settings,
                                  struct lq_diags *diags,
                                  struct lq_management **out) LQ_CHECK;

/* Reports problems to other diags from now on. */
void lq_management_tell(struct lq_management *management,
                        struct lq_diags *diags);

/* Releases everything but what is in the arena. NULL is fine. */
void lq_management_close(struct lq_management *management);

/* A complete answer. */
struct lq_response {
    int status;       /* of HTTP */
    const char *url;  /* of the request, printable, without its query */
    const char *type; /* of the content, or "" */
    const char *body; /* valid until the next request, or closing */
    size_t length;
    const char *location; /* where a redirection leads, or NULL */
};

/*
 * Asks for "/api/PATH", where each part of the path is encoded by
 * lq_url_encode(). Keeps the connection for the next request, and does not
 * follow redirections. LQ_OK: there is a complete answer, of any HTTP status.
 * Otherwise an error says why: LQ_LOST (not reached, timed out, broken off:
 * trying again may help), LQ_REFUSED (certificate, no HTTP, over 256 MiB,
 * stopped), LQ_INVALID (certificate files) or LQ_NOMEM.
 */
enum lq_status lq_management_get(struct lq_management *management,
                                 const char *path,
                                 struct lq_response *out) LQ_CHECK;

/*
 * Sends a JSON document to "/api/PATH" by PUT, as lq_management_get() asks for
 * one. With LQ_LOST it may have been accepted.
 */
enum lq_status lq_management_put(struct lq_management *management,
                                 const char *path, const char *body,
                                 struct lq_response *out) LQ_CHECK;

/*
 * LQ_OK for a response that accepts a document, with a status from 200 to 299;
 * otherwise as lq_management_expect().
 */
enum lq_status
lq_management_accept(const struct lq_management *management,
                     const struct lq_response *response) LQ_CHECK;

/*
 * LQ_OK for a response of status 200 with JSON in it; otherwise reports what is
 * wrong, in the API's own words if it has any: LQ_REFUSED, LQ_LOST for a server
 * that fails, or LQ_NOMEM.
 */
enum lq_status
lq_management_expect(const struct lq_management *management,
                     const struct lq_response *response) LQ_CHECK;

/* Whether the response says that this user may not do that. */
bool lq_management_denies(const struct lq_response *response);

#endif
