#include "command.h"
#include "connect.h"
#include "diff_words.h"
#include "input.h"
#include "interrupt.h"
#include "option_pairs.h"
#include "output.h"

#include <assert.h>

/* The choices of --output and of --fail-on are in this order. */
static_assert(LILYQ_DIFF_TEXT == 0 && LILYQ_DIFF_JSON == 1 &&
                  LILYQ_DIFF_JUNIT == 2 && LILYQ_DIFF_GITHUB == 3,
              "format");
static_assert(LILYQ_MISSING == 0 && LILYQ_DIFFERENT == 1 &&
                  LILYQ_UNEXPECTED == 2 && LILYQ_SHADOWED == 3 &&
                  LILYQ_UNVERIFIED == 4,
              "kind");

static bool is_stopped(void *data)
{
    (void)data;
    return interrupt_came();
}

/* Compares; shows the problems. Not EXIT_DONE when nothing came of it. */
static enum exit_code compare(const struct invocation *invocation,
                              struct lilyq *run,
                              const struct lilyq_source *source,
                              struct lilyq_drift *out)
{
    static const struct lilyq_hooks hooks = {.stop = is_stopped};
    const size_t first = lilyq_problem_count(run);
    enum lilyq_status status = LILYQ_OK;

    interrupt_catch();
    status = lilyq_diff(run, source, &hooks, out);
    input_show_problems(invocation, run, first);
    switch (status) {
    case LILYQ_OK:
        return EXIT_DONE;
    case LILYQ_NOMEM:
        return command_out_of_memory(invocation);
    case LILYQ_INVALID:
        report_error(&invocation->reporter, "nothing compared");
        return EXIT_INVALID;
    case LILYQ_IO:
    case LILYQ_REFUSED:
    case LILYQ_LOST:
        break;
    }
    report_error(&invocation->reporter, "%snothing compared",
                 interrupt_came() ? "interrupted, " : "");
    return EXIT_FAILED;
}

static enum exit_code compare_definitions(const struct invocation *invocation,
                                          struct lilyq *run,
                                          struct lilyq_drift *out)
{
    const char *const *const text = invocation->options.text;
    struct lilyq_definitions definitions = {.name = text[OPTION_DEFINITIONS],
                                            .vhost = text[OPTION_VHOST]};
    const struct lilyq_source source = {.definitions = &definitions};
    const size_t first = lilyq_problem_count(run);
    enum lilyq_status status = LILYQ_OK;

    if (input_is_stdin(definitions.name)) {
        definitions.name = STDIN_NAME;
        status = input_read_stdin(run, &definitions.text, &definitions.length);
    }
    if (status == LILYQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    if (status != LILYQ_OK) {
        input_show_problems(invocation, run, first);
        return EXIT_FAILED;
    }
    return compare(invocation, run, &source, out);
}

static enum exit_code compare_broker(const struct invocation *invocation,
                                     struct lilyq *run, struct lilyq_drift *out)
{
    struct target target;
    const struct lilyq_source source = {.connection = &target.connection};
    const enum exit_code code = connect_find(invocation, run, &target);

    if (code != EXIT_DONE) {
        return code;
    }
    if (!target.connection.management_url) {
        report_error(&invocation->reporter,
                     "nowhere to look: use '--management-url', [broker] "
                     "'management_url' or '--definitions'");
        return EXIT_INVALID;
    }
    return compare(invocation, run, &source, out);
}

static enum exit_code print_findings(const struct invocation *invocation,
                                     struct lilyq *run)
{
    const struct options *const options = &invocation->options;
    const struct lilyq_diff_style style = {
        .fail_on = options->number[OPTION_FAIL_ON],
        .whole = invocation->reporter.verbose,
        .colour = invocation->reporter.output_colour,
    };
    struct output output = {0};
    const struct lilyq_sink sink = output_sink(&output);
    const enum lilyq_status status = lilyq_render_diff(
        run, (enum lilyq_diff_format)options->number[OPTION_DIFF], &style,
        &sink);

    if (status == LILYQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    return output_close(&output, &invocation->reporter) ? EXIT_DONE
                                                        : EXIT_FAILED;
}

static enum exit_code diff_plan(const struct invocation *invocation,
                                struct lilyq *run)
{
    struct lilyq_drift drift;
    enum exit_code code = invocation->options.text[OPTION_DEFINITIONS]
                              ? compare_definitions(invocation, run, &drift)
                              : compare_broker(invocation, run, &drift);

    if (code == EXIT_DONE) {
        code = print_findings(invocation, run);
    }
    return code == EXIT_DONE ? diff_conclude(invocation, &drift) : code;
}

static bool is_consistent(const struct invocation *invocation)
{
    static const struct option_pair pairs[] = {
        {OPTION_DEFINITIONS, OPTION_URL},
        {OPTION_DEFINITIONS, OPTION_MANAGEMENT_URL},
        {OPTION_DEFINITIONS, OPTION_USERNAME},
        {OPTION_DEFINITIONS, OPTION_PASSWORD_FILE},
        {OPTION_DEFINITIONS, OPTION_TLS_CA_CERT_FILE},
        {OPTION_DEFINITIONS, OPTION_TLS_CERT_FILE},
        {OPTION_DEFINITIONS, OPTION_TLS_KEY_FILE},
        {OPTION_DEFINITIONS, OPTION_INSECURE},
        {OPTION_DEFINITIONS, OPTION_CONNECT_TIMEOUT},
        {OPTION_DEFINITIONS, OPTION_TIMEOUT},
        {OPTION_DEFINITIONS, OPTION_WAIT},
    };

    return option_pairs_agree(invocation, pairs,
                              sizeof(pairs) / sizeof(pairs[0]));
}

enum exit_code cmd_diff(struct invocation *invocation)
{
    struct lilyq *run = NULL;
    enum exit_code code = EXIT_DONE;

    if (!is_consistent(invocation)) {
        return EXIT_INVALID;
    }
    run = lilyq_new();
    if (!run) {
        return command_out_of_memory(invocation);
    }
    code = input_plan(invocation, run);
    if (code == EXIT_DONE) {
        code = diff_plan(invocation, run);
    }
    lilyq_free(run);
    return code;
}
