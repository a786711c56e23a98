#include "command.h"
#include "connection.h"
#include "input.h"
#include "output.h"

static const char *const formats[] = {[LILYQ_PERMISSIONS_JSON] = "json",
                                      [LILYQ_PERMISSIONS_RABBITMQCTL] =
                                          "rabbitmqctl",
                                      NULL};
static const char *const roles[] = {
    [LILYQ_DEPLOYER] = "deployer",
    [LILYQ_PUBLISHER] = "publisher",
    [LILYQ_CONSUMER] = "consumer",
    [LILYQ_OPERATOR] = "operator",
    NULL,
};

static const struct option_row format_option =
    OPTION_FORM("permissions", formats, "json");
static const struct option_row vhost_option = {
    .name = "vhost",
    .kind = OPTION_ANY_TEXT,
    .metavar = "VHOST",
    .preset = "that of 'lilyq apply'",
    .help = "virtual host of the permissions"};
static const struct option_row role_option = {.name = "role",
                                              .kind = OPTION_CHOICE,
                                              .metavar = "ROLE",
                                              .choices = roles,
                                              .preset = "all of them",
                                              .help = "this role only"};
static const struct option_row user_option = {
    .name = "user",
    .kind = OPTION_TEXT,
    .metavar = "USER",
    .preset = "lilyq-ROLE",
    .help = "name of the user with this role"};

static const struct option_row *const options[] = {
    &format_option, &option_input, &vhost_option,
    &role_option,   &user_option,  NULL};

static enum lilyq_status render(const struct invocation *invocation,
                                struct lilyq *run, const char *vhost,
                                struct output *output)
{
    const struct lilyq_sink sink = output_sink(output);
    const struct lilyq_account account = {
        (enum lilyq_role)option_number(invocation, &role_option),
        option_text(invocation, &user_option)};
    const struct lilyq_accounts accounts = {
        vhost, &account, option_text(invocation, &role_option) ? 1 : 0};

    return lilyq_render_permissions(
        run,
        (enum lilyq_permissions_format)option_number(invocation,
                                                     &format_option),
        &accounts, &sink);
}

static enum exit_code print_permissions(struct invocation *invocation,
                                        struct lilyq *run)
{
    struct output output = {0};
    const char *vhost = NULL;
    size_t first = 0;
    enum lilyq_status status = LILYQ_OK;
    const enum exit_code code =
        connection_vhost(invocation, run, &vhost_option, &vhost);

    if (code != EXIT_DONE) {
        return code;
    }
    first = lilyq_problem_count(run);
    status = render(invocation, run, vhost, &output);
    return rendering_end(invocation, run, first, status, &output);
}

static enum exit_code run_command(struct invocation *invocation)
{
    static const struct option_row *const user[] = {&user_option, NULL};
    struct lilyq *run = NULL;
    enum exit_code code = EXIT_DONE;

    if (!option_text(invocation, &role_option) &&
        !options_absent(invocation, user, "needs '--role'")) {
        return EXIT_INVALID;
    }
    code = input_plan(invocation, &run);
    if (code == EXIT_DONE) {
        code = print_permissions(invocation, run);
    }
    lilyq_free(run);
    return code;
}

const struct command cmd_permissions = {
    .name = "permissions",
    .synopsis = "[FILE...]",
    .summary = "print the least permissions that its users need",
    .about = "Prints the regular expressions that give a user of the broker "
             "just the permissions to declare, publish to, consume from or "
             "operate what 'lilyq plan' prints. It needs no broker.\n"
             "\n"
             "  deployer   declares the topology, as 'lilyq apply' does\n"
             "  publisher  publishes to the main exchanges\n"
             "  consumer   declares the topology, consumes, republishes what "
             "failed\n"
             "  operator   reads and republishes dead-lettered messages\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
    .operands = OPERAND_FILES,
    .options = {options},
    .run = run_command,
};
