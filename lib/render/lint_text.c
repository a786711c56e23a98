#include "base/writer.h"
#include "model/entry.h"
#include "render/lint.h"
#include "render/suite.h"
#include "render/text.h"

#include <stdbool.h>

const char *lq_lint_message(const struct lq_lint_report *report,
                            const struct lq_lint_finding *finding,
                            struct lq_arena *arena)
{
    const bool owned = finding->logical != NULL;
    const char *const label =
        owned ? lq_entry_label(arena, finding->logical->entry) : "";
    const char *const versions =
        report->version.known
            ? ""
            : lq_lint_rule_versions(lq_lint_rule(finding->code), arena);

    return lq_format(arena, "%s%s%s%s%s%s", label, owned ? " " : "",
                     finding->text, *versions ? " (" : "", versions,
                     *versions ? ")" : "");
}

struct printer {
    struct lq_writer writer;
    struct lq_arena *arena;
    const struct lq_lint_report *report;
    const struct lq_lint_finding *last; /* that was printed, or NULL */
    enum lilyq_severity fails_from;
    size_t counts[LQ_LINT_CODE_COUNT]; /* of what is not ignored */
    bool told[LQ_LINT_CODE_COUNT];
};

/* Whether the first finding of a code stands for all of them. */
static bool is_told_once(const struct printer *printer, enum lq_lint_code code)
{
    const struct lq_lint_rule *const rule = lq_lint_rule(code);

    return rule->common && rule->severity < printer->fails_from;
}

/* What to do is the same for all findings of a code: once is enough. */
static void print_advice(struct printer *printer,
                         const struct lq_lint_finding *finding)
{
    const size_t others = printer->counts[finding->code] - 1;

    lq_write_texts(&printer->writer, "    ", finding->advice, "\n", NULL);
    if (others > 0 && is_told_once(printer, finding->code)) {
        lq_write_text(&printer->writer, "    the same is so for ");
        lq_write_number(&printer->writer, others);
        lq_write_text(&printer->writer,
                      others == 1 ? " more entry\n" : " more entries\n");
    }
}

static void print_finding(struct printer *printer,
                          const struct lq_lint_finding *finding)
{
    const struct lq_lint_rule *const rule = lq_lint_rule(finding->code);
    const char *const place = lq_place_text(printer->arena, &finding->place);
    const char *const message =
        lq_lint_message(printer->report, finding, printer->arena);

    if (printer->last && printer->last->logical != finding->logical) {
        lq_write_text(&printer->writer, "\n");
    }
    lq_write_texts(&printer->writer, place, *place ? ": " : "",
                   lq_lint_severity_word(rule->severity), ": ", rule->code, " ",
                   NULL);
    lq_write_shown(&printer->writer, message);
    lq_write_text(&printer->writer, "\n");
    if (!printer->told[finding->code]) {
        print_advice(printer, finding);
    }
    printer->told[finding->code] = true;
    printer->last = finding;
}

static void count(struct printer *printer)
{
    for (size_t i = 0; i < printer->report->findings.count; ++i) {
        const struct lq_lint_finding *const finding =
            lq_lint_at(printer->report, i);

        printer->counts[finding->code] += !finding->reason;
    }
}

enum lq_status lq_lint_text_render(const struct lq_lint_report *report,
                                   enum lilyq_severity fails_from,
                                   struct lq_arena *arena,
                                   const struct lilyq_sink *sink)
{
    struct printer printer = {
        .arena = arena, .report = report, .fails_from = fails_from};

    count(&printer);
    lq_writer_init(&printer.writer, sink);
    for (size_t i = 0; i < report->findings.count; ++i) {
        const struct lq_lint_finding *const finding = lq_lint_at(report, i);

        if (!finding->reason && !(printer.told[finding->code] &&
                                  is_told_once(&printer, finding->code))) {
            print_finding(&printer, finding);
        }
    }
    return lq_writer_end(&printer.writer);
}

/* The report as cases: one for each entry, and one for what is of none. */
struct builder {
    const struct lq_lint_report *report;
    enum lilyq_severity fails_from;
    struct lq_arena *arena;
    struct lq_row *rows;
    size_t row_count;
    struct lq_case *cases;
    size_t case_count;
};

static enum lq_row_level level_of(enum lilyq_severity severity)
{
    static const enum lq_row_level levels[LQ_LINT_SEVERITY_COUNT] = {
        [LILYQ_SEVERITY_NOTE] = LQ_ROW_NOTICE,
        [LILYQ_SEVERITY_WARNING] = LQ_ROW_WARNING,
        [LILYQ_SEVERITY_ERROR] = LQ_ROW_ERROR,
    };

    return levels[severity];
}

static enum lq_status add_row(struct builder *builder,
                              const struct lq_lint_finding *finding)
{
    const struct lq_lint_rule *const rule = lq_lint_rule(finding->code);
    struct lq_row *const row = &builder->rows[builder->row_count++];
    const char *const message =
        lq_lint_message(builder->report, finding, builder->arena);

    *row = (struct lq_row){
        .level = level_of(rule->severity),
        .verdict = rule->severity >= builder->fails_from ? LQ_ROW_FAILS
                                                         : LQ_ROW_PASSES,
        .code = rule->code,
        .title = rule->slug,
        .text = lq_format(builder->arena, "%s. To mend it: %s.", message,
                          finding->advice),
        .file = finding->place.file,
        .line = finding->place.line,
    };
    return row->text ? LQ_OK : LQ_NOMEM;
}

/*
 * Adds the case of an entry, NULL for what is of none: its findings, which
 * start at `at`. Returns where the next one's start.
 */
static enum lq_status add_case(struct builder *builder,
                               const struct lq_logical *logical, size_t *at)
{
    struct lq_case *const item = &builder->cases[builder->case_count++];
    enum lq_status status = LQ_OK;

    *item = (struct lq_case){.name = "the input",
                             .rows = builder->rows + builder->row_count};
    if (logical) {
        item->name = logical->entry->name;
        item->file = logical->entry->place.file;
        item->line = logical->entry->place.line;
    }
    while (status == LQ_OK && *at < builder->report->findings.count &&
           lq_lint_at(builder->report, *at)->logical == logical) {
        if (!lq_lint_at(builder->report, *at)->reason) {
            status = add_row(builder, lq_lint_at(builder->report, *at));
            ++item->count;
        }
        ++*at;
    }
    return status;
}

static enum lq_status build(struct builder *builder,
                            const struct lq_topology *topology)
{
    enum lq_status status = LQ_OK;
    size_t at = 0;

    builder->rows =
        lq_alloc_array(builder->arena, builder->report->findings.count,
                       sizeof(*builder->rows));
    builder->cases = lq_alloc_array(builder->arena, topology->logical_count + 1,
                                    sizeof(*builder->cases));
    if (!builder->rows || !builder->cases) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < topology->logical_count && status == LQ_OK; ++i) {
        status = add_case(builder, &topology->logicals[i], &at);
    }
    return status == LQ_OK ? add_case(builder, NULL, &at) : status;
}

enum lq_status lq_lint_suite(const struct lq_topology *topology,
                             const struct lq_lint_report *report,
                             enum lilyq_severity fails_from,
                             struct lq_arena *arena, struct lq_suite *out)
{
    struct builder builder = {
        .report = report, .fails_from = fails_from, .arena = arena};
    const enum lq_status status = build(&builder, topology);

    *out = (struct lq_suite){.name = "lilyq lint",
                             .class_name = "lilyq.lint",
                             .cases = builder.cases,
                             .count = builder.case_count};
    return status;
}
