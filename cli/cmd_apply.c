#include "command.h"
#include "connection.h"
#include "input.h"
#include "interrupt.h"
#include "output.h"
#include "policy.h"
#include "progress.h"

static const char *const formats[] = {
    [LILYQ_REPORT_TEXT] = "text", [LILYQ_REPORT_JSON] = "json", NULL};

static const struct option_row format_option =
    OPTION_FORM("report", formats, "text");
static const struct option_row dry_run_option = {
    .name = "dry-run",
    .help = "print what would be declared without declaring it"};
static const struct option_row no_preflight_option = {
    .name = "no-preflight",
    .help = "declare at once, without checking what exists"};
static const struct option_row max_in_flight_option = {
    .name = "max-in-flight",
    .kind = OPTION_NUMBER,
    .metavar = "NUMBER",
    .least = 1,
    .preset = "512",
    .help = "how many requests may be unanswered at a time"};
static const struct option_row pause_option = {
    .name = "pause-when-blocked",
    .help = "wait while an alarm of the broker blocks it (the default)"};
static const struct option_row fail_option = {
    .name = "fail-when-blocked",
    .help = "fail when an alarm of the broker blocks it"};

static const struct option_row *const options[] = {
    &format_option, &option_input, &option_policies, &option_no_policies, NULL};
static const struct option_row *const apply_options[] = {
    &dry_run_option, &no_preflight_option, &max_in_flight_option,
    &pause_option,   &fail_option,         NULL};

/* "3 exchanges, 5 queues, 5 bindings", counted in one way */
static const char *counted(struct lq_arena *arena,
                           const struct lilyq_report *report,
                           size_t (*count)(const struct lilyq_counts *counts))
{
    const char *const text =
        lq_format(arena, "%s, %s, %s",
                  words_count(arena, count(&report->exchanges), "exchange"),
                  words_count(arena, count(&report->queues), "queue"),
                  words_count(arena, count(&report->bindings), "binding"));

    return text;
}

static size_t in_place(const struct lilyq_counts *counts)
{
    return counts->existing + counts->ensured + counts->verified;
}

/* What is new, or would be. */
static size_t fresh(const struct lilyq_counts *counts)
{
    return counts->created + counts->updated + counts->declared +
           counts->pending;
}

static size_t all_fresh(const struct lilyq_report *report)
{
    return fresh(&report->exchanges) + fresh(&report->queues) +
           fresh(&report->bindings) + fresh(&report->policies);
}

/* What a run that ended half-way leaves to do. */
static const char *rest(const struct lilyq_report *report)
{
    const size_t conflicts =
        report->exchanges.conflicts + report->queues.conflicts;

    switch (report->cause) {
    case LILYQ_CAUSE_REFUSED:
        return conflicts > 0 ? "resolve the conflicts and fix what the broker "
                               "refused, then run it again"
                             : "fix what the broker refused, then run it again";
    case LILYQ_CAUSE_CONFLICT:
        return "resolve the conflicts, then run it again";
    case LILYQ_CAUSE_LOST:
        if (!report->broker) {
            return "once the broker can be reached, running it again completes "
                   "it";
        }
        break;
    case LILYQ_CAUSE_STOPPED:
    case LILYQ_NO_CAUSE:
        break;
    }
    return "running it again completes it";
}

static const char *verb(enum lilyq_apply_mode mode)
{
    switch (mode) {
    case LILYQ_NO_PREFLIGHT:
        return "declared";
    case LILYQ_DRY_RUN:
        return "would create";
    case LILYQ_PREFLIGHT:
        break;
    }
    return "created";
}

/* ", set 2 policies", or "" for none */
static const char *counted_policies(struct lq_arena *arena, const char *words,
                                    size_t count)
{
    const char *const text =
        count > 0 ? lq_format(arena, ", %s%s", words,
                              words_count(arena, count, "policy"))
                  : "";

    return text;
}

/* "created 3 exchanges, 5 queues, 5 bindings, set 2 policies" */
static const char *achieved(const struct invocation *invocation,
                            const struct lilyq_report *report,
                            enum lilyq_apply_mode mode)
{
    struct lq_arena *const arena = invocation->arena;
    const char *const text =
        lq_format(arena, "%s %s%s", verb(mode), counted(arena, report, fresh),
                  counted_policies(arena, "set ", fresh(&report->policies)));

    return text;
}

static void report_unverified(const struct invocation *invocation,
                              const struct lilyq_report *report,
                              enum lilyq_apply_mode mode)
{
    const size_t unverified = report->bindings.unverified;

    if (unverified > 0 && !report->management) {
        report_note(&invocation->reporter, "AMQP cannot verify %s%s",
                    words_count(invocation->arena, unverified, "binding"),
                    mode == LILYQ_DRY_RUN ? "" : " of external entries");
    }
}

static void report_success(const struct invocation *invocation,
                           const struct lilyq_report *report,
                           enum lilyq_apply_mode mode, const char *target)
{
    const struct reporter *const reporter = &invocation->reporter;

    if (all_fresh(report) > 0) {
        report_note(reporter, "%s on %s", achieved(invocation, report, mode),
                    target);
    } else {
        report_note(reporter, "nothing to do: %s%s in place on %s",
                    counted(invocation->arena, report, in_place),
                    counted_policies(invocation->arena, "",
                                     in_place(&report->policies)),
                    target);
    }
    report_unverified(invocation, report, mode);
}

/* "2 conflicts"; "3 problems" when something failed or is missing as well */
static const char *obstacles(struct lq_arena *arena,
                             const struct lilyq_report *report)
{
    const size_t conflicts = report->exchanges.conflicts +
                             report->queues.conflicts +
                             report->policies.conflicts;
    const size_t failed = report->exchanges.failed + report->queues.failed;

    return words_count(arena, conflicts + failed,
                       failed ? "problem" : "conflict");
}

/* Prints the line that ends an apply; returns its exit code. */
static enum exit_code conclude(const struct invocation *invocation,
                               const struct lilyq_report *report,
                               enum lilyq_apply_mode mode, const char *target)
{
    const struct reporter *const reporter = &invocation->reporter;
    const char *const why = interrupt_came() ? "interrupted, " : "";

    switch (report->ending) {
    case LILYQ_APPLIED:
        report_success(invocation, report, mode, target);
        return EXIT_DONE;
    case LILYQ_ENDED_DRY:
        report_success(invocation, report, mode, target);
        return all_fresh(report) > 0 ? EXIT_DRIFT : EXIT_DONE;
    case LILYQ_ENDED_CONFLICT:
        report_error(reporter, "%s, nothing written to %s",
                     obstacles(invocation->arena, report), target);
        return EXIT_CONFLICT;
    case LILYQ_ENDED_UNTOUCHED:
        report_error(reporter, "%snothing written to %s", why, target);
        return EXIT_FAILED;
    case LILYQ_ENDED_PARTLY:
        report_error(reporter, "%spartly applied: %s on %s; %s", why,
                     achieved(invocation, report, mode), target, rest(report));
        return EXIT_PARTLY;
    }
    return EXIT_FAILED;
}

static bool is_untouched(const struct lilyq_counts *counts)
{
    return fresh(counts) + counts->conflicts + counts->failed +
               counts->uncertain + in_place(counts) ==
           0;
}

/* Whether there is more to tell than that nothing was done. */
static bool says_something(const struct lilyq_report *report)
{
    return report->ending != LILYQ_ENDED_UNTOUCHED ||
           !is_untouched(&report->exchanges) ||
           !is_untouched(&report->queues) || !is_untouched(&report->policies);
}

static enum lilyq_apply_mode mode_of(const struct invocation *invocation)
{
    if (option_text(invocation, &dry_run_option)) {
        return LILYQ_DRY_RUN;
    }
    return option_text(invocation, &no_preflight_option) ? LILYQ_NO_PREFLIGHT
                                                         : LILYQ_PREFLIGHT;
}

static enum lilyq_status apply(const struct invocation *invocation,
                               struct lilyq *run, const struct target *target,
                               const struct lilyq_policy_options *policies,
                               struct lilyq_report *out)
{
    const struct lilyq_apply_options wanted = {
        .policies = policies,
        .mode = mode_of(invocation),
        .max_in_flight = option_number(invocation, &max_in_flight_option),
        .fail_when_blocked = option_text(invocation, &fail_option) != NULL,
    };
    struct watch watch;
    enum lilyq_status status = LILYQ_OK;

    interrupt_catch();
    watch_begin(&watch, invocation);
    status = lilyq_apply(run, &target->connection, &wanted, &watch.hooks, out);
    watch_end(&watch);
    return status;
}

static enum exit_code print_report(const struct invocation *invocation,
                                   struct lilyq *run)
{
    struct output output = {0};
    const size_t first = lilyq_problem_count(run);
    const struct lilyq_sink sink = output_sink(&output);
    const enum lilyq_status status = lilyq_render_report(
        run,
        (enum lilyq_report_format)option_number(invocation, &format_option),
        &sink);

    return rendering_end(invocation, run, first, status, &output);
}

/* "host:5672 vhost '/' as guest": the broker used, or all that were tried */
static const char *where(struct lq_arena *arena, const struct target *target,
                         const struct lilyq_report *report)
{
    const char *const name = lq_format(
        arena, "%s %s", report->broker ? report->broker : target->addresses,
        target->login);

    return name;
}

/* What a look does not show, for those who want to know. */
static void tell_limits(const struct invocation *invocation,
                        const struct target *target)
{
    const char *text = "AMQP shows no bindings or policies, no arguments that "
                       "the broker does not compare, and only the first "
                       "difference of a resource";

    if (mode_of(invocation) == LILYQ_NO_PREFLIGHT) {
        text = "only what is external is checked first";
    } else if (target->connection.read_management_url) {
        text = "the management API shows no exclusive queues; permissions and "
               "the effects of other policies are not checked";
    }
    report_detail(&invocation->reporter, "%s", text);
}

/* What the policies that were set, or would be, leave to know. */
static void tell_policies(const struct invocation *invocation,
                          const struct lilyq *run,
                          const struct lilyq_report *report)
{
    const struct lilyq_counts *const counts = &report->policies;

    if ((report->ending == LILYQ_APPLIED ||
         report->ending == LILYQ_ENDED_DRY) &&
        (counts->created + counts->updated + counts->pending > 0 ||
         counts->existing == 0)) {
        policy_options_tell(invocation, run, report->version);
    }
}

static enum exit_code apply_plan(const struct invocation *invocation,
                                 struct lilyq *run,
                                 const struct lilyq_policy_options *policies)
{
    const size_t first = lilyq_problem_count(run);
    struct target target;
    struct lilyq_report report;
    enum lilyq_status status = LILYQ_OK;
    enum exit_code printed = EXIT_DONE;
    enum exit_code code = connection_find(invocation, run, &target);

    if (code != EXIT_DONE) {
        return code;
    }
    tell_limits(invocation, &target);
    status = apply(invocation, run, &target, policies, &report);
    input_show_problems(invocation, run, first);
    if (status == LILYQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    if (status == LILYQ_INVALID) {
        return EXIT_INVALID;
    }
    if (option_number(invocation, &format_option) == LILYQ_REPORT_JSON ||
        says_something(&report)) {
        printed = print_report(invocation, run);
    }
    code = conclude(invocation, &report, mode_of(invocation),
                    where(invocation->arena, &target, &report));
    if (policies) {
        tell_policies(invocation, run, &report);
    }
    return code == EXIT_DONE ? printed : code;
}

static bool is_consistent(const struct invocation *invocation)
{
    static const struct option_pair pairs[] = {
        {&dry_run_option, &no_preflight_option},
        {&option_management_url, &no_preflight_option},
        {&option_policies, &no_preflight_option},
        {&pause_option, &fail_option},
    };

    return option_pairs_agree(invocation, pairs,
                              sizeof(pairs) / sizeof(pairs[0]));
}

/* Policies that the file asks for take a look, too. */
static bool can_look(const struct invocation *invocation,
                     const struct lilyq_policy_options *policies)
{
    if (policies && mode_of(invocation) == LILYQ_NO_PREFLIGHT) {
        report_error(&invocation->reporter,
                     "'--no-preflight' needs '--no-policies', as the file has "
                     "[broker] policies");
        return false;
    }
    return true;
}

static enum exit_code apply_input(const struct invocation *invocation,
                                  struct lilyq *run,
                                  const struct lilyq_policy_options *read)
{
    const struct lilyq_policy_options *policies = NULL;
    const enum exit_code code =
        policy_options_settle(invocation, run, read, &policies);

    if (code != EXIT_DONE || !can_look(invocation, policies)) {
        return EXIT_INVALID;
    }
    return apply_plan(invocation, run, policies);
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
        code = apply_input(invocation, run, &policies);
    }
    lilyq_free(run);
    return code;
}

const struct command cmd_apply = {
    .name = "apply",
    .synopsis = "[FILE...]",
    .summary = "declare it on a broker",
    .about = "Declares what 'lilyq plan' prints on a RabbitMQ broker, and "
             "prints what became of it. It never deletes or changes what is "
             "declared, and leaves alone what exists as planned, so you can "
             "run it again at any time. It checks everything first; with "
             "'--dry-run' it stops there, and exits with 3 when something is "
             "missing. With '--policies' it first sets its own policies, and "
             "changes those that differ.\n"
             "\n"
             "The broker is the first of: --url, the environment variables "
             "LILYQ_URL, RABBITMQ_URL and AMQP_URL, [broker] in the file, and "
             "amqp://guest:guest@localhost:5672/%2F. Several URLs, separated "
             "by commas, are tried in turn. The password may also "
             "be in the environment variable LILYQ_PASSWORD.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
    .operands = OPERAND_FILES,
    .options = {options, policy_name_options, policy_dlq_options,
                connection_options, apply_options},
    .run = run_command,
};
