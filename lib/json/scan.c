#include "json/scan.h"

#include <string.h>

static const char mark[] = "\\u0001";

#define MARK_LENGTH (sizeof(mark) - 1)
#define WRAPPING ((size_t)5) /* bytes around the first string and the text */

/* What a token is preceded by, or has inside, when it is written. */
enum change { AS_IT_IS, QUOTED, ESCAPED };

static enum change change_of(const char *text,
                             const struct lq_json_token *token)
{
    if (token->key || !token->whole) {
        return AS_IT_IS;
    }
    if (token->kind == LQ_JSON_NUMBER) {
        return QUOTED;
    }
    return token->kind == LQ_JSON_STRING &&
                   token->end - token->start > MARK_LENGTH &&
                   memcmp(text + token->start + 1, mark, MARK_LENGTH) == 0
               ? ESCAPED
               : AS_IT_IS;
}

/* Bytes that a token gains. */
static size_t gain(enum change change)
{
    switch (change) {
    case AS_IT_IS:
        break;
    case QUOTED:
        return MARK_LENGTH + 2;
    case ESCAPED:
        return MARK_LENGTH;
    }
    return 0;
}

/* The sizes of a prepared text. */
struct sizes {
    size_t body;    /* bytes of the first value and what is before it */
    size_t gained;  /* bytes that its tokens gain */
    size_t longest; /* token */
    bool ended;     /* the value is whole */
};

static struct sizes measure(const char *text, size_t length,
                            struct lq_json_text *out)
{
    struct sizes sizes = {.body = length};
    struct lq_json_lexer lexer;
    struct lq_json_token token;

    lq_json_lexer_init(&lexer, text, length);
    while (!lexer.ended && lq_json_next(&lexer, &token)) {
        const size_t more = gain(change_of(text, &token));
        const size_t size = token.end - token.start + more;

        sizes.gained += more;
        sizes.longest = size > sizes.longest ? size : sizes.longest;
        ++out->count;
    }
    sizes.ended = lexer.ended;
    if (lexer.ended) {
        sizes.body = lexer.at;
        out->trailed = lq_json_next(&lexer, &out->trail);
    }
    return sizes;
}

static void put(struct lq_json_text *out, const char *bytes, size_t length)
{
    memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
}

static void put_token(struct lq_json_text *out, const char *text,
                      const struct lq_json_token *token)
{
    const char *const start = text + token->start;
    const size_t length = token->end - token->start;

    switch (change_of(text, token)) {
    case AS_IT_IS:
        put(out, start, length);
        break;
    case QUOTED:
        put(out, "\"", 1);
        put(out, mark, MARK_LENGTH);
        put(out, start, length);
        put(out, "\"", 1);
        break;
    case ESCAPED:
        put(out, "\"", 1);
        put(out, mark, MARK_LENGTH);
        put(out, start + 1, length - 1);
        break;
    }
}

static void put_body(struct lq_json_text *out, const char *text, size_t length)
{
    struct lq_json_lexer lexer;
    struct lq_json_token token;
    size_t done = 0;

    lq_json_lexer_init(&lexer, text, length);
    while (lq_json_next(&lexer, &token)) {
        put(out, text + done, token.start - done);
        put_token(out, text, &token);
        done = token.end;
    }
    put(out, text + done, length - done);
}

static bool is_power_of_two(size_t number)
{
    return (number & (number - 1)) == 0;
}

/*
 * Bytes of the first string's value, so that it takes more room than a token
 * of `longest` bytes. jansson doubles its buffer when a token comes to a power
 * of two: the closing quote must not be the byte that is dropped then.
 */
static size_t fill_for(size_t longest)
{
    size_t fill = longest + 2;

    while (is_power_of_two(fill + 2)) {
        ++fill;
    }
    return fill;
}

static void put_fill(struct lq_json_text *out)
{
    put(out, "[\"", 2);
    memset(out->bytes + out->length, 'x', out->fill);
    out->length += out->fill;
    put(out, "\",", 2);
    out->body = out->length;
}

enum lq_status lq_json_prepare(const char *text, size_t length,
                               struct lq_arena *arena, struct lq_json_text *out)
{
    struct sizes sizes;

    memset(out, 0, sizeof(*out));
    sizes = measure(text, length, out);
    out->fill = fill_for(sizes.longest);
    out->bytes =
        lq_alloc(arena, out->fill + sizes.body + sizes.gained + WRAPPING);
    if (!out->bytes) {
        return LQ_NOMEM;
    }
    put_fill(out);
    put_body(out, text, sizes.body);
    if (sizes.ended) {
        put(out, "]", 1);
    }
    return LQ_OK;
}

struct lq_json_token lq_json_locate(const char *text, size_t length,
                                    const struct lq_json_text *prepared,
                                    size_t position)
{
    size_t gained = prepared->body;
    struct lq_json_lexer lexer;
    struct lq_json_token token;

    lq_json_lexer_init(&lexer, text, length);
    while (lq_json_next(&lexer, &token)) {
        gained += gain(change_of(text, &token));
        if (token.end + gained >= position) {
            return token;
        }
    }
    return (struct lq_json_token){.start = length, .end = length};
}
