/* libcurl, loaded only when HTTP is needed. */
#ifndef LQ_BROKER_HTTP_CURL_H
#define LQ_BROKER_HTTP_CURL_H

#include "base/diag.h"

#include <curl/curl.h>

/*
 * The functions of libcurl. If it were linked, every start of a program would
 * load some thirty libraries, which takes longer than everything else.
 */
struct lq_curl {
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_global_cleanup) *global_cleanup;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_easy_setopt) *easy_setopt;
    __typeof__(curl_easy_perform) *easy_perform;
    __typeof__(curl_easy_getinfo) *easy_getinfo;
    __typeof__(curl_easy_strerror) *easy_strerror;
    __typeof__(curl_slist_append) *slist_append;
    __typeof__(curl_slist_free_all) *slist_free_all;
};

/* The name that libcurl has had since 2006. */
#define LQ_CURL_LIBRARY "libcurl.so.4"

/* Loads the library for good. LQ_OK, LQ_IO (reported) or LQ_NOMEM. */
enum lq_status lq_curl_load(const char *library, struct lq_diags *diags,
                            struct lq_curl *out) LQ_CHECK;

#endif
