#include "model/identity.h"

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool is_white_space(uint32_t code)
{
    switch (code) {
    case 0x20:
    case 0x85:
    case 0xa0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202f:
    case 0x205f:
    case 0x3000:
        return true;
    default:
        return (code >= 0x09 && code <= 0x0d) ||
               (code >= 0x2000 && code <= 0x200a);
    }
}

/* Whether valid, non-empty UTF-8 has white space at either end. */
static bool is_padded(const char *text, size_t length)
{
    size_t last = length - 1;
    uint32_t first_code = 0;
    uint32_t last_code = 0;

    while (last > 0 && ((unsigned char)text[last] & 0xc0) == 0x80) {
        --last;
    }
    (void)lq_utf8_decode(text, length, &first_code);
    (void)lq_utf8_decode(text + last, length - last, &last_code);
    return is_white_space(first_code) || is_white_space(last_code);
}

static bool has_control(const char *text, size_t length)
{
    size_t at = 0;

    while (at < length) {
        uint32_t code = 0;

        at += lq_utf8_decode(text + at, length - at, &code);
        if (lq_is_control(code)) {
            return true;
        }
    }
    return false;
}

static bool wraps_key(const char *text, size_t length, const char *prefix)
{
    const size_t skip = strlen(prefix);

    return length > skip + 1 && memcmp(text, prefix, skip) == 0 &&
           text[length - 1] == '}' &&
           !is_padded(text + skip, length - skip - 1);
}

static bool is_reference(const char *text, size_t length)
{
    return wraps_key(text, length, "${secret:") ||
           wraps_key(text, length, "${file:");
}

enum lq_identity lq_identity_check(const char *text, size_t length)
{
    if (length == 0) {
        return LQ_IDENTITY_EMPTY;
    }
    if (length > LQ_IDENTITY_MAX_BYTES) {
        return LQ_IDENTITY_LONG;
    }
    if (!lq_utf8_valid(text, length)) {
        return LQ_IDENTITY_ENCODING;
    }
    if (is_padded(text, length)) {
        return LQ_IDENTITY_PADDED;
    }
    if (has_control(text, length)) {
        return LQ_IDENTITY_CONTROL;
    }
    return is_reference(text, length) ? LQ_IDENTITY_REFERENCE : LQ_IDENTITY_OK;
}

const char *lq_identity_rule(enum lq_identity fault)
{
    switch (fault) {
    case LQ_IDENTITY_OK:
        break;
    case LQ_IDENTITY_EMPTY:
    case LQ_IDENTITY_LONG:
        return "be 1 to 200 bytes";
    case LQ_IDENTITY_ENCODING:
        return "be UTF-8";
    case LQ_IDENTITY_PADDED:
        return "not begin or end with white space";
    case LQ_IDENTITY_CONTROL:
        return "not contain control characters";
    case LQ_IDENTITY_REFERENCE:
        return "not be a ${secret:...} or ${file:...} reference";
    }
    return "be an identity";
}

#define EVENT_ID_SHAPE "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"

static bool is_hex_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool lq_event_id_valid(const char *text, size_t length)
{
    bool nil = true;

    if (length != strlen(EVENT_ID_SHAPE)) {
        return false;
    }
    for (size_t i = 0; i < length; ++i) {
        if (EVENT_ID_SHAPE[i] == '-' ? text[i] != '-'
                                     : !is_hex_digit(text[i])) {
            return false;
        }
        nil = nil && (text[i] == '0' || text[i] == '-');
    }
    return !nil;
}
