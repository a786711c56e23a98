/* Reads from a broker's management API, and writes to it. */
#ifndef LQ_BROKER_HTTP_MANAGEMENT_H
#define LQ_BROKER_HTTP_MANAGEMENT_H

#include "broker/connection.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * How to reach a management API. The defaults of `peer` are those of AMQP, but
 * for the port: 80, with TLS 443, as for any URL. The virtual host is for
 * messages. No proxy is used, whatever the environment says.
 */
struct lq_management_settings {
    struct lq_connection peer;
    const char *prefix; /* what precedes "/api", as a URL has it; NULL: "" */
    /* Asked about once a second; true ends a request. May be NULL. */
    bool (*stop)(void *data);
    void *data; /* for `stop` */
};

/*
 * Reads http://user:password@host:port/prefix or https://...; "/api" at its
 * end counts as left out. Sets the prefix, `tls` and only what else the URL
 * names; nothing on LQ_INVALID. The strings live in the arena of `diags`, and
 * errors quote no part that could be a misplaced piece of password.
 */
enum lq_status
lq_management_url_parse(const char *text, struct lq_diags *diags,
                        struct lq_management_settings *out) LQ_CHECK;

/* Fills in every default that is still open. */
void lq_management_settle(struct lq_management_settings *settings);

struct lq_management;

/*
 * Gets ready, but does not connect yet; the timeout of the whole run starts
 * here. The settings must stay. Loads libcurl: LQ_IO when there is none.
 * LQ_OK, LQ_INVALID (settings), LQ_IO or LQ_NOMEM; the caller closes what it
 * opened. libcurl stays loaded; where it is older than 7.84, nothing may use
 * it in another thread meanwhile.
 */
enum lq_status lq_management_open(const struct lq_management_settings *settings,
                                  struct lq_diags *diags,
                                  struct lq_management **out) LQ_CHECK;

/* Has problems go to other diags from now on. */
void lq_management_tell(struct lq_management *management,
                        struct lq_diags *diags);

/* Releases everything but what is in the arena. NULL is fine. */
void lq_management_close(struct lq_management *management);

/* A whole answer. */
struct lq_response {
    int status;       /* of HTTP */
    const char *url;  /* what was asked for, printable, up to its query */
    const char *type; /* of the content, or "" */
    const char *body; /* valid until the next request, or closing */
    size_t length;
    const char *location; /* where a redirection leads, or NULL */
};

/*
 * Asks for "/api/PATH", where the path's parts are encoded as
 * lq_url_encode() does. The connection is kept for the next request. A
 * redirection is not followed. LQ_OK: there is a whole answer, of any HTTP
 * status. Else an error says why: LQ_LOST (not reached, timed out, broken
 * off: trying again may help), LQ_REFUSED (certificate, no HTTP, over 256 MiB,
 * stopped), LQ_INVALID (files of certificates) or LQ_NOMEM.
 */
enum lq_status lq_management_get(struct lq_management *management,
                                 const char *path,
                                 struct lq_response *out) LQ_CHECK;

/*
 * Puts a JSON document to "/api/PATH", as lq_management_get() asks for one.
 * Once LQ_LOST, it may have been taken.
 */
enum lq_status lq_management_put(struct lq_management *management,
                                 const char *path, const char *body,
                                 struct lq_response *out) LQ_CHECK;

/*
 * LQ_OK for the response to a document that was taken, of any status from 200
 * to 299; else as lq_management_expect().
 */
enum lq_status
lq_management_accept(const struct lq_management *management,
                     const struct lq_response *response) LQ_CHECK;

/*
 * LQ_OK for a response of status 200 with JSON in it; else reports what it
 * is, in the API's own words if it has any: LQ_REFUSED, LQ_LOST for a failing
 * server, or LQ_NOMEM.
 */
enum lq_status
lq_management_expect(const struct lq_management *management,
                     const struct lq_response *response) LQ_CHECK;

/* Whether the response says that this user may not see that. */
bool lq_management_denies(const struct lq_response *response);

#endif
