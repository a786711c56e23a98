#include "config/json_entry.h"

#include "base/text.h"
#include "config/fill.h"
#include "topology/field.h"
#include "json/scan.h"

#include <string.h>

/* What a JSON value is, with the marked strings taken back. */
struct lq_value lq_json_value(const json_t *json)
{
    struct lq_value value = {.kind = LQ_VALUE_OTHER, .text = "null"};

    switch (json_typeof(json)) {
    case JSON_STRING:
        value.kind = LQ_VALUE_STRING;
        value.text = json_string_value(json);
        value.length = json_string_length(json);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        value.kind = LQ_VALUE_BOOL;
        value.text = json_is_true(json) ? "true" : "false";
        break;
    case JSON_OBJECT:
        value.text = "an object";
        break;
    case JSON_ARRAY:
        value.text = "an array";
        break;
    case JSON_NULL:
    case JSON_INTEGER:
    case JSON_REAL:
        break;
    }
    if (value.kind != LQ_VALUE_STRING) {
        value.length = strlen(value.text);
    } else if (value.length > 0 && value.text[0] == LQ_JSON_MARK) {
        ++value.text;
        --value.length;
        if (value.text[0] != LQ_JSON_MARK) {
            value.kind = LQ_VALUE_NUMBER;
        }
    }
    return value;
}

/* Adds "[queue:NAME] text" at a member of the entry; `text` NULL: no memory. */
static enum lq_status report(const struct lq_json_reader *reader,
                             const struct lq_entry *entry, const char *member,
                             const char *text)
{
    struct lq_arena *const arena = reader->diags->arena;
    const char *const label = lq_entry_label(arena, entry);
    const char *const shown = lq_printable(arena, member, strlen(member));
    struct lq_place place = entry->place;

    place.path =
        shown ? lq_format(arena, "%s.%s", entry->place.path, shown) : NULL;
    return label && text && place.path
               ? lq_error(reader->diags, &place, "%s %s", label, text)
               : LQ_NOMEM;
}

static enum lq_status report_type(const struct lq_json_reader *reader,
                                  const struct lq_entry *entry,
                                  const char *member, const json_t *json)
{
    struct lq_arena *const arena = reader->diags->arena;
    const struct lq_value value = lq_json_value(json);
    const char *const what = lq_value_found(&value, true, arena);

    return report(
        reader, entry, member,
        what ? lq_format(arena, "'%s' must be an object, not %s", member, what)
             : NULL);
}

/* The row that a mistyped or misplaced field of a queue means, or NULL. */
static const struct lq_key *find_meant(const struct lq_json_reader *reader,
                                       const struct lq_keys *keys,
                                       const char *name)
{
    const struct lq_key *const key = lq_keys_suggest(keys, name);

    return key ? key : lq_keys_suggest(&reader->retention, name);
}

/* A member of `retention` that stands beside it, or NULL. */
static bool is_misplaced(const struct lq_json_reader *reader,
                         const struct lq_keys *keys, const char *name)
{
    return keys != &reader->retention &&
           (lq_keys_get(&reader->retention, name) ||
            lq_keys_get(&reader->fields, name));
}

static const char *unknown_text(const struct lq_json_reader *reader,
                                const struct lq_keys *keys, const char *name,
                                const char *meant)
{
    struct lq_arena *const arena = reader->diags->arena;
    const char *const shown = lq_printable(arena, name, strlen(name));

    if (!shown) {
        return NULL;
    }
    if (is_misplaced(reader, keys, name)) {
        return lq_format(arena, "'%s' must stand in the object 'retention'",
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

static enum lq_status report_unknown(const struct lq_json_reader *reader,
                                     struct lq_entry *entry,
                                     const struct lq_keys *keys,
                                     const char *name)
{
    const struct lq_key *const key = find_meant(reader, keys, name);
    const char *const member =
        lq_format(reader->diags->arena, "%s%s", keys->prefix, name);
    const char *meant = NULL;

    if (!member) {
        return LQ_NOMEM;
    }
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

static enum lq_status set(const struct lq_json_reader *reader,
                          struct lq_entry *entry, const struct lq_key *key,
                          const json_t *json)
{
    struct lq_arena *const arena = reader->diags->arena;
    const struct lq_value value = lq_json_value(json);
    const enum lq_status status = lq_fill_set(entry, key, &value, arena);

    return status == LQ_INVALID ? report(reader, entry, key->name,
                                         lq_value_fault(key, &value, arena))
                                : status;
}

static enum lq_status read_retention(const struct lq_json_reader *reader,
                                     struct lq_entry *entry, json_t *json)
{
    const char *name = NULL;
    json_t *value = NULL;
    enum lq_status status = LQ_OK;

    if (!json_is_object(json)) {
        spoil_retention(entry);
        return report_type(reader, entry, "retention", json);
    }
    json_object_foreach(json, name, value)
    {
        const struct lq_key *const key = lq_keys_get(&reader->retention, name);

        status =
            lq_worse(status, key ? set(reader, entry, key, value)
                                 : report_unknown(reader, entry,
                                                  &reader->retention, name));
    }
    return status;
}

static enum lq_status read_field(const struct lq_json_reader *reader,
                                 struct lq_entry *entry, const char *name,
                                 json_t *json)
{
    const struct lq_key *const key =
        strchr(name, '.') ? NULL : lq_keys_get(&reader->fields, name);

    if (lq_str_equal(name, "retention")) {
        return read_retention(reader, entry, json);
    }
    if (lq_str_equal(name, "transactional_inbox")) {
        return json_is_object(json) ? LQ_OK
                                    : report_type(reader, entry, name, json);
    }
    return key ? set(reader, entry, key, json)
               : report_unknown(reader, entry, &reader->fields, name);
}

/* The name comes first: the messages about the others begin with it. */
static enum lq_status read_fields(const struct lq_json_reader *reader,
                                  struct lq_entry *entry, json_t *json)
{
    json_t *const name_value = json_object_get(json, "name");
    const char *name = NULL;
    json_t *value = NULL;
    enum lq_status status =
        name_value ? set(reader, entry, lq_key_of(LQ_NAME), name_value) : LQ_OK;

    json_object_foreach(json, name, value)
    {
        if (value != name_value && status != LQ_NOMEM) {
            status = lq_worse(status, read_field(reader, entry, name, value));
        }
    }
    return status;
}

enum lq_status lq_json_entry(const struct lq_json_reader *reader,
                             const char *path, json_t *json)
{
    struct lq_entry *entry = NULL;
    enum lq_status status = LQ_OK;

    if (!path) {
        return LQ_NOMEM;
    }
    if (!json_is_object(json)) {
        return lq_json_error(reader, path, "an object", json);
    }
    entry = lq_array_push(&reader->config->entries, reader->diags->arena);
    if (!entry) {
        return LQ_NOMEM;
    }
    *entry = reader->blank;
    entry->place.file = reader->file;
    entry->place.path = path;
    status = read_fields(reader, entry, json);
    return status == LQ_NOMEM
               ? status
               : lq_worse(status, lq_fill_require(entry, reader->diags));
}
