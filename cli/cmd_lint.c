#include "command.h"
#include "connection.h"
#include "input.h"
#include "interrupt.h"
#include "output.h"
#include "policy.h"
#include "progress.h"

#define MAX_WINDOW_DAYS 365

static const char *const formats[] = {
    [LILYQ_LINT_TEXT] = "text",     [LILYQ_LINT_JSON] = "json",
    [LILYQ_LINT_SARIF] = "sarif",   [LILYQ_LINT_JUNIT] = "junit",
    [LILYQ_LINT_GITHUB] = "github", NULL,
};

/* The gravest first, and what they are called. */
static const enum lilyq_severity severities[] = {
    LILYQ_SEVERITY_ERROR, LILYQ_SEVERITY_WARNING, LILYQ_SEVERITY_NOTE};
static const char *const severity_words[] = {"error", "warning", "note", NULL};

static const struct option_row format_option =
    OPTION_FORM("findings", formats, "text");
static const struct option_row fail_on_option = {
    .name = "fail-on",
    .kind = OPTION_CHOICE,
    .metavar = "SEVERITY",
    .choices = severity_words,
    .preset = "error",
    .help = "exit with 3 when a finding is at least this severe"};
static const struct option_row window_option = {
    .name = "max-retry-window",
    .kind = OPTION_TEXT,
    .metavar = "DURATION",
    .help =
        "longest that all retries of a message together may wait, such as 15m"};
static const struct option_row disk_option = {
    .name = "disk",
    .kind = OPTION_TEXT,
    .metavar = "BYTES",
    .help = "disk space that all queues together may fill, such as 50G"};

static const struct option_row *const options[] = {
    &format_option,   &option_input,       &fail_on_option,
    &window_option,   &disk_option,        &option_definitions,
    &option_policies, &option_no_policies, NULL};

static bool is_consistent(const struct invocation *invocation)
{
    static const struct option_pair pair = {&option_definitions,
                                            &option_management_url};
    static const struct option_row *const vhost[] = {&option_vhost, NULL};

    if (option_text(invocation, &option_management_url)) {
        return option_pairs_agree(invocation, &pair, 1);
    }
    return options_absent(invocation, connection_only_options,
                          "needs '--management-url'") &&
           (option_text(invocation, &option_definitions) ||
            options_absent(invocation, vhost,
                           "needs '--management-url' or '--definitions'"));
}

static enum exit_code judge(const struct invocation *invocation,
                            struct lilyq *run,
                            const struct lilyq_lint_options *wanted,
                            struct lilyq_findings *out)
{
    const size_t first = lilyq_problem_count(run);
    struct watch watch;
    enum lilyq_status status = LILYQ_OK;

    watch_begin(&watch, invocation);
    status = lilyq_lint(run, wanted, &watch.hooks, out);
    watch_end(&watch);
    input_show_problems(invocation, run, first);
    return watch_outcome(invocation, status, "judged");
}

static enum exit_code with_definitions(const struct invocation *invocation,
                                       struct lilyq *run,
                                       const struct lilyq_lint_options *wanted,
                                       struct lilyq_findings *out)
{
    struct lilyq_definitions definitions;
    const enum exit_code code = input_definitions(invocation, &definitions);
    const struct lilyq_source source = {.definitions = &definitions};
    struct lilyq_lint_options whole = *wanted;

    whole.source = &source;
    return code == EXIT_DONE ? judge(invocation, run, &whole, out) : code;
}

static enum exit_code with_broker(const struct invocation *invocation,
                                  struct lilyq *run,
                                  const struct lilyq_lint_options *wanted,
                                  struct lilyq_findings *out)
{
    struct target target;
    const struct lilyq_source source = {.connection = &target.connection};
    const enum exit_code code = connection_find(invocation, run, &target);
    struct lilyq_lint_options whole = *wanted;

    whole.source = &source;
    if (code != EXIT_DONE) {
        return code;
    }
    interrupt_catch();
    return judge(invocation, run, &whole, out);
}

/* Judges, with what a broker holds if the options say where to look. */
static enum exit_code judge_all(const struct invocation *invocation,
                                struct lilyq *run,
                                const struct lilyq_lint_options *wanted,
                                struct lilyq_findings *out)
{
    if (option_text(invocation, &option_definitions)) {
        return with_definitions(invocation, run, wanted, out);
    }
    return option_text(invocation, &option_management_url)
               ? with_broker(invocation, run, wanted, out)
               : judge(invocation, run, wanted, out);
}

/* What the options say of versions, times and sizes. */
static bool read_quantities(const struct invocation *invocation,
                            struct lilyq_lint_options *out)
{
    return option_version_text(invocation, &option_broker_version,
                               &out->broker_version) &&
           option_duration(invocation, &window_option, MAX_WINDOW_DAYS,
                           &out->max_window_millis) &&
           option_bytes(invocation, &disk_option, &out->max_disk_bytes);
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
                words_count(arena, findings->notes, "note"), ignored);
}

static enum lilyq_severity least_grave(const struct invocation *invocation)
{
    return severities[option_number(invocation, &fail_on_option)];
}

static enum exit_code print_findings(const struct invocation *invocation,
                                     struct lilyq *run)
{
    struct output output = {0};
    const size_t first = lilyq_problem_count(run);
    const struct lilyq_sink sink = output_sink(&output);
    const enum lilyq_status status = lilyq_render_lint(
        run, (enum lilyq_lint_format)option_number(invocation, &format_option),
        least_grave(invocation), &sink);

    return rendering_end(invocation, run, first, status, &output);
}

static enum exit_code lint_plan(const struct invocation *invocation,
                                struct lilyq *run,
                                const struct lilyq_policy_options *policies,
                                struct lilyq_lint_options *wanted)
{
    struct lilyq_findings findings;
    enum exit_code code =
        policy_options_settle(invocation, run, policies, &wanted->policies);

    if (code == EXIT_DONE) {
        code = judge_all(invocation, run, wanted, &findings);
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

static enum exit_code run_command(struct invocation *invocation)
{
    struct lilyq_lint_options wanted = {0};
    struct lilyq_policy_options policies;
    struct lilyq *run = NULL;
    enum exit_code code = EXIT_DONE;

    if (!is_consistent(invocation) || !read_quantities(invocation, &wanted) ||
        policy_options_read(invocation, &policies) != EXIT_DONE) {
        return EXIT_INVALID;
    }
    code = input_plan(invocation, &run);
    if (code == EXIT_DONE) {
        code = lint_plan(invocation, run, &policies, &wanted);
    }
    lilyq_free(run);
    return code;
}

const struct command cmd_lint = {
    .name = "lint",
    .synopsis = "[FILE...]",
    .summary = "find what loses, repeats or stalls messages",
    .about =
        "Judges what 'lilyq plan' prints by what brokers do with it, and "
        "prints each finding with its place, what happens and what to do. It "
        "needs no broker; with --management-url or --definitions it also "
        "judges the policies and bindings of one. With --policies it assumes "
        "that those that \'lilyq policies\' prints are set. lilyq-lint(7) "
        "explains every code.\n"
        "\n"
        "It exits with 3 when there is an error; --fail-on changes the "
        "severity. A comment on or above a line of an INI file suppresses a "
        "finding:\n"
        "\n"
        "  ; lilyq:ignore LQ001 the queue is drained within seconds\n"
        "\n"
        "FILE is lilyq.ini in the working directory unless named; '-' is "
        "standard input. Several files make one topology.",
    .operands = OPERAND_FILES,
    .options = {options, policy_name_options, broker_version_options,
                policy_dlq_options, connection_options},
    .run = run_command,
};
