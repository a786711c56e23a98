#include "api/session.h"
#include "command.h"
#include "input.h"
#include "option_pairs.h"
#include "policy_options.h"
#include "rendering.h"
#include "words.h"

#include <assert.h>

/* The choices of --output are in this order. */
static_assert(LILYQ_FORMAT_JSON == 0 && LILYQ_FORMAT_TREE == 1 &&
                  LILYQ_FORMAT_DEFINITIONS == 2 && LILYQ_FORMAT_DOT == 3 &&
                  LILYQ_FORMAT_MERMAID == 4,
              "format");

/* What others declare must not be declared by an import either. */
static void warn_left_out(const struct invocation *invocation,
                          const struct lilyq *run)
{
    const struct lq_topology *const topology = run->topology;
    size_t external = 0;

    for (size_t i = 0; i < topology->logical_count; ++i) {
        external += lq_owner(&topology->logicals[i]) == LQ_EXTERNAL;
    }
    if (external > 0) {
        report_warning(
            &invocation->reporter,
            "%s not in the definitions: others declare what is "
            "external",
            words_count(invocation->arena, external, "external entry"));
    }
}

static enum lilyq_status render(const struct options *options,
                                struct lilyq *run,
                                const struct lilyq_policy_options *policies,
                                struct output *output)
{
    const struct lilyq_sink sink = output_sink(output);
    const char *const vhost = options->text[OPTION_PLAN_VHOST];

    return options->text[OPTION_POLICIES]
               ? lilyq_render_definitions(run, vhost, policies, &sink)
               : lilyq_render(run,
                              (enum lilyq_format)options->number[OPTION_OUTPUT],
                              vhost, &sink);
}

static enum exit_code print_plan(struct invocation *invocation,
                                 struct lilyq *run,
                                 const struct lilyq_policy_options *policies)
{
    const struct options *const options = &invocation->options;
    struct output output = {0};
    const size_t first = lilyq_problem_count(run);
    const enum lilyq_status status = render(options, run, policies, &output);
    const enum exit_code code =
        rendering_end(invocation, run, first, status, &output);

    if (code != EXIT_DONE) {
        return code;
    }
    if (options->number[OPTION_OUTPUT] == LILYQ_FORMAT_DEFINITIONS) {
        warn_left_out(invocation, run);
    }
    if (options->text[OPTION_POLICIES]) {
        policy_options_tell(invocation, run, policies->broker_version);
    }
    return EXIT_DONE;
}

/* Options that only definitions have a use for. */
static bool is_consistent(const struct invocation *invocation)
{
    static const enum option_id with_definitions[] = {OPTION_PLAN_VHOST,
                                                      OPTION_POLICIES};

    return invocation->options.number[OPTION_OUTPUT] ==
               LILYQ_FORMAT_DEFINITIONS ||
           options_absent(invocation, with_definitions,
                          sizeof(with_definitions) /
                              sizeof(with_definitions[0]),
                          "is of use with '--output definitions' only");
}

enum exit_code cmd_plan(struct invocation *invocation)
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
        code = print_plan(invocation, run, &policies);
    }
    lilyq_free(run);
    return code;
}
