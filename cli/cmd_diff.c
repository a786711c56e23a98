#include "command.h"
#include "connection.h"
#include "input.h"
#include "interrupt.h"
#include "output.h"
#include "policy.h"
#include "progress.h"

static const char *const formats[] = {
    [LILYQ_DIFF_TEXT] = "text",
    [LILYQ_DIFF_JSON] = "json",
    [LILYQ_DIFF_JUNIT] = "junit",
    [LILYQ_DIFF_GITHUB] = "github",
    NULL,
};

/* All but the last, which never counts. */
static const char *const findings[] = {
    [LILYQ_MISSING] = "missing",       [LILYQ_DIFFERENT] = "different",
    [LILYQ_UNEXPECTED] = "unexpected", [LILYQ_SHADOWED] = "shadowed",
    [LILYQ_UNVERIFIED] = "unverified", NULL,
};

static const struct option_row format_option =
    OPTION_FORM("findings", formats, "text");
static const struct option_row against_option = {
    .name = "against",
    .kind = OPTION_INPUT_FILE,
    .metavar = "FILE",
    .help = "compare with this file instead: entries, or a plan saved as JSON; "
            "'-' is standard input"};
static const struct option_row passive_only_option = {
    .name = "passive-only",
    .help = "without a management API, check only what exists, not how it was "
            "declared"};
static const struct option_row fail_on_option = {
    .name = "fail-on",
    .kind = OPTION_CHOICES,
    .metavar = "KINDS",
    .choices = findings,
    .preset = "all but unverified",
    .help = "kinds of findings that make it exit with 3, separated by commas"};

static const struct option_row *const options[] = {
    &format_option,   &option_input,        &option_definitions,
    &against_option,  &passive_only_option, &fail_on_option,
    &option_policies, &option_no_policies,  NULL};

static const char *const words[LILYQ_FINDING_COUNT] = {
    [LILYQ_MISSING] = "missing",       [LILYQ_DIFFERENT] = "different",
    [LILYQ_UNEXPECTED] = "unexpected", [LILYQ_SHADOWED] = "shadowed",
    [LILYQ_UNVERIFIED] = "unverified", [LILYQ_NOTE] = "worth a look"};

/* "2 missing, 1 unverified" */
static const char *counted(struct lq_arena *arena,
                           const struct lilyq_drift *drift,
                           const char *const *kinds)
{
    const char *text = "";

    for (unsigned i = 0; i < LILYQ_FINDING_COUNT; ++i) {
        if (drift->counts[i] > 0) {
            text = lq_format(arena, "%s%s%zu %s", text, *text ? ", " : "",
                             drift->counts[i], kinds[i]);
        }
    }
    return text;
}

static size_t total(const struct lilyq_drift *drift)
{
    size_t sum = 0;

    for (unsigned i = 0; i < LILYQ_FINDING_COUNT; ++i) {
        sum += drift->counts[i];
    }
    return sum;
}

static bool fails(const struct lilyq_drift *drift, unsigned fail_on)
{
    for (unsigned i = 0; i < LILYQ_FINDING_COUNT; ++i) {
        if (drift->counts[i] > 0 && (fail_on >> i & 1U) != 0) {
            return true;
        }
    }
    return false;
}

/* Of a change from an earlier plan. */
static const char *const change_words[LILYQ_FINDING_COUNT] = {
    [LILYQ_MISSING] = "new",
    [LILYQ_DIFFERENT] = "changed",
    [LILYQ_UNEXPECTED] = "left behind",
    [LILYQ_SHADOWED] = "shadowed",
    [LILYQ_UNVERIFIED] = "unverified",
    [LILYQ_NOTE] = "worth a look"};

/* How it ends, for all that was looked at. */
static const char *verdict(const struct lilyq_drift *drift, unsigned chosen)
{
    const unsigned differences = (1U << LILYQ_UNVERIFIED) - 1;
    const bool change = drift->kind == LILYQ_SOURCE_EARLIER;

    if (fails(drift, chosen ? chosen : differences)) {
        return change ? "a change" : "drift";
    }
    if (fails(drift, differences)) {
        return change ? "no change that counts" : "no drift that counts";
    }
    if (change) {
        return "no change";
    }
    return drift->counts[LILYQ_UNVERIFIED] > 0 ||
                   drift->kind == LILYQ_SOURCE_AMQP
               ? "in sync as far as can be seen"
               : "in sync";
}

/* What was not compared, though the plan has it. */
static const char *left_out(const struct lilyq_drift *drift)
{
    return drift->policies_left_out
               ? "; its policies were not compared ('--policies')"
               : "";
}

static void conclude_change(const struct invocation *invocation,
                            const struct lilyq_drift *drift, unsigned chosen)
{
    struct lq_arena *const arena = invocation->arena;

    if (total(drift) > 0) {
        report_note(&invocation->reporter, "%s: %s, from what %s plans%s",
                    verdict(drift, chosen), counted(arena, drift, change_words),
                    drift->source, left_out(drift));
    } else {
        report_note(&invocation->reporter, "no change: %s plans the same",
                    drift->source);
    }
}

static void conclude_drift(const struct invocation *invocation,
                           const struct lilyq_drift *drift, unsigned chosen)
{
    const struct reporter *const reporter = &invocation->reporter;
    struct lq_arena *const arena = invocation->arena;

    if (total(drift) > 0) {
        report_note(reporter, "%s: %s; looked at %s vhost '%s'%s",
                    verdict(drift, chosen), counted(arena, drift, words),
                    drift->source, drift->vhost, left_out(drift));
    } else {
        report_note(reporter, "%s: %s vhost '%s' holds what is planned%s",
                    verdict(drift, chosen), drift->source, drift->vhost,
                    left_out(drift));
    }
    if (drift->kind == LILYQ_SOURCE_AMQP) {
        report_note(reporter,
                    option_text(invocation, &passive_only_option)
                        ? "only existence was checked: declarations, bindings, "
                          "policies and what is not planned were not"
                        : "AMQP shows no bindings or policies, nothing that is "
                          "not planned, no arguments that the broker does not "
                          "compare, and only the first difference of a "
                          "resource");
    }
}

/* Sums a comparison up in a line, and says what to exit with. */
static enum exit_code conclude(const struct invocation *invocation,
                               const struct lilyq_drift *drift)
{
    const unsigned differences = (1U << LILYQ_UNVERIFIED) - 1;
    const unsigned chosen = option_number(invocation, &fail_on_option);

    if (drift->kind == LILYQ_SOURCE_EARLIER) {
        conclude_change(invocation, drift, chosen);
    } else {
        conclude_drift(invocation, drift, chosen);
    }
    return fails(drift, chosen ? chosen : differences) ? EXIT_DRIFT : EXIT_DONE;
}

/* Compares; shows the problems. Not EXIT_DONE when nothing came of it. */
static enum exit_code compare(const struct invocation *invocation,
                              struct lilyq *run,
                              const struct lilyq_source *source,
                              struct lilyq_drift *out)
{
    const size_t first = lilyq_problem_count(run);
    struct watch watch;
    enum lilyq_status status = LILYQ_OK;

    watch_begin(&watch, invocation);
    status = lilyq_diff(run, source, &watch.hooks, out);
    watch_end(&watch);
    input_show_problems(invocation, run, first);
    return watch_outcome(invocation, status, "compared");
}

static enum exit_code
compare_definitions(const struct invocation *invocation, struct lilyq *run,
                    const struct lilyq_policy_options *policies,
                    struct lilyq_drift *out)
{
    struct lilyq_definitions definitions;
    const enum exit_code code = input_definitions(invocation, &definitions);
    const struct lilyq_source source = {.definitions = &definitions,
                                        .policies = policies};

    return code == EXIT_DONE ? compare(invocation, run, &source, out) : code;
}

static enum exit_code
compare_earlier(const struct invocation *invocation, struct lilyq *run,
                const struct lilyq_policy_options *policies,
                struct lilyq_drift *out)
{
    struct input_file file;
    const enum exit_code code = input_file(invocation, &against_option, &file);
    const struct lilyq_earlier earlier = {file.name, file.text, file.length};
    const struct lilyq_source source = {.earlier = &earlier,
                                        .policies = policies};

    return code == EXIT_DONE ? compare(invocation, run, &source, out) : code;
}

static enum exit_code
compare_broker(const struct invocation *invocation, struct lilyq *run,
               const struct lilyq_policy_options *policies,
               struct lilyq_drift *out)
{
    struct target target;
    const struct lilyq_source source = {
        .connection = &target.connection,
        .passive_only = option_text(invocation, &passive_only_option) != NULL,
        .policies = policies,
    };
    const enum exit_code code = connection_find(invocation, run, &target);

    if (code != EXIT_DONE) {
        return code;
    }
    interrupt_catch();
    return compare(invocation, run, &source, out);
}

static enum exit_code print_findings(const struct invocation *invocation,
                                     struct lilyq *run)
{
    const struct lilyq_diff_style style = {
        .fail_on = option_number(invocation, &fail_on_option),
        .whole = invocation->reporter.verbose,
        .colour = invocation->reporter.output_colour,
    };
    struct output output = {0};
    const size_t first = lilyq_problem_count(run);
    const struct lilyq_sink sink = output_sink(&output);
    const enum lilyq_status status = lilyq_render_diff(
        run, (enum lilyq_diff_format)option_number(invocation, &format_option),
        &style, &sink);

    return rendering_end(invocation, run, first, status, &output);
}

static enum exit_code diff_plan(const struct invocation *invocation,
                                struct lilyq *run,
                                const struct lilyq_policy_options *read)
{
    const struct lilyq_policy_options *policies = NULL;
    struct lilyq_drift drift;
    enum exit_code code =
        policy_options_settle(invocation, run, read, &policies);

    if (code != EXIT_DONE) {
        return code;
    }
    if (option_text(invocation, &against_option)) {
        code = compare_earlier(invocation, run, policies, &drift);
    } else if (option_text(invocation, &option_definitions)) {
        code = compare_definitions(invocation, run, policies, &drift);
    } else {
        code = compare_broker(invocation, run, policies, &drift);
    }

    if (code == EXIT_DONE) {
        code = print_findings(invocation, run);
    }
    return code == EXIT_DONE ? conclude(invocation, &drift) : code;
}

static bool is_consistent(const struct invocation *invocation)
{
    static const struct option_pair pairs[] = {
        {&option_definitions, &option_management_url},
        {&option_definitions, &passive_only_option},
        {&option_definitions, &against_option},
        {&against_option, &option_management_url},
        {&against_option, &passive_only_option},
        {&against_option, &option_vhost},
        {&option_management_url, &passive_only_option},
    };

    return option_excludes(invocation, &option_definitions,
                           connection_only_options) &&
           option_excludes(invocation, &against_option,
                           connection_only_options) &&
           option_pairs_agree(invocation, pairs,
                              sizeof(pairs) / sizeof(pairs[0]));
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
        code = diff_plan(invocation, run, &policies);
    }
    lilyq_free(run);
    return code;
}

const struct command cmd_diff = {
    .name = "diff",
    .synopsis = "[FILE...]",
    .summary = "compare it with what a broker holds",
    .about =
        "Compares what 'lilyq plan' prints with what a RabbitMQ broker "
        "holds, prints every finding and what to do about it, and changes "
        "nothing. It exits with 3 when it finds one of the first four kinds.\n"
        "\n"
        "  +  missing     planned, does not exist\n"
        "  ~  different   exists, not as planned\n"
        "  -  unexpected  exists, not planned\n"
        "  !  shadowed    as planned, but a policy changes what is in "
        "force\n"
        "  ?  unverified  the source does not show it\n"
        "  *  note        as planned, but worth a look\n"
        "\n"
        "It asks the management API: --management-url, or "
        "[broker] management_url in the file; without one, it uses AMQP, which "
        "shows less. The broker, user, password and virtual host "
        "are found as 'lilyq apply' finds them. With --definitions it "
        "needs no broker. With --policies it also compares the policies that "
        "'lilyq policies' prints.\n"
        "\n"
        "With --against it shows instead what a change from an earlier file "
        "would create, leave behind and fail to change in place. That needs no "
        "broker either.\n"
        "\n"
        "FILE is lilyq.ini in the working directory unless named; '-' is "
        "standard input. Several files make one topology.",
    .operands = OPERAND_FILES,
    .options = {options, policy_name_options, policy_dlq_options,
                connection_options},
    .run = run_command,
};
