#include "command.h"
#include "completion.h"

static const char *const head =
    "#compdef lilyq\n"
    "# zsh completion for lilyq, from 'lilyq completion zsh'\n"
    "\n";

static const char *const tail = "    esac\n"
                                "}\n"
                                "\n"
                                "# read by autoload, or sourced\n"
                                "if [[ $funcstack[1] == _lilyq ]]; then\n"
                                "    _lilyq \"$@\"\n"
                                "else\n"
                                "    compdef _lilyq lilyq\n"
                                "fi\n";

/* Text inside single quotes, where `special` characters need a backslash. */
static void print_quoted(struct output *output, const char *text)
{
    for (; *text; ++text) {
        switch (*text) {
        case '\'':
            output_text(output, "'\\''");
            break;
        case '[':
        case ']':
        case ':':
        case '\\':
            output_format(output, "\\%c", *text);
            break;
        default:
            output_bytes(output, text, 1);
        }
    }
}

/* ":FORMAT:(json tree)", or nothing for a flag */
static void print_action(struct output *output, const struct option_row *row)
{
    if (row->kind == OPTION_FLAG) {
        return;
    }
    output_format(output, ":%s:", row->metavar);
    if (option_is_file(row)) {
        output_text(output, "_files");
    } else if (row->choices) {
        for (size_t i = 0; row->choices[i]; ++i) {
            output_format(output, "%s%s", i ? " " : "(", row->choices[i]);
        }
        output_text(output, ")");
    } else {
        output_text(output, " ");
    }
}

/* '(-o --output)'{-o+,--output=}'[help]:FORMAT:(json tree)' */
static void print_option(struct output *output, const struct option_row *row)
{
    const char *const joined = row->kind == OPTION_FLAG ? "" : "+";
    const char *const equals = row->kind == OPTION_FLAG ? "" : "=";

    output_text(output, "            ");
    if (row->letter) {
        output_format(output, "'(-%c --%s)'{-%c%s,--%s%s}'[", row->letter,
                      row->name, row->letter, joined, row->name, equals);
    } else {
        output_format(output, "'%s--%s%s[", row->kind == OPTION_LIST ? "*" : "",
                      row->name, equals);
    }
    print_quoted(output, row->help);
    output_text(output, "]");
    print_action(output, row);
    output_text(output, "' \\\n");
}

static void print_options(struct output *output, const struct command *command)
{
    const struct option_row *rows[OPTION_MAX];
    const size_t count = options_of(command, rows);

    for (size_t i = 0; i < count; ++i) {
        print_option(output, rows[i]);
    }
}

static void print_command_list(struct output *output)
{
    output_text(output, "_lilyq_commands() {\n"
                        "    local -a commands\n"
                        "    commands=(\n");
    for (size_t i = 0; i < COMMAND_COUNT; ++i) {
        output_format(output, "        '%s:", commands[i]->name);
        print_quoted(output, commands[i]->summary);
        output_text(output, "'\n");
    }
    output_text(output, "    )\n"
                        "    _describe command commands\n"
                        "}\n"
                        "\n");
}

static void print_operands(struct output *output, enum operand_kind kind)
{
    switch (kind) {
    case OPERAND_NONE:
        output_text(output, "            ''\n");
        break;
    case OPERAND_FILES:
        output_text(output, "            '*:file:_files'\n");
        break;
    case OPERAND_QUEUE:
        output_text(output, "            '1:queue:' \\\n"
                            "            '*:file:_files'\n");
        break;
    case OPERAND_COMMAND:
        output_text(output, "            '1:command:_lilyq_commands'\n");
        break;
    case OPERAND_SHELL:
        output_text(output, "            '1:shell:(");
        for (size_t i = 0; completion_shells[i]; ++i) {
            output_format(output, "%s%s", i ? " " : "", completion_shells[i]);
        }
        output_text(output, ")'\n");
        break;
    }
}

void completion_zsh(struct output *output)
{
    output_text(output, head);
    print_command_list(output);
    output_text(output, "_lilyq() {\n"
                        "    local curcontext=$curcontext state line\n"
                        "    typeset -A opt_args\n"
                        "\n"
                        "    _arguments -C \\\n");
    print_options(output, NULL);
    output_text(output, "            '1:command:_lilyq_commands' \\\n"
                        "            '*::argument:->argument'\n"
                        "    [[ $state == argument ]] || return\n"
                        "\n"
                        "    case $words[1] in\n");
    for (size_t c = 0; c < COMMAND_COUNT; ++c) {
        output_format(output, "    %s)\n        _arguments \\\n",
                      commands[c]->name);
        print_options(output, commands[c]);
        print_operands(output, commands[c]->operands);
        output_text(output, "        ;;\n");
    }
    output_text(output, tail);
}
