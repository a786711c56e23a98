#include "command.h"
#include "input.h"
#include "output.h"

#include <assert.h>

/* The choices of --output are in this order. */
static_assert(LILYQ_EXPLAIN_TEXT == 0 && LILYQ_EXPLAIN_JSON == 1, "format");

static enum lilyq_status render(const struct options *options,
                                const char *queue, struct lilyq *run,
                                struct output *output)
{
    const struct lilyq_sink sink = output_sink(output);
    const struct lilyq_explain_options explain_options = {
        .event_id = options->text[OPTION_EVENT_ID]};

    return lilyq_explain(
        run, queue, &explain_options,
        (enum lilyq_explain_format)options->number[OPTION_EXPLAIN], &sink);
}

static enum exit_code print_explanation(struct invocation *invocation,
                                        const char *queue, struct lilyq *run)
{
    struct output output = {0};
    const size_t first = lilyq_problem_count(run);
    const enum lilyq_status status =
        render(&invocation->options, queue, run, &output);

    if (status == LILYQ_NOMEM) {
        return command_out_of_memory(invocation);
    }
    input_show_problems(invocation, run, first);
    if (status == LILYQ_INVALID) {
        return EXIT_INVALID;
    }
    return output_close(&output, &invocation->reporter) ? EXIT_DONE
                                                        : EXIT_FAILED;
}

/* Takes the queue's name from the operands, which leaves the files. */
static const char *take_queue(struct invocation *invocation)
{
    struct options *const options = &invocation->options;

    if (options->operand_count == 0) {
        report_error(
            &invocation->reporter,
            "no queue named: 'lilyq explain QUEUE' tells of one entry");
        return NULL;
    }
    --options->operand_count;
    return *options->operands++;
}

enum exit_code cmd_explain(struct invocation *invocation)
{
    const char *const queue = take_queue(invocation);
    struct lilyq *run = NULL;
    enum exit_code code = EXIT_DONE;

    if (!queue) {
        return EXIT_INVALID;
    }
    run = lilyq_new();
    if (!run) {
        return command_out_of_memory(invocation);
    }
    code = input_plan(invocation, run);
    if (code == EXIT_DONE) {
        code = print_explanation(invocation, queue, run);
    }
    lilyq_free(run);
    return code;
}
