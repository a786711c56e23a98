#include "broker/url_parts.h"

#include <string.h>
#include <strings.h>

enum lq_status lq_url_fail(const struct lq_url *url, const char *text)
{
    return lq_error(url->diags, NULL, "%s %s", url->what, text);
}

static bool is_plain(const char *text)
{
    for (; *text; ++text) {
        if ((unsigned char)*text <= ' ' || *text == 0x7f) {
            return false;
        }
    }
    return true;
}

/* Whether the text up to `length` could be a scheme, and so may be shown. */
static bool is_scheme(const char *text, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        const char lower = (char)(text[i] | 0x20);

        if ((lower < 'a' || lower > 'z') && !strchr("0123456789+.-", text[i])) {
            return false;
        }
    }
    return length > 0;
}

enum lq_status lq_url_scheme(const struct lq_url *url, const char *text,
                             const char *name, bool *tls, const char **rest)
{
    const char *const end = strstr(text, "://");
    const size_t length = end ? (size_t)(end - text) : 0;
    const size_t plain = strlen(name);

    if (!is_plain(text)) {
        return lq_url_fail(url,
                           "must not contain blanks or control characters");
    }
    *tls = length == plain + 1 && (text[plain] | 0x20) == 's';
    if ((*tls || length == plain) && strncasecmp(text, name, plain) == 0) {
        *rest = end + 3;
        return LQ_OK;
    }
    if (is_scheme(text, length)) {
        return lq_error(url->diags, NULL,
                        "%s must begin with %s:// or %ss://, not '%.*s://'",
                        url->what, name, name, (int)length, text);
    }
    return lq_error(url->diags, NULL, "%s must begin with %s:// or %ss://",
                    url->what, name, name);
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
                                 const struct lq_url *url,
                                 struct lq_url_parts *out)
{
    const char *host_end = NULL;

    if (find(from, end, ',')) {
        return lq_url_fail(url, url->comma);
    }
    if (from < end && *from == '[') {
        const char *const bracket = find(from, end, ']');

        if (!bracket || (bracket + 1 < end && bracket[1] != ':')) {
            return lq_url_fail(url, "must write an IPv6 address as [address]");
        }
        host_end = bracket + 1;
    } else {
        host_end = find(from, end, ':');
        if (host_end && find(host_end + 1, end, ':')) {
            return lq_url_fail(url, "must write an IPv6 address as [address]");
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

enum lq_status lq_url_split(const struct lq_url *url, const char *text,
                            struct lq_url_parts *out)
{
    const char *const end = text + strcspn(text, "/?#");
    const char *const stop = end + strlen(end);
    const char *const at = find(text, end, '@');

    *out = (struct lq_url_parts){.tail = end};
    /* whichever '@' ends the password, a part of it would be taken for more */
    if (find(end, stop, '@')) {
        return lq_url_fail(url, "must write '/', '?', '#' and '@' in a user "
                                "name or password as %2F, %3F, %23 and %40, "
                                "and any other '@' behind the host as %40");
    }
    if (at && find(at + 1, end, '@')) {
        return lq_url_fail(url,
                           "must write '@' in a user name or password as %40");
    }
    if (at) {
        split_user(text, at, out);
    }
    return split_host(at ? at + 1 : text, end, url, out);
}
