#include "base/text.h"
#include "command.h"
#include "completion.h"
#include "output.h"

static const struct {
    const char *name;
    void (*print)(struct output *output);
} shells[] = {
    {"bash", completion_bash},
    {"zsh", completion_zsh},
    {"fish", completion_fish},
};

#define SHELL_COUNT (sizeof(shells) / sizeof(shells[0]))

const char *const completion_shells[] = {"bash", "zsh", "fish", NULL};

static enum exit_code report_shell(const struct invocation *invocation,
                                   const char *given)
{
    const char *const accepted = words_or(invocation->arena, completion_shells);

    if (given) {
        report_error(&invocation->reporter,
                     "'completion' must be for %s, not '%s'", accepted,
                     words_shown(invocation->arena, given));
    } else {
        report_error(&invocation->reporter,
                     "'completion' needs the name of a shell: %s", accepted);
    }
    return EXIT_INVALID;
}

static enum exit_code run_command(struct invocation *invocation)
{
    const struct options *const options = &invocation->options;
    const char *const shell =
        options->operand_count > 0 ? options->operands[0] : NULL;
    struct output output = {0};

    for (size_t i = 0; shell && i < SHELL_COUNT; ++i) {
        if (lq_str_equal(shells[i].name, shell)) {
            shells[i].print(&output);
            return output_close(&output, &invocation->reporter) ? EXIT_DONE
                                                                : EXIT_FAILED;
        }
    }
    return report_shell(invocation, shell);
}

const struct command cmd_completion = {
    .name = "completion",
    .synopsis = "bash|zsh|fish",
    .summary = "print a completion script for a shell",
    .about = "Prints a script that completes commands, options, formats "
             "and file names:\n"
             "\n"
             "  bash  source <(lilyq completion bash)\n"
             "  zsh   source <(lilyq completion zsh)\n"
             "  fish  lilyq completion fish | source",
    .operands = OPERAND_SHELL,
    .run = run_command,
};
