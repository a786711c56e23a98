#ifndef LQ_JSON_LEXER_H
#define LQ_JSON_LEXER_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum lq_json_token_kind {
    LQ_JSON_STRING,
    LQ_JSON_NUMBER,
    LQ_JSON_SIGN, /* one of {}[]:, */
    LQ_JSON_OTHER /* a word, a stray character */
};

/* A token at text[start..end). */
struct lq_json_token {
    enum lq_json_token_kind kind;
    char sign;  /* which one it is, else NUL */
    bool whole; /* a string that ends, a number that is well-formed */
    size_t start;
    size_t end;
};

/* Splits a JSON text into tokens. */
struct lq_json_lexer {
    const char *text; /* valid UTF-8, with a NUL at text[length] */
    size_t length;
    size_t at;
};

/* The next token, good or bad; false at the end of the text. */
bool lq_json_next(struct lq_json_lexer *lexer, struct lq_json_token *out);

/*
 * Undoes the escapes of a JSON string in place, text[0..length) without the
 * quotes, and ends it with a NUL at text[length] or before: no escape is
 * shorter than what it stands for. U+0000 becomes the bytes C0 80, and sets
 * `nul`. False, leaving the text unusable, for an escape that JSON does not
 * have and for half a surrogate pair.
 */
bool lq_json_unescape(char *text, size_t length, bool *nul);

/*
 * What is wrong with a string that is not whole, or that lq_json_unescape()
 * refuses: `text` runs from its first quote to the end of the document.
 */
const char *lq_json_string_fault(const char *text, size_t length,
                                 struct lq_arena *arena);

#endif
