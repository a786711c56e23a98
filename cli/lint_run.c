#include "lint_run.h"

#include "connect.h"
#include "input.h"
#include "interrupt.h"
#include "option_pairs.h"
#include "watch.h"

bool lint_options_agree(const struct invocation *invocation)
{
    static const struct option_pair pair = {OPTION_DEFINITIONS,
                                            OPTION_MANAGEMENT_URL};
    static const enum option_id vhost = OPTION_VHOST;
    const char *const *const text = invocation->options.text;

    if (text[OPTION_MANAGEMENT_URL]) {
        return option_pairs_agree(invocation, &pair, 1);
    }
    return options_absent(invocation, connect_options, CONNECT_OPTION_COUNT,
                          "is of use with '--management-url' only") &&
           (text[OPTION_DEFINITIONS] ||
            options_absent(invocation, &vhost, 1,
                           "is of use with '--management-url' or "
                           "'--definitions' only"));
}

static enum exit_code judge(const struct invocation *invocation,
                            struct lilyq *run,
                            const struct lilyq_lint_options *options,
                            struct lilyq_findings *out)
{
    const size_t first = lilyq_problem_count(run);
    struct watch watch;
    enum lilyq_status status = LILYQ_OK;

    watch_begin(&watch, invocation);
    status = lilyq_lint(run, options, &watch.hooks, out);
    watch_end(&watch);
    input_show_problems(invocation, run, first);
    return watch_outcome(invocation, status, "judged");
}

static enum exit_code with_definitions(const struct invocation *invocation,
                                       struct lilyq *run,
                                       const struct lilyq_lint_options *options,
                                       struct lilyq_findings *out)
{
    struct lilyq_definitions definitions;
    const enum exit_code code =
        input_definitions(invocation, run, &definitions);
    const struct lilyq_source source = {.definitions = &definitions};
    struct lilyq_lint_options whole = *options;

    whole.source = &source;
    return code == EXIT_DONE ? judge(invocation, run, &whole, out) : code;
}

static enum exit_code with_broker(const struct invocation *invocation,
                                  struct lilyq *run,
                                  const struct lilyq_lint_options *options,
                                  struct lilyq_findings *out)
{
    struct target target;
    const struct lilyq_source source = {.connection = &target.connection};
    const enum exit_code code = connect_find(invocation, run, &target);
    struct lilyq_lint_options whole = *options;

    whole.source = &source;
    if (code != EXIT_DONE) {
        return code;
    }
    interrupt_catch();
    return judge(invocation, run, &whole, out);
}

enum exit_code lint_run(const struct invocation *invocation, struct lilyq *run,
                        const struct lilyq_lint_options *options,
                        struct lilyq_findings *out)
{
    const char *const *const text = invocation->options.text;

    if (text[OPTION_DEFINITIONS]) {
        return with_definitions(invocation, run, options, out);
    }
    return text[OPTION_MANAGEMENT_URL]
               ? with_broker(invocation, run, options, out)
               : judge(invocation, run, options, out);
}
