#include "command.h"

#include "output.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

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
    struct reporter *const reporter = &invocation->reporter;

    reporter->quiet = option_text(invocation, &option_quiet) != NULL;
    reporter->verbose = option_text(invocation, &option_verbose) != NULL;
    report_init(reporter, option_text(invocation, &option_no_color) != NULL);
    if (reporter->quiet && reporter->verbose) {
        report_error(reporter,
                     "'--quiet' and '--verbose' cannot be used together");
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
    if (option_text(invocation, &option_help)) {
        return help_print(invocation);
    }
    if (options->operand_count > max_operands(command->operands)) {
        report_error(
            &invocation->reporter,
            "'%s' takes no argument '%s', see 'lilyq %s --help'", command->name,
            words_shown(invocation->arena,
                        options->operands[max_operands(command->operands)]),
            command->name);
        return EXIT_INVALID;
    }
    return command->run(invocation);
}

static enum exit_code run(struct invocation *invocation, int argc, char **argv)
{
    const struct options *const options = &invocation->options;
    const enum exit_code code = read_options(invocation, argc, argv);
    int rest = 0;

    if (code != EXIT_DONE) {
        return code;
    }
    if (option_text(invocation, &option_help)) {
        return help_print(invocation);
    }
    if (option_text(invocation, &option_version)) {
        return print_version(invocation);
    }
    if (options->operand_count == 0) {
        return command_missing(invocation);
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
    code = lq_alloc(&arena, 1) ? run(&invocation, argc, argv) : EXIT_DONE;
    if (arena.failed &&
        (code == EXIT_DONE || code == EXIT_INVALID || code == EXIT_DRIFT)) {
        code = command_out_of_memory(&invocation);
    }
    lq_arena_free(&arena);
    return (int)code;
}
