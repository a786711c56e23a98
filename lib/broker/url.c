#include "broker/url.h"

#include "base/text.h"
#include "broker/connection.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#define SUBJECT "broker URL" /* begins every message of lq_url_parse() */

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte that "%XX" stands for; -1 when that is not what is there. */
static int escaped_byte(const char *at, const char *end)
{
    const int high = end - at > 2 ? hex_value(at[1]) : -1;
    const int low = end - at > 2 ? hex_value(at[2]) : -1;

    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

enum lq_status lq_url_decode(const struct lq_url *url, struct lq_url_part part,
                             const char **out)
{
    const char *end = NULL;
    char *text = NULL;
    char *to = NULL;

    if (!part.at) {
        return LQ_OK;
    }
    text = lq_alloc(url->diags->arena, part.length + 1);
    if (!text) {
        return LQ_NOMEM;
    }
    to = text;
    end = part.at + part.length;
    for (const char *at = part.at; at < end; ++at) {
        const int byte = *at == '%' ? escaped_byte(at, end) : *at;

        if (*at == '%' && byte < 0) {
            return lq_url_fail(url, "must write '%' itself as %25");
        }
        if (byte == 0) {
            return lq_url_fail(url, "must not contain %00");
        }
        at += *at == '%' ? 2 : 0;
        *to++ = (char)byte;
    }
    *out = text;
    return LQ_OK;
}

/* Errors hide the number: it may be the start of a password with a '/'. */
static enum lq_status read_port(const struct lq_url *url,
                                struct lq_url_part part, unsigned *out)
{
    const char *const text =
        lq_strndup(url->diags->arena, part.at ? part.at : "", part.length);
    uint64_t port = 0;

    if (!part.at) {
        return LQ_OK;
    }
    if (lq_parse_u64(text, &port) != LQ_NUMBER_OK || port == 0 ||
        port > 65535) {
        return lq_url_fail(url, "must have a port from 1 to 65535");
    }
    *out = (unsigned)port;
    return LQ_OK;
}

/* An IPv6 address, perhaps with a zone behind it, such as "%eth0". */
static bool is_ipv6(const char *text)
{
    char address[INET6_ADDRSTRLEN] = "";
    unsigned char bytes[16];
    const size_t length = strcspn(text, "%");

    if (length >= sizeof(address)) {
        return false;
    }
    memcpy(address, text, length);
    return inet_pton(AF_INET6, address, bytes) == 1;
}

static enum lq_status read_host(const struct lq_url *url,
                                struct lq_url_part part, const char **out)
{
    const bool bracketed = part.at && *part.at == '[';
    enum lq_status status = LQ_OK;

    if (bracketed) {
        ++part.at;
        part.length -= 2;
    }
    status = lq_url_decode(url, part, out);
    if (status == LQ_OK && bracketed && !is_ipv6(*out)) {
        return lq_url_fail(url,
                           "must have an IPv6 address between '[' and ']'");
    }
    return status;
}

static bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '~';
}

const char *lq_url_encode(struct lq_arena *arena, const char *text)
{
    static const char digits[] = "0123456789ABCDEF";
    char *const encoded = lq_alloc_array(arena, strlen(text) + 1, 3);
    char *to = encoded;

    for (; encoded && *text; ++text) {
        if (is_unreserved(*text)) {
            *to++ = *text;
        } else {
            *to++ = '%';
            *to++ = digits[(unsigned char)*text >> 4];
            *to++ = digits[*text & 0xf];
        }
    }
    return encoded ? encoded : "";
}

enum lq_status lq_url_peer(const struct lq_url *url,
                           const struct lq_url_parts *parts,
                           struct lq_connection *out)
{
    enum lq_status status = read_port(url, parts->port, &out->port);

    if (status == LQ_OK) {
        status = read_host(url, parts->host, &out->host);
    }
    if (status == LQ_OK) {
        status = lq_url_decode(url, parts->user, &out->username);
    }
    return status == LQ_OK ? lq_url_decode(url, parts->password, &out->password)
                           : status;
}

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

/* Whether the first `length` bytes could be a scheme, fit to be shown. */
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
    /* whichever '@' ended the password, some of it could pass for a host */
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

static bool is_start(const char *text)
{
    return strncasecmp(text, "amqp://", 7) == 0 ||
           strncasecmp(text, "amqps://", 8) == 0;
}

/*
 * The comma behind the first URL, or NULL; `*next` is the URL behind it. Only
 * before a whole URL does a comma end one: a password may contain a comma, but
 * no slash.
 */
static const char *find_end(const char *urls, const char **next)
{
    for (const char *at = strchr(urls, ','); at; at = strchr(at + 1, ',')) {
        *next = at + 1 + strspn(at + 1, " \t");
        if (is_start(*next)) {
            return at;
        }
    }
    return NULL;
}

static size_t count_urls(const char *urls)
{
    size_t count = 1;

    for (const char *at = urls; find_end(at, &at);) {
        ++count;
    }
    return count;
}

/* Reads number `number` of `count`; messages say which it is. */
static enum lq_status read_one(const char *url, size_t number, size_t count,
                               struct lq_diags *diags,
                               struct lq_connection *out)
{
    struct lq_diags own;
    enum lq_status status = LQ_OK;

    if (count == 1) {
        return lq_url_parse(url, diags, out);
    }
    lq_diags_init(&own, diags->arena);
    status = lq_url_parse(url, &own, out);
    for (size_t i = 0; i < own.items.count; ++i) {
        const char *const text = lq_diags_at(&own, i)->text;

        lq_error(diags, NULL, SUBJECT " %zu of %zu%s", number, count,
                 *text ? text + strlen(SUBJECT) : "");
    }
    return status;
}

enum lq_status lq_url_list_parse(const char *urls, struct lq_diags *diags,
                                 struct lq_connection **out, size_t *count)
{
    const size_t total = count_urls(urls);
    struct lq_connection *const list =
        lq_alloc_array(diags->arena, total, sizeof(*list));
    const char *next = urls;
    enum lq_status status = LQ_OK;

    if (!list) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < total && status != LQ_NOMEM; ++i) {
        const char *const start = next;
        const char *const end = find_end(start, &next);
        const char *const url = lq_strndup(
            diags->arena, start, end ? (size_t)(end - start) : strlen(start));

        status = lq_worse(status, read_one(url, i + 1, total, diags, &list[i]));
    }
    *out = list;
    *count = total;
    return status;
}

static const char stray_comma[] =
    "takes ',' only before another whole URL, as in amqp://one,amqp://two (in "
    "a name it is %2C)";

/* The virtual host follows the slash; without a slash, none is named. */
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
    const struct lq_url url = {SUBJECT, stray_comma, diags};
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
