#include "broker/url_parts.h"

#include "base/text.h"

#include <arpa/inet.h>
#include <string.h>

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

/* The number is not shown: it may be the start of a password with a '/'. */
static enum lq_status read_port(const struct lq_url *url,
                                struct lq_url_part part, unsigned *out)
{
    char *const text =
        lq_strndup(url->diags->arena, part.at ? part.at : "", part.length);
    uint64_t port = 0;

    if (!text) {
        return LQ_NOMEM;
    }
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
    return encoded;
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
