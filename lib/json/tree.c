#include "json/tree.h"

#include "json/parser.h"
#include "json/string.h"

#include <string.h>

/* Puts a node where the next value belongs. */
static void place_node(struct lq_parser *parser, struct lq_node *node)
{
    node->key = parser->key;
    parser->key = NULL;
    if (parser->open) {
        lq_level_add(parser->open, node);
    } else {
        parser->root = node;
    }
}

static enum lq_status begin_level(struct lq_parser *parser,
                                  enum lq_node_kind kind)
{
    struct lq_level *const level =
        lq_alloc(parser->diags->arena, sizeof(*level));

    if (!level) {
        return LQ_NOMEM;
    }
    level->node.kind = kind;
    level->up = parser->open;
    place_node(parser, &level->node);
    parser->open = level;
    parser->wanted =
        kind == LQ_NODE_TABLE ? LQ_WANT_KEY_OR_END : LQ_WANT_VALUE_OR_END;
    return LQ_OK;
}

static enum lq_status end_level(struct lq_parser *parser)
{
    struct lq_level *const level = parser->open;
    const struct lq_node *repeated = NULL;

    parser->open = level->up;
    parser->wanted = level->up ? LQ_WANT_SEPARATOR : LQ_WANT_END;
    if (level->node.kind == LQ_NODE_TABLE &&
        lq_level_repeated(level, parser->diags->arena, &repeated) != LQ_OK) {
        return LQ_NOMEM;
    }
    return repeated ? lq_parser_repeated(parser, repeated) : LQ_OK;
}

/* The value of a string token. */
static enum lq_status take_string(const struct lq_parser *parser,
                                  const char **out)
{
    const struct lq_json_token *const token = &parser->token;
    const char *const text = parser->source.text + token->start + 1;
    enum lq_status status = LQ_OK;

    if (!token->whole && token->end == parser->source.length) {
        return lq_parser_cut_short(parser, "the end of a string");
    }
    if (!token->whole) {
        return lq_parser_fail(parser,
                              "string must end with '\"', and has control "
                              "characters as \\u00XX only");
    }
    status = lq_json_unescape(text, token->end - token->start - 2,
                              parser->diags->arena, out);
    return status == LQ_INVALID
               ? lq_parser_fail(parser,
                                "string must have no escapes but \\\", \\\\, "
                                "\\/, \\b, \\f, \\n, \\r, \\t and \\uXXXX")
               : status;
}

static enum lq_status take_number(const struct lq_parser *parser,
                                  const char **out)
{
    const struct lq_json_token *const token = &parser->token;

    if (!token->whole) {
        return lq_parser_fail(parser, "number must be written as in JSON");
    }
    *out = lq_strndup(parser->diags->arena, parser->source.text + token->start,
                      token->end - token->start);
    return *out ? LQ_OK : LQ_NOMEM;
}

/* Whether the token at hand is these bytes. */
static bool is_token(const struct lq_parser *parser, const char *text)
{
    const struct lq_json_token *const token = &parser->token;
    const size_t length = token->end - token->start;

    return strlen(text) == length &&
           memcmp(parser->source.text + token->start, text, length) == 0;
}

static enum lq_status take_word(const struct lq_parser *parser,
                                enum lq_node_kind *out)
{
    static const struct {
        const char *word;
        enum lq_node_kind kind;
    } words[] = {{"true", LQ_NODE_TRUE},
                 {"false", LQ_NODE_FALSE},
                 {"null", LQ_NODE_NULL}};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); ++i) {
        if (is_token(parser, words[i].word)) {
            *out = words[i].kind;
            return LQ_OK;
        }
    }
    return lq_parser_unexpected(parser);
}

static enum lq_status take_scalar(struct lq_parser *parser)
{
    struct lq_node *const node = lq_alloc(parser->diags->arena, sizeof(*node));
    enum lq_status status = LQ_OK;

    if (!node) {
        return LQ_NOMEM;
    }
    switch (parser->token.kind) {
    case LQ_JSON_STRING:
        node->kind = LQ_NODE_STRING;
        status = take_string(parser, &node->text);
        break;
    case LQ_JSON_NUMBER:
        node->kind = LQ_NODE_NUMBER;
        status = take_number(parser, &node->text);
        break;
    case LQ_JSON_OTHER:
        status = take_word(parser, &node->kind);
        break;
    }
    place_node(parser, node);
    parser->wanted = parser->open ? LQ_WANT_SEPARATOR : LQ_WANT_END;
    return status;
}

static enum lq_status take_value(struct lq_parser *parser)
{
    if (is_token(parser, "{")) {
        return begin_level(parser, LQ_NODE_TABLE);
    }
    return is_token(parser, "[") ? begin_level(parser, LQ_NODE_LIST)
                                 : take_scalar(parser);
}

static enum lq_status take_key(struct lq_parser *parser)
{
    if (parser->token.kind != LQ_JSON_STRING) {
        return lq_parser_unexpected(parser);
    }
    parser->wanted = LQ_WANT_COLON;
    return take_string(parser, &parser->key);
}

static enum lq_status take_colon(struct lq_parser *parser)
{
    parser->wanted = LQ_WANT_VALUE;
    if (is_token(parser, ":")) {
        return LQ_OK;
    }
    parser->wanted = LQ_WANT_COLON;
    return lq_parser_unexpected(parser);
}

static enum lq_status take_separator(struct lq_parser *parser)
{
    const bool table = parser->open->node.kind == LQ_NODE_TABLE;

    if (is_token(parser, ",")) {
        parser->wanted = table ? LQ_WANT_KEY : LQ_WANT_VALUE;
        return LQ_OK;
    }
    return is_token(parser, table ? "}" : "]") ? end_level(parser)
                                               : lq_parser_unexpected(parser);
}

static enum lq_status take(struct lq_parser *parser)
{
    switch (parser->wanted) {
    case LQ_WANT_VALUE:
        return take_value(parser);
    case LQ_WANT_VALUE_OR_END:
        return is_token(parser, "]") ? end_level(parser) : take_value(parser);
    case LQ_WANT_KEY:
        return take_key(parser);
    case LQ_WANT_KEY_OR_END:
        return is_token(parser, "}") ? end_level(parser) : take_key(parser);
    case LQ_WANT_COLON:
        return take_colon(parser);
    case LQ_WANT_SEPARATOR:
        return take_separator(parser);
    case LQ_WANT_END:
        break;
    }
    return lq_parser_unexpected(parser);
}

enum lq_status lq_json_tree(const struct lq_json_source *source,
                            struct lq_diags *diags, const struct lq_node **out)
{
    struct lq_parser *const parser = lq_alloc(diags->arena, sizeof(*parser));
    enum lq_status status = LQ_OK;

    if (!parser) {
        return LQ_NOMEM;
    }
    parser->source = *source;
    parser->diags = diags;
    parser->wanted = LQ_WANT_VALUE;
    status = lq_json_source_check(&parser->source, diags);
    lq_json_lexer_init(&parser->lexer, parser->source.text,
                       parser->source.length);
    while (status == LQ_OK && lq_json_next(&parser->lexer, &parser->token)) {
        status = take(parser);
    }
    *out = parser->root;
    return status == LQ_OK && parser->wanted != LQ_WANT_END
               ? lq_parser_cut_short(parser, NULL)
               : status;
}
