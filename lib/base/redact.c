#include "base/redact.h"

#include "base/buffer.h"
#include "base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define MASK "***"
#define WEAK_BYTES ((size_t)4) /* a shorter one occurs in words by chance */

/* What to look for, and where. */
struct search {
    const char *password; /* NULL: none to hide */
    const char *encoded;  /* "user:password" in Base64, without padding */
    const char *text;
    size_t length;
};

/* The login as HTTP sends it, without the padding, which reveals nothing. */
static const char *encode(struct lq_arena *arena, const struct lq_login *login)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *const plain =
        lq_format(arena, "%s:%s", login->username, login->password);
    const size_t length = plain ? strlen(plain) : 0;
    char *const encoded = lq_alloc(arena, length / 3 * 4 + 5);
    char *to = encoded;
    unsigned bits = 0;
    unsigned count = 0; /* of bits that are not written yet */

    if (!plain || !encoded) {
        return NULL;
    }
    for (size_t i = 0; i < length; ++i) {
        bits = bits << 8 | (unsigned char)plain[i];
        for (count += 8; count >= 6; count -= 6) {
            *to++ = digits[bits >> (count - 6) & 63];
        }
    }
    if (count > 0) {
        *to = digits[bits << (6 - count) & 63];
    }
    return encoded;
}

static int hex_value(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *const at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

    return at ? (int)(at - digits) : -1;
}

/*
 * The byte at a position, perhaps written as %XX; sets `width` to the bytes
 * that it takes.
 */
static char byte_at(const struct search *search, size_t at, size_t *width)
{
    const char *const text = search->text;

    *width = 1;
    if (text[at] == '%' && search->length - at > 2 &&
        hex_value(text[at + 1]) >= 0 && hex_value(text[at + 2]) >= 0) {
        *width = 3;
        return (char)(hex_value(text[at + 1]) * 16 + hex_value(text[at + 2]));
    }
    return text[at];
}

static bool is_word_byte(const struct search *search, size_t at)
{
    return at < search->length && isalnum((unsigned char)search->text[at]);
}

static size_t plain_at(const struct search *search, const char *word,
                       size_t from)
{
    const size_t length = word ? strlen(word) : 0;

    return search->length - from >= length && length > 0 &&
                   memcmp(search->text + from, word, length) == 0
               ? length
               : 0;
}

/* How many bytes from here on are the password, percent-encoded or not. */
static size_t decoded_at(const struct search *search, size_t from)
{
    const char *want = search->password;
    size_t at = from;

    for (; want && *want && at < search->length; ++want) {
        size_t width = 1;

        if (byte_at(search, at, &width) != *want) {
            return 0;
        }
        at += width;
    }
    return want && !*want ? at - from : 0;
}

static size_t password_at(const struct search *search, size_t from)
{
    size_t length = decoded_at(search, from); /* the longer of the two */

    if (length == 0) {
        length = plain_at(search, search->password, from);
    }
    if (length > 0 && strlen(search->password) < WEAK_BYTES &&
        ((from > 0 && is_word_byte(search, from - 1)) ||
         is_word_byte(search, from + length))) {
        return 0;
    }
    return length;
}

/*
 * How many bytes from here on are the user part of a URL, up to its '@'; 0
 * unless "://" comes just before.
 */
static size_t user_at(const struct search *search, size_t from)
{
    size_t last = 0;

    if (from < 3 || memcmp(search->text + from - 3, "://", 3) != 0) {
        return 0;
    }
    for (size_t at = from;
         at < search->length && !strchr(" '\"<>\t\r\n", search->text[at]);
         ++at) {
        last = search->text[at] == '@' ? at - from : last;
    }
    return last;
}

static size_t secret_at(const struct search *search, size_t from)
{
    size_t length = user_at(search, from);

    if (length == 0) {
        length = plain_at(search, search->encoded, from);
    }
    return length > 0 ? length : password_at(search, from);
}

static bool has_secret(const struct lq_login *login)
{
    return login->password && *login->password &&
           (!login->username ||
            !lq_str_equal(login->username, login->password));
}

const char *lq_redact(struct lq_arena *arena, const struct lq_login *login,
                      const char *text, size_t length)
{
    struct search search = {NULL, NULL, text, length};
    struct lq_buffer buffer;
    const char *redacted = NULL;

    if (has_secret(login)) {
        search.password = login->password;
    }
    if (login->username && login->password) {
        search.encoded = encode(arena, login);
        if (!search.encoded) {
            return NULL;
        }
    }
    lq_buffer_init(&buffer, arena);
    for (size_t at = 0; at < length;) {
        const size_t secret = secret_at(&search, at);

        lq_buffer_add_bytes(&buffer, secret > 0 ? MASK : text + at,
                            secret > 0 ? strlen(MASK) : 1);
        at += secret > 0 ? secret : 1;
    }
    redacted = lq_buffer_text(&buffer);
    return redacted ? lq_printable(arena, redacted, buffer.length) : NULL;
}
