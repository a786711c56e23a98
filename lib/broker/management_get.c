#include "base/clock.h"
#include "base/text.h"
#include "broker/management_link.h"

#include <limits.h>
#include <string.h>

/* What is left for a request, as libcurl wants it: 0 is for ever. */
static long time_left(const struct lq_management *management)
{
    const uint64_t left = lq_millis_until(management->deadline);

    if (management->deadline == LQ_NEVER) {
        return 0;
    }
    return left < LONG_MAX ? (long)left : LONG_MAX;
}

static CURLcode ask(struct lq_management *management, const char *url)
{
    const struct lq_curl *const curl = &management->curl;
    CURLcode code = curl->easy_setopt(management->easy, CURLOPT_URL, url);

    management->length = 0;
    management->error[0] = '\0';
    management->asked = lq_now_millis();
    management->measured = management->asked;
    management->counted = 0;
    management->too_slow = false;
    management->too_large = false;
    management->out_of_memory = false;
    management->stopped = false;
    if (!code) {
        code = curl->easy_setopt(management->easy, CURLOPT_TIMEOUT_MS,
                                 time_left(management));
    }
    if (management->deadline != LQ_NEVER && !time_left(management)) {
        return CURLE_OPERATION_TIMEDOUT;
    }
    return code ? code : curl->easy_perform(management->easy);
}

/* A printable copy of so much of a text. */
static enum lq_status keep(const struct lq_management *management,
                           const char *text, size_t length, const char **out)
{
    *out = lq_printable(management->diags->arena, text, length);
    return *out ? LQ_OK : LQ_NOMEM;
}

static enum lq_status describe(const struct lq_management *management,
                               struct lq_response *out)
{
    const struct lq_curl *const curl = &management->curl;
    char *type = NULL;
    char *location = NULL;
    long status = 0;

    if (curl->easy_getinfo(management->easy, CURLINFO_RESPONSE_CODE, &status) ||
        curl->easy_getinfo(management->easy, CURLINFO_CONTENT_TYPE, &type) ||
        curl->easy_getinfo(management->easy, CURLINFO_REDIRECT_URL,
                           &location)) {
        return LQ_NOMEM;
    }
    out->status = (int)status;
    out->body = management->length > 0 ? management->body : "";
    out->length = management->length;
    if (location &&
        keep(management, location, strlen(location), &out->location) != LQ_OK) {
        return LQ_NOMEM;
    }
    out->type = "";
    return type ? keep(management, type, strlen(type), &out->type) : LQ_OK;
}

enum lq_status lq_management_get(struct lq_management *management,
                                 const char *path, struct lq_response *out)
{
    const char *const url =
        lq_format(management->diags->arena, "%s%s", management->base, path);
    CURLcode code = CURLE_OK;

    *out = (struct lq_response){0};
    if (!url || keep(management, url, strcspn(url, "?"), &out->url) != LQ_OK) {
        return LQ_NOMEM;
    }
    code = ask(management, url);
    return code ? lq_management_failed(management, code)
                : describe(management, out);
}
