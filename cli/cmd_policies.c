#include "command.h"
#include "input.h"
#include "option_pairs.h"
#include "policy_options.h"
#include "rendering.h"

#include <assert.h>

/* The choices of --output are in this order. */
static_assert(LILYQ_POLICIES_JSON == 0 && LILYQ_POLICIES_RABBITMQCTL == 1 &&
                  LILYQ_POLICIES_TEXT == 2,
              "format");

static void tell_native(const struct invocation *invocation)
{
    report_note(&invocation->reporter,
                "native retry needs RabbitMQ 4.3 or later, and queues of its "
                "own: it never goes with v2 in one queue");
}

static enum exit_code print_policies(struct invocation *invocation,
                                     struct lilyq *run,
                                     const struct lilyq_policy_options *wanted)
{
    const struct options *const options = &invocation->options;
    struct output output = {0};
    const struct lilyq_sink sink = output_sink(&output);
    const size_t first = lilyq_problem_count(run);
    const enum lilyq_status status = lilyq_render_policies(
        run, (enum lilyq_policies_format)options->number[OPTION_POLICIES_FORM],
        options->text[OPTION_PERMISSIONS_VHOST], wanted, &sink);
    const enum exit_code code =
        rendering_end(invocation, run, first, status, &output);

    if (code != EXIT_DONE) {
        return code;
    }
    if (wanted->native_retry) {
        tell_native(invocation);
    } else {
        policy_options_tell(invocation, run, wanted->broker_version);
    }
    return EXIT_DONE;
}

/* Native retry has no DLQ of its own. */
static bool is_consistent(const struct invocation *invocation)
{
    static const struct option_pair pairs[] = {
        {OPTION_NATIVE_RETRY, OPTION_DLQ_DELIVERY_LIMIT},
        {OPTION_NATIVE_RETRY, OPTION_DLQ_RETENTION},
    };

    return option_pairs_agree(invocation, pairs,
                              sizeof(pairs) / sizeof(pairs[0]));
}

enum exit_code cmd_policies(struct invocation *invocation)
{
    struct lilyq_policy_options wanted;
    struct lilyq *run = NULL;
    enum exit_code code = policy_options_read(invocation, &wanted);

    if (code != EXIT_DONE || !is_consistent(invocation)) {
        return EXIT_INVALID;
    }
    code = input_plan(invocation, &run);
    if (code == EXIT_DONE) {
        code = print_policies(invocation, run, &wanted);
    }
    lilyq_free(run);
    return code;
}
