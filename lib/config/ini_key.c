#include "base/text.h"
#include "config/fill.h"
#include "config/ini_document.h"

#include <string.h>

static const char inbox[] = "transactional_inbox";

/* Whether it belongs to the framework's inbox policy, which is not ours. */
static bool is_inbox(const char *name)
{
    const size_t length = sizeof(inbox) - 1;

    return strncmp(name, inbox, length) == 0 && name[length] == '.' &&
           name[length + 1];
}

/* "'NAME'TEXT", the name shown safely; NULL when out of memory. */
static const char *quote(struct lq_ini *ini, const char *name, const char *text)
{
    struct lq_arena *const arena = ini->diags->arena;
    const char *const shown = lq_printable(arena, name, strlen(name));

    return shown ? lq_format(arena, "'%s'%s", shown, text) : NULL;
}

static const char *meant_text(struct lq_ini *ini, const char *name,
                              const char *meant)
{
    struct lq_arena *const arena = ini->diags->arena;
    const char *const quoted = quote(ini, name, "");

    if (!quoted) {
        return NULL;
    }
    return meant ? lq_format(arena, "unknown key %s; did you mean '%s'?",
                             quoted, meant)
                 : lq_format(arena, "unknown key %s; lilyq.ini(5) lists them",
                             quoted);
}

/* The row that a mistyped name means, also without its "retention.". */
static const struct lq_key *find_meant(const struct lq_ini *ini,
                                       const char *name)
{
    const struct lq_key *key = NULL;

    if (ini->section == LQ_INI_BROKER) {
        return lq_keys_suggest(&ini->broker_keys, name);
    }
    key = lq_keys_suggest(&ini->queue_keys, name);
    if (!key) {
        key = lq_keys_suggest(&ini->retention_keys, name);
    }
    return key == lq_key_of(LQ_NAME) ? NULL : key;
}

static enum lq_status report_unknown(struct lq_ini *ini, const char *name)
{
    const bool in_broker = ini->section == LQ_INI_BROKER;
    const struct lq_key *meant = NULL;

    if (!in_broker && lq_str_equal(name, "name")) {
        return lq_ini_error(
            ini, quote(ini, name, " must stand in the header: [queue:NAME]"));
    }
    if (!in_broker && lq_keys_get(&ini->broker_keys, name)) {
        return lq_ini_error(ini, quote(ini, name, " belongs in [broker]"));
    }
    if (in_broker && lq_keys_get(&ini->queue_keys, name)) {
        return lq_ini_error(
            ini, quote(ini, name, " belongs in [defaults] or [queue:NAME]"));
    }
    if (in_broker && lq_str_equal(name, "password")) {
        return lq_ini_error(ini, quote(ini, name,
                                       " is not a key: put it in a file and "
                                       "name that with 'password_file'"));
    }
    if (!in_broker && lq_str_equal(name, inbox)) {
        return lq_ini_error(ini,
                            meant_text(ini, name, "transactional_inbox.KEY"));
    }
    meant = find_meant(ini, name);
    if (meant && !in_broker) {
        lq_fill_spoil(lq_ini_entry(ini), meant->field);
    }
    return lq_ini_error(ini, meant_text(ini, name, meant ? meant->name : NULL));
}

static enum lq_status report_repeated(struct lq_ini *ini, const char *name,
                                      unsigned first)
{
    const char *const text =
        lq_format(ini->diags->arena, " is already set at line %u", first);

    return lq_ini_error(ini, text ? quote(ini, name, text) : NULL);
}

/* Remembers where the key was first met; 0: here. */
static unsigned first_line(struct lq_ini *ini, unsigned *line)
{
    const unsigned first = *line;

    if (first == 0) {
        *line = ini->line->number;
    }
    return first;
}

static enum lq_status ignore(struct lq_ini *ini, const char *name)
{
    struct lq_arena *const arena = ini->diags->arena;
    const unsigned *const first = lq_map_get(&ini->ignored, name);
    const char *copy = NULL;
    unsigned *line = NULL;
    void *held = NULL;

    if (first) {
        return report_repeated(ini, name, *first);
    }
    copy = lq_strdup(arena, name);
    line = lq_alloc(arena, sizeof(*line));
    if (!copy || !line) {
        return LQ_NOMEM;
    }
    *line = ini->line->number;
    return lq_map_add(&ini->ignored, copy, line, &held);
}

/* Where the section notes the line of a key. */
static unsigned *line_slot(struct lq_ini *ini, const struct lq_key *key)
{
    return ini->section == LQ_INI_BROKER
               ? &ini->broker->lines[key - lq_keys]
               : &lq_ini_entry(ini)->lines[key->field];
}

static enum lq_status set(struct lq_ini *ini, const struct lq_key *key,
                          const char *text)
{
    struct lq_arena *const arena = ini->diags->arena;
    const struct lq_value value = {LQ_VALUE_PLAIN, text, strlen(text)};
    const unsigned first = first_line(ini, line_slot(ini, key));
    enum lq_status status = LQ_OK;

    if (first) {
        return report_repeated(ini, key->name, first);
    }
    status = ini->section == LQ_INI_BROKER
                 ? lq_value_store(key, &value, arena, ini->broker)
                 : lq_fill_set(lq_ini_entry(ini), key, &value, arena);
    return status == LQ_INVALID
               ? lq_ini_error(ini, lq_value_fault(key, &value, arena))
               : status;
}

/* The row that the section has under this name, or NULL. */
static const struct lq_key *find_key(const struct lq_ini *ini, const char *name)
{
    const struct lq_key *const key = lq_keys_get(
        ini->section == LQ_INI_BROKER ? &ini->broker_keys : &ini->queue_keys,
        name);

    /* a queue's name stands in the header */
    return key == lq_key_of(LQ_NAME) ? NULL : key;
}

enum lq_status lq_ini_key(struct lq_ini *ini, const char *name,
                          const char *value)
{
    const struct lq_key *key = NULL;

    if (ini->section == LQ_INI_SKIPPED) {
        return LQ_OK;
    }
    if (!*name) {
        return lq_ini_error(ini, "line must have a key before the '='");
    }
    if (ini->section == LQ_INI_OUTSIDE) {
        return lq_ini_error(ini, quote(ini, name,
                                       " must stand below a section header: "
                                       "[broker], [defaults] or [queue:NAME]"));
    }
    if (ini->section != LQ_INI_BROKER && is_inbox(name)) {
        return ignore(ini, name);
    }
    key = find_key(ini, name);
    return key ? set(ini, key, value) : report_unknown(ini, name);
}

enum lq_status lq_ini_unreadable(struct lq_ini *ini, const char *text)
{
    struct lq_entry *const entry = lq_ini_entry(ini);
    const struct lq_line *const line = ini->line;
    const struct lq_key *key = NULL;
    const char *name = NULL;
    size_t length = 0;

    if (line->length > 0 && line->text[0] == '[') {
        ini->section = LQ_INI_SKIPPED;
        return lq_ini_error(ini, text);
    }
    while (length < line->length && line->text[length] != '=' &&
           line->text[length] != ':') {
        ++length;
    }
    while (length > 0 && lq_is_blank(line->text[length - 1])) {
        --length;
    }
    name = lq_strndup(ini->diags->arena, line->text, length);
    key = name && entry ? find_key(ini, name) : NULL;
    if (key) {
        lq_fill_spoil(entry, key->field);
    }
    return name ? lq_ini_error(ini, text) : LQ_NOMEM;
}
