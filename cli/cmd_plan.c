#include "command.h"
#include "connection.h"
#include "input.h"
#include "output.h"
#include "policy.h"

static const char *const formats[] = {
    [LILYQ_FORMAT_JSON] = "json",
    [LILYQ_FORMAT_TREE] = "tree",
    [LILYQ_FORMAT_DEFINITIONS] = "definitions",
    [LILYQ_FORMAT_DOT] = "dot",
    [LILYQ_FORMAT_MERMAID] = "mermaid",
    NULL,
};

static const struct option_row format_option =
    OPTION_FORM("plan", formats, "json");
static const struct option_row vhost_option = {
    .name = "vhost",
    .kind = OPTION_ANY_TEXT,
    .metavar = "VHOST",
    .preset = "that of 'lilyq apply'",
    .help = "virtual host of a definitions file"};

static const struct option_row *const options[] = {
    &format_option, &option_input, &vhost_option, &option_policies, NULL};

static enum lilyq_format format_of(const struct invocation *invocation)
{
    return (enum lilyq_format)option_number(invocation, &format_option);
}

/* What others declare must not be declared by an import either. */
static void warn_left_out(const struct invocation *invocation,
                          const struct lilyq *run)
{
    struct lilyq_planned planned;

    lilyq_count_planned(run, &planned);
    if (planned.external > 0) {
        report_warning(
            &invocation->reporter,
            "%s not in the definitions: others declare what is external",
            words_count(invocation->arena, planned.external, "external entry"));
    }
}

static enum lilyq_status render(const struct invocation *invocation,
                                struct lilyq *run, const char *vhost,
                                const struct lilyq_policy_options *policies,
                                struct output *output)
{
    const struct lilyq_sink sink = output_sink(output);

    return option_text(invocation, &option_policies)
               ? lilyq_render_definitions(run, vhost, policies, &sink)
               : lilyq_render(run, format_of(invocation), vhost, &sink);
}

static enum exit_code print_plan(struct invocation *invocation,
                                 struct lilyq *run,
                                 const struct lilyq_policy_options *policies)
{
    const bool has_vhost = format_of(invocation) == LILYQ_FORMAT_DEFINITIONS;
    struct output output = {0};
    const char *vhost = NULL;
    size_t first = 0;
    enum lilyq_status status = LILYQ_OK;
    enum exit_code code =
        has_vhost ? connection_vhost(invocation, run, &vhost_option, &vhost)
                  : EXIT_DONE;

    if (code != EXIT_DONE) {
        return code;
    }
    first = lilyq_problem_count(run);
    status = render(invocation, run, vhost, policies, &output);
    code = rendering_end(invocation, run, first, status, &output);
    if (code != EXIT_DONE) {
        return code;
    }
    if (has_vhost) {
        warn_left_out(invocation, run);
    }
    if (option_text(invocation, &option_policies)) {
        policy_options_tell(invocation, run, policies->broker_version);
    }
    return EXIT_DONE;
}

/* Options that only definitions have a use for. */
static bool is_consistent(const struct invocation *invocation)
{
    static const struct option_row *const with_definitions[] = {
        &vhost_option, &option_policies, NULL};

    return format_of(invocation) == LILYQ_FORMAT_DEFINITIONS ||
           options_absent(invocation, with_definitions,
                          "needs '--output definitions'");
}

static enum exit_code run_command(struct invocation *invocation)
{
    struct lilyq_policy_options policies;
    struct lilyq *run = NULL;
    enum exit_code code = EXIT_DONE;

    if (!is_consistent(invocation) ||
        policy_options_read(invocation, &policies) != EXIT_DONE) {
        return EXIT_INVALID;
    }
    code = input_plan(invocation, &run);
    if (code == EXIT_DONE) {
        code = print_plan(invocation, run, &policies);
    }
    lilyq_free(run);
    return code;
}

const struct command cmd_plan = {
    .name = "plan",
    .synopsis = "[FILE...]",
    .summary = "print what queue entries expand to",
    .about = "Reads queue entries, expands each into its exchanges, retry "
             "buckets and dead-letter queue, and prints the result. It needs "
             "no broker.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. A name that ends in .json is read as JSON, any "
             "other as INI. Several files make one topology.",
    .operands = OPERAND_FILES,
    .options = {options, policy_name_options, broker_version_options,
                policy_dlq_options},
    .run = run_command,
};
