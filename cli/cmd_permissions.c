#include "command.h"
#include "input.h"
#include "option_pairs.h"
#include "rendering.h"

#include <assert.h>

/* The choices of --output and of --role are in this order. */
static_assert(LILYQ_PERMISSIONS_JSON == 0 && LILYQ_PERMISSIONS_RABBITMQCTL == 1,
              "format");
static_assert(LILYQ_DEPLOYER == 0 && LILYQ_PUBLISHER == 1 &&
                  LILYQ_CONSUMER == 2 && LILYQ_OPERATOR == 3,
              "role");

static enum lilyq_status render(const struct options *options,
                                struct lilyq *run, struct output *output)
{
    const struct lilyq_sink sink = output_sink(output);
    const struct lilyq_account account = {
        (enum lilyq_role)options->number[OPTION_ROLE],
        options->text[OPTION_USER]};
    const struct lilyq_accounts accounts = {
        options->text[OPTION_PERMISSIONS_VHOST], &account,
        options->text[OPTION_ROLE] ? 1 : 0};

    return lilyq_render_permissions(
        run, (enum lilyq_permissions_format)options->number[OPTION_PERMISSIONS],
        &accounts, &sink);
}

static enum exit_code print_permissions(struct invocation *invocation,
                                        struct lilyq *run)
{
    struct output output = {0};
    const size_t first = lilyq_problem_count(run);
    const enum lilyq_status status = render(&invocation->options, run, &output);

    return rendering_end(invocation, run, first, status, &output);
}

enum exit_code cmd_permissions(struct invocation *invocation)
{
    static const enum option_id user = OPTION_USER;
    struct lilyq *run = NULL;
    enum exit_code code = EXIT_DONE;

    if (!invocation->options.text[OPTION_ROLE] &&
        !options_absent(invocation, &user, 1, "needs '--role'")) {
        return EXIT_INVALID;
    }
    code = input_plan(invocation, &run);
    if (code == EXIT_DONE) {
        code = print_permissions(invocation, run);
    }
    lilyq_free(run);
    return code;
}
