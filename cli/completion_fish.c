#include "command.h"
#include "completion.h"

/* Holds when the command line's command is the one named, or none if "". */
static const char *const head =
    "# fish completion for lilyq, from 'lilyq completion fish'\n"
    "\n"
    "function __lilyq_command_is\n"
    "    set -l tokens (commandline -opc)\n"
    "    set -e tokens[1]\n"
    "    for token in $tokens\n"
    "        if not string match -q -- '-*' $token\n"
    "            test $token = \"$argv[1]\"\n"
    "            return\n"
    "        end\n"
    "    end\n"
    "    test -z \"$argv[1]\"\n"
    "end\n"
    "\n"
    "complete -c lilyq -f\n";

static void print_quoted(struct output *output, const char *text)
{
    output_text(output, "'");
    for (; *text; ++text) {
        if (*text == '\'' || *text == '\\') {
            output_text(output, "\\");
        }
        output_bytes(output, text, 1);
    }
    output_text(output, "'");
}

static void begin(struct output *output, const char *command)
{
    output_format(output, "complete -c lilyq -n '__lilyq_command_is \"%s\"'",
                  command);
}

static void print_option(struct output *output, const char *command,
                         const struct option_row *row)
{
    begin(output, command);
    if (row->letter) {
        output_format(output, " -s %c", row->letter);
    }
    output_format(output, " -l %s", row->name);
    if (option_is_file(row)) {
        output_text(output, " -r -F");
    } else if (row->kind != OPTION_FLAG) {
        output_text(output, " -x");
    }
    if (row->choices) {
        for (size_t i = 0; row->choices[i]; ++i) {
            output_format(output, "%s%s", i ? " " : " -a '", row->choices[i]);
        }
        output_text(output, "'");
    }
    output_text(output, " -d ");
    print_quoted(output, row->help);
    output_text(output, "\n");
}

static void print_options(struct output *output, const struct command *command)
{
    const struct option_row *rows[OPTION_MAX];
    const size_t count = options_of(command, rows);

    for (size_t i = 0; i < count; ++i) {
        print_option(output, command ? command->name : "", rows[i]);
    }
}

/* Offers the names of all commands behind `command`. */
static void print_commands(struct output *output, const char *command)
{
    for (size_t i = 0; i < COMMAND_COUNT; ++i) {
        begin(output, command);
        output_format(output, " -a %s -d ", commands[i]->name);
        print_quoted(output, commands[i]->summary);
        output_text(output, "\n");
    }
}

static void print_operands(struct output *output, const struct command *command)
{
    switch (command->operands) {
    case OPERAND_NONE:
        break;
    case OPERAND_FILES:
    case OPERAND_QUEUE:
        begin(output, command->name);
        output_text(output, " -F\n");
        break;
    case OPERAND_COMMAND:
        print_commands(output, command->name);
        break;
    case OPERAND_SHELL:
        for (size_t i = 0; completion_shells[i]; ++i) {
            begin(output, command->name);
            output_format(output, " -a %s\n", completion_shells[i]);
        }
        break;
    }
}

void completion_fish(struct output *output)
{
    output_text(output, head);
    print_commands(output, "");
    print_options(output, NULL);
    for (size_t c = 0; c < COMMAND_COUNT; ++c) {
        print_options(output, commands[c]);
        print_operands(output, commands[c]);
    }
}
