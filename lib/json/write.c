#include "json/write.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *line_break(const struct lq_json *json)
{
    if (json->depth == 1) {
        return "\n  ";
    }
    if (json->depth == 2 && json->lines) {
        return "\n    ";
    }
    return json->first ? "" : " ";
}

static void begin_value(struct lq_json *json, const char *key)
{
    lq_write_texts(&json->writer, json->first ? "" : ",", line_break(json),
                   NULL);
    if (key) {
        lq_write_texts(&json->writer, "\"", key, "\": ", NULL);
    }
    json->first = false;
}

static void begin_level(struct lq_json *json, const char *key,
                        const char *bracket)
{
    begin_value(json, key);
    lq_write_text(&json->writer, bracket);
    ++json->depth;
    json->first = true;
}

static void end_level(struct lq_json *json, const char *bracket)
{
    lq_write_text(&json->writer, bracket);
    --json->depth;
    json->first = false;
}

void lq_json_begin(struct lq_json *json, const struct lilyq_sink *sink)
{
    lq_writer_init(&json->writer, sink);
    lq_write_text(&json->writer, "{");
    json->depth = 1;
    json->first = true;
    json->lines = false;
}

enum lq_status lq_json_end(struct lq_json *json)
{
    lq_write_text(&json->writer, "\n}\n");
    return lq_writer_end(&json->writer);
}

void lq_json_lines_begin(struct lq_json *json, const char *key)
{
    begin_level(json, key, "[");
    json->lines = true;
}

void lq_json_lines_end(struct lq_json *json)
{
    end_level(json, json->first ? "]" : "\n  ]");
    json->lines = false;
}

void lq_json_object_begin(struct lq_json *json, const char *key)
{
    begin_level(json, key, "{");
}

void lq_json_object_end(struct lq_json *json)
{
    end_level(json, "}");
}

void lq_json_array_begin(struct lq_json *json, const char *key)
{
    begin_level(json, key, "[");
}

void lq_json_array_end(struct lq_json *json)
{
    end_level(json, "]");
}

/* ASCII that needs no escape. */
static bool is_plain(char c)
{
    return c >= ' ' && c < '\x7f' && c != '"' && c != '\\';
}

/* A part of a string, as it is written. */
struct piece {
    const char *bytes;
    size_t length;
};

#define ESCAPE_MAX ((size_t)16)

/*
 * The escape of a character that needs one, by JSON's rules or lq_is_shown(); 0
 * bytes: it needs none.
 */
static size_t escape(uint32_t code, char *out)
{
    static const char plain[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    const char *const found =
        code && code < 0x80 ? strchr(plain, (int)code) : NULL;

    if (found) {
        out[0] = '\\';
        out[1] = letters[found - plain];
        return 2;
    }
    return lq_is_shown(code) ? 0 : lq_json_escape(code, out);
}

/* A byte that is not UTF-8, or U+0000 as C0 80: see json/tree.h. */
static struct piece odd_piece(const char **text, char *out)
{
    const unsigned char byte = (unsigned char)*(*text)++;

    if (byte == 0xc0 && (unsigned char)**text == 0x80) {
        ++*text;
        return (struct piece){out, lq_json_escape(0, out)};
    }
    return (struct piece){out,
                          (size_t)snprintf(out, ESCAPE_MAX, "\\\\x%02x", byte)};
}

/*
 * The next piece of a text that is not at its end; moves past it. Nothing in a
 * name can control the terminal that shows the document.
 */
static struct piece next_piece(const char **text, char *out)
{
    const char *const from = *text;
    uint32_t code = 0;
    size_t step = 0;

    while (is_plain(**text)) {
        ++*text; /* nearly all texts are plain */
    }
    if (*text > from) {
        return (struct piece){from, (size_t)(*text - from)};
    }
    step = lq_utf8_decode(from, strnlen(from, 4), &code);
    if (step == 0) {
        return odd_piece(text, out);
    }
    *text += step;
    step = escape(code, out);
    return step > 0 ? (struct piece){out, step}
                    : (struct piece){from, (size_t)(*text - from)};
}

void lq_json_text(struct lq_json *json, const char *key, const char *text)
{
    char out[ESCAPE_MAX];

    begin_value(json, key);
    lq_write_bytes(&json->writer, "\"", 1);
    while (*text) {
        const struct piece piece = next_piece(&text, out);

        lq_write_bytes(&json->writer, piece.bytes, piece.length);
    }
    lq_write_bytes(&json->writer, "\"", 1);
}

void lq_json_integer(struct lq_json *json, const char *key, int64_t number)
{
    char digits[24];

    (void)snprintf(digits, sizeof(digits), "%" PRId64, number);
    begin_value(json, key);
    lq_write_text(&json->writer, digits);
}

void lq_json_count(struct lq_json *json, const char *key, uint64_t number)
{
    begin_value(json, key);
    lq_write_number(&json->writer, number);
}

void lq_json_number(struct lq_json *json, const char *key, const char *digits)
{
    begin_value(json, key);
    lq_write_text(&json->writer, digits);
}

void lq_json_bool(struct lq_json *json, const char *key, bool value)
{
    begin_value(json, key);
    lq_write_text(&json->writer, value ? "true" : "false");
}

void lq_json_null(struct lq_json *json, const char *key)
{
    begin_value(json, key);
    lq_write_text(&json->writer, "null");
}

void lq_json_text_or_null(struct lq_json *json, const char *key,
                          const char *text)
{
    if (text) {
        lq_json_text(json, key, text);
    } else {
        lq_json_null(json, key);
    }
}

void lq_json_count_or_null(struct lq_json *json, const char *key,
                           uint64_t number)
{
    if (number > 0) {
        lq_json_count(json, key, number);
    } else {
        lq_json_null(json, key);
    }
}

/* A list or table that is being written. */
struct open_node {
    const struct lq_node **children;
    size_t count;
    size_t done;
    const char *end; /* its closing bracket */
};

/* The state of writing a tree. */
struct compacter {
    struct lq_buffer buffer;
    struct lq_array open; /* struct open_node; the innermost is the last */
};

void lq_json_quote(struct lq_buffer *buffer, const char *text)
{
    char out[ESCAPE_MAX];

    lq_buffer_add(buffer, "\"");
    while (*text) {
        const struct piece piece = next_piece(&text, out);

        lq_buffer_add_bytes(buffer, piece.bytes, piece.length);
    }
    lq_buffer_add(buffer, "\"");
}

static int compare_keys(const void *left, const void *right)
{
    const struct lq_node *const *const a = left;
    const struct lq_node *const *const b = right;

    return strcmp(lq_node_key(*a), lq_node_key(*b));
}

static enum lq_status open_node(struct compacter *compacter,
                                const struct lq_node *node)
{
    struct lq_arena *const arena = compacter->buffer.arena;
    const bool table = node->kind == LQ_NODE_TABLE;
    const size_t count = lq_node_count(node);
    const struct lq_node **const children =
        lq_alloc_array(arena, count, sizeof(const struct lq_node *));
    struct open_node *const open = lq_array_push(&compacter->open, arena);

    if (!children || !open) {
        return LQ_NOMEM;
    }
    *open = (struct open_node){
        .children = children, .count = count, .end = table ? "}" : "]"};
    for (size_t i = 0; i < count; ++i) {
        children[i] =
            i == 0 ? lq_node_first(node) : lq_node_next(children[i - 1]);
    }
    if (table && count > 1) {
        qsort(children, count, sizeof(const struct lq_node *), compare_keys);
    }
    lq_buffer_add(&compacter->buffer, table ? "{" : "[");
    return LQ_OK;
}

static enum lq_status put_node(struct compacter *compacter,
                               const struct lq_node *node)
{
    struct lq_buffer *const buffer = &compacter->buffer;

    switch (node->kind) {
    case LQ_NODE_NULL:
        lq_buffer_add(buffer, "null");
        return LQ_OK;
    case LQ_NODE_FALSE:
        lq_buffer_add(buffer, "false");
        return LQ_OK;
    case LQ_NODE_TRUE:
        lq_buffer_add(buffer, "true");
        return LQ_OK;
    case LQ_NODE_NUMBER:
        lq_buffer_add(buffer, lq_node_text(node));
        return LQ_OK;
    case LQ_NODE_STRING:
        lq_json_quote(buffer, lq_node_text(node));
        return LQ_OK;
    case LQ_NODE_LIST:
    case LQ_NODE_TABLE:
        break;
    }
    return open_node(compacter, node);
}

/* Writes the next value of the innermost list or table, or ends it. */
static enum lq_status put_next(struct compacter *compacter)
{
    struct open_node *const open =
        (struct open_node *)compacter->open.items + compacter->open.count - 1;
    const struct lq_node *node = NULL;

    if (open->done == open->count) {
        --compacter->open.count;
        lq_buffer_add(&compacter->buffer, open->end);
        return LQ_OK;
    }
    node = open->children[open->done++];
    if (open->done > 1) {
        lq_buffer_add(&compacter->buffer, ",");
    }
    if (lq_node_key(node)) {
        lq_json_quote(&compacter->buffer, lq_node_key(node));
        lq_buffer_add(&compacter->buffer, ":");
    }
    return put_node(compacter, node);
}

const char *lq_node_compact(const struct lq_node *node, struct lq_arena *arena)
{
    struct compacter compacter;
    enum lq_status status = LQ_OK;

    lq_buffer_init(&compacter.buffer, arena);
    lq_array_init(&compacter.open, sizeof(struct open_node));
    status = put_node(&compacter, node);
    while (status == LQ_OK && compacter.open.count > 0) {
        status = put_next(&compacter);
    }
    return status == LQ_OK ? lq_buffer_text(&compacter.buffer) : "";
}
