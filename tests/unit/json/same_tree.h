/* Whether two trees are the same, to the digits of their numbers. */
#ifndef SAME_TREE_H
#define SAME_TREE_H

#include "json/tree.h"

#include <stdbool.h>
#include <string.h>

static inline bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The node behind this one, in document order; NULL at the end. */
static inline const struct lq_node *node_behind(const struct lq_node *node)
{
    if (node->first) {
        return node->first;
    }
    while (node && !node->next) {
        node = node->parent;
    }
    return node ? node->next : NULL;
}

static inline size_t depth_of(const struct lq_node *node)
{
    size_t depth = 0;

    for (; node->parent; node = node->parent) {
        ++depth;
    }
    return depth;
}

static inline bool is_same_tree(const struct lq_node *a,
                                const struct lq_node *b)
{
    while (a && b) {
        if (a->kind != b->kind || !is_same_text(a->key, b->key) ||
            !is_same_text(a->text, b->text) || depth_of(a) != depth_of(b)) {
            return false;
        }
        a = node_behind(a);
        b = node_behind(b);
    }
    return !a && !b;
}

#endif
