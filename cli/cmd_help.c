#include "base/text.h"
#include "command.h"
#include "output.h"

#include <stdio.h>
#include <string.h>

#define TERM_WIDTH 31

/* A line that starts with a blank is printed as it is. */
static void print_paragraphs(struct output *output, struct lq_arena *arena,
                             const char *text)
{
    while (*text) {
        const char *const end = strchr(text, '\n');
        const size_t length = end ? (size_t)(end - text) : strlen(text);
        const char *const line = lq_strndup(arena, text, length);

        if (*text == ' ') {
            output_format(output, "%s\n", line);
        } else {
            output_wrapped(output, "", "", line);
        }
        text += length + (end != NULL);
    }
}

/* "  -o, --output FORMAT" */
static const char *option_term(struct lq_arena *arena,
                               const struct option_row *row)
{
    const char letter[] = {'-', row->letter, ',', '\0'};

    return lq_format(arena, "  %3s --%s%s%s", row->letter ? letter : "",
                     row->name, row->metavar ? " " : "",
                     row->metavar ? row->metavar : "");
}

/* The help, then what is accepted and the default. */
static const char *option_meaning(struct lq_arena *arena,
                                  const struct option_row *row)
{
    const char *const help = row->choices
                                 ? lq_format(arena, "%s: %s", row->help,
                                             words_or(arena, row->choices))
                                 : row->help;

    return row->preset ? lq_format(arena, "%s (default: %s)", help, row->preset)
                       : help;
}

static void print_term(struct output *output, struct lq_arena *arena,
                       const char *term, const char *text)
{
    const char *const lead = lq_format(arena, "%-*s  ", TERM_WIDTH, term);
    const char *const rest = lq_format(arena, "%-*s  ", TERM_WIDTH, "");

    output_wrapped(output, lead, rest, text);
}

static void print_options(struct output *output, struct lq_arena *arena,
                          const struct command *command)
{
    const struct option_row *rows[OPTION_MAX];
    const size_t count = options_of(command, rows);

    output_text(output, "\nOptions:\n");
    for (size_t i = 0; i < count; ++i) {
        print_term(output, arena, option_term(arena, rows[i]),
                   option_meaning(arena, rows[i]));
    }
}

static void print_command(struct output *output, struct lq_arena *arena,
                          const struct command *command)
{
    output_format(output, "usage: lilyq %s [OPTIONS]%s%s\n\n", command->name,
                  *command->synopsis ? " " : "", command->synopsis);
    print_paragraphs(output, arena, command->about);
    print_options(output, arena, command);
}

static void print_overview(struct output *output, struct lq_arena *arena)
{
    output_text(output, "usage: lilyq COMMAND [OPTIONS] [FILE...]\n\n");
    output_wrapped(output, "", "",
                   "Plans the v2 retry topology of RabbitMQ queues and "
                   "declares it on a broker.");
    output_text(output, "\nCommands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; ++i) {
        output_format(output, "  %-12s%s\n", commands[i]->name,
                      commands[i]->summary);
    }
    print_options(output, arena, NULL);
    output_text(output,
                "\n"
                "Exit status:\n"
                "  0  done\n"
                "  1  failed: the broker, or reading or writing a file\n"
                "  2  wrong command line or configuration, nothing done\n"
                "  3  drift or findings; or a dry run found something missing\n"
                "  4  conflicts found, nothing written to the broker\n"
                "  5  partly applied; the report says what is left to do\n"
                "\n"
                "'lilyq help COMMAND' is about one command; the manual is "
                "lilyq(1).\n");
}

enum exit_code help_print(struct invocation *invocation)
{
    struct output output = {0};

    if (invocation->command) {
        print_command(&output, invocation->arena, invocation->command);
    } else {
        print_overview(&output, invocation->arena);
    }
    return output_close(&output, &invocation->reporter) ? EXIT_DONE
                                                        : EXIT_FAILED;
}

static enum exit_code run_command(struct invocation *invocation)
{
    const struct options *const options = &invocation->options;

    invocation->command = NULL;
    if (options->operand_count > 0) {
        invocation->command = command_find(invocation, options->operands[0]);
        if (!invocation->command) {
            return EXIT_INVALID;
        }
    }
    return help_print(invocation);
}

const struct command cmd_help = {
    .name = "help",
    .synopsis = "[COMMAND]",
    .summary = "print help, about one command if named",
    .about = "Prints the help of a command, like 'lilyq COMMAND --help', "
             "or else the list of commands.",
    .operands = OPERAND_COMMAND,
    .run = run_command,
};
