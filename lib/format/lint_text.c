#include "format/lint.h"
#include "format/writer.h"

#include <stdbool.h>

struct printer {
    struct lq_writer writer;
    struct lq_arena *arena;
    const struct lq_lint_report *report;
    const struct lq_lint_finding *last; /* that was printed, or NULL */
    bool advised[LQ_LINT_CODE_COUNT];
};

/* What to do is the same for all findings of a code: once is enough. */
static void print_advice(struct printer *printer,
                         const struct lq_lint_finding *finding)
{
    bool *const advised = &printer->advised[finding->code];

    if (!*advised) {
        lq_write_texts(&printer->writer, "    ", finding->advice, "\n", NULL);
    }
    *advised = true;
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
                   message, "\n", NULL);
    print_advice(printer, finding);
    printer->last = finding;
}

enum lq_status lq_lint_text_render(const struct lq_lint_report *report,
                                   struct lq_arena *arena,
                                   const struct lq_sink *sink)
{
    struct printer printer = {.arena = arena, .report = report};

    lq_writer_init(&printer.writer, sink);
    for (size_t i = 0; i < report->findings.count; ++i) {
        const struct lq_lint_finding *const finding = lq_lint_at(report, i);

        if (!finding->reason) {
            print_finding(&printer, finding);
        }
    }
    return lq_writer_end(&printer.writer);
}
