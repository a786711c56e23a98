#ifndef LQ_JSON_LEXER_H
#define LQ_JSON_LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum lq_json_token_kind {
    LQ_JSON_STRING,
    LQ_JSON_NUMBER,
    LQ_JSON_OTHER /* a sign, a word, a stray character */
};

/* A token at text[start..end). */
struct lq_json_token {
    enum lq_json_token_kind kind;
    size_t start;
    size_t end;
    bool whole; /* a string that ends, a number that is well-formed */
    bool key;   /* stands where an object has a key */
};

/* Objects and arrays within each other that can be told apart. */
#define LQ_JSON_DEPTH_MAX 2048

/* Splits a JSON text, valid UTF-8, into the tokens that jansson sees. */
struct lq_json_lexer {
    const char *text;
    size_t length;
    size_t at;
    size_t depth;
    bool ended;                            /* one whole value was read */
    bool key_next;                         /* what comes now is a key */
    bool in_object[LQ_JSON_DEPTH_MAX + 1]; /* by depth */
};

void lq_json_lexer_init(struct lq_json_lexer *lexer, const char *text,
                        size_t length);

/* The next token, good or bad; false at the end of the text. */
bool lq_json_next(struct lq_json_lexer *lexer, struct lq_json_token *out);

#endif
