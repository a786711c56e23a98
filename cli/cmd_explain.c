#include "command.h"

#include "base/quantity.h"
#include "input.h"
#include "output.h"

#define MAX_OUTAGE_DAYS 365

static const char *const formats[] = {[LILYQ_EXPLAIN_TEXT] = "text",
                                      [LILYQ_EXPLAIN_JSON] = "json",
                                      [LILYQ_EXPLAIN_SVG] = "svg",
                                      NULL};

static const struct option_row format_option =
    OPTION_FORM("explanation", formats, "text");
static const struct option_row event_id_option = {
    .name = "event-id",
    .kind = OPTION_TEXT,
    .metavar = "UUID",
    .help = "show the exact buckets that this event takes"};
static const struct option_row rate_option = {
    .name = "rate",
    .kind = OPTION_TEXT,
    .metavar = "RATE",
    .help = "also show how full the queues get at this rate of messages, such "
            "as 50/s or 3000/m"};
static const struct option_row failure_ratio_option = {
    .name = "failure-ratio",
    .kind = OPTION_TEXT,
    .metavar = "RATIO",
    .preset = "0",
    .help = "share of deliveries that fail outside an outage, 0 to 1"};
static const struct option_row outage_option = {
    .name = "outage",
    .kind = OPTION_TEXT,
    .metavar = "DURATION",
    .help = "how long every delivery fails, such as 90s, 15m or 2h"};
static const struct option_row message_size_option = {
    .name = "message-size",
    .kind = OPTION_TEXT,
    .metavar = "BYTES",
    .help = "size of a message, besides the largest that the entry allows"};

static const struct option_row *const options[] = {
    &format_option,        &option_input,  &event_id_option,     &rate_option,
    &failure_ratio_option, &outage_option, &message_size_option, NULL};

static enum lilyq_status render(const struct invocation *invocation,
                                const struct lilyq_explain_options *asked,
                                const char *queue, struct lilyq *run,
                                struct output *output)
{
    const struct lilyq_sink sink = output_sink(output);

    return lilyq_explain(
        run, queue, asked,
        (enum lilyq_explain_format)option_number(invocation, &format_option),
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
    struct options *const given = &invocation->options;

    if (given->operand_count == 0) {
        report_error(
            &invocation->reporter,
            "no queue named: 'lilyq explain QUEUE' explains one entry");
        return NULL;
    }
    --given->operand_count;
    return *given->operands++;
}

static bool read_rate(const struct invocation *invocation, double *out)
{
    const char *const text = option_text(invocation, &rate_option);

    return !text || lq_parse_rate(text, out) ||
           option_refuse(invocation, &rate_option,
                         "a number of messages over s, m, h or d, such as 50/s "
                         "or 3000/m, up to 1000000/s");
}

static bool read_ratio(const struct invocation *invocation, double *out)
{
    const char *const text = option_text(invocation, &failure_ratio_option);

    return !text || lq_parse_ratio(text, out) ||
           option_refuse(invocation, &failure_ratio_option,
                         "a number from 0 to 1, such as 0.01");
}

/* Reads the options that describe a load. */
static bool read_load(const struct invocation *invocation,
                      struct lilyq_explain_options *out)
{
    return read_rate(invocation, &out->messages_per_second) &&
           read_ratio(invocation, &out->failure_ratio) &&
           option_duration(invocation, &outage_option, MAX_OUTAGE_DAYS,
                           &out->outage_millis) &&
           option_bytes(invocation, &message_size_option, &out->message_bytes);
}

/* A drawing is of an outage, and that of a rate. */
static bool can_draw(const struct invocation *invocation)
{
    if (option_number(invocation, &format_option) != LILYQ_EXPLAIN_SVG ||
        (option_text(invocation, &rate_option) &&
         option_text(invocation, &outage_option))) {
        return true;
    }
    report_error(&invocation->reporter,
                 "'--output svg' needs '--rate' and '--outage'");
    return false;
}

/* What only makes sense with a rate. */
static bool has_rate(const struct invocation *invocation)
{
    static const struct option_row *const others[] = {
        &failure_ratio_option, &outage_option, &message_size_option, NULL};

    return option_text(invocation, &rate_option) ||
           options_absent(invocation, others, "needs '--rate'");
}

static enum exit_code run_command(struct invocation *invocation)
{
    const char *const queue = take_queue(invocation);
    struct lilyq_explain_options asked = {
        .event_id = option_text(invocation, &event_id_option)};
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

const struct command cmd_explain = {
    .name = "explain",
    .synopsis = "QUEUE [FILE...]",
    .summary = "tell what becomes of a message that keeps failing",
    .about = "Tells what becomes of a message of the entry QUEUE that fails "
             "each time it is delivered: how long each retry waits and in "
             "which bucket, the "
             "headers that it carries, and when and how it is dead-lettered. "
             "With --rate it also tells how full the queues get, and with "
             "--outage how they fill and drain when every delivery fails for a "
             "time. It needs no broker.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
    .operands = OPERAND_QUEUE,
    .options = {options},
    .run = run_command,
};
