#include "json/level.h"

#include "base/map.h"

#include <string.h>

/* A table with more members than this is searched by hash. */
#define FEW_MEMBERS 16

void lq_level_add(struct lq_level *level, struct lq_node *node)
{
    node->parent = &level->node;
    if (level->last) {
        level->last->next = node;
    } else {
        level->node.first = node;
    }
    level->last = node;
    ++level->count;
}

static const struct lq_node *search_few(const struct lq_node *first)
{
    for (const struct lq_node *a = first; a; a = a->next) {
        for (const struct lq_node *b = a->next; b; b = b->next) {
            if (strcmp(a->key, b->key) == 0) {
                return b;
            }
        }
    }
    return NULL;
}

static enum lq_status search_many(struct lq_node *first, struct lq_arena *arena,
                                  const struct lq_node **out)
{
    struct lq_map keys;

    lq_map_init(&keys, arena);
    for (struct lq_node *node = first; node && !*out; node = node->next) {
        void *held = NULL;

        if (lq_map_add(&keys, node->key, node, &held) != LQ_OK) {
            return LQ_NOMEM;
        }
        *out = held == node ? NULL : node;
    }
    return LQ_OK;
}

enum lq_status lq_level_repeated(const struct lq_level *table,
                                 struct lq_arena *arena,
                                 const struct lq_node **out)
{
    *out = NULL;
    if (table->count > FEW_MEMBERS) {
        return search_many(table->node.first, arena, out);
    }
    *out = search_few(table->node.first);
    return LQ_OK;
}
