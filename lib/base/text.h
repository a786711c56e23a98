#ifndef LQ_BASE_TEXT_H
#define LQ_BASE_TEXT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The result of reading a number. */
enum lq_number {
    LQ_NUMBER_OK,
    LQ_NUMBER_SYNTAX, /* not a number of this kind */
    LQ_NUMBER_RANGE   /* a number that the type does not hold */
};

/* Reads a whole text as decimal digits: no sign, blank or leftover. */
enum lq_number lq_parse_u64(const char *text, uint64_t *out);

/*
 * Reads a whole text as a decimal fraction such as 0.25, 1, -0.0 or 2e-1,
 * whatever the locale. Infinity, NaN and hexadecimal are syntax errors.
 */
enum lq_number lq_parse_double(const char *text, double *out);

/*
 * Decodes the UTF-8 sequence at text[0..length), length > 0, into `out` and
 * returns its bytes, 1 to 4; 0 for an invalid, overlong or surrogate one.
 */
size_t lq_utf8_decode(const char *text, size_t length, uint32_t *out);

bool lq_utf8_valid(const char *text, size_t length);

/* Whether a code point is one of C0, DEL and C1. */
bool lq_is_control(uint32_t code);

/*
 * Whether a code point shows as itself and leaves the text around it alone.
 * Control characters do not, nor do line and paragraph separators, marks of
 * direction, characters without a width or shape, and noncharacters. Output
 * contains none of these unescaped.
 */
bool lq_is_shown(uint32_t code);

/*
 * Writes the JSON escape of a code point, \uXXXX or a surrogate pair, to `out`,
 * without a NUL. Returns its bytes, 6 or 12.
 */
size_t lq_json_escape(uint32_t code, char *out);

/*
 * The text made safe to show on a terminal: characters for which lq_is_shown()
 * is false and bytes that are not UTF-8 become \xNN, a backslash stays. Never
 * truncated; "" when out of memory.
 */
const char *lq_printable(struct lq_arena *arena, const char *text,
                         size_t length);

/*
 * The one of `words` that a mistyped `word` most likely means, or NULL when
 * none is near (edit distance over a third of the length).
 */
const char *lq_suggest(const char *word, const char *const *words,
                       size_t count);

bool lq_str_equal(const char *a, const char *b);

#endif
