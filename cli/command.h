#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/arena.h"
#include "exit_code.h"
#include "option.h"
#include "report.h"

#include <stddef.h>

/* One run of the program. */
struct invocation {
    struct lq_arena *arena;
    const struct command *command; /* NULL before the command's name */
    struct options options;
    struct reporter reporter;
};

/* What a command's operands are. */
enum operand_kind {
    OPERAND_NONE,
    OPERAND_FILES,   /* any number */
    OPERAND_QUEUE,   /* the name of an entry, then any number of files */
    OPERAND_COMMAND, /* one at most */
    OPERAND_SHELL    /* one */
};

/* Tables of options that a command may have, and the NULL behind them. */
#define COMMAND_TABLES 8

struct command {
    const char *name;
    const char *synopsis; /* what follows the options, or "" */
    const char *summary;  /* one sentence, no full stop */
    const char *about;    /* paragraphs, separated by empty lines */
    enum operand_kind operands;
    /* In the order of --help; those of every command come behind them. */
    const struct option_row *const *options[COMMAND_TABLES];
    enum exit_code (*run)(struct invocation *invocation);
};

#define COMMAND_COUNT 11

/* In the order of 'lilyq help'. */
extern const struct command *const commands[COMMAND_COUNT];

/* The command of that name, or NULL after saying what is wrong with it. */
const struct command *command_find(struct invocation *invocation,
                                   const char *name);

/* Reports that the command line names no command, and lists them all. */
enum exit_code command_missing(const struct invocation *invocation);

/* Says that memory ran out. */
enum exit_code command_out_of_memory(const struct invocation *invocation);

/* Each in its cmd_NAME.c. */
extern const struct command cmd_plan;
extern const struct command cmd_apply;
extern const struct command cmd_lint;
extern const struct command cmd_explain;
extern const struct command cmd_diff;
extern const struct command cmd_policies;
extern const struct command cmd_permissions;
extern const struct command cmd_init;
extern const struct command cmd_keys;
extern const struct command cmd_completion;
extern const struct command cmd_help;

/* Prints the help of the invocation's command, or of lilyq itself. */
enum exit_code help_print(struct invocation *invocation);

#endif
