#include "format/suite.h"

#include "format/escape.h"

#include <stdbool.h>

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
