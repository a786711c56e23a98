#include "topology/token.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What means something in a regular expression, or may. */
#define SPECIAL "\\^$.[]|()?*+{}"

/* What may stand in one piece with its like. */
enum class { DIGIT, LETTER, SIGN };

/* All that is not ASCII counts as a letter, so no character is cut. */
static enum class class_of(char c) { if (c >= '0' && c <= '9'){return DIGIT;}
return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               ((unsigned char)c & 0x80) != 0
           ? LETTER
           : SIGN;
}

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Whether a piece may end before text[at], which is not its first byte. */
static bool parts_at(const char *text, size_t at, enum lq_grain grain)
{
    const enum class before = class_of(text[at - 1]);

    if (grain == LQ_GRAIN_CHARACTERS) {
        return !continues_character(text[at]);
    }
    return !text[at] || before == SIGN || class_of(text[at]) != before;
}

size_t lq_token_length(const char *text, enum lq_grain grain)
{
    size_t length = *text ? 1 : 0;

    while (length > 0 && !parts_at(text, length, grain)) {
        ++length;
    }
    return length;
}

size_t lq_token_common(const char *a, const char *b, enum lq_grain grain)
{
    size_t common = 0;

    while (a[common] && a[common] == b[common]) {
        ++common;
    }
    while (common > 0 &&
           !(parts_at(a, common, grain) && parts_at(b, common, grain))) {
        --common;
    }
    return common;
}

/* Orders by the first piece that differs; numbers by their size. */
static int compare(const char *a, const char *b, enum lq_grain grain)
{
    const size_t common = lq_token_common(a, b, grain);
    const size_t a_length = lq_token_length(a + common, grain);
    const size_t b_length = lq_token_length(b + common, grain);
    const size_t least = a_length < b_length ? a_length : b_length;
    const int longer = (a_length > b_length) - (a_length < b_length);
    const int order = memcmp(a + common, b + common, least);

    if (longer != 0 && least > 0 && class_of(a[common]) == DIGIT &&
        class_of(b[common]) == DIGIT) {
        return longer;
    }
    return order != 0 ? order : longer;
}

static int compare_words(const void *a, const void *b)
{
    const char *const *const first = a;
    const char *const *const second = b;

    return compare(*first, *second, LQ_GRAIN_WORDS);
}

static int compare_characters(const void *a, const void *b)
{
    const char *const *const first = a;
    const char *const *const second = b;

    return compare(*first, *second, LQ_GRAIN_CHARACTERS);
}

void lq_token_sort(const char **names, size_t count, enum lq_grain grain)
{
    if (count > 1) {
        qsort(names, count, sizeof(*names),
              grain == LQ_GRAIN_WORDS ? compare_words : compare_characters);
    }
}

void lq_token_escape(struct lq_buffer *buffer, const char *text, size_t length)
{
    static const char digits[] = "0123456789ABCDEF";

    for (size_t i = 0; i < length; ++i) {
        const unsigned char byte = (unsigned char)text[i];
        const char escape[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};

        if (byte >= 0x80) {
            lq_buffer_add_bytes(buffer, escape, sizeof(escape));
        } else {
            lq_buffer_add(buffer, strchr(SPECIAL, text[i]) ? "\\" : "");
            lq_buffer_add_bytes(buffer, &text[i], 1);
        }
    }
}
