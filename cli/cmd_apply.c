#include "apply_words.h"
#include "command.h"
#include "connect.h"
#include "input.h"
#include "interrupt.h"
#include "option_pairs.h"
#include "policy_options.h"
#include "rendering.h"
#include "watch.h"

#include <assert.h>

/* The choices of apply's --output are in this order. */
static_assert(LILYQ_REPORT_TEXT == 0 && LILYQ_REPORT_JSON == 1, "format");

static enum lilyq_apply_mode mode_of(const struct invocation *invocation)
{
    const char *const *const text = invocation->options.text;

    if (text[OPTION_DRY_RUN]) {
        return LILYQ_DRY_RUN;
    }
    return text[OPTION_NO_PREFLIGHT] ? LILYQ_NO_PREFLIGHT : LILYQ_PREFLIGHT;
}

static enum lilyq_status apply(const struct invocation *invocation,
                               struct lilyq *run, const struct target *target,
                               const struct lilyq_policy_options *policies,
                               struct lilyq_report *out)
{
    const struct options *const given = &invocation->options;
    const struct lilyq_apply_options options = {
        .policies = policies,
        .mode = mode_of(invocation),
        .max_in_flight = given->number[OPTION_MAX_IN_FLIGHT],
        .fail_when_blocked = given->text[OPTION_FAIL_WHEN_BLOCKED] != NULL,
    };
    struct watch watch;
    enum lilyq_status status = LILYQ_OK;

    interrupt_catch();
    watch_begin(&watch, invocation);
    status = lilyq_apply(run, &target->connection, &options, &watch.hooks, out);
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
        (enum lilyq_report_format)invocation->options.number[OPTION_REPORT],
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

    return name ? name : "?";
}

/* What a look does not show, for those who want to know. */
static void tell_limits(const struct invocation *invocation,
                        const struct target *target)
{
    const char *text = "AMQP shows no bindings or policies, no arguments that "
                       "the broker does not compare, and only the first "
                       "difference of a resource";

    if (mode_of(invocation) == LILYQ_NO_PREFLIGHT) {
        text = "nothing is looked at first but what is external";
    } else if (target->connection.management_url) {
        text = "the management API shows no exclusive queues; permissions are "
               "not looked at, nor what policies of others change";
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
    enum exit_code code = connect_find(invocation, run, &target);

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
    if (invocation->options.number[OPTION_REPORT] == LILYQ_REPORT_JSON ||
        apply_says_something(&report)) {
        printed = print_report(invocation, run);
    }
    code = apply_conclude(invocation, &report, mode_of(invocation),
                          where(invocation->arena, &target, &report));
    if (policies) {
        tell_policies(invocation, run, &report);
    }
    return code == EXIT_DONE ? printed : code;
}

static bool is_consistent(const struct invocation *invocation)
{
    static const struct option_pair pairs[] = {
        {OPTION_DRY_RUN, OPTION_NO_PREFLIGHT},
        {OPTION_MANAGEMENT_URL, OPTION_NO_PREFLIGHT},
        {OPTION_POLICIES, OPTION_NO_PREFLIGHT},
        {OPTION_PAUSE_WHEN_BLOCKED, OPTION_FAIL_WHEN_BLOCKED},
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

enum exit_code cmd_apply(struct invocation *invocation)
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
