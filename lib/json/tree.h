#ifndef LQ_JSON_TREE_H
#define LQ_JSON_TREE_H

#include "base/arena.h"

#include <stdint.h>

enum lq_node_kind {
    LQ_NODE_NULL,
    LQ_NODE_FALSE,
    LQ_NODE_TRUE,
    LQ_NODE_NUMBER,
    LQ_NODE_STRING,
    LQ_NODE_LIST,
    LQ_NODE_TABLE
};

/*
 * A JSON value, as lq_json_read() makes it. The nodes of a document lie one
 * after another, in document order, after its texts: links are short distances,
 * and a node takes 16 bytes. Callers read only `kind`; the functions below
 * follow the links.
 */
struct lq_node {
    enum lq_node_kind kind : 3;
    uint32_t
        next : 29;   /* nodes up to the next one in its list or table, or 0 */
    uint32_t parent; /* nodes back to its list or table, or 0 */
    uint32_t key;    /* bytes back to its key, or 0 */
    uint32_t held;   /* bytes back to its text, or how many it contains */
};

static inline const char *lq_node_behind(const struct lq_node *node,
                                         uint32_t bytes)
{
    return bytes ? (const char *)node - bytes : NULL;
}

/*
 * The key of a table's member, else NULL. Texts are NUL-terminated UTF-8
 * without escapes, in which U+0000, which no key has, is the two bytes C0 80,
 * which valid UTF-8 never has: texts differ whenever the document's do.
 */
static inline const char *lq_node_key(const struct lq_node *node)
{
    return lq_node_behind(node, node->key);
}

/* How many values a list or table contains; 0 for anything else. */
static inline size_t lq_node_count(const struct lq_node *node)
{
    return node->kind >= LQ_NODE_LIST ? node->held : 0;
}

/* A string, or a number as written, so that no digit is lost. Else NULL. */
static inline const char *lq_node_text(const struct lq_node *node)
{
    return node->kind < LQ_NODE_LIST ? lq_node_behind(node, node->held) : NULL;
}

/* The first value of a list or table, in document order, or NULL. */
static inline const struct lq_node *lq_node_first(const struct lq_node *node)
{
    return lq_node_count(node) ? node + 1 : NULL;
}

/* The next value in its list or table, or NULL. */
static inline const struct lq_node *lq_node_next(const struct lq_node *node)
{
    return node->next ? node + node->next : NULL;
}

/* The list or table that it is in; NULL for the document. */
static inline const struct lq_node *lq_node_parent(const struct lq_node *node)
{
    return node->parent ? node - node->parent : NULL;
}

/* The member of a table, or NULL; NULL too when the node is not a table. */
const struct lq_node *lq_node_member(const struct lq_node *node,
                                     const char *key);

/*
 * The path of a node, e.g. "queues[3].arguments", printable; "" for the
 * document itself.
 */
const char *lq_node_path(const struct lq_node *node, struct lq_arena *arena);

#endif
