#include "command.h"
#include "input.h"
#include "output.h"
#include "session.h"
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

static enum exit_code print_plan(struct invocation *invocation,
                                 struct lilyq *run)
{
    const struct options *const options = &invocation->options;
    struct output output = {0};
    const struct lilyq_sink sink = output_sink(&output);
    const size_t first = lilyq_problem_count(run);
    const enum lilyq_status status =
        lilyq_render(run, (enum lilyq_format)options->number[OPTION_OUTPUT],
                     options->text[OPTION_PLAN_VHOST], &sink);

    if (status == LILYQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    input_show_problems(invocation, run, first);
    if (status == LILYQ_INVALID) {
        return EXIT_INVALID;
    }
    if (options->number[OPTION_OUTPUT] == LILYQ_FORMAT_DEFINITIONS) {
        warn_left_out(invocation, run);
    }
    return output_close(&output, &invocation->reporter) ? EXIT_DONE
                                                        : EXIT_FAILED;
}

enum exit_code cmd_plan(struct invocation *invocation)
{
    const struct options *const options = &invocation->options;
    struct lilyq *run = NULL;
    enum exit_code code = EXIT_DONE;

    if (options->text[OPTION_PLAN_VHOST] &&
        options->number[OPTION_OUTPUT] != LILYQ_FORMAT_DEFINITIONS) {
        report_error(&invocation->reporter,
                     "'--vhost' is of use with '--output definitions' only");
        return EXIT_INVALID;
    }
    run = lilyq_new();
    if (!run) {
        return command_out_of_memory(invocation);
    }
    code = input_plan(invocation, run);
    if (code == EXIT_DONE) {
        code = print_plan(invocation, run);
    }
    lilyq_free(run);
    return code;
}
