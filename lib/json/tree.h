#ifndef LQ_JSON_TREE_H
#define LQ_JSON_TREE_H

#include "base/diag.h"
#include "json/source.h"

enum lq_node_kind {
    LQ_NODE_NULL,
    LQ_NODE_FALSE,
    LQ_NODE_TRUE,
    LQ_NODE_NUMBER, /* `text` is as written: no digit is lost */
    LQ_NODE_STRING,
    LQ_NODE_LIST,
    LQ_NODE_TABLE
};

/*
 * A JSON value. Texts are NUL-terminated UTF-8 without escapes, in which
 * U+0000 is the two bytes C0 80 that valid UTF-8 never has: so they differ
 * when the document's do.
 */
struct lq_node {
    enum lq_node_kind kind;
    const char *key;              /* of a table's member, else NULL */
    const char *text;             /* of a number or string, else NULL */
    const struct lq_node *parent; /* NULL for the document */
    struct lq_node *next;         /* in the list or table it is in */
    struct lq_node *first;        /* of a list or table; in document order */
};

/*
 * Reads one JSON value into the arena of `diags`: with numbers as they are
 * written, and with paths for messages. The text is not needed any more.
 * LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_json_tree(const struct lq_json_source *source,
                            struct lq_diags *diags,
                            const struct lq_node **out) LQ_CHECK;

/*
 * The same, with lq_json_parse() from the start: it judges all that the quick
 * way of json/quick.h leaves to it, with words for what is wrong.
 */
enum lq_status lq_json_tree_of_jansson(const struct lq_json_source *source,
                                       struct lq_diags *diags,
                                       const struct lq_node **out) LQ_CHECK;

/* The member of a table, or NULL; NULL too when the node is no table. */
const struct lq_node *lq_node_member(const struct lq_node *node,
                                     const char *key);

/*
 * Where a node stands, e.g. "queues[3].arguments", printable; "" for the
 * document itself. NULL when out of memory.
 */
const char *lq_node_path(const struct lq_node *node, struct lq_arena *arena);

/*
 * The value as JSON without blanks and with the keys of its tables in order:
 * equal values have equal texts, but for how numbers are written. NULL when
 * out of memory.
 */
const char *lq_node_compact(const struct lq_node *node, struct lq_arena *arena);

#endif
