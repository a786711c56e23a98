#include "broker/management_link.h"

#include <string.h>

/* Makes the next request one with a body. */
static CURLcode begin(const struct lq_management *management, const char *body)
{
    const struct lq_curl *const curl = &management->curl;
    CURL *const easy = management->easy;
    CURLcode code = curl->easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                                      (curl_off_t)strlen(body));

    if (!code) {
        code = curl->easy_setopt(easy, CURLOPT_POSTFIELDS, body);
    }
    if (!code) {
        code = curl->easy_setopt(easy, CURLOPT_CUSTOMREQUEST, "PUT");
    }
    return code ? code
                : curl->easy_setopt(easy, CURLOPT_HTTPHEADER,
                                    management->put_headers);
}

/* Makes those to come as they were. */
static CURLcode end(const struct lq_management *management)
{
    const struct lq_curl *const curl = &management->curl;
    CURL *const easy = management->easy;
    CURLcode code = curl->easy_setopt(easy, CURLOPT_POSTFIELDS, (char *)NULL);

    if (!code) {
        code = curl->easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    }
    if (!code) {
        code = curl->easy_setopt(easy, CURLOPT_CUSTOMREQUEST, (char *)NULL);
    }
    return code ? code
                : curl->easy_setopt(easy, CURLOPT_HTTPHEADER,
                                    management->headers);
}

enum lq_status lq_management_put(struct lq_management *management,
                                 const char *path, const char *body,
                                 struct lq_response *out)
{
    enum lq_status status = LQ_OK;

    if (begin(management, body)) {
        return LQ_NOMEM;
    }
    status = lq_management_get(management, path, out);
    return end(management) ? LQ_NOMEM : status;
}
