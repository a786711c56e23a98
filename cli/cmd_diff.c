#include "command.h"
#include "connect.h"
#include "diff_words.h"
#include "input.h"
#include "interrupt.h"
#include "option_pairs.h"
#include "policy_options.h"
#include "rendering.h"
#include "watch.h"

#include <assert.h>

/* The choices of --output and of --fail-on are in this order. */
static_assert(LILYQ_DIFF_TEXT == 0 && LILYQ_DIFF_JSON == 1 &&
                  LILYQ_DIFF_JUNIT == 2 && LILYQ_DIFF_GITHUB == 3,
              "format");
static_assert(LILYQ_MISSING == 0 && LILYQ_DIFFERENT == 1 &&
                  LILYQ_UNEXPECTED == 2 && LILYQ_SHADOWED == 3 &&
                  LILYQ_UNVERIFIED == 4,
              "kind");

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
    const enum exit_code code =
        input_definitions(invocation, run, &definitions);
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
    const enum exit_code code =
        input_file(invocation, run, OPTION_AGAINST, &file);
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
        .passive_only = invocation->options.text[OPTION_PASSIVE_ONLY] != NULL,
        .policies = policies,
    };
    const enum exit_code code = connect_find(invocation, run, &target);

    if (code != EXIT_DONE) {
        return code;
    }
    interrupt_catch();
    return compare(invocation, run, &source, out);
}

static enum exit_code print_findings(const struct invocation *invocation,
                                     struct lilyq *run)
{
    const struct options *const options = &invocation->options;
    const struct lilyq_diff_style style = {
        .fail_on = options->number[OPTION_FAIL_ON],
        .whole = invocation->reporter.verbose,
        .colour = invocation->reporter.output_colour,
    };
    struct output output = {0};
    const size_t first = lilyq_problem_count(run);
    const struct lilyq_sink sink = output_sink(&output);
    const enum lilyq_status status = lilyq_render_diff(
        run, (enum lilyq_diff_format)options->number[OPTION_DIFF], &style,
        &sink);

    return rendering_end(invocation, run, first, status, &output);
}

static enum exit_code diff_plan(const struct invocation *invocation,
                                struct lilyq *run,
                                const struct lilyq_policy_options *read)
{
    const char *const *const text = invocation->options.text;
    const struct lilyq_policy_options *policies = NULL;
    struct lilyq_drift drift;
    enum exit_code code =
        policy_options_settle(invocation, run, read, &policies);

    if (code != EXIT_DONE) {
        return code;
    }
    if (text[OPTION_AGAINST]) {
        code = compare_earlier(invocation, run, policies, &drift);
    } else if (text[OPTION_DEFINITIONS]) {
        code = compare_definitions(invocation, run, policies, &drift);
    } else {
        code = compare_broker(invocation, run, policies, &drift);
    }

    if (code == EXIT_DONE) {
        code = print_findings(invocation, run);
    }
    return code == EXIT_DONE ? diff_conclude(invocation, &drift) : code;
}

/* Whether no option of a connection is given beside that of a file. */
static bool is_offline(const struct invocation *invocation, enum option_id file)
{
    for (size_t i = 0; i < CONNECT_OPTION_COUNT; ++i) {
        const struct option_pair pair = {file, connect_options[i]};

        if (!option_pairs_agree(invocation, &pair, 1)) {
            return false;
        }
    }
    return true;
}

static bool is_consistent(const struct invocation *invocation)
{
    static const struct option_pair pairs[] = {
        {OPTION_DEFINITIONS, OPTION_MANAGEMENT_URL},
        {OPTION_DEFINITIONS, OPTION_PASSIVE_ONLY},
        {OPTION_DEFINITIONS, OPTION_AGAINST},
        {OPTION_AGAINST, OPTION_MANAGEMENT_URL},
        {OPTION_AGAINST, OPTION_PASSIVE_ONLY},
        {OPTION_AGAINST, OPTION_VHOST},
        {OPTION_MANAGEMENT_URL, OPTION_PASSIVE_ONLY},
    };

    return is_offline(invocation, OPTION_DEFINITIONS) &&
           is_offline(invocation, OPTION_AGAINST) &&
           option_pairs_agree(invocation, pairs,
                              sizeof(pairs) / sizeof(pairs[0]));
}

enum exit_code cmd_diff(struct invocation *invocation)
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
