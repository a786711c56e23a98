#include "command.h"
#include "input.h"
#include "lint_run.h"
#include "option_quantity.h"
#include "policy_options.h"
#include "rendering.h"
#include "words.h"

#include <assert.h>

#define MAX_WINDOW_DAYS 365

/* The choices of --output are in this order. */
static_assert(LILYQ_LINT_TEXT == 0 && LILYQ_LINT_JSON == 1 &&
                  LILYQ_LINT_SARIF == 2 && LILYQ_LINT_JUNIT == 3 &&
                  LILYQ_LINT_GITHUB == 4,
              "format");

/* Those of --fail-on. */
static const enum lilyq_severity severities[] = {
    LILYQ_SEVERITY_ERROR, LILYQ_SEVERITY_WARNING, LILYQ_SEVERITY_NOTE};

/* What the options say of versions, times and sizes. */
static bool read_quantities(const struct invocation *invocation,
                            struct lilyq_lint_options *out)
{
    return option_version(invocation, OPTION_BROKER_VERSION,
                          &out->broker_version) &&
           option_duration(invocation, OPTION_MAX_RETRY_WINDOW, MAX_WINDOW_DAYS,
                           &out->max_window_millis) &&
           option_bytes(invocation, OPTION_DISK, &out->max_disk_bytes);
}

static size_t count_from(const struct lilyq_findings *findings,
                         enum lilyq_severity least)
{
    return findings->errors +
           (least < LILYQ_SEVERITY_ERROR ? findings->warnings : 0) +
           (least < LILYQ_SEVERITY_WARNING ? findings->notes : 0);
}

/* "2 errors, 1 warning, 3 notes; 1 ignored" */
static void summarize(const struct invocation *invocation,
                      const struct lilyq_findings *findings)
{
    struct lq_arena *const arena = invocation->arena;
    const char *const ignored =
        findings->ignored ? lq_format(arena, "; %zu ignored", findings->ignored)
                          : "";

    report_note(&invocation->reporter, "%s, %s, %s%s",
                words_count(arena, findings->errors, "error"),
                words_count(arena, findings->warnings, "warning"),
                words_count(arena, findings->notes, "note"),
                ignored ? ignored : "");
}

static enum lilyq_severity least_grave(const struct invocation *invocation)
{
    return severities[invocation->options.number[OPTION_LINT_FAIL_ON]];
}

static enum exit_code print_findings(const struct invocation *invocation,
                                     struct lilyq *run)
{
    struct output output = {0};
    const size_t first = lilyq_problem_count(run);
    const struct lilyq_sink sink = output_sink(&output);
    const enum lilyq_status status = lilyq_render_lint(
        run, (enum lilyq_lint_format)invocation->options.number[OPTION_LINT],
        least_grave(invocation), &sink);

    return rendering_end(invocation, run, first, status, &output);
}

static enum exit_code lint_plan(const struct invocation *invocation,
                                struct lilyq *run,
                                const struct lilyq_policy_options *policies,
                                struct lilyq_lint_options *options)
{
    struct lilyq_findings findings;
    enum exit_code code =
        policy_options_settle(invocation, run, policies, &options->policies);

    if (code == EXIT_DONE) {
        code = lint_run(invocation, run, options, &findings);
    }
    if (code == EXIT_DONE) {
        code = print_findings(invocation, run);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    summarize(invocation, &findings);
    return count_from(&findings, least_grave(invocation)) > 0 ? EXIT_DRIFT
                                                              : EXIT_DONE;
}

enum exit_code cmd_lint(struct invocation *invocation)
{
    struct lilyq_lint_options options = {0};
    struct lilyq_policy_options policies;
    struct lilyq *run = NULL;
    enum exit_code code = EXIT_DONE;

    if (!lint_options_agree(invocation) ||
        !read_quantities(invocation, &options) ||
        policy_options_read(invocation, &policies) != EXIT_DONE) {
        return EXIT_INVALID;
    }
    code = input_plan(invocation, &run);
    if (code == EXIT_DONE) {
        code = lint_plan(invocation, run, &policies, &options);
    }
    lilyq_free(run);
    return code;
}
