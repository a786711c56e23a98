#include "config/load.h"

#include "base/text.h"
#include "config/ini_document.h"
#include "config/ini_lines.h"

#include <ini.h>
#include <stdbool.h>
#include <string.h>

/*
 * inih splits key lines and does nothing else: it cuts section names at 49
 * bytes and lines at 199, and does not notice a section that is empty or
 * repeated. Headers, comments and unreadable lines are handled before inih is
 * given a line.
 */
struct source {
    struct lq_ini ini;
    struct lq_lines lines;
    struct lq_line line;
    bool pending; /* inih has the line, and has not answered yet */
    enum lq_status status;
};

static void note(struct source *source, enum lq_status status)
{
    source->status = lq_worse(source->status, status);
}

/*
 * Notes the result of a line. A problem that is not kept costs no memory,
 * unless the line began an entry.
 */
static void note_line(struct source *source, const struct lq_trial *trial,
                      size_t entries, enum lq_status status)
{
    note(source, status);
    if (source->ini.config->entries.count == entries) {
        lq_trial_end(trial, source->ini.diags);
    }
}

/* inih reports a line without '=' only after it has read everything. */
static enum lq_status settle(struct source *source)
{
    struct lq_ini *const ini = &source->ini;
    const char *shown = NULL;

    if (!source->pending) {
        return LQ_OK;
    }
    source->pending = false;
    shown =
        lq_printable(ini->diags->arena, source->line.text, source->line.length);
    return lq_ini_unreadable(
        ini, lq_format(ini->diags->arena,
                       "line must be 'KEY = VALUE', not '%s'", shown));
}

/* Takes a line that is not for inih; false when it is. */
static bool take_line(struct source *source)
{
    struct lq_ini *const ini = &source->ini;
    const struct lq_line *const line = &source->line;
    const size_t entries = ini->config->entries.count;
    const struct lq_trial trial = lq_trial_begin(ini->diags);

    if (line->fault != LQ_LINE_OK) {
        note_line(source, &trial, entries,
                  lq_ini_unreadable(
                      ini, lq_line_fault_text(ini->diags->arena, line)));
        return true;
    }
    if (line->length == 0 || line->text[0] == ';' || line->text[0] == '#') {
        return true;
    }
    if (line->text[0] == '[') {
        note_line(source, &trial, entries, lq_ini_header(ini));
        return true;
    }
    return false;
}

/* Hands inih the next key line, as its reader. */
static char *read_line(char *buffer, int capacity, void *stream)
{
    struct source *const source = stream;
    struct lq_line *const line = &source->line;
    const size_t entries = source->ini.config->entries.count;
    const struct lq_trial trial = lq_trial_begin(source->ini.diags);

    note_line(source, &trial, entries, settle(source));
    while (source->status != LQ_NOMEM && lq_lines_next(&source->lines, line)) {
        if (line->length >= (size_t)capacity) {
            line->fault = LQ_LINE_LONG;
        }
        note(source, lq_ini_remark(&source->ini));
        if (!take_line(source)) {
            memcpy(buffer, line->text, line->length);
            buffer[line->length] = '\0';
            source->pending = true;
            return buffer;
        }
    }
    return NULL;
}

static int take_key(void *user, const char *section, const char *name,
                    const char *value)
{
    struct source *const source = user;
    const struct lq_trial trial = lq_trial_begin(source->ini.diags);

    (void)section;
    source->pending = false;
    note_line(source, &trial, source->ini.config->entries.count,
              lq_ini_key(&source->ini, name, value));
    return source->status != LQ_NOMEM;
}

/* The only place that touches inih's options. */
static void set_options(void)
{
    ini_allow_multiline = false; /* a continued key is cut at 49 bytes */
    ini_allow_bom = false;
    ini_allow_inline_comments = true;
    ini_allow_no_value = false;
    ini_stop_on_first_error = false; /* find every problem */
    ini_use_stack = true;
    ini_max_line = LQ_LINE_MAX_BYTES + 1; /* and a NUL */
}

static bool looks_like_json(const char *text, size_t length)
{
    const char *const end = text + length;

    while (text < end &&
           (lq_is_blank(*text) || *text == '\n' || *text == '\r')) {
        ++text;
    }
    return text < end && *text == '{';
}

enum lq_status lq_ini_load(struct lq_config *config, const char *file,
                           const char *text, size_t length,
                           struct lq_diags *diags)
{
    const struct lq_place place = {.file = file};
    struct source source = {.status = LQ_OK};

    if (lq_ini_init(&source.ini, config, file, diags) != LQ_OK) {
        return LQ_NOMEM;
    }
    source.ini.line = &source.line;
    lq_lines_init(&source.lines, text, length);
    if (looks_like_json(source.lines.at, length)) {
        return lq_error(diags, &place,
                        "looks like JSON, but is read as INI; use '-i json' "
                        "or a name that ends in .json");
    }
    set_options();
    /* its answer is the first bad line, which settle() has reported */
    if (ini_parse_stream(read_line, &source, take_key, &source) == -2) {
        return LQ_NOMEM;
    }
    return source.status == LQ_NOMEM
               ? LQ_NOMEM
               : lq_worse(source.status, lq_ini_end(&source.ini));
}
