#include "base/text.h"
#include "config/ini_document.h"

#include <string.h>

static const char ignore[] = "lilyq:ignore";

static bool is_mark(char c)
{
    return c == ';' || c == '#';
}

static bool is_comment(const struct lq_line *line)
{
    return line->length > 0 && is_mark(line->text[0]);
}

/* Where a comment may begin: behind a header's bracket, else anywhere. */
static size_t start_of(const struct lq_line *line)
{
    struct lq_header header;

    if (line->text[0] != '[') {
        return 0;
    }
    lq_header_read(line, &header);
    return header.closed ? header.title.length + 2 : line->length;
}

/* inih knows of ';' only, behind a blank; other lines may have '#' as well. */
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

/* Takes the words off that make it a remark; false when it is none. */
static bool take_words(struct lq_slice *comment)
{
    const size_t length = sizeof(ignore) - 1;

    if (comment->length < length ||
        memcmp(comment->text, ignore, length) != 0 ||
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

/* Tells the comments above, and the line's own, which one they are about. */
static void settle(struct lq_ini *ini)
{
    struct lq_array *const remarks = &ini->config->remarks;
    struct lq_remark *const items = remarks->items;

    for (; ini->open_remarks < remarks->count; ++ini->open_remarks) {
        items[ini->open_remarks].line = ini->line->number;
        items[ini->open_remarks].for_file = is_defaults(ini->line);
    }
}

/* A text with all blanks as spaces, printable; NULL when out of memory. */
static const char *shown_text(const struct lq_slice *text,
                              struct lq_arena *arena)
{
    char *const copy = lq_strndup(arena, text->text, text->length);

    for (size_t i = 0; copy && i < text->length; ++i) {
        if (lq_is_blank(copy[i])) {
            copy[i] = ' ';
        }
    }
    return copy ? lq_printable(arena, copy, text->length) : NULL;
}

static enum lq_status add(struct lq_ini *ini, const struct lq_slice *text)
{
    struct lq_arena *const arena = ini->diags->arena;
    struct lq_remark *const remark =
        lq_array_push(&ini->config->remarks, arena);
    const char *const shown = shown_text(text, arena);

    if (!remark || !shown) {
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
