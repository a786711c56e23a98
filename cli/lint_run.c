#include "lint_run.h"

#include "connect.h"
#include "input.h"
#include "interrupt.h"
#include "option_pairs.h"
#include "watch.h"

static const enum option_id of_brokers[] = {
    OPTION_URL,           OPTION_USERNAME,
    OPTION_PASSWORD_FILE, OPTION_TLS_CA_CERT_FILE,
    OPTION_TLS_CERT_FILE, OPTION_TLS_KEY_FILE,
    OPTION_INSECURE,      OPTION_CONNECT_TIMEOUT,
    OPTION_TIMEOUT,       OPTION_WAIT,
};

bool lint_options_agree(const struct invocation *invocation)
{
    static const struct option_pair pair = {OPTION_DEFINITIONS,
                                            OPTION_MANAGEMENT_URL};
    const char *const *const text = invocation->options.text;

    for (size_t i = 0; i < sizeof(of_brokers) / sizeof(of_brokers[0]); ++i) {
        if (text[of_brokers[i]] && !text[OPTION_MANAGEMENT_URL]) {
            report_error(&invocation->reporter,
                         "'--%s' is of use with '--management-url' only",
                         option_rows[of_brokers[i]].name);
            return false;
        }
    }
    if (text[OPTION_VHOST] && !text[OPTION_MANAGEMENT_URL] &&
        !text[OPTION_DEFINITIONS]) {
        report_error(&invocation->reporter,
                     "'--vhost' is of use with '--management-url' or "
                     "'--definitions' only");
        return false;
    }
    return option_pairs_agree(invocation, &pair, 1);
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
    switch (status) {
    case LILYQ_OK:
        return EXIT_DONE;
    case LILYQ_NOMEM:
        return command_out_of_memory(invocation);
    case LILYQ_INVALID:
        report_error(&invocation->reporter, "nothing judged");
        return EXIT_INVALID;
    case LILYQ_IO:
    case LILYQ_REFUSED:
    case LILYQ_LOST:
        break;
    }
    report_error(&invocation->reporter, "%snothing judged",
                 interrupt_came() ? "interrupted, " : "");
    return EXIT_FAILED;
}

static enum exit_code with_definitions(const struct invocation *invocation,
                                       struct lilyq *run,
                                       const struct lilyq_lint_options *options,
                                       struct lilyq_findings *out)
{
    struct input_file file;
    const enum exit_code code =
        input_file(invocation, run, OPTION_DEFINITIONS, &file);
    const struct lilyq_definitions definitions = {
        file.name, file.text, file.length,
        invocation->options.text[OPTION_VHOST]};
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
    return code == EXIT_DONE ? judge(invocation, run, &whole, out) : code;
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
