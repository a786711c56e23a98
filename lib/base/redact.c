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
    const size_t length = strlen(plain);
    char *const encoded = lq_alloc(arena, length / 3 * 4 + 5);
    char *to = encoded;
    unsigned bits = 0;
    unsigned count = 0; /* of bits that are not written yet */

    if (!encoded) {
        return "";
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
 * The length of a byte that is written at a position as %XX, or as \xXX by
 * lq_printable(); 0 when it is not.
 */
static size_t escape_at(const struct search *search, size_t at, char byte)
{
    const char *const text = search->text;
    const size_t lead = text[at] == '%' ? 1 : 2;
    const bool begins =
        search->length - at >= lead + 2 &&
        (lead == 1 || (text[at] == '\\' && text[at + 1] == 'x'));
    const int high = begins ? hex_value(text[at + lead]) : -1;
    const int low = begins ? hex_value(text[at + lead + 1]) : -1;

    return high >= 0 && low >= 0 && (char)(high * 16 + low) == byte ? lead + 2
                                                                    : 0;
}

/* The length of a byte at a position, escaped or not; 0: it is another. */
static size_t byte_at(const struct search *search, size_t at, char byte)
{
    const char found = search->text[at];
    const size_t length = escape_at(search, at, byte);

    /* HTML forms write a blank as '+' */
    return length == 0 && (found == byte || (found == '+' && byte == ' '))
               ? 1
               : length;
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

/* How many bytes from here on are the password, escaped or not. */
static size_t decoded_at(const struct search *search, size_t from)
{
    const char *want = search->password;
    size_t at = from;

    for (; *want && at < search->length; ++want) {
        const size_t width = byte_at(search, at, *want);

        if (width == 0) {
            return 0;
        }
        at += width;
    }
    return *want ? 0 : at - from;
}

static size_t password_at(const struct search *search, size_t from)
{
    size_t length = 0;

    if (!search->password) {
        return 0;
    }
    length = decoded_at(search, from); /* the longer of the two */
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

    if (has_secret(login)) {
        search.password = login->password;
    }
    if (login->username && login->password) {
        search.encoded = encode(arena, login);
    }
    if (arena->failed) {
        return ""; /* not all of what is secret is known */
    }
    lq_buffer_init(&buffer, arena);
    for (size_t at = 0; at < length;) {
        const size_t secret = secret_at(&search, at);

        lq_buffer_add_bytes(&buffer, secret > 0 ? MASK : text + at,
                            secret > 0 ? strlen(MASK) : 1);
        at += secret > 0 ? secret : 1;
    }
    return lq_printable(arena, lq_buffer_text(&buffer), buffer.length);
}
