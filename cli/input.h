#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "command.h"

#include <stdbool.h>
#include <stddef.h>

/* What messages call standard input. */
#define STDIN_NAME "<stdin>"

/*
 * Loads the invocation's files, or lilyq.ini when it names none, and plans
 * them. Shows all problems and warnings; then, unless it is EXIT_DONE, a
 * closing line.
 */
enum exit_code input_plan(struct invocation *invocation, struct lilyq *run);

/* Whether a name is that of standard input. */
bool input_is_stdin(const char *file);

/*
 * Reads standard input to its end, into the run's arena. LILYQ_OK, LILYQ_IO
 * (with a problem) or LILYQ_NOMEM.
 */
enum lilyq_status input_read_stdin(struct lilyq *run, const char **text,
                                   size_t *length);

/* A file that the library reads, unless it is standard input. */
struct input_file {
    const char *name;
    const char *text;
    size_t length;
};

/*
 * The file that an option names. Not EXIT_DONE after saying that standard input
 * cannot be read.
 */
enum exit_code input_file(const struct invocation *invocation,
                          struct lilyq *run, enum option_id option,
                          struct input_file *out);

/* Shows the problems from `first` on. */
void input_show_problems(const struct invocation *invocation,
                         const struct lilyq *run, size_t first);

#endif
