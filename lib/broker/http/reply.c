#include "base/text.h"
#include "broker/http/link.h"
#include "json/read.h"

#include <string.h>
#include <strings.h>

/* An error of the API is short; anything longer is another server's page. */
#define REASON_MAX_BYTES 65536

/* The "reason" that the API gives, printable, or NULL without one. */
static enum lq_status find_reason(const struct lq_management *management,
                                  const struct lq_response *response,
                                  const char **out)
{
    struct lq_arena *const arena = management->diags->arena;
    const struct lq_json_source source = {NULL, response->body,
                                          response->length};
    const struct lq_node *node = NULL;
    struct lq_diags unheard;
    enum lq_status status = LQ_INVALID;

    *out = NULL;
    lq_diags_init(&unheard, arena);
    if (response->length <= REASON_MAX_BYTES) {
        status = lq_json_read(&source, NULL, &unheard, &node);
    }
    if (status != LQ_OK) {
        return status == LQ_NOMEM ? LQ_NOMEM : LQ_OK;
    }
    node = lq_node_member(node, "reason");
    if (!node || node->kind != LQ_NODE_STRING) {
        return LQ_OK;
    }
    *out = lq_printable(arena, lq_node_text(node), strlen(lq_node_text(node)));
    return LQ_OK;
}

static enum lq_status redirected(const struct lq_management *management,
                                 const struct lq_response *response)
{
    return lq_management_fail(management, LQ_REFUSED,
                              "it redirects%s%s%s, which is not followed (%d)",
                              response->location ? " to '" : "",
                              response->location ? response->location : "",
                              response->location ? "'" : "", response->status);
}

/* What a status means; the reason follows it. */
static const char *status_words(int status, const char *reason)
{
    if (status == 400 && reason && strstr(reason, "vhost_not_found")) {
        return "there is no such virtual host";
    }
    switch (status) {
    case 401:
    case 403:
        return "access is refused";
    case 404:
        return reason ? "there is no such virtual host, or this user may not "
                        "use it"
                      : "there is no management API";
    default:
        return status >= 500 ? "it failed" : "it refuses";
    }
}

bool lq_management_denies(const struct lq_response *response)
{
    return response->status == 401 || response->status == 403;
}

static bool is_json(const struct lq_response *response)
{
    static const char type[] = "application/json";

    return !*response->type ||
           strncasecmp(response->type, type, sizeof(type) - 1) == 0;
}

/* Reports that a request was not granted. */
static enum lq_status refused(const struct lq_management *management,
                              const struct lq_response *response)
{
    const int status = response->status;
    const char *reason = NULL;

    if (status >= 300 && status < 400) {
        return redirected(management, response);
    }
    if (find_reason(management, response, &reason) != LQ_OK) {
        return LQ_NOMEM;
    }
    return lq_management_fail(management, status >= 500 ? LQ_LOST : LQ_REFUSED,
                              "%s%s%s (%d)", status_words(status, reason),
                              reason ? ": " : "", reason ? reason : "", status);
}

enum lq_status lq_management_expect(const struct lq_management *management,
                                    const struct lq_response *response)
{
    if (response->status != 200) {
        return refused(management, response);
    }
    return is_json(response)
               ? LQ_OK
               : lq_management_fail(management, LQ_REFUSED,
                                    "it answers with %s, not JSON: this is no "
                                    "management API",
                                    response->type);
}

enum lq_status lq_management_accept(const struct lq_management *management,
                                    const struct lq_response *response)
{
    return response->status >= 200 && response->status < 300
               ? LQ_OK
               : refused(management, response);
}
