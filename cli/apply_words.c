#include "apply_words.h"

#include "interrupt.h"
#include "words.h"

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

    return text ? text : "?";
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
        return conflicts > 0 ? "resolve what conflicts and mend what is "
                               "refused, then run it again"
                             : "mend what is refused, then run it again";
    case LILYQ_CAUSE_CONFLICT:
        return "resolve what conflicts, then run it again";
    case LILYQ_CAUSE_LOST:
        if (!report->broker) {
            return "once the broker is reached, running it again completes it";
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
static const char *policies(struct lq_arena *arena, const char *words,
                            size_t count)
{
    const char *const text =
        count > 0 ? lq_format(arena, ", %s%s", words,
                              words_count(arena, count, "policy"))
                  : "";

    return text ? text : "?";
}

/* "created 3 exchanges, 5 queues, 5 bindings, set 2 policies" */
static const char *achieved(const struct invocation *invocation,
                            const struct lilyq_report *report,
                            enum lilyq_apply_mode mode)
{
    struct lq_arena *const arena = invocation->arena;
    const char *const text =
        lq_format(arena, "%s %s%s", verb(mode), counted(arena, report, fresh),
                  policies(arena, "set ", fresh(&report->policies)));

    return text ? text : "?";
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
        report_note(
            reporter, "nothing to do: %s%s in place on %s",
            counted(invocation->arena, report, in_place),
            policies(invocation->arena, "", in_place(&report->policies)),
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

enum exit_code apply_conclude(const struct invocation *invocation,
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

bool apply_says_something(const struct lilyq_report *report)
{
    return report->ending != LILYQ_ENDED_UNTOUCHED ||
           !is_untouched(&report->exchanges) ||
           !is_untouched(&report->queues) || !is_untouched(&report->policies);
}
