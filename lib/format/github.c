#include "format/suite.h"

#include "base/text.h"
#include "format/escape.h"

#include <stdbool.h>

/* How the reader of commands wants characters of a message. */
static const char *in_message(uint32_t code)
{
    switch (code) {
    case '%':
        return "%25";
    case '\r':
        return "%0D";
    case '\n':
        return "%0A";
    default:
        return NULL;
    }
}

/* The same of a property. */
static const char *in_property(uint32_t code)
{
    switch (code) {
    case ':':
        return "%3A";
    case ',':
        return "%2C";
    default:
        return in_message(code);
    }
}

static void write_message(struct lq_writer *writer, const char *text)
{
    lq_write_escaped(writer, text, in_message);
}

static const char *file_of(const struct lq_case *item, const struct lq_row *row)
{
    return row->file ? row->file : item->file;
}

static unsigned line_of(const struct lq_case *item, const struct lq_row *row)
{
    return row->line || row->file ? row->line : item->line;
}

static bool are_alike(const struct lq_case *item, const struct lq_row *one,
                      const struct lq_row *other)
{
    const char *const file = file_of(item, one);
    const char *const other_file = file_of(item, other);

    return one->level == other->level && lq_str_equal(one->code, other->code) &&
           line_of(item, one) == line_of(item, other) &&
           (file == other_file ||
            (file && other_file && lq_str_equal(file, other_file)));
}

static void write_head(struct lq_writer *writer, const struct lq_case *item,
                       const struct lq_row *row)
{
    static const char *const levels[] = {[LQ_ROW_ERROR] = "::error ",
                                         [LQ_ROW_WARNING] = "::warning ",
                                         [LQ_ROW_NOTICE] = "::notice "};
    const char *const file = file_of(item, row);
    const unsigned line = line_of(item, row);

    lq_write_text(writer, levels[row->level]);
    if (file) {
        lq_write_text(writer, "file=");
        lq_write_escaped(writer, file, in_property);
        lq_write_text(writer, ",");
    }
    if (file && line) {
        lq_write_text(writer, "line=");
        lq_write_number(writer, line);
        lq_write_text(writer, ",");
    }
    lq_write_text(writer, "title=");
    lq_write_escaped(writer, item->name, in_property);
    lq_write_escaped(writer, ": ", in_property);
    lq_write_escaped(writer, row->title, in_property);
    lq_write_text(writer, "::");
}

/* Writes the annotation of row `at`, and returns the row after its last. */
static size_t write_annotation(struct lq_writer *writer,
                               const struct lq_case *item, size_t at)
{
    const struct lq_row *const first = &item->rows[at];

    write_head(writer, item, first);
    write_message(writer, first->text);
    for (++at; at < item->count && are_alike(item, first, &item->rows[at]);
         ++at) {
        lq_write_text(writer, "%0A");
        write_message(writer, item->rows[at].text);
    }
    lq_write_text(writer, "\n");
    return at;
}

enum lq_status lq_github_render(const struct lq_suite *suite,
                                const struct lilyq_sink *sink)
{
    struct lq_writer writer;

    lq_writer_init(&writer, sink);
    for (size_t i = 0; i < suite->count; ++i) {
        const struct lq_case *const item = &suite->cases[i];
        size_t at = 0;

        while (at < item->count) {
            at = write_annotation(&writer, item, at);
        }
    }
    return lq_writer_end(&writer);
}
