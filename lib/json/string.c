#include "json/string.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A string while its escapes are undone. */
struct source {
    const char *at;
    const char *end;
};

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

/* Takes the four digits behind "\u". */
static bool take_unit(struct source *source, uint32_t *out)
{
    uint32_t unit = 0;

    if (source->end - source->at < 4) {
        return false;
    }
    for (int i = 0; i < 4; ++i) {
        const int digit = hex_value(*source->at++);

        if (digit < 0) {
            return false;
        }
        unit = unit * 16 + (uint32_t)digit;
    }
    *out = unit;
    return true;
}

/* Takes the second half of a surrogate pair. */
static bool take_low(struct source *source, uint32_t *out)
{
    if (source->end - source->at < 2 || source->at[0] != '\\' ||
        source->at[1] != 'u') {
        return false;
    }
    source->at += 2;
    return take_unit(source, out) && *out >= 0xdc00 && *out <= 0xdfff;
}

/* Takes what follows "\u". */
static bool take_code(struct source *source, uint32_t *out)
{
    uint32_t low = 0;

    if (!take_unit(source, out) || (*out >= 0xdc00 && *out <= 0xdfff)) {
        return false;
    }
    if (*out < 0xd800 || *out > 0xdbff) {
        return true;
    }
    if (!take_low(source, &low)) {
        return false;
    }
    *out = 0x10000 + ((*out - 0xd800) << 10) + (low - 0xdc00);
    return true;
}

/* Never more bytes than the escape itself has. */
static char *put_code(char *to, uint32_t code)
{
    if (code > 0 && code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    if (code < 0x800) { /* and U+0000 */
        *to++ = (char)(0xc0 | code >> 6);
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (code & 0x3f));
    return to;
}

static const char short_escapes[] = "\"\\/bfnrt";
static const char short_values[] = "\"\\/\b\f\n\r\t";

/* Takes what follows a backslash; NULL when it is no escape. */
static char *take_escape(struct source *source, char *to)
{
    const char *found = NULL;
    char kind = '\0';
    uint32_t code = 0;

    if (source->at == source->end) {
        return NULL;
    }
    kind = *source->at++;
    found = strchr(short_escapes, kind);
    if (found) {
        *to = short_values[found - short_escapes];
        return to + 1;
    }
    return kind == 'u' && take_code(source, &code) ? put_code(to, code) : NULL;
}

enum lq_status lq_json_unescape(const char *text, size_t length,
                                struct lq_arena *arena, const char **out)
{
    struct source source = {text, text + length};
    char *to = lq_alloc(arena, length + 1);

    if (!to) {
        return LQ_NOMEM;
    }
    *out = to;
    while (source.at < source.end) {
        const char *const stop =
            memchr(source.at, '\\', (size_t)(source.end - source.at));
        const size_t plain = (size_t)((stop ? stop : source.end) - source.at);

        memcpy(to, source.at, plain);
        to += plain;
        source.at += plain;
        if (stop) {
            ++source.at;
            to = take_escape(&source, to);
        }
        if (!to) {
            return LQ_INVALID;
        }
    }
    return LQ_OK;
}

static size_t put(char *to, const char *bytes, size_t length)
{
    if (to) {
        memcpy(to, bytes, length);
    }
    return length;
}

/* Escapes the character at `*text` and moves behind it. */
static size_t escape_one(const char **text, char *to)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char byte = (unsigned char)*(*text)++;
    char code[] = "\\u0000";
    const char *found = NULL;

    if (byte == 0xc0) { /* U+0000, see lq_json_unescape() */
        ++*text;
        return put(to, code, 6);
    }
    if (byte >= 0x20 && byte != '"' && byte != '\\') {
        return put(to, *text - 1, 1);
    }
    found = strchr(short_values, byte);
    if (found) {
        code[1] = short_escapes[found - short_values];
        return put(to, code, 2);
    }
    code[4] = digits[byte >> 4];
    code[5] = digits[byte & 0xf];
    return put(to, code, 6);
}

size_t lq_json_escape(const char *text, char *to)
{
    size_t length = 0;

    while (*text) {
        length += escape_one(&text, to ? to + length : NULL);
    }
    return length;
}
