#include "broker/connection.h"

#include "base/text.h"
#include "broker/url_parts.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#define VHOST_MAX_BYTES 255

static enum lq_status fail(struct lq_diags *diags, const char *what)
{
    return lq_error(diags, NULL, "broker URL %s", what);
}

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

/* The byte that "%XX" stands for; -1 when it is not written so. */
static int escaped_byte(const char *at, const char *end)
{
    const int high = end - at > 2 ? hex_value(at[1]) : -1;
    const int low = end - at > 2 ? hex_value(at[2]) : -1;

    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/* Undoes percent-encoding. An absent part leaves `out` alone. */
static enum lq_status decode(struct lq_url_part part, struct lq_diags *diags,
                             const char **out)
{
    const char *end = NULL;
    char *text = NULL;
    char *to = NULL;

    if (!part.at) {
        return LQ_OK;
    }
    text = lq_alloc(diags->arena, part.length + 1);
    if (!text) {
        return LQ_NOMEM;
    }
    to = text;
    end = part.at + part.length;
    for (const char *at = part.at; at < end; ++at) {
        const int byte = *at == '%' ? escaped_byte(at, end) : *at;

        if (*at == '%' && byte < 0) {
            return fail(diags, "must write '%' itself as %25");
        }
        if (byte == 0) {
            return fail(diags, "must not contain %00");
        }
        at += *at == '%' ? 2 : 0;
        *to++ = (char)byte;
    }
    *out = text;
    return LQ_OK;
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

/* Sets `tls` and finds what follows "://". */
static enum lq_status read_scheme(const char *url, struct lq_diags *diags,
                                  bool *tls, const char **rest)
{
    const char *const end = strstr(url, "://");
    const size_t length = end ? (size_t)(end - url) : 0;

    *tls = length == 5 && strncasecmp(url, "amqps", length) == 0;
    if (*tls || (length == 4 && strncasecmp(url, "amqp", length) == 0)) {
        *rest = end + 3;
        return LQ_OK;
    }
    if (is_scheme(url, length)) {
        return lq_error(diags, NULL,
                        "broker URL must begin with amqp:// or amqps://, "
                        "not '%.*s://'",
                        (int)length, url);
    }
    return fail(diags, "must begin with amqp:// or amqps://");
}

/* The number is not shown: it may be the start of a password with a '/'. */
static enum lq_status read_port(struct lq_url_part part, struct lq_diags *diags,
                                unsigned *out)
{
    char *const text =
        lq_strndup(diags->arena, part.at ? part.at : "", part.length);
    uint64_t port = 0;

    if (!text) {
        return LQ_NOMEM;
    }
    if (!part.at) {
        return LQ_OK;
    }
    if (lq_parse_u64(text, &port) != LQ_NUMBER_OK || port == 0 ||
        port > 65535) {
        return fail(diags, "must have a port from 1 to 65535");
    }
    *out = (unsigned)port;
    return LQ_OK;
}

/* An IPv6 address, a zone such as %25eth0 behind it allowed. */
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

static enum lq_status read_host(struct lq_url_part part, struct lq_diags *diags,
                                const char **out)
{
    const bool bracketed = part.at && *part.at == '[';
    enum lq_status status = LQ_OK;

    if (bracketed) {
        ++part.at;
        part.length -= 2;
    }
    status = decode(part, diags, out);
    if (status == LQ_OK && bracketed && !is_ipv6(*out)) {
        return fail(diags, "must have an IPv6 address between '[' and ']'");
    }
    return status;
}

static enum lq_status read_vhost(struct lq_url_part part,
                                 struct lq_diags *diags, const char **out)
{
    const enum lq_status status = decode(part, diags, out);
    const size_t length = status == LQ_OK && part.at ? strlen(*out) : 0;

    if (length > VHOST_MAX_BYTES || (length && !lq_utf8_valid(*out, length))) {
        return fail(diags, "must name a virtual host of at most 255 bytes "
                           "of UTF-8");
    }
    return status;
}

static enum lq_status read_parts(const struct lq_url_parts *parts,
                                 struct lq_diags *diags,
                                 struct lq_connection *out)
{
    enum lq_status status = read_port(parts->port, diags, &out->port);

    if (status == LQ_OK) {
        status = read_host(parts->host, diags, &out->host);
    }
    if (status == LQ_OK) {
        status = decode(parts->user, diags, &out->username);
    }
    if (status == LQ_OK) {
        status = decode(parts->password, diags, &out->password);
    }
    if (status == LQ_OK) {
        status = read_vhost(parts->vhost, diags, &out->vhost);
    }
    return status;
}

enum lq_status lq_url_parse(const char *url, struct lq_diags *diags,
                            struct lq_connection *out)
{
    struct lq_connection read = *out;
    struct lq_url_parts parts = {.user = {0}};
    const char *rest = "";
    enum lq_status status = LQ_OK;

    if (!is_plain(url)) {
        return fail(diags, "must not contain blanks or control characters");
    }
    status = read_scheme(url, diags, &read.tls, &rest);
    if (status == LQ_OK) {
        status = lq_url_split(rest, diags, &parts);
    }
    if (status == LQ_OK) {
        status = read_parts(&parts, diags, &read);
    }
    if (status == LQ_OK) {
        *out = read;
    }
    return status;
}
