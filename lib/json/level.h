/* What the parser of tree.h builds a tree of. */
#ifndef LQ_JSON_LEVEL_H
#define LQ_JSON_LEVEL_H

#include "json/tree.h"

/* A list or table while it is filled. */
struct lq_level {
    struct lq_node node;
    struct lq_level *up; /* what it is in; NULL: the document */
    struct lq_node *last;
    size_t count;
};

/* Puts a node behind the others. */
void lq_level_add(struct lq_level *level, struct lq_node *node);

/*
 * `*out` is a member of the full table whose key another one has too, or NULL.
 * LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_level_repeated(const struct lq_level *table,
                                 struct lq_arena *arena,
                                 const struct lq_node **out) LQ_CHECK;

#endif
