#include "json/tree.h"

#include "json/document.h"
#include "json/quick.h"
#include "json/scan.h"

#include <string.h>

/* A list or table of jansson's whose members are to be copied. */
struct task {
    json_t *json;
    struct lq_node *node;
};

/* A tree while it is copied. */
struct copier {
    struct lq_arena *arena;
    struct lq_array tasks; /* struct task */
};

/* The text with U+0000 as C0 80; NULL when out of memory. */
static const char *copy_text(struct lq_arena *arena, const char *text,
                             size_t length)
{
    char *copy = NULL;
    char *to = NULL;

    if (!memchr(text, '\0', length)) {
        return lq_strndup(arena, text, length);
    }
    copy = lq_alloc_array(arena, length + 1, 2);
    to = copy;
    for (size_t i = 0; copy && i < length; ++i) {
        if (text[i]) {
            *to++ = text[i];
        } else {
            *to++ = '\xc0';
            *to++ = '\x80';
        }
    }
    return copy;
}

static enum lq_status fill_string(const json_t *json, struct lq_arena *arena,
                                  struct lq_node *node)
{
    const char *text = json_string_value(json);
    size_t length = json_string_length(json);

    node->kind = LQ_NODE_STRING;
    if (length > 0 && text[0] == LQ_JSON_MARK) {
        ++text;
        --length;
        node->kind = length > 0 && text[0] == LQ_JSON_MARK ? LQ_NODE_STRING
                                                           : LQ_NODE_NUMBER;
    }
    node->text = copy_text(arena, text, length);
    return node->text ? LQ_OK : LQ_NOMEM;
}

/* Copies a value; the members of a list or table are left for later. */
static enum lq_status fill(struct copier *copier, json_t *json,
                           struct lq_node *node)
{
    struct task *task = NULL;

    switch (json_typeof(json)) {
    case JSON_STRING:
        return fill_string(json, copier->arena, node);
    case JSON_TRUE:
        node->kind = LQ_NODE_TRUE;
        return LQ_OK;
    case JSON_FALSE:
        node->kind = LQ_NODE_FALSE;
        return LQ_OK;
    case JSON_NULL:
    case JSON_INTEGER: /* these two are strings by now */
    case JSON_REAL:
        node->kind = LQ_NODE_NULL;
        return LQ_OK;
    case JSON_OBJECT:
    case JSON_ARRAY:
        break;
    }
    node->kind = json_is_object(json) ? LQ_NODE_TABLE : LQ_NODE_LIST;
    task = lq_array_push(&copier->tasks, copier->arena);
    if (!task) {
        return LQ_NOMEM;
    }
    *task = (struct task){json, node};
    return LQ_OK;
}

/* Adds the copy of a member behind `last`, and becomes it. */
static enum lq_status add(struct copier *copier, json_t *json,
                          struct lq_node *parent, struct lq_node **last)
{
    struct lq_node *const node = lq_alloc(copier->arena, sizeof(*node));

    if (!node) {
        return LQ_NOMEM;
    }
    node->parent = parent;
    if (*last) {
        (*last)->next = node;
    } else {
        parent->first = node;
    }
    *last = node;
    return fill(copier, json, node);
}

static enum lq_status copy_members(struct copier *copier,
                                   const struct task *task)
{
    json_t *const json = task->json;
    struct lq_node *last = NULL;
    const char *key = NULL;
    json_t *value = NULL;
    size_t index = 0;

    json_array_foreach(json, index, value)
    {
        if (add(copier, value, task->node, &last) != LQ_OK) {
            return LQ_NOMEM;
        }
    }
    json_object_foreach(json, key, value)
    {
        if (add(copier, value, task->node, &last) != LQ_OK ||
            !(last->key = lq_strdup(copier->arena, key))) {
            return LQ_NOMEM;
        }
    }
    return LQ_OK;
}

static enum lq_status copy(json_t *json, struct lq_arena *arena,
                           const struct lq_node **out)
{
    struct copier copier = {.arena = arena};
    struct lq_node *const root = lq_alloc(arena, sizeof(*root));
    enum lq_status status = LQ_NOMEM;

    lq_array_init(&copier.tasks, sizeof(struct task));
    if (root) {
        status = fill(&copier, json, root);
    }
    while (status == LQ_OK && copier.tasks.count > 0) {
        const struct task task =
            ((const struct task *)copier.tasks.items)[--copier.tasks.count];

        status = copy_members(&copier, &task);
    }
    *out = root;
    return status;
}

enum lq_status lq_json_tree_of_jansson(const struct lq_json_source *source,
                                       struct lq_diags *diags,
                                       const struct lq_node **out)
{
    json_t *json = NULL;
    enum lq_status status = lq_json_parse(source, diags, &json);

    if (status == LQ_OK) {
        status = copy(json, diags->arena, out);
    }
    json_decref(json);
    return status;
}

enum lq_status lq_json_tree(const struct lq_json_source *source,
                            struct lq_diags *diags, const struct lq_node **out)
{
    struct lq_json_source checked = *source;
    enum lq_status status = lq_json_source_check(&checked, diags);

    if (status == LQ_OK) {
        status = lq_json_quick(checked.text, checked.length, diags->arena, out);
        if (status == LQ_INVALID) {
            status = lq_json_tree_of_jansson(source, diags, out);
        }
    }
    return status;
}
