#include "base/text.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

enum lq_number lq_parse_u64(const char *text, uint64_t *out)
{
    uint64_t value = 0;
    bool fits = true;

    if (!*text) {
        return LQ_NUMBER_SYNTAX;
    }
    for (; *text; ++text) {
        uint64_t digit = 0;

        if (!is_digit(*text)) {
            return LQ_NUMBER_SYNTAX;
        }
        digit = (uint64_t)(*text - '0');
        fits = fits && value <= (UINT64_MAX - digit) / 10;
        value = value * 10 + digit;
    }
    if (!fits) {
        return LQ_NUMBER_RANGE;
    }
    *out = value;
    return LQ_NUMBER_OK;
}

static const char *skip_digits(const char *text)
{
    while (is_digit(*text)) {
        ++text;
    }
    return text;
}

/* digits [. digits] [e [sign] digits], a minus allowed in front */
static bool is_decimal(const char *text)
{
    const char *at = text + (*text == '-');
    const char *end = skip_digits(at);

    if (end == at) {
        return false;
    }
    if (*end == '.') {
        at = end + 1;
        end = skip_digits(at);
        if (end == at) {
            return false;
        }
    }
    if (*end == 'e' || *end == 'E') {
        at = end + 1;
        at += *at == '-' || *at == '+';
        end = skip_digits(at);
        if (end == at) {
            return false;
        }
    }
    return !*end;
}

enum lq_number lq_parse_double(const char *text, double *out)
{
    locale_t plain = (locale_t)0;
    locale_t before = (locale_t)0;
    double value = 0;

    if (!is_decimal(text)) {
        return LQ_NUMBER_SYNTAX;
    }
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) {
        return LQ_NUMBER_RANGE;
    }
    before = uselocale(plain); /* of this thread only */
    value = strtod(text, NULL);
    (void)uselocale(before);
    freelocale(plain);
    if (!isfinite(value)) {
        return LQ_NUMBER_RANGE;
    }
    *out = value;
    return LQ_NUMBER_OK;
}

/* Bytes of a sequence, by its first byte; 0 when none starts with it. */
static size_t utf8_length(unsigned char first)
{
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xc2 && first < 0xe0) {
        return 2;
    }
    if (first >= 0xe0 && first < 0xf0) {
        return 3;
    }
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

static bool utf8_in_range(uint32_t code, size_t length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

    return code >= least[length] && code <= 0x10ffff &&
           (code < 0xd800 || code > 0xdfff);
}

size_t lq_utf8_decode(const char *text, size_t length, uint32_t *out)
{
    static const unsigned char lead_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const unsigned char *const bytes = (const unsigned char *)text;
    const size_t need = utf8_length(bytes[0]);
    uint32_t code = 0;

    if (need == 0 || need > length) {
        return 0;
    }
    code = bytes[0] & lead_bits[need];
    for (size_t i = 1; i < need; ++i) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = (code << 6) | (bytes[i] & 0x3f);
    }
    if (!utf8_in_range(code, need)) {
        return 0;
    }
    *out = code;
    return need;
}

bool lq_utf8_valid(const char *text, size_t length)
{
    size_t at = 0;

    while (at < length) {
        uint32_t code = 0;
        const size_t step = lq_utf8_decode(text + at, length - at, &code);

        if (step == 0) {
            return false;
        }
        at += step;
    }
    return true;
}

bool lq_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

bool lq_is_shown(uint32_t code)
{
    /* includes what Unicode calls default ignorable */
    static const struct {
        uint32_t first;
        uint32_t last;
    } hidden[] = {
        {0x00ad, 0x00ad},   /* soft hyphen */
        {0x034f, 0x034f},   /* grapheme joiner */
        {0x061c, 0x061c},   /* Arabic letter mark */
        {0x115f, 0x1160},   /* Hangul fillers */
        {0x17b4, 0x17b5},   /* Khmer inherent vowels */
        {0x180b, 0x180f},   /* Mongolian selectors */
        {0x200b, 0x200f},   /* zero width, and marks of direction */
        {0x2028, 0x202e},   /* separators, embeddings and overrides */
        {0x2060, 0x206f},   /* joiner, invisible operators, isolates */
        {0x3164, 0x3164},   /* Hangul filler */
        {0xfdd0, 0xfdef},   /* noncharacters */
        {0xfe00, 0xfe0f},   /* variation selectors */
        {0xfeff, 0xfeff},   /* byte order mark */
        {0xffa0, 0xffa0},   /* Hangul filler, half width */
        {0xfff0, 0xfffb},   /* ignorable, and marks of annotations */
        {0x1bca0, 0x1bca3}, /* shorthand controls */
        {0x1d173, 0x1d17a}, /* beams and slurs */
        {0xe0000, 0xe0fff}, /* tags, and more variation selectors */
    };

    if (code < hidden[0].first) {
        return !lq_is_control(code);
    }
    for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); ++i) {
        if (code >= hidden[i].first && code <= hidden[i].last) {
            return false;
        }
    }
    return (code & 0xfffe) != 0xfffe;
}

/* "\\uXXXX" of 16 bits. */
static void put_json_unit(uint32_t unit, char *out)
{
    static const char hex[] = "0123456789ABCDEF";

    out[0] = '\\';
    out[1] = 'u';
    for (size_t i = 0; i < 4; ++i) {
        out[2 + i] = hex[unit >> (12 - 4 * i) & 15];
    }
}

size_t lq_json_escape(uint32_t code, char *out)
{
    if (code < 0x10000) {
        put_json_unit(code, out);
        return 6;
    }
    put_json_unit(0xd7c0 + (code >> 10), out);
    put_json_unit(0xdc00 + (code & 0x3ff), out + 6);
    return 12;
}

/* Writes each byte as \xNN; returns where it ends. */
static char *put_hex(const char *bytes, size_t length, char *out)
{
    static const char hex[] = "0123456789abcdef";

    for (size_t i = 0; i < length; ++i) {
        const unsigned char byte = (unsigned char)bytes[i];

        *out++ = '\\';
        *out++ = 'x';
        *out++ = hex[byte >> 4];
        *out++ = hex[byte & 15];
    }
    return out;
}

const char *lq_printable(struct lq_arena *arena, const char *text,
                         size_t length)
{
    char *const shown = lq_alloc_array(arena, length + 1, 4);
    char *end = shown;

    if (!shown) {
        return "";
    }
    for (size_t at = 0; at < length;) {
        uint32_t code = 0;
        const size_t known = lq_utf8_decode(text + at, length - at, &code);
        const size_t step = known ? known : 1;

        if (known && lq_is_shown(code)) {
            memcpy(end, text + at, step);
            end += step;
        } else {
            end = put_hex(text + at, step, end);
        }
        at += step;
    }
    return shown;
}

#define SUGGEST_MAX ((size_t)64)

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * How many characters to insert, delete, replace or swap with their neighbour,
 * for texts shorter than SUGGEST_MAX.
 */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][SUGGEST_MAX + 1] = {{0}};
    size_t *before = rows[0];
    size_t *above = rows[1];
    size_t *row = rows[2];
    const size_t columns = strlen(b);

    for (size_t j = 0; j <= columns; ++j) {
        row[j] = j;
    }
    for (size_t i = 1; a[i - 1]; ++i) {
        size_t *const oldest = before;

        before = above;
        above = row;
        row = oldest;
        row[0] = i;
        for (size_t j = 1; j <= columns; ++j) {
            const size_t changed = above[j - 1] + (a[i - 1] != b[j - 1]);

            row[j] = min_size(changed, min_size(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
                a[i - 2] == b[j - 1]) {
                row[j] = min_size(row[j], before[j - 2] + 1);
            }
        }
    }
    return row[columns];
}

/*
 * Whether two lengths differ by less than `most`; the edit distance is never
 * less than their difference.
 */
static bool is_near(size_t a, size_t b, size_t most)
{
    return (a > b ? a - b : b - a) < most;
}

const char *lq_suggest(const char *word, const char *const *words, size_t count)
{
    const size_t length = strlen(word);
    const char *best = NULL;
    size_t least = length < 3 ? 2 : length / 3 + 1;

    if (length >= SUGGEST_MAX) {
        return NULL;
    }
    for (size_t i = 0; i < count; ++i) {
        const size_t other = strlen(words[i]);

        if (other < SUGGEST_MAX && is_near(length, other, least)) {
            const size_t distance = edit_distance(word, words[i]);
            if (distance < least) {
                least = distance;
                best = words[i];
            }
        }
    }
    return best;
}

bool lq_str_equal(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}
