#include "broker/connection.h"

#include "base/text.h"
#include "broker/url_parts.h"

#include <string.h>

static const char stray_comma[] =
    "takes ',' only before another whole URL, as in amqp://one,amqp://two (in "
    "a name it is %2C)";

/* The virtual host is what follows the slash; without one it is not named. */
static enum lq_status read_vhost(const struct lq_url *url, const char *tail,
                                 const char **out)
{
    const char *const name = *tail == '/' ? tail + 1 : tail;
    struct lq_url_part part = {NULL, strlen(name)};
    enum lq_status status = LQ_OK;

    if (strpbrk(tail, "?#")) {
        return lq_url_fail(url, "must end with the virtual host: it takes no "
                                "'?' query and no '#' fragment");
    }
    if (strchr(name, '/')) {
        return lq_url_fail(url,
                           "must write '/' in the virtual host's name as %2F");
    }
    if (strchr(tail, ',')) {
        return lq_url_fail(url, stray_comma);
    }
    if (name == tail) {
        return LQ_OK;
    }
    part.at = name;
    status = lq_url_decode(url, part, out);
    if (status == LQ_OK && !lq_is_vhost(*out)) {
        return lq_url_fail(url, "must name a virtual host of at most 255 bytes "
                                "of UTF-8");
    }
    return status;
}

static enum lq_status read_parts(const struct lq_url *url,
                                 const struct lq_url_parts *parts,
                                 struct lq_connection *out)
{
    const enum lq_status status = lq_url_peer(url, parts, out);

    return status == LQ_OK ? read_vhost(url, parts->tail, &out->vhost) : status;
}

enum lq_status lq_url_parse(const char *text, struct lq_diags *diags,
                            struct lq_connection *out)
{
    const struct lq_url url = {"broker URL", stray_comma, diags};
    struct lq_connection read = *out;
    struct lq_url_parts parts = {.user = {0}};
    const char *rest = "";
    enum lq_status status = lq_url_scheme(&url, text, "amqp", &read.tls, &rest);

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
