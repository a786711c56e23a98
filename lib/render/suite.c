#include "render/suite.h"

#include "base/text.h"
#include "render/text.h"

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

/* How a character is written between tags, or NULL: as it is. */
static const char *in_text(uint32_t code)
{
    switch (code) {
    case '\n':
        return "\n";
    case '\t':
        return "\t";
    default:
        return lq_xml_entity(code);
    }
}

/* The same in an attribute, where blanks would all become spaces. */
static const char *in_attribute(uint32_t code)
{
    switch (code) {
    case '"':
        return "&quot;";
    case '\n':
        return "&#10;";
    case '\t':
        return "&#9;";
    default:
        return in_text(code);
    }
}

static void write_attribute(struct lq_writer *writer, const char *name,
                            const char *value)
{
    lq_write_texts(writer, " ", name, "=\"", NULL);
    lq_write_escaped(writer, value, in_attribute);
    lq_write_text(writer, "\"");
}

static void write_count(struct lq_writer *writer, const char *name,
                        size_t count)
{
    lq_write_texts(writer, " ", name, "=\"", NULL);
    lq_write_number(writer, count);
    lq_write_text(writer, "\"");
}

/* The first row of that verdict, or NULL. */
static const struct lq_row *find(const struct lq_case *item,
                                 enum lq_row_verdict verdict)
{
    for (size_t i = 0; i < item->count; ++i) {
        if (item->rows[i].verdict == verdict) {
            return &item->rows[i];
        }
    }
    return NULL;
}

static void write_rows(struct lq_writer *writer, const struct lq_case *item,
                       enum lq_row_verdict verdict)
{
    const char *between = "";

    for (size_t i = 0; i < item->count; ++i) {
        const struct lq_row *const row = &item->rows[i];

        if (row->verdict == verdict) {
            lq_write_text(writer, between);
            lq_write_escaped(writer, row->code, in_text);
            lq_write_text(writer, ": ");
            lq_write_escaped(writer, row->text, in_text);
            between = "\n";
        }
    }
}

/* An element with all rows of a verdict, of which `first` is the first. */
static void write_outcome(struct lq_writer *writer, const char *element,
                          const struct lq_case *item,
                          const struct lq_row *first)
{
    lq_write_texts(writer, "    <", element, NULL);
    write_attribute(writer, "message", first->title);
    if (first->verdict == LQ_ROW_FAILS) {
        write_attribute(writer, "type", first->code);
    }
    lq_write_text(writer, ">");
    write_rows(writer, item, first->verdict);
    lq_write_texts(writer, "</", element, ">\n", NULL);
}

/* One outcome at most: readers take the first, and some refuse a second. */
static void write_outcomes(struct lq_writer *writer, const struct lq_case *item)
{
    const struct lq_row *const failing = find(item, LQ_ROW_FAILS);
    const struct lq_row *const unknown = find(item, LQ_ROW_UNKNOWN);
    const struct lq_row *const passing = find(item, LQ_ROW_PASSES);

    if (failing) {
        write_outcome(writer, "failure", item, failing);
    } else if (unknown) {
        write_outcome(writer, "skipped", item, unknown);
    }
    if (passing || (failing && unknown)) {
        lq_write_text(writer, "    <system-out>");
        if (failing && unknown) {
            write_rows(writer, item, LQ_ROW_UNKNOWN);
            lq_write_text(writer, passing ? "\n" : "");
        }
        write_rows(writer, item, LQ_ROW_PASSES);
        lq_write_text(writer, "</system-out>\n");
    }
}

static void write_case(struct lq_writer *writer, const struct lq_suite *suite,
                       const struct lq_case *item)
{
    lq_write_text(writer, "  <testcase");
    write_attribute(writer, "classname", suite->class_name);
    write_attribute(writer, "name", item->name);
    if (item->file) {
        write_attribute(writer, "file", item->file);
    }
    if (item->file && item->line) {
        write_count(writer, "line", item->line);
    }
    if (item->count == 0) {
        lq_write_text(writer, "/>\n");
        return;
    }
    lq_write_text(writer, ">\n");
    write_outcomes(writer, item);
    lq_write_text(writer, "  </testcase>\n");
}

enum lq_status lq_junit_render(const struct lq_suite *suite,
                               const struct lilyq_sink *sink)
{
    struct lq_writer writer;
    size_t failed = 0;
    size_t skipped = 0;

    for (size_t i = 0; i < suite->count; ++i) {
        const bool fails = find(&suite->cases[i], LQ_ROW_FAILS) != NULL;

        failed += fails;
        skipped += !fails && find(&suite->cases[i], LQ_ROW_UNKNOWN);
    }
    lq_writer_init(&writer, sink);
    lq_write_text(&writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<testsuite");
    write_attribute(&writer, "name", suite->name);
    write_count(&writer, "tests", suite->count);
    write_count(&writer, "failures", failed);
    write_count(&writer, "errors", 0);
    write_count(&writer, "skipped", skipped);
    lq_write_text(&writer, ">\n");
    for (size_t i = 0; i < suite->count; ++i) {
        write_case(&writer, suite, &suite->cases[i]);
    }
    lq_write_text(&writer, "</testsuite>\n");
    return lq_writer_end(&writer);
}
