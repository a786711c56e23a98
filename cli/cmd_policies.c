#include "command.h"
#include "connection.h"
#include "input.h"
#include "output.h"
#include "policy.h"

static const char *const formats[] = {[LILYQ_POLICIES_JSON] = "json",
                                      [LILYQ_POLICIES_RABBITMQCTL] =
                                          "rabbitmqctl",
                                      [LILYQ_POLICIES_TEXT] = "text",
                                      NULL};

static const struct option_row format_option =
    OPTION_FORM("policies", formats, "json");
static const struct option_row vhost_option = {
    .name = "vhost",
    .kind = OPTION_ANY_TEXT,
    .metavar = "VHOST",
    .preset = "that of 'lilyq apply'",
    .help = "virtual host of the policies"};
static const struct option_row native_retry_option = {
    .name = "native-retry",
    .help = "print policies that make the broker itself retry instead, on "
            "queues beside those of v2"};

static const struct option_row *const options[] = {
    &format_option, &option_input, &vhost_option, NULL};
static const struct option_row *const native_options[] = {&native_retry_option,
                                                          NULL};

static void tell_native(const struct invocation *invocation)
{
    report_note(&invocation->reporter,
                "native retry needs RabbitMQ 4.3 or later, and queues of its "
                "own: it cannot share a queue with v2");
}

static enum exit_code print_policies(struct invocation *invocation,
                                     struct lilyq *run,
                                     const struct lilyq_policy_options *wanted)
{
    const unsigned format = option_number(invocation, &format_option);
    struct output output = {0};
    const struct lilyq_sink sink = output_sink(&output);
    const char *vhost = NULL;
    size_t first = 0;
    enum lilyq_status status = LILYQ_OK;
    enum exit_code code =
        connection_vhost(invocation, run, &vhost_option, &vhost);

    if (code != EXIT_DONE) {
        return code;
    }
    first = lilyq_problem_count(run);
    status = lilyq_render_policies(run, (enum lilyq_policies_format)format,
                                   vhost, wanted, &sink);
    code = rendering_end(invocation, run, first, status, &output);
    if (code != EXIT_DONE) {
        return code;
    }
    if (wanted->native_retry) {
        tell_native(invocation);
    } else {
        policy_options_tell(invocation, run, wanted->broker_version);
    }
    return EXIT_DONE;
}

/* Native retry has no DLQ of its own. */
static bool is_consistent(const struct invocation *invocation)
{
    return option_excludes(invocation, &native_retry_option,
                           policy_dlq_options);
}

static enum exit_code run_command(struct invocation *invocation)
{
    struct lilyq_policy_options wanted;
    struct lilyq *run = NULL;
    enum exit_code code = policy_options_read(invocation, &wanted);

    if (code != EXIT_DONE || !is_consistent(invocation)) {
        return EXIT_INVALID;
    }
    wanted.native_retry = option_text(invocation, &native_retry_option) != NULL;
    code = input_plan(invocation, &run);
    if (code == EXIT_DONE) {
        code = print_policies(invocation, run, &wanted);
    }
    lilyq_free(run);
    return code;
}

const struct command cmd_policies = {
    .name = "policies",
    .synopsis = "[FILE...]",
    .summary = "print policies that keep messages from being lost",
    .about = "Prints policies that give quorum queues what 'lilyq plan' cannot "
             "put into arguments, because the framework redeclares the queues "
             "with its own. It needs no broker.\n"
             "\n"
             "  lilyq-at-least-once  buckets and main queues keep a message "
             "until its\n"
             "                       dead-letter target has it\n"
             "  lilyq-dlq            DLQs do not drop messages read too "
             "often (RabbitMQ 4.0)\n"
             "  lilyq-dlq-classic    classic DLQs, with --dlq-retention only\n"
             "\n"
             "Only one policy is in force for a queue: the one with the "
             "highest priority.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
    .operands = OPERAND_FILES,
    .options = {options, policy_name_options, broker_version_options,
                policy_dlq_options, native_options},
    .run = run_command,
};
