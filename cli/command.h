#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/arena.h"
#include "exit_code.h"
#include "options.h"
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

struct command {
    const char *name;
    const char *synopsis; /* what follows the options, or "" */
    const char *summary;  /* one sentence, no full stop */
    const char *about;    /* paragraphs, separated by empty lines */
    enum operand_kind operands;
    enum exit_code (*run)(struct invocation *invocation);
};

/* Indexed by enum command_id; COMMAND_COUNT of them. */
extern const struct command commands[];

/* The command of that name, or NULL after saying what is wrong with it. */
const struct command *command_find(struct invocation *invocation,
                                   const char *name);

/* Says that memory ran out. */
enum exit_code command_out_of_memory(const struct invocation *invocation);

enum exit_code cmd_plan(struct invocation *invocation);
enum exit_code cmd_apply(struct invocation *invocation);
enum exit_code cmd_lint(struct invocation *invocation);
enum exit_code cmd_explain(struct invocation *invocation);
enum exit_code cmd_diff(struct invocation *invocation);
enum exit_code cmd_policies(struct invocation *invocation);
enum exit_code cmd_permissions(struct invocation *invocation);
enum exit_code cmd_init(struct invocation *invocation);
enum exit_code cmd_keys(struct invocation *invocation);
enum exit_code cmd_completion(struct invocation *invocation);
enum exit_code cmd_help(struct invocation *invocation);

/* Prints the help of the invocation's command, or of lilyq itself. */
enum exit_code help_print(struct invocation *invocation);

#endif
