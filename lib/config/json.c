#include "config/load.h"

#include "base/text.h"
#include "config/fill.h"
#include "config/value.h"
#include "model/entry.h"
#include "model/schema.h"
#include "json/read.h"

#include <string.h>

/* What the readers of one document share. */
struct reader {
    struct lq_config *config;
    struct lq_diags *diags;
    const char *file;
    struct lq_entry blank;    /* has the schema's defaults */
    struct lq_keys fields;    /* of a queue, the nested ones included */
    struct lq_keys retention; /* by their names in the object `retention` */
};

static const char nul[] = "\xc0\x80"; /* U+0000 in the texts of a tree */

/* A text of a tree with NUL bytes in it. LQ_OK or LQ_NOMEM. */
static enum lq_status restore_nul(struct lq_value *value,
                                  struct lq_arena *arena)
{
    char *const copy = lq_copy(arena, value->text, strlen(value->text));
    char *to = copy;

    for (const char *at = value->text; copy && *at; ++at) {
        const bool is_nul = at[0] == nul[0] && at[1] == nul[1];

        *to = *at;
        if (is_nul) {
            *to = '\0';
            ++at;
        }
        ++to;
    }
    value->text = copy;
    value->length = (size_t)(to - copy);
    return copy ? LQ_OK : LQ_NOMEM;
}

static enum lq_status string_value(const struct lq_node *node,
                                   struct lq_arena *arena, struct lq_value *out)
{
    const char *const text = lq_node_text(node);

    *out = (struct lq_value){LQ_VALUE_STRING, text, strlen(text)};
    return strstr(text, nul) ? restore_nul(out, arena) : LQ_OK;
}

/* What a JSON value is. LQ_OK or LQ_NOMEM. */
static enum lq_status value_of(const struct lq_node *node,
                               struct lq_arena *arena, struct lq_value *out)
{
    static const struct lq_value values[] = {
        [LQ_NODE_NULL] = {LQ_VALUE_OTHER, "null", 4},
        [LQ_NODE_FALSE] = {LQ_VALUE_BOOL, "false", 5},
        [LQ_NODE_TRUE] = {LQ_VALUE_BOOL, "true", 4},
        [LQ_NODE_LIST] = {LQ_VALUE_OTHER, "an array", 8},
        [LQ_NODE_TABLE] = {LQ_VALUE_OTHER, "an object", 9},
    };

    if (node->kind == LQ_NODE_STRING) {
        return string_value(node, arena, out);
    }
    *out = values[node->kind];
    if (node->kind == LQ_NODE_NUMBER) {
        const char *const text = lq_node_text(node);

        *out = (struct lq_value){LQ_VALUE_NUMBER, text, strlen(text)};
    }
    return LQ_OK;
}

/* What was found instead of what is wanted. */
static const char *found(const struct reader *reader,
                         const struct lq_node *node)
{
    struct lq_arena *const arena = reader->diags->arena;
    struct lq_value value;

    return value_of(node, arena, &value) == LQ_OK
               ? lq_value_found(&value, true, arena)
               : "";
}

/*
 * Adds the error "must be WANTED, not FOUND" at a path; NULL is the document.
 * Returns LQ_INVALID, or LQ_NOMEM.
 */
static enum lq_status report_at(const struct reader *reader, const char *path,
                                const char *wanted, const struct lq_node *node)
{
    const struct lq_place place = {.file = reader->file, .path = path};
    const char *const what = found(reader, node);

    return lq_error(reader->diags, &place, "must be %s, not %s", wanted, what);
}

/* Adds "[queue:NAME] text" at a member of the entry. */
static enum lq_status report(const struct reader *reader,
                             const struct lq_entry *entry, const char *member,
                             const char *text)
{
    struct lq_arena *const arena = reader->diags->arena;
    const char *const label = lq_entry_label(arena, entry);
    const char *const shown = lq_printable(arena, member, strlen(member));
    struct lq_place place = entry->place;

    place.path = lq_format(arena, "%s.%s", entry->place.path, shown);
    return lq_error(reader->diags, &place, "%s %s", label, text);
}

static enum lq_status report_type(const struct reader *reader,
                                  const struct lq_entry *entry,
                                  const char *member,
                                  const struct lq_node *node)
{
    struct lq_arena *const arena = reader->diags->arena;
    const char *const what = found(reader, node);

    return report(
        reader, entry, member,
        lq_format(arena, "'%s' must be an object, not %s", member, what));
}

/* The row that a mistyped or misplaced field of a queue means, or NULL. */
static const struct lq_key *find_meant(const struct reader *reader,
                                       const struct lq_keys *keys,
                                       const char *name)
{
    const struct lq_key *const key = lq_keys_suggest(keys, name);

    return key ? key : lq_keys_suggest(&reader->retention, name);
}

/* A member of `retention` that stands beside it, or NULL. */
static bool is_misplaced(const struct reader *reader,
                         const struct lq_keys *keys, const char *name)
{
    return keys != &reader->retention &&
           (lq_keys_get(&reader->retention, name) ||
            lq_keys_get(&reader->fields, name));
}

static const char *unknown_text(const struct reader *reader,
                                const struct lq_keys *keys, const char *name,
                                const char *meant)
{
    struct lq_arena *const arena = reader->diags->arena;
    const char *const shown = lq_printable(arena, name, strlen(name));

    if (is_misplaced(reader, keys, name)) {
        return lq_format(arena, "'%s' must be in the object 'retention'",
                         shown);
    }
    return meant
               ? lq_format(arena, "unknown field '%s'; did you mean '%s'?",
                           shown, meant)
               : lq_format(arena, "unknown field '%s'; lilyq.ini(5) lists them",
                           shown);
}

static void spoil_retention(struct lq_entry *entry)
{
    for (unsigned i = LQ_MAIN_MAX_MESSAGES; i <= LQ_DEAD_LETTER_MAX_BYTES;
         ++i) {
        lq_fill_spoil(entry, (enum lq_field)i);
    }
}

/* The object that a mistyped field of a queue means, or NULL. */
static const char *find_meant_object(const char *name)
{
    static const char *const words[] = {"retention", "transactional_inbox"};

    return lq_suggest(name, words, sizeof(words) / sizeof(words[0]));
}

static enum lq_status report_unknown(const struct reader *reader,
                                     struct lq_entry *entry,
                                     const struct lq_keys *keys,
                                     const char *name)
{
    const struct lq_key *const key = find_meant(reader, keys, name);
    const char *const member =
        lq_format(reader->diags->arena, "%s%s", keys->prefix, name);
    const char *meant = NULL;

    if (key) {
        meant = key->name + strlen(keys->prefix);
        lq_fill_spoil(entry, key->field);
    } else if (keys == &reader->fields) {
        meant = find_meant_object(name);
        if (meant && lq_str_equal(meant, "retention")) {
            spoil_retention(entry);
        }
    }
    return report(reader, entry, member,
                  unknown_text(reader, keys, name, meant));
}

static enum lq_status set(const struct reader *reader, struct lq_entry *entry,
                          const struct lq_key *key, const struct lq_node *node)
{
    struct lq_arena *const arena = reader->diags->arena;
    struct lq_value value;
    enum lq_status status = value_of(node, arena, &value);

    if (status == LQ_OK) {
        status = lq_fill_set(entry, key, &value, arena);
    }
    return status == LQ_INVALID ? report(reader, entry, key->name,
                                         lq_value_fault(key, &value, arena))
                                : status;
}

static enum lq_status read_retention(const struct reader *reader,
                                     struct lq_entry *entry,
                                     const struct lq_node *node)
{
    enum lq_status status = LQ_OK;

    if (node->kind != LQ_NODE_TABLE) {
        spoil_retention(entry);
        return report_type(reader, entry, "retention", node);
    }
    for (const struct lq_node *at = lq_node_first(node); at;
         at = lq_node_next(at)) {
        const char *const name = lq_node_key(at);
        const struct lq_key *const key = lq_keys_get(&reader->retention, name);
        const struct lq_trial trial = lq_trial_begin(reader->diags);

        status =
            lq_worse(status, key ? set(reader, entry, key, at)
                                 : report_unknown(reader, entry,
                                                  &reader->retention, name));
        lq_trial_end(&trial, reader->diags);
    }
    return status;
}

static enum lq_status read_field(const struct reader *reader,
                                 struct lq_entry *entry, const char *name,
                                 const struct lq_node *node)
{
    const struct lq_key *const key =
        strchr(name, '.') ? NULL : lq_keys_get(&reader->fields, name);

    if (lq_str_equal(name, "retention")) {
        return read_retention(reader, entry, node);
    }
    if (lq_str_equal(name, "transactional_inbox")) {
        return node->kind == LQ_NODE_TABLE
                   ? LQ_OK
                   : report_type(reader, entry, name, node);
    }
    return key ? set(reader, entry, key, node)
               : report_unknown(reader, entry, &reader->fields, name);
}

/* The name comes first: the messages about the others begin with it. */
static enum lq_status read_fields(const struct reader *reader,
                                  struct lq_entry *entry,
                                  const struct lq_node *node)
{
    const struct lq_node *const name = lq_node_member(node, "name");
    enum lq_status status =
        name ? set(reader, entry, lq_key_of(LQ_NAME), name) : LQ_OK;

    for (const struct lq_node *at = lq_node_first(node);
         at && status != LQ_NOMEM; at = lq_node_next(at)) {
        const struct lq_trial trial = lq_trial_begin(reader->diags);

        if (at != name) {
            status = lq_worse(status,
                              read_field(reader, entry, lq_node_key(at), at));
            lq_trial_end(&trial, reader->diags);
        }
    }
    return status;
}

static enum lq_status read_entry(const struct reader *reader, const char *path,
                                 const struct lq_node *node)
{
    struct lq_entry *entry = NULL;
    enum lq_status status = LQ_OK;

    if (node->kind != LQ_NODE_TABLE) {
        return report_at(reader, path, "an object", node);
    }
    entry = lq_array_push(&reader->config->entries, reader->diags->arena);
    if (!entry) {
        return LQ_NOMEM;
    }
    *entry = reader->blank;
    entry->place.file = reader->file;
    entry->place.path = path;
    status = read_fields(reader, entry, node);
    return status == LQ_NOMEM
               ? status
               : lq_worse(status, lq_fill_require(entry, reader->diags));
}

static enum lq_status report_many(const struct reader *reader, const char *path)
{
    const struct lq_place place = {.file = reader->file, .path = path};

    return lq_error(reader->diags, &place, "queues must be at most %zu in all",
                    LQ_ENTRIES_MAX);
}

static enum lq_status read_queues(const struct reader *reader, const char *path,
                                  const struct lq_node *node)
{
    enum lq_status status = LQ_OK;
    const struct lq_array *const entries = &reader->config->entries;
    size_t i = 0;

    if (node->kind != LQ_NODE_LIST) {
        return report_at(reader, path, "an array of objects", node);
    }
    if (lq_node_count(node) > LQ_ENTRIES_MAX - entries->count) {
        return report_many(reader, path);
    }
    for (const struct lq_node *at = lq_node_first(node);
         at && status != LQ_NOMEM; at = lq_node_next(at)) {
        const struct lq_trial trial = lq_trial_begin(reader->diags);
        const size_t count = entries->count;

        status = lq_worse(status, read_entry(reader,
                                             lq_format(reader->diags->arena,
                                                       "%s[%zu]", path, i++),
                                             at));
        if (entries->count == count) {
            lq_trial_end(&trial, reader->diags);
        }
    }
    return status;
}

/* Nothing but `queues` may stand in rabbitmq.topology. */
static enum lq_status check_topology(const struct reader *reader,
                                     const struct lq_node *topology)
{
    static const char *const words[] = {"queues"};
    struct lq_arena *const arena = reader->diags->arena;
    enum lq_status status = LQ_OK;

    if (topology->kind != LQ_NODE_TABLE) {
        return report_at(reader, "rabbitmq.topology", "an object", topology);
    }
    for (const struct lq_node *at = lq_node_first(topology); at;
         at = lq_node_next(at)) {
        const struct lq_trial trial = lq_trial_begin(reader->diags);
        const char *const name = lq_node_key(at);
        const char *const shown = lq_printable(arena, name, strlen(name));
        const struct lq_place place = {.file = reader->file,
                                       .path = "rabbitmq.topology"};

        if (!lq_str_equal(name, "queues")) {
            status = lq_worse(status,
                              lq_error(reader->diags, &place,
                                       "unknown field '%s'; %s", shown,
                                       lq_suggest(name, words, 1)
                                           ? "did you mean 'queues'?"
                                           : "only 'queues' is allowed here"));
        }
        lq_trial_end(&trial, reader->diags);
    }
    return status;
}

/* Finds the queues in one of their two places. */
static enum lq_status find_queues(const struct reader *reader,
                                  const struct lq_node *document,
                                  const char **path, const struct lq_node **out)
{
    const struct lq_place place = {.file = reader->file};
    const struct lq_node *const outer = lq_node_member(document, "rabbitmq");
    const struct lq_node *const topology =
        outer ? lq_node_member(outer, "topology") : NULL;
    const struct lq_node *const top = lq_node_member(document, "queues");
    const struct lq_node *const nested =
        topology ? lq_node_member(topology, "queues") : NULL;
    const enum lq_status status =
        topology ? check_topology(reader, topology) : LQ_OK;

    *path = top ? "queues" : "rabbitmq.topology.queues";
    *out = top ? top : nested;
    if (top && nested) {
        return lq_error(reader->diags, &place,
                        "'queues' and 'rabbitmq.topology.queues' must not both "
                        "be given");
    }
    if (!*out && status == LQ_OK) {
        return lq_error(reader->diags, &place,
                        "'queues' is required, at the top or in "
                        "'rabbitmq.topology'");
    }
    return status;
}

static enum lq_status read_document(struct lq_config *config, const char *file,
                                    const struct lq_node *document,
                                    struct lq_diags *diags)
{
    struct reader reader = {.config = config, .diags = diags, .file = file};
    struct lq_arena *const arena = diags->arena;
    const char *path = NULL;
    const struct lq_node *queues = NULL;
    enum lq_status status = LQ_OK;

    if (lq_fill_defaults(&reader.blank, arena) != LQ_OK ||
        lq_keys_init(&reader.fields, LQ_SECTION_QUEUE, "", arena) != LQ_OK ||
        lq_keys_init(&reader.retention, LQ_SECTION_QUEUE, "retention.",
                     arena) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (document->kind != LQ_NODE_TABLE) {
        return report_at(&reader, NULL,
                         "an object with 'queues' or "
                         "'rabbitmq.topology.queues'",
                         document);
    }
    status = find_queues(&reader, document, &path, &queues);
    return queues && status != LQ_NOMEM
               ? lq_worse(status, read_queues(&reader, path, queues))
               : status;
}

enum lq_status lq_json_load(struct lq_config *config, const char *file,
                            const char *text, size_t length,
                            struct lq_diags *diags)
{
    static const char *const keys[] = {"queues", "rabbitmq", NULL};
    static const struct lq_json_wanted wanted = {.outer = keys};
    const struct lq_json_source source = {file, text, length};
    const struct lq_node *document = NULL;
    const enum lq_status status =
        lq_json_read(&source, &wanted, diags, &document);

    return status == LQ_OK ? read_document(config, file, document, diags)
                           : status;
}
