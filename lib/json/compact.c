#include "json/tree.h"

#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A list or table that is being written: its values, and how many are. */
struct level {
    const struct lq_node **children;
    size_t count;
    size_t done;
    char end; /* its closing bracket */
};

struct writer {
    struct lq_arena *arena;
    struct lq_array levels; /* struct level; the innermost is the last */
    char *text;
    size_t length;
    size_t capacity;
};

/* Room for `more` bytes at the end, or NULL. */
static char *extend(struct writer *writer, size_t more)
{
    if (more > writer->capacity - writer->length) {
        const size_t capacity = (writer->length + more) * 2;
        char *const text = lq_alloc(writer->arena, capacity);

        if (!text) {
            return NULL;
        }
        if (writer->length > 0) {
            memcpy(text, writer->text, writer->length);
        }
        writer->text = text;
        writer->capacity = capacity;
    }
    writer->length += more;
    return writer->text + writer->length - more;
}

static enum lq_status put(struct writer *writer, const char *bytes,
                          size_t length)
{
    char *const to = extend(writer, length);

    if (!to) {
        return LQ_NOMEM;
    }
    memcpy(to, bytes, length);
    return LQ_OK;
}

static const char short_escapes[] = "\"\\bfnrt";
static const char short_values[] = "\"\\\b\f\n\r\t";

static size_t put_raw(char *to, const char *bytes, size_t length)
{
    if (to) {
        memcpy(to, bytes, length);
    }
    return length;
}

/* Escapes the character at `*text` and moves behind it. */
static size_t escape_one(const char **text, char *to)
{
    const char *const from = *text;
    const char *const found = strchr(short_values, *from);
    char out[12] = {'\\'};
    uint32_t code = 0;
    const size_t step = lq_utf8_decode(from, strnlen(from, 4), &code);

    *text += step ? step : 2; /* U+0000 is C0 80, see json/tree.h */
    if (found) {
        out[1] = short_escapes[found - short_values];
        return put_raw(to, out, 2);
    }
    return lq_is_shown(code) ? put_raw(to, from, step)
                             : put_raw(to, out, lq_json_escape(code, out));
}

static size_t escape(const char *text, char *to)
{
    size_t length = 0;

    while (*text) {
        length += escape_one(&text, to ? to + length : NULL);
    }
    return length;
}

static enum lq_status put_string(struct writer *writer, const char *text)
{
    const size_t length = escape(text, NULL);
    char *const to = extend(writer, length + 2);

    if (!to) {
        return LQ_NOMEM;
    }
    to[0] = '"';
    (void)escape(text, to + 1);
    to[length + 1] = '"';
    return LQ_OK;
}

static int compare_keys(const void *left, const void *right)
{
    const struct lq_node *const *const a = left;
    const struct lq_node *const *const b = right;

    return strcmp((*a)->key, (*b)->key);
}

static enum lq_status begin_level(struct writer *writer,
                                  const struct lq_node *node)
{
    const bool table = node->kind == LQ_NODE_TABLE;
    struct level *const level = lq_array_push(&writer->levels, writer->arena);
    size_t count = 0;

    for (const struct lq_node *at = node->first; at; at = at->next) {
        ++count;
    }
    if (!level) {
        return LQ_NOMEM;
    }
    *level = (struct level){
        .children = lq_alloc_array(writer->arena, count,
                                   sizeof(const struct lq_node *)),
        .end = table ? '}' : ']',
    };
    if (!level->children) {
        return LQ_NOMEM;
    }
    for (const struct lq_node *at = node->first; at; at = at->next) {
        level->children[level->count++] = at;
    }
    if (table && count > 1) {
        qsort(level->children, count, sizeof(const struct lq_node *),
              compare_keys);
    }
    return put(writer, table ? "{" : "[", 1);
}

static enum lq_status put_value(struct writer *writer,
                                const struct lq_node *node)
{
    switch (node->kind) {
    case LQ_NODE_NULL:
        return put(writer, "null", 4);
    case LQ_NODE_FALSE:
        return put(writer, "false", 5);
    case LQ_NODE_TRUE:
        return put(writer, "true", 4);
    case LQ_NODE_NUMBER:
        return put(writer, node->text, strlen(node->text));
    case LQ_NODE_STRING:
        return put_string(writer, node->text);
    case LQ_NODE_LIST:
    case LQ_NODE_TABLE:
        break;
    }
    return begin_level(writer, node);
}

/* Writes the next value of the innermost level, or ends it. */
static enum lq_status step(struct writer *writer)
{
    struct level *const level =
        (struct level *)writer->levels.items + writer->levels.count - 1;
    const struct lq_node *node = NULL;
    enum lq_status status = LQ_OK;

    if (level->done == level->count) {
        --writer->levels.count;
        return put(writer, &level->end, 1);
    }
    node = level->children[level->done++];
    if (level->done > 1) {
        status = put(writer, ",", 1);
    }
    if (status == LQ_OK && node->key) {
        status = put_string(writer, node->key);
        if (status == LQ_OK) {
            status = put(writer, ":", 1);
        }
    }
    return status == LQ_OK ? put_value(writer, node) : status;
}

const char *lq_node_compact(const struct lq_node *node, struct lq_arena *arena)
{
    struct writer writer = {.arena = arena};
    enum lq_status status = LQ_OK;

    lq_array_init(&writer.levels, sizeof(struct level));
    status = put_value(&writer, node);
    while (status == LQ_OK && writer.levels.count > 0) {
        status = step(&writer);
    }
    if (status == LQ_OK) {
        status = put(&writer, "", 1);
    }
    return status == LQ_OK ? writer.text : NULL;
}
