#include "lilyq.h"

#include "base/text.h"
#include "format/lint.h"
#include "session.h"

#include <assert.h>
#include <string.h>

static_assert((int)LILYQ_SEVERITY_NOTE == (int)LQ_LINT_NOTE, "severity");
static_assert((int)LILYQ_SEVERITY_WARNING == (int)LQ_LINT_WARNING, "severity");
static_assert((int)LILYQ_SEVERITY_ERROR == (int)LQ_LINT_ERROR, "severity");

static enum lq_status read_version(struct lilyq *run, const char *text,
                                   struct lq_version *out)
{
    const char *shown = NULL;

    if (!text || lq_version_read(text, out)) {
        return LQ_OK;
    }
    shown = lq_printable(&run->arena, text, strlen(text));
    return shown ? lq_error(&run->diags, NULL,
                            "the broker's version must be as 3.10 or 4.0.5, "
                            "not '%s'",
                            shown)
                 : LQ_NOMEM;
}

static enum lq_status lint(struct lilyq *run,
                           const struct lilyq_lint_options *options,
                           struct lq_lint_report *out)
{
    struct lq_lint_settings settings = {
        .max_window_millis = options->max_window_millis,
        .max_disk_bytes = options->max_disk_bytes,
        .remarks = run->config.remarks.items,
        .remark_count = run->config.remarks.count,
    };
    const enum lq_status status =
        read_version(run, options->broker_version, &settings.version);

    return status == LQ_OK ? lq_lint(run->topology, &settings, &run->arena, out)
                           : status;
}

static struct lilyq_findings count_all(const struct lq_lint_report *report)
{
    return (struct lilyq_findings){
        .errors = report->counts[LQ_LINT_ERROR],
        .warnings = report->counts[LQ_LINT_WARNING],
        .notes = report->counts[LQ_LINT_NOTE],
        .ignored = report->ignored,
    };
}

enum lilyq_status lilyq_lint(struct lilyq *run,
                             const struct lilyq_lint_options *options,
                             struct lilyq_findings *out)
{
    static const struct lilyq_lint_options no_options;
    const size_t first = run->diags.items.count;
    enum lq_status status = LQ_OK;

    *out = (struct lilyq_findings){0};
    run->linted = false;
    status = run->topology
                 ? lint(run, options ? options : &no_options, &run->lint)
                 : lq_error(&run->diags, NULL, "there is no plan to judge");
    if (status == LQ_OK) {
        run->linted = true;
        *out = count_all(&run->lint);
    }
    return lq_session_end(run, first, status);
}

static enum lq_status render_suite(struct lilyq *run,
                                   enum lilyq_lint_format format,
                                   enum lilyq_severity fails_from,
                                   const struct lq_sink *sink)
{
    struct lq_suite suite;
    const enum lq_status status =
        lq_lint_suite(run->topology, &run->lint,
                      (enum lq_lint_severity)fails_from, &run->arena, &suite);

    if (status != LQ_OK) {
        return status;
    }
    return (format == LILYQ_LINT_JUNIT ? lq_junit_render
                                       : lq_github_render)(&suite, sink);
}

static enum lq_status render(struct lilyq *run, enum lilyq_lint_format format,
                             enum lilyq_severity fails_from,
                             const struct lq_sink *sink)
{
    switch (format) {
    case LILYQ_LINT_TEXT:
        return lq_lint_text_render(&run->lint, &run->arena, sink);
    case LILYQ_LINT_JSON:
        return lq_lint_json_render(&run->lint, sink);
    case LILYQ_LINT_SARIF:
        return lq_lint_sarif_render(&run->lint, &run->arena, sink);
    case LILYQ_LINT_JUNIT:
    case LILYQ_LINT_GITHUB:
        return render_suite(run, format, fails_from, sink);
    }
    return lq_error(&run->diags, NULL, "no form of findings has number %d",
                    (int)format);
}

enum lilyq_status lilyq_render_lint(struct lilyq *run,
                                    enum lilyq_lint_format format,
                                    enum lilyq_severity fails_from,
                                    const struct lilyq_sink *sink)
{
    const size_t first = run->diags.items.count;
    const struct lq_sink inner = {sink->write, sink->data};
    const enum lq_status status =
        run->linted ? render(run, format, fails_from, &inner)
                    : lq_error(&run->diags, NULL, "nothing was judged yet");

    return lq_session_end(run, first, status);
}
