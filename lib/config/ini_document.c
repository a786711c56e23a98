#include "config/ini_document.h"

#include "base/text.h"
#include "config/fill.h"
#include "topology/field.h"

#include <string.h>

enum lq_status lq_ini_init(struct lq_ini *ini, struct lq_config *config,
                           const char *file, struct lq_diags *diags)
{
    struct lq_arena *const arena = diags->arena;

    memset(ini, 0, sizeof(*ini));
    ini->config = config;
    ini->diags = diags;
    ini->file = file;
    ini->first_entry = config->entries.count;
    ini->open_remarks = config->remarks.count;
    if (lq_fill_defaults(&ini->blank, arena) != LQ_OK ||
        lq_keys_init(&ini->broker_keys, LQ_SECTION_BROKER, "", arena) !=
            LQ_OK ||
        lq_keys_init(&ini->queue_keys, LQ_SECTION_QUEUE, "", arena) != LQ_OK ||
        lq_keys_init(&ini->retention_keys, LQ_SECTION_QUEUE, "retention.",
                     arena) != LQ_OK) {
        return LQ_NOMEM;
    }
    ini->defaults = ini->blank;
    return LQ_OK;
}

struct lq_entry *lq_ini_entry(struct lq_ini *ini)
{
    struct lq_array *const entries = &ini->config->entries;

    if (ini->section == LQ_INI_QUEUE) {
        return (struct lq_entry *)entries->items + entries->count - 1;
    }
    return ini->section == LQ_INI_DEFAULTS ? &ini->defaults : NULL;
}

/* "[queue:orders] ", to begin a message; NULL when out of memory. */
static const char *label(struct lq_ini *ini)
{
    const char *text = NULL;

    switch (ini->section) {
    case LQ_INI_BROKER:
        return "[broker] ";
    case LQ_INI_DEFAULTS:
        return "[defaults] ";
    case LQ_INI_QUEUE:
        text = lq_entry_label(ini->diags->arena, lq_ini_entry(ini));
        return text ? lq_format(ini->diags->arena, "%s ", text) : NULL;
    case LQ_INI_OUTSIDE:
    case LQ_INI_SKIPPED:
        break;
    }
    return "";
}

enum lq_status lq_ini_error(struct lq_ini *ini, const char *text)
{
    const struct lq_place place = {
        .file = ini->file,
        .line = ini->line->number,
        .column = ini->line->column,
    };
    const char *const start = label(ini);

    return text && start ? lq_error(ini->diags, &place, "%s%s", start, text)
                         : LQ_NOMEM;
}

static enum lq_status report_again(struct lq_ini *ini,
                                   const struct lq_place *first)
{
    struct lq_arena *const arena = ini->diags->arena;
    const char *const where = lq_place_text(arena, first);

    return where ? lq_ini_error(
                       ini, lq_format(arena, "is already defined at %s", where))
                 : LQ_NOMEM;
}

static enum lq_status begin_broker(struct lq_ini *ini)
{
    struct lq_broker_settings *const settings = &ini->config->broker;
    const struct lq_place here = {.file = ini->file, .line = ini->line->number};
    const struct lq_place first = {.file = ini->file, .line = ini->broker_line};

    ini->section = LQ_INI_BROKER;
    if (ini->broker_line) {
        return report_again(ini, &first);
    }
    ini->broker_line = here.line;
    if (settings->place.file) {
        ini->broker = &ini->spare;
        return report_again(ini, &settings->place);
    }
    ini->broker = settings;
    settings->place = here;
    return LQ_OK;
}

static enum lq_status begin_defaults(struct lq_ini *ini)
{
    const struct lq_place first = {.file = ini->file,
                                   .line = ini->defaults_line};

    ini->section = LQ_INI_DEFAULTS;
    if (ini->defaults_line) {
        return report_again(ini, &first);
    }
    ini->defaults_line = ini->line->number;
    ini->defaults.place.file = ini->file;
    ini->defaults.place.line = ini->defaults_line;
    return LQ_OK;
}

static enum lq_status begin_queue(struct lq_ini *ini,
                                  const struct lq_slice *name)
{
    struct lq_arena *const arena = ini->diags->arena;
    const struct lq_key *const key = lq_key_of(LQ_NAME);
    const char *const text = lq_strndup(arena, name->text, name->length);
    const struct lq_value value = {LQ_VALUE_PLAIN, text, name->length};
    struct lq_entry *entry = NULL;
    enum lq_status status = LQ_OK;

    ini->section = LQ_INI_SKIPPED;
    if (ini->config->entries.count == LQ_ENTRIES_MAX) {
        return lq_ini_error(ini, lq_format(arena,
                                           "queues must be at most %zu in all",
                                           LQ_ENTRIES_MAX));
    }
    entry = lq_array_push(&ini->config->entries, arena);
    if (!entry || !text) {
        return LQ_NOMEM;
    }
    *entry = ini->blank;
    entry->place.file = ini->file;
    entry->place.line = ini->line->number;
    entry->lines[LQ_NAME] = ini->line->number;
    ini->section = LQ_INI_QUEUE;
    status = lq_fill_set(entry, key, &value, arena);
    return status == LQ_INVALID
               ? lq_ini_error(ini, lq_value_fault(key, &value, arena))
               : status;
}

/* Reports an unknown section, and takes it for the one that is likely meant. */
static enum lq_status begin_unknown(struct lq_ini *ini,
                                    const struct lq_header *header)
{
    struct lq_arena *const arena = ini->diags->arena;
    const char *const title =
        lq_printable(arena, header->title.text, header->title.length);
    const char *meant = NULL;
    enum lq_status status = LQ_OK;

    ini->section = LQ_INI_SKIPPED;
    if (!title || lq_header_suggest(header, arena, &meant) != LQ_OK) {
        return LQ_NOMEM;
    }
    status = lq_ini_error(
        ini, meant
                 ? lq_format(arena, "unknown section '%s'; did you mean '%s'?",
                             title, meant)
                 : lq_format(arena,
                             "unknown section '%s'; it must be 'broker', "
                             "'defaults' or 'queue:NAME'",
                             title));
    if (meant && lq_str_equal(meant, "defaults") && !ini->defaults_line) {
        status = lq_worse(status, begin_defaults(ini));
    }
    return status;
}

static enum lq_status begin_section(struct lq_ini *ini,
                                    const struct lq_header *header)
{
    switch (header->kind) {
    case LQ_HEADER_BROKER:
        return begin_broker(ini);
    case LQ_HEADER_DEFAULTS:
        return begin_defaults(ini);
    case LQ_HEADER_QUEUE:
        return begin_queue(ini, &header->name);
    case LQ_HEADER_UNKNOWN:
        break;
    }
    return begin_unknown(ini, header);
}

/* Reports a bracket that is missing or that something follows. */
static enum lq_status check_brackets(struct lq_ini *ini,
                                     const struct lq_header *header)
{
    struct lq_arena *const arena = ini->diags->arena;
    const char *text = NULL;

    ini->section = LQ_INI_OUTSIDE; /* the error belongs to none */
    if (!header->closed) {
        text = lq_printable(arena, ini->line->text, ini->line->length);
        return lq_ini_error(
            ini,
            text ? lq_format(arena, "section header '%s' must end in ']'", text)
                 : NULL);
    }
    if (header->junk.length == 0) {
        return LQ_OK;
    }
    text = lq_printable(arena, header->junk.text, header->junk.length);
    return lq_ini_error(
        ini, text ? lq_format(arena,
                              "section header must end in ']' or a comment, "
                              "not '%s'",
                              text)
                  : NULL);
}

enum lq_status lq_ini_header(struct lq_ini *ini)
{
    struct lq_header header;
    enum lq_status status = LQ_OK;

    lq_map_init(&ini->ignored, ini->diags->arena);
    lq_header_read(ini->line, &header);
    status = check_brackets(ini, &header);
    if (!header.closed && header.kind == LQ_HEADER_UNKNOWN) {
        ini->section = LQ_INI_SKIPPED;
        return status;
    }
    return status == LQ_NOMEM ? status
                              : lq_worse(status, begin_section(ini, &header));
}

enum lq_status lq_ini_end(struct lq_ini *ini)
{
    struct lq_entry *const entries = ini->config->entries.items;
    enum lq_status status = LQ_OK;

    for (size_t i = ini->first_entry;
         i < ini->config->entries.count && status != LQ_NOMEM; ++i) {
        lq_fill_inherit(&entries[i], &ini->defaults);
        status = lq_worse(status, lq_fill_require(&entries[i], ini->diags));
    }
    return status;
}
