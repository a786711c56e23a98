#include "command.h"
#include "completion.h"

/* Runs where $command is known and $previous is an option. */
static const char *const head =
    "# bash completion for lilyq, from 'lilyq completion bash'\n"
    "\n"
    "_lilyq() {\n"
    "    local current=${COMP_WORDS[COMP_CWORD]}\n"
    "    local previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command='' words='' files='' i\n"
    "\n"
    "    # bash takes --option=value apart\n"
    "    if [[ $current == '=' ]]; then\n"
    "        current=''\n"
    "    elif [[ $previous == '=' ]]; then\n"
    "        previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        if [[ ${COMP_WORDS[i]} != -* ]]; then\n"
    "            command=${COMP_WORDS[i]}\n"
    "            break\n"
    "        fi\n"
    "    done\n"
    "\n"
    "    case $command:$previous in\n";

static const char *const tail =
    "    esac\n"
    "    if [[ -n $files ]]; then\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
    "    else\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
    "    fi\n"
    "}\n"
    "\n"
    "complete -F _lilyq lilyq\n";

static void print_words(struct output *output, const char *const *words)
{
    for (size_t i = 0; words[i]; ++i) {
        output_format(output, "%s%s", i ? " " : "", words[i]);
    }
}

static void print_command_names(struct output *output)
{
    for (size_t i = 0; i < COMMAND_COUNT; ++i) {
        output_format(output, "%s%s", i ? " " : "", commands[i]->name);
    }
}

/* "    plan:-o | plan:--output) words='json tree' ;;" */
static void print_value_case(struct output *output, const char *command,
                             const struct option_row *row)
{
    output_text(output, "    ");
    if (row->letter) {
        output_format(output, "%s:-%c | ", command, row->letter);
    }
    output_format(output, "%s:--%s) ", command, row->name);
    if (option_is_file(row)) {
        output_text(output, "files=1 ;;\n");
    } else if (row->choices) {
        output_text(output, "words='");
        print_words(output, row->choices);
        output_text(output, "' ;;\n");
    } else {
        output_text(output, "return ;;\n");
    }
}

static void print_value_cases(struct output *output)
{
    for (size_t c = 0; c < COMMAND_COUNT; ++c) {
        const struct option_row *rows[OPTION_MAX];
        const size_t count = options_of(commands[c], rows);

        for (size_t i = 0; i < count; ++i) {
            if (rows[i]->kind != OPTION_FLAG) {
                print_value_case(output, commands[c]->name, rows[i]);
            }
        }
    }
}

static void print_options(struct output *output, const struct command *command)
{
    const struct option_row *rows[OPTION_MAX];
    const size_t count = options_of(command, rows);

    for (size_t i = 0; i < count; ++i) {
        output_format(output, "%s--%s", i ? " " : "", rows[i]->name);
    }
}

static void print_operands(struct output *output, enum operand_kind kind)
{
    switch (kind) {
    case OPERAND_NONE:
        break;
    case OPERAND_FILES:
    case OPERAND_QUEUE:
        output_text(output, "files=1");
        break;
    case OPERAND_COMMAND:
        output_text(output, "words='");
        print_command_names(output);
        output_text(output, "'");
        break;
    case OPERAND_SHELL:
        output_text(output, "words='");
        print_words(output, completion_shells);
        output_text(output, "'");
        break;
    }
}

void completion_bash(struct output *output)
{
    output_text(output, head);
    print_value_cases(output);
    output_text(output, "    :*) words='");
    print_command_names(output);
    output_text(output, " ");
    print_options(output, NULL);
    output_text(output, "' ;;\n");
    for (size_t c = 0; c < COMMAND_COUNT; ++c) {
        output_format(output, "    %s:*)\n        ", commands[c]->name);
        output_text(output, "if [[ $current == -* ]]; then\n"
                            "            words='");
        print_options(output, commands[c]);
        output_text(output, "'\n"
                            "        else\n"
                            "            ");
        print_operands(output, commands[c]->operands);
        output_text(output,
                    commands[c]->operands == OPERAND_NONE ? ":\n" : "\n");
        output_text(output, "        fi\n"
                            "        ;;\n");
    }
    output_text(output, tail);
}
