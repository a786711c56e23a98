#include "format/drift_print.h"

#include "base/text.h"
#include "format/drift_lines.h"
#include "format/drift_words.h"

#include <string.h>

/* So many of those that share a line have their names on it. */
#define MOST_NAMED 2

static void write_detail(struct lq_drift_printer *printer,
                         const struct lq_finding *finding)
{
    const char *const detail = lq_drift_detail(finding, printer->arena);

    if (!detail || *detail) {
        lq_write_text(&printer->writer, ": ");
        lq_drift_write_or_fail(printer, detail);
    }
    lq_write_text(&printer->writer, "\n");
}

static void write_alone(struct lq_drift_printer *printer,
                        const struct lq_finding *finding)
{
    lq_drift_write_sign(printer, lq_drift_sign_of(finding));
    if (finding->resource == LQ_VHOST) { /* the heading names it */
        lq_drift_write_or_fail(printer,
                               lq_drift_detail(finding, printer->arena));
        lq_write_text(&printer->writer, "\n");
        return;
    }
    lq_drift_write_or_fail(printer, lq_drift_subject(finding, printer->arena));
    write_detail(printer, finding);
}

/* "17 queues, 'a', 'b' and 15 more" */
static void write_together(struct lq_drift_printer *printer,
                           const struct lq_drift_line *line)
{
    struct lq_writer *const writer = &printer->writer;
    const struct lq_finding *const first = line->named[0];

    lq_drift_write_sign(printer, lq_drift_sign_of(first));
    lq_write_number(writer, line->count);
    lq_write_texts(writer, " ", lq_resource_words(first->resource),
                   first->binding ? " to" : "", NULL);
    for (size_t i = 0; i < MOST_NAMED; ++i) {
        const char *const name = line->named[i]->name;

        lq_write_text(writer, i ? ", '" : " '");
        lq_drift_write_or_fail(
            printer, lq_printable(printer->arena, name, strlen(name)));
        lq_write_text(writer, "'");
    }
    lq_write_text(writer, " and ");
    lq_write_number(writer, line->count - MOST_NAMED);
    lq_write_text(writer, " more");
    write_detail(printer, first);
}

static void write_line(struct lq_drift_printer *printer,
                       const struct lq_drift_line *line)
{
    if (line->count > LQ_DRIFT_ALONE) {
        write_together(printer, line);
        return;
    }
    for (size_t i = 0; i < line->count; ++i) {
        write_alone(printer, line->named[i]);
    }
}

static void write_lines(struct lq_drift_printer *printer,
                        const struct lq_drift_lines *lines, size_t least)
{
    struct lq_drift_line *const *const list = lines->list.items;

    for (size_t i = 0; i < lines->list.count; ++i) {
        if (list[i]->count >= least) {
            write_line(printer, list[i]);
        }
    }
}

/* What is not shown, of all logical queues. */
static enum lq_status gather_unseen(struct lq_drift_printer *printer,
                                    struct lq_drift_lines *out)
{
    const struct lq_diff *const diff = &printer->drift->diff;
    enum lq_status status = LQ_OK;

    lq_drift_lines_begin(out, printer->arena);
    for (size_t i = 0; i < diff->findings.count && status == LQ_OK; ++i) {
        const struct lq_finding *const finding = lq_diff_at(diff, i);

        if (lq_finding_kind(finding->code) == LILYQ_UNVERIFIED) {
            status = lq_drift_lines_add(out, finding);
        }
    }
    return status;
}

/*
 * Whether a finding is among many of `unseen` that are alike, which are told
 * once and for all behind the logical queues.
 */
static bool is_told_once(const struct lq_drift_lines *unseen,
                         const struct lq_finding *finding)
{
    return lq_finding_kind(finding->code) == LILYQ_UNVERIFIED &&
           lq_drift_lines_like(unseen, finding) > LQ_DRIFT_ALONE;
}

static void write_heading(struct lq_drift_printer *printer, const char *name)
{
    const bool colour = printer->style->colour;

    lq_write_text(&printer->writer, colour ? LQ_BOLD : "");
    lq_drift_write_or_fail(printer, name);
    lq_write_texts(&printer->writer, colour ? LQ_PLAIN : "", "\n", NULL);
}

/* A logical queue's name, or what its findings are about instead. */
static const char *heading(const struct lq_drift_printer *printer,
                           const struct lq_finding *finding)
{
    const struct lq_logical *const logical = finding->logical;
    const char *const name =
        logical ? logical->entry->name : printer->drift->vhost;
    const char *const shown =
        name ? lq_printable(printer->arena, name, strlen(name)) : NULL;

    if (finding->resource == LQ_POLICY) {
        return "policies";
    }
    if (!name) {
        return "no longer planned";
    }
    return logical || !shown
               ? shown
               : lq_format(printer->arena, "virtual host '%s'", shown);
}

/* The findings of one logical queue. */
static void write_group(struct lq_drift_printer *printer,
                        const struct lq_finding *first, size_t count,
                        const struct lq_drift_lines *unseen)
{
    struct lq_drift_lines lines;

    lq_drift_lines_begin(&lines, printer->arena);
    for (size_t i = 0; i < count; ++i) {
        if (!is_told_once(unseen, &first[i]) &&
            lq_drift_lines_add(&lines, &first[i]) != LQ_OK) {
            lq_writer_fail(&printer->writer, LQ_NOMEM);
            return;
        }
    }
    if (lines.list.count > 0) {
        write_heading(printer, heading(printer, first));
        write_lines(printer, &lines, 1);
        lq_write_text(&printer->writer, "\n");
    }
}

/* The same with a line for each. */
static void write_whole_group(struct lq_drift_printer *printer,
                              const struct lq_finding *first, size_t count)
{
    write_heading(printer, heading(printer, first));
    for (size_t i = 0; i < count; ++i) {
        write_alone(printer, &first[i]);
    }
    lq_write_text(&printer->writer, "\n");
}

static void write_unseen(struct lq_drift_printer *printer,
                         const struct lq_drift_lines *unseen)
{
    struct lq_drift_line *const *const list = unseen->list.items;
    size_t most = 0;

    for (size_t i = 0; i < unseen->list.count; ++i) {
        most = list[i]->count > most ? list[i]->count : most;
    }
    if (most > LQ_DRIFT_ALONE) {
        write_heading(printer, "out of sight");
        write_lines(printer, unseen, LQ_DRIFT_ALONE + 1);
        lq_write_text(&printer->writer, "\n");
    }
}

static void write_groups(struct lq_drift_printer *printer)
{
    const struct lq_finding *const findings =
        printer->drift->diff.findings.items;
    const size_t count = printer->drift->diff.findings.count;
    struct lq_drift_lines unseen;
    size_t end = 0;

    if (gather_unseen(printer, &unseen) != LQ_OK) {
        lq_writer_fail(&printer->writer, LQ_NOMEM);
        return;
    }
    for (size_t start = 0; start < count; start = end) {
        const struct lq_finding *const first = &findings[start];

        while (end < count && findings[end].logical == first->logical &&
               (findings[end].resource == LQ_POLICY) ==
                   (first->resource == LQ_POLICY)) {
            ++end;
        }
        if (printer->style->whole) {
            write_whole_group(printer, first, end - start);
        } else {
            write_group(printer, first, end - start, &unseen);
        }
    }
    if (!printer->style->whole) {
        write_unseen(printer, &unseen);
    }
}

enum lq_status lq_drift_text_render(const struct lq_drift *drift,
                                    const struct lilyq_diff_style *style,
                                    struct lq_arena *arena,
                                    const struct lilyq_sink *sink)
{
    struct lq_drift_printer printer = {
        .arena = arena, .drift = drift, .style = style};

    lq_writer_init(&printer.writer, sink);
    if (drift->diff.findings.count > 0) {
        write_groups(&printer);
        lq_write_texts(&printer.writer, style->colour ? LQ_BOLD : "",
                       "What to do", style->colour ? LQ_PLAIN : "", "\n", NULL);
        lq_drift_write_advice(&printer);
    }
    return lq_writer_end(&printer.writer);
}
