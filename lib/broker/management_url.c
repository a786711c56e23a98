#include "broker/management.h"

#include "broker/url_parts.h"

#include <string.h>

/* The path of the URL, without slashes and "/api" at its end. */
static enum lq_status read_prefix(const struct lq_url *url, const char *tail,
                                  const char **out)
{
    static const char api[] = "/api";
    const size_t api_length = sizeof(api) - 1;
    size_t length = strlen(tail);

    if (strpbrk(tail, "?#")) {
        return lq_url_fail(url, "takes no '?' query and no '#' fragment");
    }
    while (length > 0 && tail[length - 1] == '/') {
        --length;
    }
    if (length >= api_length &&
        strncmp(tail + length - api_length, api, api_length) == 0) {
        length -= api_length;
    }
    *out = lq_strndup(url->diags->arena, tail, length);
    return *out ? LQ_OK : LQ_NOMEM;
}

static enum lq_status read_parts(const struct lq_url *url,
                                 const struct lq_url_parts *parts,
                                 struct lq_management_settings *out)
{
    const enum lq_status status = lq_url_peer(url, parts, &out->peer);

    return status == LQ_OK ? read_prefix(url, parts->tail, &out->prefix)
                           : status;
}

enum lq_status lq_management_url_parse(const char *text, struct lq_diags *diags,
                                       struct lq_management_settings *out)
{
    const struct lq_url url = {"management URL",
                               "must name one host, without ','", diags};
    struct lq_management_settings read = *out;
    struct lq_url_parts parts = {.tail = ""};
    const char *rest = "";
    enum lq_status status =
        lq_url_scheme(&url, text, "http", &read.peer.tls, &rest);

    if (status == LQ_OK) {
        status = lq_url_split(&url, rest, &parts);
    }
    if (status == LQ_OK) {
        status = read_parts(&url, &parts, &read);
    }
    if (status == LQ_OK) {
        *out = read;
    }
    return status;
}

void lq_management_settle(struct lq_management_settings *settings)
{
    struct lq_connection *const peer = &settings->peer;

    if (!peer->port) {
        peer->port = peer->tls ? 443 : 80;
    }
    lq_connection_settle(peer);
}
