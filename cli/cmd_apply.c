#include "command.h"
#include "connect.h"
#include "input.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"
#include "words.h"

#include <assert.h>

/* The choices of apply's --output are in this order. */
static_assert(LILYQ_REPORT_TEXT == 0 && LILYQ_REPORT_JSON == 1, "format");

static void show_progress(void *data, size_t done, size_t total)
{
    progress_step(data, done, total);
}

static bool is_stopped(void *data)
{
    (void)data;
    return interrupt_came();
}

/* "3 exchanges, 5 queues, 5 bindings" */
static const char *counted(struct lq_arena *arena, size_t exchanges,
                           size_t queues, size_t bindings)
{
    const char *const text = lq_format(
        arena, "%s, %s, %s", words_count(arena, exchanges, "exchange"),
        words_count(arena, queues, "queue"),
        words_count(arena, bindings, "binding"));

    return text ? text : "?";
}

static size_t in_place(const struct lilyq_counts *counts)
{
    return counts->existing + counts->ensured + counts->verified;
}

static void report_applied(const struct invocation *invocation,
                           const struct lilyq_report *report,
                           const char *target)
{
    const struct reporter *const reporter = &invocation->reporter;
    struct lq_arena *const arena = invocation->arena;
    const size_t created = report->exchanges.created + report->queues.created +
                           report->bindings.created;
    const size_t unverified = report->bindings.unverified;

    if (created > 0) {
        report_note(reporter, "created %s on %s",
                    counted(arena, report->exchanges.created,
                            report->queues.created, report->bindings.created),
                    target);
    } else {
        report_note(reporter, "nothing to do: %s in place on %s",
                    counted(arena, in_place(&report->exchanges),
                            in_place(&report->queues),
                            in_place(&report->bindings)),
                    target);
    }
    if (unverified > 0) {
        report_note(reporter, "AMQP cannot verify %s of external entries",
                    words_count(arena, unverified, "binding"));
    }
}

/* "2 conflicts"; "3 problems" when something failed or is missing as well */
static const char *obstacles(struct lq_arena *arena,
                             const struct lilyq_report *report)
{
    const size_t conflicts =
        report->exchanges.conflicts + report->queues.conflicts;
    const size_t failed = report->exchanges.failed + report->queues.failed;

    return words_count(arena, conflicts + failed,
                       failed ? "problem" : "conflict");
}

/* The line that ends a run, and its exit code. */
static enum exit_code conclude(const struct invocation *invocation,
                               const struct lilyq_report *report,
                               const char *target)
{
    const struct reporter *const reporter = &invocation->reporter;
    const char *const why = interrupt_came() ? "interrupted, " : "";

    switch (report->ending) {
    case LILYQ_APPLIED:
        report_applied(invocation, report, target);
        return EXIT_DONE;
    case LILYQ_ENDED_CONFLICT:
        report_error(reporter, "%s, nothing written to %s",
                     obstacles(invocation->arena, report), target);
        return EXIT_CONFLICT;
    case LILYQ_ENDED_UNTOUCHED:
        report_error(reporter, "%snothing written to %s", why, target);
        return EXIT_FAILED;
    case LILYQ_ENDED_PARTLY:
        report_error(reporter,
                     "%spartly applied: created %s on %s; running it again "
                     "completes it",
                     why,
                     counted(invocation->arena, report->exchanges.created,
                             report->queues.created, report->bindings.created),
                     target);
        return EXIT_PARTLY;
    }
    return EXIT_FAILED;
}

static enum lilyq_status apply(const struct invocation *invocation,
                               struct lilyq *run, const struct target *target,
                               struct lilyq_report *out)
{
    struct progress progress;
    const struct lilyq_hooks hooks = {show_progress, is_stopped, &progress};
    enum lilyq_status status = LILYQ_OK;

    interrupt_catch();
    progress_begin(&progress, &invocation->reporter);
    status = lilyq_apply(run, &target->connection, &hooks, out);
    progress_end(&progress);
    return status;
}

static bool is_untouched(const struct lilyq_counts *counts)
{
    return counts->created + counts->conflicts + counts->failed +
               counts->uncertain + in_place(counts) ==
           0;
}

/* A table that says "not done" throughout tells people nothing. */
static bool is_worth_showing(const struct invocation *invocation,
                             const struct lilyq_report *report)
{
    return invocation->options.number[OPTION_REPORT] == LILYQ_REPORT_JSON ||
           report->ending != LILYQ_ENDED_UNTOUCHED ||
           !is_untouched(&report->exchanges) || !is_untouched(&report->queues);
}

static enum exit_code print_report(const struct invocation *invocation,
                                   struct lilyq *run)
{
    struct output output = {0};
    const struct lilyq_sink sink = output_sink(&output);
    const enum lilyq_status status = lilyq_render_report(
        run,
        (enum lilyq_report_format)invocation->options.number[OPTION_REPORT],
        &sink);

    if (status == LILYQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    return output_close(&output, &invocation->reporter) ? EXIT_DONE
                                                        : EXIT_FAILED;
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

static enum exit_code apply_plan(const struct invocation *invocation,
                                 struct lilyq *run)
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
    status = apply(invocation, run, &target, &report);
    input_show_problems(invocation, run, first);
    if (status == LILYQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    if (status == LILYQ_INVALID) {
        return EXIT_INVALID;
    }
    if (is_worth_showing(invocation, &report)) {
        printed = print_report(invocation, run);
    }
    code = conclude(invocation, &report,
                    where(invocation->arena, &target, &report));
    return code == EXIT_DONE ? printed : code;
}

enum exit_code cmd_apply(struct invocation *invocation)
{
    struct lilyq *const run = lilyq_new();
    enum exit_code code = EXIT_DONE;

    if (!run) {
        return command_out_of_memory(invocation);
    }
    code = input_plan(invocation, run);
    if (code == EXIT_DONE) {
        code = apply_plan(invocation, run);
    }
    lilyq_free(run);
    return code;
}
