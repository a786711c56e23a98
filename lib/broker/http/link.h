/* Shared by the files of this folder, the only ones that know libcurl. */
#ifndef LQ_BROKER_HTTP_LINK_H
#define LQ_BROKER_HTTP_LINK_H

#include "broker/http/curl.h"
#include "broker/http/management.h"

#include <stdint.h>

#define LQ_BODY_MAX_BYTES ((size_t)256 * 1024 * 1024)
#define LQ_WHOLE_MILLIS 3600000U /* in which an answer must be complete */

/* An open management API. */
struct lq_management {
    struct lq_diags *diags;
    const struct lq_management_settings *settings;
    struct lq_connection peer; /* with every default filled in */
    struct lq_curl curl;
    bool started; /* curl.global_init() was called */
    CURL *easy;
    struct curl_slist *headers;     /* of a request without a body */
    struct curl_slist *put_headers; /* of one with a body */
    const char *name;  /* "management API URL (vhost 'V', user 'U')" */
    const char *base;  /* "http://HOST:PORT/PREFIX/api/", without user */
    uint64_t deadline; /* of the whole run: lq_now_millis() or LQ_NEVER */
    char error[CURL_ERROR_SIZE]; /* of the last request */
    /* the current answer */
    char *body;
    size_t length;
    size_t capacity;
    uint64_t asked;     /* when its request began: lq_now_millis() */
    uint64_t measured;  /* when its speed was last measured */
    curl_off_t counted; /* bytes of the body by then */
    bool too_slow;
    bool too_large;
    bool out_of_memory;
    bool stopped;
};

/* setup.c: sets up an easy handle for all requests. */
enum lq_status lq_management_set_up(struct lq_management *management) LQ_CHECK;

/* error.c: reports "NAME: ..." and returns `status`, or LQ_NOMEM. */
enum lq_status lq_management_fail(const struct lq_management *management,
                                  enum lq_status status, const char *format,
                                  ...) __attribute__((format(printf, 3, 4)));

/* error.c: reports why a request came to nothing. */
enum lq_status lq_management_failed(struct lq_management *management,
                                    CURLcode code) LQ_CHECK;

#endif
