#include "json/unescape.h"

#include <stdint.h>
#include <string.h>

/* A string while its escapes are undone: from `at`, to `to`. */
struct unescaping {
    const char *at;
    const char *end;
    char *to;
    bool nul;
};

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Four hexadecimal digits, behind \u. */
static bool take_unit(struct unescaping *string, uint32_t *out)
{
    *out = 0;
    if (string->end - string->at < 4) {
        return false;
    }
    for (int i = 0; i < 4; ++i) {
        const int digit = digit_of(*string->at++);

        if (digit < 0) {
            return false;
        }
        *out = *out * 16 + (uint32_t)digit;
    }
    return true;
}

static bool is_between(uint32_t code, uint32_t first, uint32_t last)
{
    return code >= first && code <= last;
}

/* A code point: one unit, or the two of a surrogate pair. */
static bool take_code(struct unescaping *string, uint32_t *out)
{
    uint32_t low = 0;

    if (!take_unit(string, out) || is_between(*out, 0xdc00, 0xdfff)) {
        return false;
    }
    if (!is_between(*out, 0xd800, 0xdbff)) {
        return true;
    }
    if (string->end - string->at < 2 || string->at[0] != '\\' ||
        string->at[1] != 'u') {
        return false;
    }
    string->at += 2;
    if (!take_unit(string, &low) || !is_between(low, 0xdc00, 0xdfff)) {
        return false;
    }
    *out = 0x10000 + ((*out - 0xd800) << 10) + (low - 0xdc00);
    return true;
}

static void put(struct unescaping *string, uint32_t byte)
{
    *string->to++ = (char)(unsigned char)byte;
}

static void put_code(struct unescaping *string, uint32_t code)
{
    if (code == 0) {
        string->nul = true;
    }
    if (code > 0 && code < 0x80) {
        put(string, code);
    } else if (code < 0x800) {
        put(string, 0xc0 | code >> 6);
        put(string, 0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        put(string, 0xe0 | code >> 12);
        put(string, 0x80 | (code >> 6 & 0x3f));
        put(string, 0x80 | (code & 0x3f));
    } else {
        put(string, 0xf0 | code >> 18);
        put(string, 0x80 | (code >> 12 & 0x3f));
        put(string, 0x80 | (code >> 6 & 0x3f));
        put(string, 0x80 | (code & 0x3f));
    }
}

/* What a backslash makes of a letter; 0: nothing. */
static char escaped(char letter)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meant[] = "\"\\/\b\f\n\r\t";
    const char *const found = letter ? strchr(letters, letter) : NULL;

    if (!found) {
        return '\0';
    }
    return meant[found - letters];
}

/* One escape, behind its backslash. */
static bool take_escape(struct unescaping *string)
{
    uint32_t code = 0;
    char letter = '\0';

    if (string->at == string->end) {
        return false;
    }
    letter = *string->at++;
    if (letter == 'u') {
        if (!take_code(string, &code)) {
            return false;
        }
        put_code(string, code);
        return true;
    }
    letter = escaped(letter);
    *string->to++ = letter;
    return letter != '\0';
}

bool lq_json_unescape(char *text, size_t length, bool *nul)
{
    char *const first = memchr(text, '\\', length);
    struct unescaping string = {
        .at = first, .end = text + length, .to = first, .nul = false};

    *nul = false;
    if (!first) {
        text[length] = '\0';
        return true;
    }
    while (string.at < string.end) {
        if (*string.at != '\\') {
            *string.to++ = *string.at++;
            continue;
        }
        ++string.at;
        if (!take_escape(&string)) {
            return false;
        }
    }
    *string.to = '\0';
    *nul = string.nul;
    return true;
}
