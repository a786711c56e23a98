#include "command.h"

#include "base/text.h"
#include "output.h"
#include "words.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct command commands[] = {
    [COMMAND_PLAN] =
        {.name = "plan",
         .synopsis = "[FILE...]",
         .summary = "print what queue entries expand to",
         .about =
             "Reads queue entries, expands each into its exchanges, retry "
             "buckets and dead-letter queue, and prints the result. It needs "
             "no broker.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. A name that ends in .json is read as JSON, any "
             "other as INI. Several files make one topology.",
         .operands = OPERAND_FILES,
         .run = cmd_plan},
    [COMMAND_APPLY] =
        {.name = "apply",
         .synopsis = "[FILE...]",
         .summary = "declare it on a broker",
         .about =
             "Declares what 'lilyq plan' prints on a RabbitMQ broker, and "
             "prints what became of it. Nothing is ever deleted or changed; "
             "what exists as planned is left alone, so it can be run again at "
             "any time. All of it is looked at first; '--dry-run' does no "
             "more, and ends with 3 when something is missing.\n"
             "\n"
             "The broker is the first of: --url, the environment variables "
             "LILYQ_URL, RABBITMQ_URL and AMQP_URL, [broker] in the file, and "
             "amqp://guest:guest@localhost:5672/%2F. Several URLs, with "
             "commas between them, are tried in turn. The password may also "
             "be in the environment variable LILYQ_PASSWORD.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
         .operands = OPERAND_FILES,
         .run = cmd_apply},
    [COMMAND_EXPLAIN] =
        {.name = "explain",
         .synopsis = "QUEUE [FILE...]",
         .summary = "tell what becomes of a message that keeps failing",
         .about =
             "Tells of a message of the entry QUEUE that fails each time it is "
             "delivered: how long each retry waits and in which bucket, the "
             "headers that it carries, and when and how it is dead-lettered. "
             "It needs no broker.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
         .operands = OPERAND_QUEUE,
         .run = cmd_explain},
    [COMMAND_DIFF] =
        {.name = "diff",
         .synopsis = "[FILE...]",
         .summary = "compare it with what a broker holds",
         .about =
             "Compares what 'lilyq plan' prints with what a RabbitMQ broker "
             "holds, prints every difference and what to do about it, and "
             "changes nothing. It ends with 3 when one of the first four is "
             "found.\n"
             "\n"
             "  +  missing     planned, not there\n"
             "  ~  different   there, not as planned\n"
             "  -  unexpected  there, not planned\n"
             "  !  shadowed    as planned, but a policy changes what is in "
             "force\n"
             "  ?  unverified  where it looks does not show it\n"
             "  *  note        as planned, but worth a look\n"
             "\n"
             "It looks through the management API: --management-url, or "
             "[broker] management_url in the file; user, password and virtual "
             "host are found as 'lilyq apply' finds them. With --definitions "
             "it needs no broker.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
         .operands = OPERAND_FILES,
         .run = cmd_diff},
    [COMMAND_POLICIES] =
        {.name = "policies",
         .synopsis = "[FILE...]",
         .summary = "print policies that keep messages from being lost",
         .about =
             "Prints policies that give quorum queues what 'lilyq plan' cannot "
             "put into arguments, since the framework declares them again as "
             "they are. It needs no broker.\n"
             "\n"
             "  lilyq-at-least-once  buckets and main queues keep a message "
             "until its\n"
             "                       dead-letter target has it\n"
             "  lilyq-dlq            DLQs do not drop what was read too often "
             "(RabbitMQ 4.0)\n"
             "  lilyq-dlq-classic    classic DLQs, with --dlq-retention only\n"
             "\n"
             "Only one policy is in force for a queue: the one of the highest "
             "priority.\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
         .operands = OPERAND_FILES,
         .run = cmd_policies},
    [COMMAND_PERMISSIONS] =
        {.name = "permissions",
         .synopsis = "[FILE...]",
         .summary = "print the least permissions that its users need",
         .about =
             "Prints the regular expressions that give a user of the broker "
             "just the permissions to declare, publish to, consume from or "
             "operate what 'lilyq plan' prints. It needs no broker.\n"
             "\n"
             "  deployer   declares the topology, as 'lilyq apply' does\n"
             "  publisher  publishes to the main exchanges\n"
             "  consumer   declares the topology, consumes, hands on what "
             "failed\n"
             "  operator   reads dead letters, publishes them again\n"
             "\n"
             "FILE is lilyq.ini in the working directory unless named; '-' is "
             "standard input. Several files make one topology.",
         .operands = OPERAND_FILES,
         .run = cmd_permissions},
    [COMMAND_INIT] =
        {.name = "init",
         .synopsis = "",
         .summary = "print a commented file to start from",
         .about = "Prints a configuration with one queue entry and every key "
                  "explained:\n"
                  "\n"
                  "  lilyq init > lilyq.ini\n"
                  "  lilyq plan -o tree",
         .run = cmd_init},
    [COMMAND_KEYS] =
        {.name = "keys",
         .synopsis = "",
         .summary = "list the keys of the configuration",
         .about = "Prints every key with what it accepts, its default and its "
                  "meaning. Key names are the same in INI and JSON; a dot "
                  "stands for a nested object.",
         .run = cmd_keys},
    [COMMAND_COMPLETION] =
        {.name = "completion",
         .synopsis = "bash|zsh|fish",
         .summary = "print a completion script for a shell",
         .about = "Prints a script that completes commands, options, formats "
                  "and file names:\n"
                  "\n"
                  "  bash  source <(lilyq completion bash)\n"
                  "  zsh   source <(lilyq completion zsh)\n"
                  "  fish  lilyq completion fish | source",
         .operands = OPERAND_SHELL,
         .run = cmd_completion},
    [COMMAND_HELP] =
        {.name = "help",
         .synopsis = "[COMMAND]",
         .summary = "print help, about one command if named",
         .about = "Prints the help of a command, like 'lilyq COMMAND --help', "
                  "or else the list of commands.",
         .operands = OPERAND_COMMAND,
         .run = cmd_help},
};

const struct command *command_find(struct invocation *invocation,
                                   const char *name)
{
    const char *names[COMMAND_COUNT];
    const char *const shown = words_shown(invocation->arena, name);
    const char *near = NULL;

    for (unsigned i = 0; i < COMMAND_COUNT; ++i) {
        if (lq_str_equal(commands[i].name, name)) {
            return &commands[i];
        }
        names[i] = commands[i].name;
    }
    near = lq_suggest(name, names, COMMAND_COUNT);
    if (near) {
        report_error(&invocation->reporter,
                     "unknown command '%s'; did you mean '%s'?", shown, near);
    } else {
        report_error(&invocation->reporter,
                     "unknown command '%s', see 'lilyq help'", shown);
    }
    return NULL;
}

enum exit_code command_out_of_memory(const struct invocation *invocation)
{
    report_error(&invocation->reporter, "out of memory");
    return EXIT_FAILED;
}

static enum exit_code print_version(struct invocation *invocation)
{
    struct output output = {0};

    output_format(&output, "lilyq %s\n", lilyq_version());
    return output_close(&output, &invocation->reporter) ? EXIT_DONE
                                                        : EXIT_FAILED;
}

/* Brings the reporter up to the options read so far. */
static bool set_reporter(struct invocation *invocation)
{
    const char *const *const text = invocation->options.text;
    struct reporter *const reporter = &invocation->reporter;

    reporter->quiet = text[OPTION_QUIET] != NULL;
    reporter->verbose = text[OPTION_VERBOSE] != NULL;
    report_init(reporter, text[OPTION_NO_COLOR] != NULL);
    if (reporter->quiet && reporter->verbose) {
        report_error(reporter, "'--quiet' and '--verbose' exclude each other");
        return false;
    }
    return true;
}

static enum exit_code read_options(struct invocation *invocation, int argc,
                                   char **argv)
{
    const enum exit_code code = options_read(invocation, argc, argv);

    return code == EXIT_DONE && !set_reporter(invocation) ? EXIT_INVALID : code;
}

static size_t max_operands(enum operand_kind kind)
{
    switch (kind) {
    case OPERAND_FILES:
    case OPERAND_QUEUE:
        return SIZE_MAX;
    case OPERAND_COMMAND:
    case OPERAND_SHELL:
        return 1;
    case OPERAND_NONE:
        break;
    }
    return 0;
}

static enum exit_code run_command(struct invocation *invocation, int argc,
                                  char **argv)
{
    const struct command *const command = invocation->command;
    const struct options *const options = &invocation->options;
    const enum exit_code code = read_options(invocation, argc, argv);

    if (code != EXIT_DONE) {
        return code;
    }
    if (options->text[OPTION_HELP]) {
        return help_print(invocation);
    }
    if (options->operand_count > max_operands(command->operands)) {
        report_error(
            &invocation->reporter,
            "'%s' has no use for '%s', see 'lilyq %s --help'", command->name,
            words_shown(invocation->arena,
                        options->operands[max_operands(command->operands)]),
            command->name);
        return EXIT_INVALID;
    }
    return command->run(invocation);
}

static enum exit_code report_no_command(const struct invocation *invocation)
{
    const char *names[COMMAND_COUNT + 1] = {NULL};

    for (unsigned i = 0; i < COMMAND_COUNT; ++i) {
        names[i] = commands[i].name;
    }
    report_error(&invocation->reporter,
                 "no command given: %s; see 'lilyq help'",
                 words_or(invocation->arena, names));
    return EXIT_INVALID;
}

static enum exit_code run(struct invocation *invocation, int argc, char **argv)
{
    const struct options *const options = &invocation->options;
    const enum exit_code code = read_options(invocation, argc, argv);
    int rest = 0;

    if (code != EXIT_DONE) {
        return code;
    }
    if (options->text[OPTION_HELP]) {
        return help_print(invocation);
    }
    if (options->text[OPTION_VERSION]) {
        return print_version(invocation);
    }
    if (options->operand_count == 0) {
        return report_no_command(invocation);
    }
    rest = (int)options->operand_count;
    invocation->command = command_find(invocation, options->operands[0]);
    return invocation->command
               ? run_command(invocation, rest, argv + (argc - rest))
               : EXIT_INVALID;
}

/*
 * A descriptor that is closed at the start would go to the next file opened.
 * It is taken by one that cannot be used as it should be.
 */
static void hold_standard_descriptors(void)
{
    static const int useless[] = {O_WRONLY, O_RDONLY, O_RDONLY};

    for (int i = 0; i < 3; ++i) {
        if (fcntl(i, F_GETFD) == -1) {
            (void)open("/dev/null", useless[i]);
        }
    }
}

int main(int argc, char **argv)
{
    static char buffer[1 << 16];
    struct lq_arena arena;
    struct invocation invocation = {.arena = &arena};
    enum exit_code code = EXIT_DONE;

    hold_standard_descriptors();
    (void)setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
    (void)setvbuf(stderr, NULL, _IOLBF, 0);
    (void)signal(SIGPIPE, SIG_IGN); /* a closed pipe is reported instead */
    lq_arena_init(&arena);
    report_init(&invocation.reporter, false);
    /* the first block holds every message, and all of help and the tables */
    code = lq_alloc(&arena, 1) ? run(&invocation, argc, argv)
                               : command_out_of_memory(&invocation);
    lq_arena_free(&arena);
    return (int)code;
}
