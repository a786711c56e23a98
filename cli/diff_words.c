#include "diff_words.h"

#include "words.h"

/* In the order of enum lilyq_finding. */
static const char *const words[LILYQ_FINDING_COUNT] = {
    "missing",  "different",  "unexpected",
    "shadowed", "unverified", "worth a look"};

/* "2 missing, 1 unverified" */
static const char *counted(struct lq_arena *arena,
                           const struct lilyq_drift *drift)
{
    const char *text = "";

    for (unsigned i = 0; text && i < LILYQ_FINDING_COUNT; ++i) {
        if (drift->counts[i] > 0) {
            text = lq_format(arena, "%s%s%zu %s", text, *text ? ", " : "",
                             drift->counts[i], words[i]);
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

enum exit_code diff_conclude(const struct invocation *invocation,
                             const struct lilyq_drift *drift)
{
    const struct reporter *const reporter = &invocation->reporter;
    struct lq_arena *const arena = invocation->arena;
    const unsigned differences = (1U << LILYQ_UNVERIFIED) - 1;
    const unsigned chosen = invocation->options.number[OPTION_FAIL_ON];
    const bool failed = fails(drift, chosen ? chosen : differences);
    const char *verdict = failed ? "drift" : "in sync";

    if (!failed && fails(drift, differences)) {
        verdict = "no drift that counts";
    } else if (!failed && drift->counts[LILYQ_UNVERIFIED] > 0) {
        verdict = "in sync as far as can be seen";
    }
    if (total(drift) > 0) {
        report_note(reporter, "%s: %s; looked at %s vhost '%s'", verdict,
                    counted(arena, drift), drift->source, drift->vhost);
    } else {
        report_note(reporter, "%s: %s vhost '%s' holds what is planned",
                    verdict, drift->source, drift->vhost);
    }
    return failed ? EXIT_DRIFT : EXIT_DONE;
}
