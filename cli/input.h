#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "command.h"

/*
 * Loads the invocation's files, or lilyq.ini when it names none, and plans
 * them. Shows all problems and warnings; then, unless it is EXIT_DONE, a
 * closing line.
 */
enum exit_code input_plan(struct invocation *invocation, struct lilyq *run);

/* Shows the problems from `first` on. */
void input_show_problems(const struct invocation *invocation,
                         const struct lilyq *run, size_t first);

#endif
