#include "command.h"

#include "base/text.h"

const struct command *const commands[COMMAND_COUNT] = {
    &cmd_plan,    &cmd_apply,      &cmd_diff,        &cmd_lint,
    &cmd_explain, &cmd_policies,   &cmd_permissions, &cmd_init,
    &cmd_keys,    &cmd_completion, &cmd_help,
};

const struct command *command_find(struct invocation *invocation,
                                   const char *name)
{
    const char *names[COMMAND_COUNT];
    const char *const shown = words_shown(invocation->arena, name);
    const char *near = NULL;

    for (size_t i = 0; i < COMMAND_COUNT; ++i) {
        if (lq_str_equal(commands[i]->name, name)) {
            return commands[i];
        }
        names[i] = commands[i]->name;
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

enum exit_code command_missing(const struct invocation *invocation)
{
    const char *names[COMMAND_COUNT + 1] = {NULL};

    for (size_t i = 0; i < COMMAND_COUNT; ++i) {
        names[i] = commands[i]->name;
    }
    report_error(&invocation->reporter,
                 "no command given: %s; see 'lilyq help'",
                 words_or(invocation->arena, names));
    return EXIT_INVALID;
}

enum exit_code command_out_of_memory(const struct invocation *invocation)
{
    report_error(&invocation->reporter, "out of memory");
    return EXIT_FAILED;
}
