#include "json/tree.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

static_assert(sizeof(struct lq_node) == 16, "a node is small");

const struct lq_node *lq_node_member(const struct lq_node *node,
                                     const char *key)
{
    const struct lq_node *member =
        node->kind == LQ_NODE_TABLE ? lq_node_first(node) : NULL;

    while (member && strcmp(lq_node_key(member), key) != 0) {
        member = lq_node_next(member);
    }
    return member;
}

static size_t index_of(const struct lq_node *node)
{
    size_t index = 0;

    for (const struct lq_node *at = lq_node_first(lq_node_parent(node));
         at != node; at = lq_node_next(at)) {
        ++index;
    }
    return index;
}

/* One step of a path: "[3]" or ".name", the first one without its dot. */
static const char *step_of(const struct lq_node *node, struct lq_arena *arena)
{
    const char *const key = lq_node_key(node);
    const bool top = !lq_node_parent(lq_node_parent(node));

    if (!key) {
        return lq_format(arena, "[%zu]", index_of(node));
    }
    return lq_format(arena, "%s%s", top ? "" : ".",
                     lq_printable(arena, key, strlen(key)));
}

const char *lq_node_path(const struct lq_node *node, struct lq_arena *arena)
{
    struct lq_array steps; /* the last one first */
    size_t length = 0;
    char *path = NULL;
    char *to = NULL;

    lq_array_init(&steps, sizeof(const char *));
    for (; lq_node_parent(node); node = lq_node_parent(node)) {
        const char **const step = lq_array_push(&steps, arena);

        if (!step) {
            return "";
        }
        *step = step_of(node, arena);
        length += strlen(*step);
    }
    path = lq_alloc(arena, length + 1);
    to = path;
    for (size_t i = steps.count; path && i > 0; --i) {
        to = stpcpy(to, ((const char **)steps.items)[i - 1]);
    }
    return path ? path : "";
}
