#include "json/lexer.h"

#include "base/text.h"

#include <string.h>

void lq_json_lexer_init(struct lq_json_lexer *lexer, const char *text,
                        size_t length)
{
    memset(lexer, 0, sizeof(*lexer));
    lexer->text = text;
    lexer->length = length;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The byte at `at`, or NUL behind the end. */
static char peek(const struct lq_json_lexer *lexer, size_t at)
{
    if (at == lexer->length) {
        return '\0';
    }
    return lexer->text[at];
}

static void read_string(const struct lq_json_lexer *lexer,
                        struct lq_json_token *token)
{
    size_t at = token->start + 1;

    token->kind = LQ_JSON_STRING;
    while (at < lexer->length && lexer->text[at] != '"' &&
           (unsigned char)lexer->text[at] >= 0x20) {
        at += lexer->text[at] == '\\' && at + 1 < lexer->length ? 2 : 1;
    }
    token->whole = peek(lexer, at) == '"';
    token->end = token->whole ? at + 1 : at;
}

static size_t skip_digits(const struct lq_json_lexer *lexer, size_t at)
{
    while (is_digit(peek(lexer, at))) {
        ++at;
    }
    return at;
}

static void read_number(const struct lq_json_lexer *lexer,
                        struct lq_json_token *token)
{
    size_t digits = token->start + (lexer->text[token->start] == '-');
    size_t at = skip_digits(lexer, digits);

    token->kind = LQ_JSON_NUMBER;
    token->whole = at > digits;
    if (peek(lexer, digits) == '0' && at > digits + 1) {
        token->whole = false; /* no digit may follow a leading 0 */
    }
    if (token->whole && peek(lexer, at) == '.') {
        digits = at + 1;
        at = skip_digits(lexer, digits);
        token->whole = at > digits;
    }
    if (token->whole && (peek(lexer, at) == 'e' || peek(lexer, at) == 'E')) {
        digits = at + 1;
        digits += peek(lexer, digits) == '-' || peek(lexer, digits) == '+';
        at = skip_digits(lexer, digits);
        token->whole = at > digits;
    }
    token->end = at;
}

static void read_other(const struct lq_json_lexer *lexer,
                       struct lq_json_token *token)
{
    uint32_t code = 0;

    token->end = token->start;
    while (is_letter(peek(lexer, token->end))) {
        ++token->end;
    }
    if (token->end == token->start) {
        token->end += lq_utf8_decode(lexer->text + token->start,
                                     lexer->length - token->start, &code);
    }
}

/* Follows objects and arrays, to know keys and the end of the value. */
static void follow(struct lq_json_lexer *lexer, char sign)
{
    const bool opens = sign == '{' || sign == '[';
    const bool closes = sign == '}' || sign == ']';

    if (opens && lexer->depth < LQ_JSON_DEPTH_MAX) {
        lexer->in_object[++lexer->depth] = sign == '{';
    } else if (closes && lexer->depth > 0) {
        --lexer->depth;
    }
    lexer->key_next =
        (sign == '{' || sign == ',') && lexer->in_object[lexer->depth];
    lexer->ended = lexer->depth == 0;
}

bool lq_json_next(struct lq_json_lexer *lexer, struct lq_json_token *out)
{
    char first = '\0';

    while (is_blank(peek(lexer, lexer->at))) {
        ++lexer->at;
    }
    if (lexer->at == lexer->length) {
        return false;
    }
    *out = (struct lq_json_token){
        .kind = LQ_JSON_OTHER, .start = lexer->at, .key = lexer->key_next};
    first = lexer->text[lexer->at];
    if (first == '"') {
        read_string(lexer, out);
    } else if (first == '-' || is_digit(first)) {
        read_number(lexer, out);
    } else {
        read_other(lexer, out);
    }
    lexer->at = out->end;
    follow(lexer, first);
    return true;
}
