#include "diff_words.h"

#include "words.h"

/* In the order of enum lilyq_finding. */
static const char *const words[LILYQ_FINDING_COUNT] = {
    "missing",  "different",  "unexpected",
    "shadowed", "unverified", "worth a look"};

/* "2 missing, 1 unverified" */
static const char *counted(struct lq_arena *arena,
                           const struct lilyq_drift *drift,
                           const char *const *kinds)
{
    const char *text = "";

    for (unsigned i = 0; text && i < LILYQ_FINDING_COUNT; ++i) {
        if (drift->counts[i] > 0) {
            text = lq_format(arena, "%s%s%zu %s", text, *text ? ", " : "",
                             drift->counts[i], kinds[i]);
        }
    }
    return text ? text : "?";
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

/* In the order of enum lilyq_finding, of a change from an earlier plan. */
static const char *const change_words[LILYQ_FINDING_COUNT] = {
    "new", "changed", "left behind", "shadowed", "unverified", "worth a look"};

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
               ? "; its policies were not looked for ('--policies')"
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
                    invocation->options.text[OPTION_PASSIVE_ONLY]
                        ? "only existence was looked at: nothing is known of "
                          "declarations, bindings, policies or what is not "
                          "planned"
                        : "AMQP shows no bindings or policies, nothing that is "
                          "not planned, no arguments that the broker does not "
                          "compare, and only the first difference of a "
                          "resource");
    }
}

enum exit_code diff_conclude(const struct invocation *invocation,
                             const struct lilyq_drift *drift)
{
    const unsigned differences = (1U << LILYQ_UNVERIFIED) - 1;
    const unsigned chosen = invocation->options.number[OPTION_FAIL_ON];

    if (drift->kind == LILYQ_SOURCE_EARLIER) {
        conclude_change(invocation, drift, chosen);
    } else {
        conclude_drift(invocation, drift, chosen);
    }
    return fails(drift, chosen ? chosen : differences) ? EXIT_DRIFT : EXIT_DONE;
}
