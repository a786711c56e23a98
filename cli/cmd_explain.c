#include "command.h"

#include "base/quantity.h"
#include "input.h"
#include "option_pairs.h"
#include "option_quantity.h"
#include "rendering.h"

#include <assert.h>

#define MAX_OUTAGE_DAYS 365

/* The choices of --output are in this order. */
static_assert(LILYQ_EXPLAIN_TEXT == 0 && LILYQ_EXPLAIN_JSON == 1 &&
                  LILYQ_EXPLAIN_SVG == 2,
              "format");

static enum lilyq_status render(const struct invocation *invocation,
                                const struct lilyq_explain_options *asked,
                                const char *queue, struct lilyq *run,
                                struct output *output)
{
    const struct lilyq_sink sink = output_sink(output);

    return lilyq_explain(
        run, queue, asked,
        (enum lilyq_explain_format)invocation->options.number[OPTION_EXPLAIN],
        &sink);
}

static enum exit_code
print_explanation(struct invocation *invocation, const char *queue,
                  struct lilyq *run, const struct lilyq_explain_options *asked)
{
    struct output output = {0};
    const size_t first = lilyq_problem_count(run);
    const enum lilyq_status status =
        render(invocation, asked, queue, run, &output);

    return rendering_end(invocation, run, first, status, &output);
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

static bool read_rate(const struct invocation *invocation, double *out)
{
    const char *const text = invocation->options.text[OPTION_RATE];

    return !text || lq_parse_rate(text, out) ||
           option_refuse(invocation, OPTION_RATE,
                         "a number of messages over s, m, h or d, such as 50/s "
                         "or 3000/m, up to 1000000/s");
}

static bool read_ratio(const struct invocation *invocation, double *out)
{
    const char *const text = invocation->options.text[OPTION_FAILURE_RATIO];

    return !text || lq_parse_ratio(text, out) ||
           option_refuse(invocation, OPTION_FAILURE_RATIO,
                         "a number from 0 to 1, such as 0.01");
}

/* Reads the options that describe a load. */
static bool read_load(const struct invocation *invocation,
                      struct lilyq_explain_options *out)
{
    return read_rate(invocation, &out->messages_per_second) &&
           read_ratio(invocation, &out->failure_ratio) &&
           option_duration(invocation, OPTION_OUTAGE, MAX_OUTAGE_DAYS,
                           &out->outage_millis) &&
           option_bytes(invocation, OPTION_MESSAGE_SIZE, &out->message_bytes);
}

/* A drawing is of an outage, and that of a rate. */
static bool can_draw(const struct invocation *invocation)
{
    const struct options *const options = &invocation->options;

    if (options->number[OPTION_EXPLAIN] != LILYQ_EXPLAIN_SVG ||
        (options->text[OPTION_RATE] && options->text[OPTION_OUTAGE])) {
        return true;
    }
    report_error(&invocation->reporter,
                 "'--output svg' needs '--rate' and '--outage'");
    return false;
}

/* What only makes sense with a rate. */
static bool has_rate(const struct invocation *invocation)
{
    static const enum option_id others[] = {OPTION_FAILURE_RATIO, OPTION_OUTAGE,
                                            OPTION_MESSAGE_SIZE};

    return invocation->options.text[OPTION_RATE] ||
           options_absent(invocation, others,
                          sizeof(others) / sizeof(others[0]), "needs '--rate'");
}

enum exit_code cmd_explain(struct invocation *invocation)
{
    const char *const queue = take_queue(invocation);
    struct lilyq_explain_options asked = {
        .event_id = invocation->options.text[OPTION_EVENT_ID]};
    struct lilyq *run = NULL;
    enum exit_code code = EXIT_DONE;

    if (!queue || !can_draw(invocation) || !has_rate(invocation) ||
        !read_load(invocation, &asked)) {
        return EXIT_INVALID;
    }
    code = input_plan(invocation, &run);
    if (code == EXIT_DONE) {
        code = print_explanation(invocation, queue, run, &asked);
    }
    lilyq_free(run);
    return code;
}
