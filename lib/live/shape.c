#include "live/shape.h"

#include "base/text.h"
#include "json/write.h"

#include <string.h>

const char *lq_shape_words(const struct lq_node *node, struct lq_arena *arena)
{
    const char *shown = NULL;

    switch (node->kind) {
    case LQ_NODE_NULL:
        return "null";
    case LQ_NODE_FALSE:
        return "false";
    case LQ_NODE_TRUE:
        return "true";
    case LQ_NODE_LIST:
        return "an array";
    case LQ_NODE_TABLE:
        return "an object";
    case LQ_NODE_NUMBER:
    case LQ_NODE_STRING:
        break;
    }
    shown = lq_printable(arena, lq_node_text(node), strlen(lq_node_text(node)));
    return node->kind == LQ_NODE_NUMBER ? shown
                                        : lq_format(arena, "'%s'", shown);
}

enum lq_status lq_shape_report(const struct lq_live_reader *reader,
                               const struct lq_node *node, const char *text)
{
    struct lq_place place = {.file = reader->file};

    if (!lq_node_parent(node)) {
        return lq_error(reader->diags, &place, "document %s", text);
    }
    place.path = lq_node_path(node, reader->diags->arena);
    return place.path ? lq_error(reader->diags, &place, "%s", text) : LQ_NOMEM;
}

enum lq_status lq_shape_error(const struct lq_live_reader *reader,
                              const struct lq_node *node, const char *wanted)
{
    struct lq_arena *const arena = reader->diags->arena;
    const char *const found = lq_shape_words(node, arena);

    return lq_shape_report(
        reader, node, lq_format(arena, "must be %s, not %s", wanted, found));
}

enum lq_status lq_shape_check(const struct lq_live_reader *reader,
                              const struct lq_node *node,
                              enum lq_node_kind kind)
{
    if (node->kind == kind) {
        return LQ_OK;
    }
    return lq_shape_error(reader, node,
                          kind == LQ_NODE_LIST ? "an array" : "an object");
}

enum lq_status lq_shape_optional(const struct lq_live_reader *reader,
                                 const struct lq_node *object, const char *key,
                                 const char **out)
{
    const struct lq_node *const node = lq_node_member(object, key);

    if (!node) {
        return LQ_OK;
    }
    if (node->kind != LQ_NODE_STRING) {
        return lq_shape_error(reader, node, "a string");
    }
    *out = lq_node_text(node);
    return LQ_OK;
}

enum lq_status lq_shape_text(const struct lq_live_reader *reader,
                             const struct lq_node *object, const char *key,
                             const char **out)
{
    if (!lq_node_member(object, key)) {
        return lq_shape_report(
            reader, object,
            lq_format(reader->diags->arena, "must have '%s'", key));
    }
    return lq_shape_optional(reader, object, key, out);
}

enum lq_status lq_shape_flag(const struct lq_live_reader *reader,
                             const struct lq_node *object, const char *key,
                             enum lq_live_flag *out)
{
    const struct lq_node *const node = lq_node_member(object, key);

    if (!node) {
        return LQ_OK;
    }
    if (node->kind != LQ_NODE_TRUE && node->kind != LQ_NODE_FALSE) {
        return lq_shape_error(reader, node, "true or false");
    }
    *out = node->kind == LQ_NODE_TRUE ? LQ_LIVE_YES : LQ_LIVE_NO;
    return LQ_OK;
}

bool lq_shape_integer(const char *text, int64_t *out)
{
    const bool negative = *text == '-';
    uint64_t number = 0;

    if (lq_parse_u64(text + negative, &number) != LQ_NUMBER_OK ||
        number > (uint64_t)INT64_MAX + negative) {
        return false;
    }
    *out = negative ? (int64_t)(0 - number) : (int64_t)number;
    return true;
}

static enum lq_status read_value(const struct lq_node *node,
                                 struct lq_arena *arena,
                                 struct lq_live_argument *out)
{
    out->key = lq_node_key(node);
    out->text = lq_node_text(node);
    switch (node->kind) {
    case LQ_NODE_STRING:
        out->type = LQ_LIVE_STRING;
        return LQ_OK;
    case LQ_NODE_NUMBER:
        out->type = lq_shape_integer(lq_node_text(node), &out->number)
                        ? LQ_LIVE_INTEGER
                        : LQ_LIVE_NUMBER;
        return LQ_OK;
    case LQ_NODE_NULL:
        out->type = LQ_LIVE_NULL;
        break;
    case LQ_NODE_FALSE:
    case LQ_NODE_TRUE:
        out->type = LQ_LIVE_BOOL;
        out->number = node->kind == LQ_NODE_TRUE;
        break;
    case LQ_NODE_LIST:
        out->type = LQ_LIVE_LIST;
        break;
    case LQ_NODE_TABLE:
        out->type = LQ_LIVE_TABLE;
        break;
    }
    out->text = lq_node_compact(node, arena);
    return out->text ? LQ_OK : LQ_NOMEM;
}

/* ["key", value] */
static bool is_pair(const struct lq_node *node)
{
    return node->kind == LQ_NODE_LIST && lq_node_count(node) == 2 &&
           lq_node_first(node)->kind == LQ_NODE_STRING;
}

/*
 * A table, or a list of pairs: how rabbitmqctl up to 4.0 exports what operator
 * policies define, and some writers put an empty table.
 */
static bool is_table(const struct lq_node *node)
{
    bool pairs = node->kind == LQ_NODE_LIST;

    for (const struct lq_node *at = lq_node_first(node); at && pairs;
         at = lq_node_next(at)) {
        pairs = is_pair(at);
    }
    return pairs || node->kind == LQ_NODE_TABLE;
}

/* Reads one of a table's. */
static enum lq_status read_member(const struct lq_node *node,
                                  struct lq_arena *arena,
                                  struct lq_live_argument *out)
{
    enum lq_status status = LQ_OK;

    if (lq_node_key(node)) {
        return read_value(node, arena, out);
    }
    status = read_value(lq_node_next(lq_node_first(node)), arena, out);
    out->key = lq_node_text(lq_node_first(node));
    return status;
}

enum lq_status lq_shape_arguments(const struct lq_live_reader *reader,
                                  const struct lq_node *object, const char *key,
                                  struct lq_live_arguments *out)
{
    struct lq_arena *const arena = reader->diags->arena;
    const struct lq_node *const table = lq_node_member(object, key);

    if (!table) {
        return LQ_OK;
    }
    out->known = true;
    if (!is_table(table)) {
        return lq_shape_error(reader, table, "an object");
    }
    out->items =
        lq_alloc_array(arena, lq_node_count(table), sizeof(*out->items));
    for (const struct lq_node *at = lq_node_first(table); at;
         at = lq_node_next(at)) {
        if (!out->items ||
            read_member(at, arena, &out->items[out->count++]) != LQ_OK) {
            return LQ_NOMEM;
        }
    }
    return out->items ? LQ_OK : LQ_NOMEM;
}

enum lq_status lq_shape_repeated(const struct lq_live_reader *reader,
                                 const struct lq_node *object)
{
    return lq_shape_report(reader, object, "has a name that is there already");
}

enum lq_status lq_shape_is_ours(struct lq_live_reader *reader,
                                const struct lq_node *object, bool *out)
{
    const char *vhost = reader->live->vhost;
    enum lq_status status = lq_shape_check(reader, object, LQ_NODE_TABLE);

    if (status == LQ_OK) {
        status = lq_shape_optional(reader, object, "vhost", &vhost);
    }
    *out = lq_str_equal(vhost, reader->live->vhost);
    if (*out) {
        ++reader->ours;
    } else if (reader->others++ == 0) {
        reader->other = vhost;
    }
    return status;
}
