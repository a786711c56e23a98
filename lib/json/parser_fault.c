#include "json/parser.h"

#include "base/text.h"

#include <string.h>

/* The longest token that a message quotes, in bytes. */
#define NEAR_MAX 40

static const char *wanted_words(const struct lq_parser *parser)
{
    switch (parser->wanted) {
    case LQ_WANT_VALUE:
        return "a value";
    case LQ_WANT_VALUE_OR_END:
        return "a value or ']'";
    case LQ_WANT_KEY:
        return "a key in double quotes";
    case LQ_WANT_KEY_OR_END:
        return "a key in double quotes or '}'";
    case LQ_WANT_COLON:
        return "':'";
    case LQ_WANT_SEPARATOR:
        return parser->open->node.kind == LQ_NODE_TABLE ? "',' or '}'"
                                                        : "',' or ']'";
    case LQ_WANT_END:
        break;
    }
    return "the end";
}

enum lq_status lq_parser_fail(const struct lq_parser *parser, const char *text)
{
    const struct lq_json_token *const token = &parser->token;
    const struct lq_place place =
        lq_json_source_place(&parser->source, token->start);
    const size_t length = token->end - token->start;
    const char *const shown =
        lq_printable(parser->diags->arena, parser->source.text + token->start,
                     length > NEAR_MAX ? 0 : length);

    if (!shown) {
        return LQ_NOMEM;
    }
    return *shown ? lq_error(parser->diags, &place, "%s, not '%s'", text, shown)
                  : lq_error(parser->diags, &place, "%s", text);
}

enum lq_status lq_parser_unexpected(const struct lq_parser *parser)
{
    const char *const what = lq_format(
        parser->diags->arena, "%s must stand here", wanted_words(parser));

    return what ? lq_parser_fail(parser, what) : LQ_NOMEM;
}

enum lq_status lq_parser_cut_short(const struct lq_parser *parser,
                                   const char *wanted)
{
    struct lq_place place = {.file = parser->source.file};

    if (!parser->root && !wanted) {
        return lq_error(parser->diags, &place, "document must not be empty");
    }
    place = lq_json_source_place(&parser->source, parser->source.length);
    return lq_error(parser->diags, &place,
                    "document is cut short: %s must follow",
                    wanted ? wanted : wanted_words(parser));
}

enum lq_status lq_parser_repeated(const struct lq_parser *parser,
                                  const struct lq_node *node)
{
    struct lq_arena *const arena = parser->diags->arena;
    const struct lq_place place = {.file = parser->source.file,
                                   .path = lq_node_path(node, arena)};

    return place.path ? lq_error(parser->diags, &place, "is there twice")
                      : LQ_NOMEM;
}
