#include "config/ini_document.h"

#include "base/text.h"
#include "config/fill.h"
#include "model/entry.h"

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

/* "[queue:orders] ", to begin a message. */
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
        return lq_format(ini->diags->arena, "%s ", text);
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

    return lq_error(ini->diags, &place, "%s%s", start, text);
}

static enum lq_status report_again(struct lq_ini *ini,
                                   const struct lq_place *first)
{
    struct lq_arena *const arena = ini->diags->arena;
    const char *const where = lq_place_text(arena, first);

    return lq_ini_error(ini,
                        lq_format(arena, "is already defined at %s", where));
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
    const struct lq_value value = {LQ_VALUE_PLAIN, text, strlen(text)};
    struct lq_entry *entry = NULL;
    enum lq_status status = LQ_OK;

    ini->section = LQ_INI_SKIPPED;
    if (ini->config->entries.count == LQ_ENTRIES_MAX) {
        return lq_ini_error(ini, lq_format(arena,
                                           "queues must be at most %zu in all",
                                           LQ_ENTRIES_MAX));
    }
    entry = lq_array_push(&ini->config->entries, arena);
    if (!entry) {
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

/* Reports an unknown section, and treats it as the one that is likely meant. */
static enum lq_status begin_unknown(struct lq_ini *ini,
                                    const struct lq_header *header)
{
    struct lq_arena *const arena = ini->diags->arena;
    const char *const title =
        lq_printable(arena, header->title.text, header->title.length);
    const char *const meant = lq_header_suggest(header, arena);
    enum lq_status status = LQ_OK;

    ini->section = LQ_INI_SKIPPED;
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

    ini->section = LQ_INI_OUTSIDE; /* the error belongs to no section */
    if (!header->closed) {
        text = lq_printable(arena, ini->line->text, ini->line->length);
        return lq_ini_error(
            ini, lq_format(arena, "section header '%s' must end in ']'", text));
    }
    if (header->junk.length == 0) {
        return LQ_OK;
    }
    text = lq_printable(arena, header->junk.text, header->junk.length);
    return lq_ini_error(
        ini, lq_format(arena,
                       "section header must end in ']' or a comment, "
                       "not '%s'",
                       text));
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

static const char inbox[] = "transactional_inbox";

/* Whether it belongs to the framework's inbox policy, which lilyq ignores. */
static bool is_inbox(const char *name)
{
    const size_t length = sizeof(inbox) - 1;

    return strncmp(name, inbox, length) == 0 && name[length] == '.' &&
           name[length + 1];
}

/* "'NAME'TEXT", the name shown safely. */
static const char *quote(struct lq_ini *ini, const char *name, const char *text)
{
    struct lq_arena *const arena = ini->diags->arena;
    const char *const shown = lq_printable(arena, name, strlen(name));

    return lq_format(arena, "'%s'%s", shown, text);
}

static const char *meant_text(struct lq_ini *ini, const char *name,
                              const char *meant)
{
    struct lq_arena *const arena = ini->diags->arena;
    const char *const quoted = quote(ini, name, "");

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
            ini, quote(ini, name, " must be in the header: [queue:NAME]"));
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

    return lq_ini_error(ini, quote(ini, name, text));
}

/* Remembers where the key first appeared; 0: here. */
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
    if (!line) {
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
                                       " must be below a section header: "
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
    key = entry ? find_key(ini, name) : NULL;
    if (key) {
        lq_fill_spoil(entry, key->field);
    }
    return lq_ini_error(ini, text);
}

static const char ignore_word[] = "lilyq:ignore";

static bool is_mark(char c)
{
    return c == ';' || c == '#';
}

static bool is_comment(const struct lq_line *line)
{
    return line->length > 0 && is_mark(line->text[0]);
}

/* Where a comment may begin: after a header's bracket, else anywhere. */
static size_t start_of(const struct lq_line *line)
{
    struct lq_header header;

    if (line->text[0] != '[') {
        return 0;
    }
    lq_header_read(line, &header);
    return header.closed ? header.title.length + 2 : line->length;
}

/* inih knows ';' only, after a blank; other lines may have '#' as well. */
static bool begins(const struct lq_line *line, size_t at)
{
    const bool key = line->text[0] != '[' && !is_comment(line);

    return key ? line->text[at] == ';' : is_mark(line->text[at]);
}

/* The comment of a line, without its marks and blanks; empty: none. */
static struct lq_slice find_comment(const struct lq_line *line)
{
    size_t at = start_of(line);
    bool blank = at == 0;

    while (at < line->length && !(blank && begins(line, at))) {
        blank = lq_is_blank(line->text[at++]);
    }
    while (at < line->length &&
           (is_mark(line->text[at]) || lq_is_blank(line->text[at]))) {
        ++at;
    }
    return (struct lq_slice){line->text + at, line->length - at};
}

/* Strips the words that make it a remark; false when it is not one. */
static bool take_words(struct lq_slice *comment)
{
    const size_t length = sizeof(ignore_word) - 1;

    if (comment->length < length ||
        memcmp(comment->text, ignore_word, length) != 0 ||
        (comment->length > length && !lq_is_blank(comment->text[length]))) {
        return false;
    }
    comment->text += length;
    comment->length -= length;
    return true;
}

static bool is_defaults(const struct lq_line *line)
{
    struct lq_header header;

    if (line->text[0] != '[') {
        return false;
    }
    lq_header_read(line, &header);
    return header.kind == LQ_HEADER_DEFAULTS;
}

/*
 * Ties the remarks above, and the line's own, to the line that they are about.
 */
static void settle(struct lq_ini *ini)
{
    struct lq_array *const remarks = &ini->config->remarks;
    struct lq_remark *const items = remarks->items;

    for (; ini->open_remarks < remarks->count; ++ini->open_remarks) {
        items[ini->open_remarks].line = ini->line->number;
        items[ini->open_remarks].for_file = is_defaults(ini->line);
    }
}

/* The text with every blank as a space, printable. */
static const char *shown_text(const struct lq_slice *text,
                              struct lq_arena *arena)
{
    char *const copy = lq_copy(arena, text->text, text->length);

    for (size_t i = 0; copy && i < text->length; ++i) {
        if (lq_is_blank(copy[i])) {
            copy[i] = ' ';
        }
    }
    return copy ? lq_printable(arena, copy, text->length) : "";
}

static enum lq_status add(struct lq_ini *ini, const struct lq_slice *text)
{
    struct lq_arena *const arena = ini->diags->arena;
    struct lq_remark *const remark =
        lq_array_push(&ini->config->remarks, arena);
    const char *const shown = shown_text(text, arena);

    if (!remark) {
        return LQ_NOMEM;
    }
    remark->place.file = ini->file;
    remark->place.line = ini->line->number;
    remark->text = shown;
    return LQ_OK;
}

enum lq_status lq_ini_remark(struct lq_ini *ini)
{
    const struct lq_line *const line = ini->line;
    struct lq_slice comment;

    if (line->length == 0 || line->fault != LQ_LINE_OK) {
        return LQ_OK;
    }
    comment = find_comment(line);
    if (take_words(&comment) && add(ini, &comment) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (!is_comment(line)) {
        settle(ini);
    }
    return LQ_OK;
}
