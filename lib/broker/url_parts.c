#include "broker/url_parts.h"

#include <string.h>

static enum lq_status fail(struct lq_diags *diags, const char *what)
{
    return lq_error(diags, NULL, "broker URL %s", what);
}

static enum lq_status stray_comma(struct lq_diags *diags)
{
    return fail(diags, "takes ',' only before another whole URL, as in "
                       "amqp://one,amqp://two (in a name it is %2C)");
}

static struct lq_url_part part_of(const char *from, const char *end)
{
    return (struct lq_url_part){from, (size_t)(end - from)};
}

static const char *find(const char *text, const char *stop, char c)
{
    return memchr(text, c, (size_t)(stop - text));
}

/* user[:password] */
static void split_user(const char *from, const char *end,
                       struct lq_url_parts *out)
{
    const char *const colon = find(from, end, ':');

    out->user = part_of(from, colon ? colon : end);
    if (colon) {
        out->password = part_of(colon + 1, end);
    }
}

/* host[:port], where the host may be [an IPv6 address] */
static enum lq_status split_host(const char *from, const char *end,
                                 struct lq_diags *diags,
                                 struct lq_url_parts *out)
{
    const char *host_end = NULL;

    if (find(from, end, ',')) {
        return stray_comma(diags);
    }
    if (from < end && *from == '[') {
        const char *const bracket = find(from, end, ']');

        if (!bracket || (bracket + 1 < end && bracket[1] != ':')) {
            return fail(diags, "must write an IPv6 address as [address]");
        }
        host_end = bracket + 1;
    } else {
        host_end = find(from, end, ':');
        if (host_end && find(host_end + 1, end, ':')) {
            return fail(diags, "must write an IPv6 address as [address]");
        }
    }
    if (!host_end) {
        host_end = end;
    }
    if (host_end > from) {
        out->host = part_of(from, host_end);
    }
    if (host_end + 1 < end) {
        out->port = part_of(host_end + 1, end);
    }
    return LQ_OK;
}

enum lq_status lq_url_split(const char *text, struct lq_diags *diags,
                            struct lq_url_parts *out)
{
    const char *const end = text + strcspn(text, "/?#");
    const char *const stop = end + strlen(end);
    const char *const at = find(text, end, '@');

    if (!at && find(end, stop, '@')) {
        return fail(diags, "must write '/', '?' and '#' in a user name or "
                           "password as %2F, %3F and %23");
    }
    if (at && find(at + 1, end, '@')) {
        return fail(diags, "must write '@' in a user name or password as %40");
    }
    if (find(end, stop, '?') || find(end, stop, '#')) {
        return fail(diags, "must end with the virtual host: it takes no "
                           "'?' query and no '#' fragment");
    }
    if (at) {
        split_user(text, at, out);
    }
    if (*end == '/') {
        out->vhost = part_of(end + 1, stop);
        if (find(end + 1, stop, '/')) {
            return fail(diags,
                        "must write '/' in the virtual host's name as %2F");
        }
        if (find(end + 1, stop, ',')) {
            return stray_comma(diags);
        }
    }
    return split_host(at ? at + 1 : text, end, diags, out);
}
