/* The parser behind lq_json_tree(). */
#ifndef LQ_JSON_PARSER_H
#define LQ_JSON_PARSER_H

#include "json/level.h"
#include "json/lexer.h"
#include "json/source.h"

/* What the next token must be. */
enum lq_wanted {
    LQ_WANT_VALUE,
    LQ_WANT_VALUE_OR_END, /* behind '[' */
    LQ_WANT_KEY,
    LQ_WANT_KEY_OR_END, /* behind '{' */
    LQ_WANT_COLON,
    LQ_WANT_SEPARATOR, /* ',' or the end of what is open */
    LQ_WANT_END
};

/* A tree under construction. */
struct lq_parser {
    struct lq_json_source source; /* without a byte order mark */
    struct lq_diags *diags;
    struct lq_json_lexer lexer;
    struct lq_json_token token; /* the one at hand */
    enum lq_wanted wanted;
    struct lq_level *open; /* NULL outside of lists and tables */
    const char *key;       /* of the value that comes next */
    struct lq_node *root;
};

/* Reports at the token at hand: "TEXT, not 'TOKEN'". */
enum lq_status lq_parser_fail(const struct lq_parser *parser,
                              const char *text) LQ_CHECK;

/* Reports that the token at hand is not what is wanted. */
enum lq_status lq_parser_unexpected(const struct lq_parser *parser) LQ_CHECK;

/* Reports that the text ends too early; NULL is what the parser wants. */
enum lq_status lq_parser_cut_short(const struct lq_parser *parser,
                                   const char *wanted) LQ_CHECK;

/* Reports a member whose key its table has twice. */
enum lq_status lq_parser_repeated(const struct lq_parser *parser,
                                  const struct lq_node *node) LQ_CHECK;

#endif
