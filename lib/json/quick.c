#include "json/quick.h"

#include "json/lexer.h"
#include "json/unescape.h"

#include <string.h>

/* What is deeper, or has more members, is rare enough to take its time. */
#define DEPTH_MAX 64
#define MEMBERS_MAX 64

/* A list or table whose end is not read yet. */
struct level {
    struct lq_node *node;
    struct lq_node *last; /* member so far */
    size_t count;
};

/* A text while it is read, in a copy that becomes the texts of the nodes. */
struct reader {
    struct lq_json_lexer lexer;
    struct lq_json_token token; /* the one under way */
    char *text;
    struct lq_arena *arena;
    struct level levels[DEPTH_MAX];
    size_t depth;
};

static bool next(struct reader *reader)
{
    return lq_json_next(&reader->lexer, &reader->token);
}

static bool is_word(const struct reader *reader, const char *word)
{
    const struct lq_json_token *const token = &reader->token;
    const size_t length = strlen(word);

    return token->kind == LQ_JSON_OTHER &&
           token->end - token->start == length &&
           memcmp(reader->text + token->start, word, length) == 0;
}

/* The string under way, ended where its second quote was. */
static bool take_string(struct reader *reader, bool may_have_nul,
                        const char **out)
{
    const struct lq_json_token *const token = &reader->token;
    char *const text = reader->text + token->start + 1;
    bool nul = false;

    *out = text;
    return token->kind == LQ_JSON_STRING && token->whole &&
           lq_json_unescape(text, token->end - token->start - 2, &nul) &&
           (may_have_nul || !nul);
}

static enum lq_status take_number(struct reader *reader, struct lq_node *node)
{
    const struct lq_json_token *const token = &reader->token;

    if (!token->whole) {
        return LQ_INVALID;
    }
    node->kind = LQ_NODE_NUMBER;
    node->text = lq_strndup(reader->arena, reader->text + token->start,
                            token->end - token->start);
    return node->text ? LQ_OK : LQ_NOMEM;
}

static enum lq_status open_level(struct reader *reader, struct lq_node *node,
                                 enum lq_node_kind kind)
{
    node->kind = kind;
    if (reader->depth == DEPTH_MAX) {
        return LQ_INVALID;
    }
    reader->levels[reader->depth++] = (struct level){.node = node};
    return LQ_OK;
}

static enum lq_status take_word(const struct reader *reader,
                                struct lq_node *node)
{
    if (is_word(reader, "true")) {
        node->kind = LQ_NODE_TRUE;
    } else if (is_word(reader, "false")) {
        node->kind = LQ_NODE_FALSE;
    } else if (is_word(reader, "null")) {
        node->kind = LQ_NODE_NULL;
    } else {
        return LQ_INVALID;
    }
    return LQ_OK;
}

/* The value that the token under way is, or begins. */
static enum lq_status take_value(struct reader *reader, struct lq_node *node)
{
    switch (reader->token.kind) {
    case LQ_JSON_STRING:
        node->kind = LQ_NODE_STRING;
        return take_string(reader, true, &node->text) ? LQ_OK : LQ_INVALID;
    case LQ_JSON_NUMBER:
        return take_number(reader, node);
    case LQ_JSON_OTHER:
        break;
    }
    if (is_word(reader, "{")) {
        return open_level(reader, node, LQ_NODE_TABLE);
    }
    return is_word(reader, "[") ? open_level(reader, node, LQ_NODE_LIST)
                                : take_word(reader, node);
}

/* A key, which must be a new one, and the colon behind it. */
static bool take_key(struct reader *reader, const struct level *level,
                     const char **out)
{
    if (level->count == MEMBERS_MAX || !take_string(reader, false, out)) {
        return false;
    }
    for (const struct lq_node *at = level->node->first; at; at = at->next) {
        if (strcmp(at->key, *out) == 0) {
            return false;
        }
    }
    return next(reader) && is_word(reader, ":") && next(reader);
}

static enum lq_status add_member(struct reader *reader, struct level *level,
                                 const char *key)
{
    struct lq_node *const node = lq_alloc(reader->arena, sizeof(*node));

    if (!node) {
        return LQ_NOMEM;
    }
    node->key = key;
    node->parent = level->node;
    if (level->last) {
        level->last->next = node;
    } else {
        level->node->first = node;
    }
    level->last = node;
    ++level->count;
    return take_value(reader, node);
}

/* The next member of the innermost list or table, or its end. */
static enum lq_status take_member(struct reader *reader)
{
    struct level *const level = &reader->levels[reader->depth - 1];
    const bool table = level->node->kind == LQ_NODE_TABLE;
    const char *key = NULL;

    if (!next(reader)) {
        return LQ_INVALID;
    }
    if (is_word(reader, table ? "}" : "]")) {
        --reader->depth;
        return LQ_OK;
    }
    if (level->count > 0 && (!is_word(reader, ",") || !next(reader))) {
        return LQ_INVALID;
    }
    if (table && !take_key(reader, level, &key)) {
        return LQ_INVALID;
    }
    return add_member(reader, level, key);
}

enum lq_status lq_json_quick(const char *text, size_t length,
                             struct lq_arena *arena, const struct lq_node **out)
{
    struct reader reader = {.text = lq_strndup(arena, text, length),
                            .arena = arena};
    struct lq_node *const root = lq_alloc(arena, sizeof(*root));
    enum lq_status status = LQ_INVALID;

    if (!root || !reader.text) {
        return LQ_NOMEM;
    }
    lq_json_lexer_init(&reader.lexer, reader.text, length);
    if (next(&reader)) {
        status = take_value(&reader, root);
    }
    while (status == LQ_OK && reader.depth > 0) {
        status = take_member(&reader);
    }
    *out = root;
    return status == LQ_OK && next(&reader) ? LQ_INVALID : status;
}
