#include "base/writer.h"
#include "format/escape.h"
#include "format/lint.h"

#include <stdbool.h>

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

    if (!place || !message) {
        lq_writer_fail(&printer->writer, LQ_NOMEM);
        return;
    }
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
