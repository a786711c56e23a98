#include "json/read.h"

#include "base/text.h"
#include "json/lexer.h"

#include <stdbool.h>
#include <string.h>

/* The longest token that a message quotes, in bytes. */
#define NEAR_MAX 40

/* The keys of a table are compared one by one, up to this many. */
#define FEW_KEYS 16

/* The most values and keys that a text can have. */
struct sizes {
    size_t values;
    size_t keys;
};

/* A list or table whose end is not read yet. */
struct level {
    struct lq_node *node;
    struct lq_node *last; /* value kept so far */
    size_t first_key;     /* where its keys begin in `keys` */
    bool empty;           /* nothing was read in it so far */
    bool unwanted;
};

/* A key in the set that serves tables with many keys. */
struct known_key {
    uint32_t table; /* the offset of its first key; 0: a free slot */
    uint32_t key;
};

/* A document while it is read, in a copy that becomes the texts of nodes. */
struct reader {
    struct lq_json_source source; /* without a byte order mark */
    const struct lq_json_wanted *wanted;
    struct lq_diags *diags;
    struct lq_json_lexer lexer;
    struct lq_json_token token; /* the current one */
    char *text;
    size_t number_end; /* of a number that is to be ended by a NUL, or 0 */
    struct lq_node *nodes;
    size_t node_count;
    uint32_t *keys; /* of the tables that are open: places in the text */
    size_t key_count;
    size_t key_room;
    struct known_key *known; /* NULL: no table has had many keys */
    size_t known_room;
    size_t depth;
    size_t tables; /* of the levels: how many are */
    struct level levels[LQ_JSON_DEPTH_MAX];
};

static struct lq_place place_of(const struct lq_json_source *source,
                                size_t offset)
{
    struct lq_place place = {.file = source->file, .line = 1, .column = 1};

    for (size_t i = 0; i < offset; ++i) {
        ++place.column;
        if (source->text[i] == '\n') {
            ++place.line;
            place.column = 1;
        }
    }
    return place;
}

static void skip_byte_order_mark(struct lq_json_source *source)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t size = sizeof(mark) - 1;

    if (source->length >= size && memcmp(source->text, mark, size) == 0) {
        source->text += size;
        source->length -= size;
    }
}

/*
 * Reports at the current token; LQ_INVALID, or LQ_NOMEM. After a login the text
 * comes from a peer, and a token that is not JSON may be part of the password.
 */
static enum lq_status report(const struct reader *reader, const char *text)
{
    const struct lq_json_source *const source = &reader->source;
    const size_t start = reader->token.start;
    const size_t length = reader->token.end - start;
    const struct lq_place place = place_of(source, start);
    const char *shown = NULL;

    if (length == 0) {
        return lq_error(reader->diags, &place, "%s near end of file", text);
    }
    if (length > NEAR_MAX || lq_diags_hides(reader->diags)) {
        return lq_error(reader->diags, &place, "%s", text);
    }
    shown = lq_printable(reader->diags->arena, source->text + start, length);
    return lq_error(reader->diags, &place, "%s near '%s'", text, shown);
}

static enum lq_status report_string(const struct reader *reader)
{
    const struct lq_json_source *const source = &reader->source;
    const size_t start = reader->token.start;

    return report(reader, lq_json_string_fault(source->text + start,
                                               source->length - start,
                                               reader->diags->arena));
}

/* The next token; at the end of the text, an empty one. */
static void next(struct reader *reader)
{
    if (!lq_json_next(&reader->lexer, &reader->token)) {
        reader->token = (struct lq_json_token){.kind = LQ_JSON_OTHER,
                                               .start = reader->source.length,
                                               .end = reader->source.length};
    }
    if (reader->number_end) {
        reader->text[reader->number_end] = '\0';
        reader->number_end = 0;
    }
}

static struct level *innermost(struct reader *reader)
{
    return &reader->levels[reader->depth - 1];
}

static uint32_t distance(const struct lq_node *node, const char *text)
{
    return (uint32_t)((const char *)node - text);
}

/* The current string, NUL-terminated in place of its closing quote. */
static enum lq_status take_string(struct reader *reader, bool *nul)
{
    const struct lq_json_token *const token = &reader->token;

    return token->whole && lq_json_unescape(reader->text + token->start + 1,
                                            token->end - token->start - 2, nul)
               ? LQ_OK
               : report_string(reader);
}

/* Whether the outermost tables, by `tables` around them, have use for a key. */
static bool is_wanted(const struct reader *reader, const char *key)
{
    const struct lq_json_wanted *const wanted = reader->wanted;
    const char *const *at = NULL;

    if (wanted && reader->tables <= 2) {
        at = reader->tables == 1 ? wanted->outer : wanted->inner;
    }
    if (!at) {
        return true;
    }
    while (*at && !lq_str_equal(*at, key)) {
        ++at;
    }
    return *at != NULL;
}

static size_t hash_key(uint32_t table, const char *key)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ table;

    for (; *key; ++key) {
        hash = (hash ^ (unsigned char)*key) * UINT64_C(0x100000001b3);
    }
    return (size_t)(hash ^ (hash >> 32));
}

/* Adds a key to the set; false when it is there. */
static bool add_known(struct reader *reader, uint32_t table, uint32_t key)
{
    const char *const text = reader->text;
    size_t at = hash_key(table, text + key) % reader->known_room;

    for (; reader->known[at].table; at = (at + 1) % reader->known_room) {
        if (reader->known[at].table == table &&
            strcmp(text + reader->known[at].key, text + key) == 0) {
            return false;
        }
    }
    reader->known[at] = (struct known_key){table, key};
    return true;
}

/* Moves the keys of a table into the set once they are no longer few. */
static enum lq_status begin_known(struct reader *reader,
                                  const struct level *level)
{
    if (!reader->known) {
        reader->known_room = reader->key_room + reader->key_room / 2;
        reader->known = lq_alloc_array(reader->diags->arena, reader->known_room,
                                       sizeof(*reader->known));
    }
    if (!reader->known) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < FEW_KEYS; ++i) {
        const uint32_t *const keys = reader->keys + level->first_key;

        (void)add_known(reader, keys[0], keys[i]);
    }
    return LQ_OK;
}

static bool is_among_few(const struct reader *reader, const struct level *level,
                         uint32_t key)
{
    for (size_t i = level->first_key; i < reader->key_count; ++i) {
        if (strcmp(reader->text + reader->keys[i], reader->text + key) == 0) {
            return true;
        }
    }
    return false;
}

/* Notes a key of a table; LQ_INVALID, unreported, when it has that one. */
static enum lq_status note_key(struct reader *reader, const struct level *level,
                               uint32_t key)
{
    const size_t count = reader->key_count - level->first_key;
    bool is_new = true;

    if (count == FEW_KEYS && begin_known(reader, level) != LQ_OK) {
        return LQ_NOMEM;
    }
    is_new = count < FEW_KEYS
                 ? !is_among_few(reader, level, key)
                 : add_known(reader, reader->keys[level->first_key], key);
    reader->keys[reader->key_count++] = key;
    return is_new ? LQ_OK : LQ_INVALID;
}

/* A key, which must be a new one, and the colon behind it. */
static enum lq_status take_key(struct reader *reader, const struct level *level,
                               const char **out)
{
    const size_t start = reader->token.start + 1;
    bool nul = false;
    enum lq_status status = LQ_OK;

    if (reader->token.kind != LQ_JSON_STRING) {
        return report(reader, "string or '}' expected");
    }
    status = take_string(reader, &nul);
    if (status != LQ_OK) {
        return status;
    }
    if (nul) {
        return report(reader, "NUL byte in object key not supported");
    }
    status = note_key(reader, level, (uint32_t)start);
    if (status != LQ_OK) {
        return status == LQ_INVALID ? report(reader, "duplicate object key")
                                    : status;
    }
    *out = reader->text + start;
    next(reader);
    if (reader->token.sign != ':') {
        return report(reader, "':' expected");
    }
    next(reader);
    return LQ_OK;
}

static enum lq_status take_word(const struct reader *reader,
                                struct lq_node *node)
{
    static const struct {
        const char *text;
        enum lq_node_kind kind;
    } words[] = {{"null", LQ_NODE_NULL},
                 {"false", LQ_NODE_FALSE},
                 {"true", LQ_NODE_TRUE}};
    const size_t length = reader->token.end - reader->token.start;

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); ++i) {
        if (length == strlen(words[i].text) &&
            memcmp(reader->text + reader->token.start, words[i].text, length) ==
                0) {
            node->kind = words[i].kind;
            return LQ_OK;
        }
    }
    if (length > 0) {
        return report(reader, "invalid token");
    }
    return report(reader,
                  reader->depth > 0 &&
                          reader->levels[reader->depth - 1].node->kind ==
                              LQ_NODE_LIST
                      ? "']' expected"
                      : "unexpected token");
}

static enum lq_status take_number(struct reader *reader, struct lq_node *node)
{
    const struct lq_json_token *const token = &reader->token;

    if (!token->whole) {
        return report(reader, "invalid token");
    }
    node->kind = LQ_NODE_NUMBER;
    node->held = distance(node, reader->text + token->start);
    reader->number_end = token->end;
    return LQ_OK;
}

static enum lq_status take_sign(struct reader *reader, struct lq_node *node,
                                bool unwanted)
{
    const char sign = reader->token.sign;

    if (sign != '{' && sign != '[') {
        return report(reader, "unexpected token");
    }
    node->kind = sign == '{' ? LQ_NODE_TABLE : LQ_NODE_LIST;
    reader->levels[reader->depth++] =
        (struct level){.node = node,
                       .first_key = reader->key_count,
                       .empty = true,
                       .unwanted = unwanted};
    reader->tables += sign == '{';
    return LQ_OK;
}

/* The value that the current token is, or begins. */
static enum lq_status take_value(struct reader *reader, struct lq_node *node,
                                 bool unwanted)
{
    bool nul = false;

    if (reader->depth == LQ_JSON_DEPTH_MAX) {
        return report(reader, "maximum parsing depth reached");
    }
    switch (reader->token.kind) {
    case LQ_JSON_STRING:
        node->kind = LQ_NODE_STRING;
        node->held = distance(node, reader->text + reader->token.start + 1);
        return take_string(reader, &nul);
    case LQ_JSON_NUMBER:
        return take_number(reader, node);
    case LQ_JSON_SIGN:
        return take_sign(reader, node, unwanted);
    case LQ_JSON_OTHER:
        break;
    }
    return take_word(reader, node);
}

/* Links a complete value, or takes back its node. */
static void keep(struct reader *reader, struct lq_node *node, bool unwanted)
{
    struct level *const level = reader->depth ? innermost(reader) : NULL;

    if (unwanted) {
        reader->node_count = (size_t)(node - reader->nodes);
    } else if (level) {
        if (level->last) {
            level->last->next = (uint32_t)(node - level->last) & 0x1fffffff;
        }
        level->last = node;
        ++level->node->held;
    }
}

static enum lq_status add_member(struct reader *reader, const char *key,
                                 bool unwanted)
{
    struct lq_node *const node = &reader->nodes[reader->node_count++];
    const struct level *const level = innermost(reader);
    const size_t depth = reader->depth;
    enum lq_status status = LQ_OK;

    *node = (struct lq_node){
        .parent = (uint32_t)(node - level->node),
        .key = key ? distance(node, key) : 0,
    };
    status = take_value(reader, node, unwanted);
    if (status == LQ_OK && reader->depth == depth) {
        keep(reader, node, unwanted);
    }
    return status;
}

static void close_level(struct reader *reader)
{
    const struct level *const level = innermost(reader);

    reader->key_count = level->first_key;
    reader->tables -= level->node->kind == LQ_NODE_TABLE;
    --reader->depth;
    keep(reader, level->node, level->unwanted);
}

/* The next member of the innermost list or table, or its end. */
static enum lq_status take_member(struct reader *reader)
{
    struct level *const level = innermost(reader);
    const bool table = level->node->kind == LQ_NODE_TABLE;
    const char *key = NULL;
    enum lq_status status = LQ_OK;

    next(reader);
    if (reader->token.sign == (table ? '}' : ']')) {
        close_level(reader);
        return LQ_OK;
    }
    if (!level->empty) {
        if (reader->token.sign != ',') {
            return report(reader, table ? "'}' expected" : "']' expected");
        }
        next(reader);
    }
    level->empty = false;
    if (table) {
        status = take_key(reader, level, &key);
    }
    return status == LQ_OK
               ? add_member(reader, key,
                            level->unwanted || (key && !is_wanted(reader, key)))
               : status;
}

static enum lq_status read_value(struct reader *reader)
{
    enum lq_status status = LQ_OK;

    next(reader);
    if (reader->token.end == reader->token.start) {
        const struct lq_place place = {.file = reader->source.file};

        return lq_error(reader->diags, &place, "document must not be empty");
    }
    reader->node_count = 1;
    status = take_value(reader, reader->nodes, false);
    while (status == LQ_OK && reader->depth > 0) {
        status = take_member(reader);
    }
    if (status != LQ_OK) {
        return status;
    }
    next(reader);
    return reader->token.end == reader->token.start
               ? LQ_OK
               : report(reader, "end of document expected");
}

/* The bytes that a walk through a text must look at. */
static const unsigned char is_special[256] = {
    ['\0'] = 1, ['"'] = 1, ['\\'] = 1, [','] = 1,
    [':'] = 1,  ['['] = 1, ['{'] = 1,
};

/* Counts what begins a value or ends a key. */
static void count(char byte, bool in_string, struct sizes *sizes)
{
    if (!in_string) {
        sizes->values += byte == ',' || byte == '[' || byte == '{';
        sizes->keys += byte == ':';
    }
}

/* Bytes of a character beyond ASCII; 0 when it is invalid. */
static size_t step_of(const char *text, size_t length)
{
    uint32_t code = 0;

    return lq_utf8_decode(text, length, &code);
}

static enum lq_status report_byte(const struct reader *reader, size_t at)
{
    const struct lq_place place = place_of(&reader->source, at);

    return lq_error(reader->diags, &place, "%s",
                    reader->source.text[at] ? "document must be UTF-8"
                                            : "document must not contain a NUL "
                                              "byte");
}

/* Checks that the text is UTF-8 without NUL bytes, and counts. */
static enum lq_status check(const struct reader *reader, struct sizes *out)
{
    const char *const text = reader->source.text;
    const size_t length = reader->source.length;
    bool in_string = false;

    *out = (struct sizes){.values = 1};
    for (size_t at = 0; at < length;) {
        const unsigned char byte = (unsigned char)text[at];
        const size_t step = byte < 0x80 ? 1 : step_of(text + at, length - at);

        if (step == 0 || byte == 0) {
            return report_byte(reader, at);
        }
        at += step;
        if (!is_special[byte]) {
            continue;
        }
        if (byte == '"') {
            in_string = !in_string;
        } else if (byte == '\\') {
            /* an escaped byte ends no string; beyond ASCII, the next step
               takes the whole character */
            at += in_string && at < length && (unsigned char)text[at] < 0x80 &&
                  text[at];
        } else {
            count((char)byte, in_string, out);
        }
    }
    return LQ_OK;
}

/* One block for the copy of the text and the nodes after it. */
static enum lq_status make_room(struct reader *reader,
                                const struct sizes *sizes)
{
    struct lq_arena *const arena = reader->diags->arena;
    const size_t unit = sizeof(struct lq_node);
    const size_t length = reader->source.length;
    const size_t units = (length + unit) / unit; /* with a NUL at least */

    reader->nodes = lq_alloc_array(arena, units + sizes->values, unit);
    reader->keys = lq_alloc_array(arena, sizes->keys, sizeof(*reader->keys));
    reader->key_room = sizes->keys;
    if (!reader->nodes || !reader->keys) {
        return LQ_NOMEM;
    }
    reader->text = (char *)reader->nodes;
    reader->nodes += units;
    if (length > 0) {
        memcpy(reader->text, reader->source.text, length);
    }
    reader->lexer =
        (struct lq_json_lexer){.text = reader->text, .length = length};
    return LQ_OK;
}

static enum lq_status read_document(struct reader *reader,
                                    const struct lq_node **out)
{
    struct sizes sizes;
    enum lq_status status = check(reader, &sizes);

    if (status == LQ_OK) {
        status = make_room(reader, &sizes);
    }
    if (status == LQ_OK) {
        status = read_value(reader);
    }
    *out = reader->nodes;
    return status;
}

enum lq_status lq_json_read(const struct lq_json_source *source,
                            const struct lq_json_wanted *wanted,
                            struct lq_diags *diags, const struct lq_node **out)
{
    const struct lq_place place = {.file = source->file};
    struct reader reader;

    if (source->length > LQ_JSON_MAX_BYTES) {
        return lq_error(diags, &place, "document must be at most %zu MiB",
                        LQ_JSON_MAX_BYTES / 1024 / 1024);
    }
    reader.source = *source;
    reader.wanted = wanted;
    reader.diags = diags;
    reader.number_end = 0;
    reader.node_count = 0;
    reader.key_count = 0;
    reader.known = NULL;
    reader.known_room = 0;
    reader.depth = 0;
    reader.tables = 0;
    skip_byte_order_mark(&reader.source);
    return read_document(&reader, out);
}
