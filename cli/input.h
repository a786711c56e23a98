#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "command.h"
#include "lilyq.h"

#include <stdbool.h>
#include <stddef.h>

/* An option of every command that reads entries. */
extern const struct option_row option_input;

/* An option of commands that read from a broker or from what it exported. */
extern const struct option_row option_definitions;

/* What messages call standard input. */
#define STDIN_NAME "<stdin>"

/*
 * Loads the invocation's files, or lilyq.ini when it names none, into a new run
 * and plans them. Shows all problems and warnings, then a closing line unless
 * it returns EXIT_DONE. The caller frees the run in any case.
 */
enum exit_code input_plan(const struct invocation *invocation,
                          struct lilyq **out);

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
                          const struct option_row *option,
                          struct input_file *out);

/* The same for the file and virtual host of --definitions. */
enum exit_code input_definitions(const struct invocation *invocation,
                                 struct lilyq_definitions *out);

/* Shows the problems from `first` on. */
void input_show_problems(const struct invocation *invocation,
                         const struct lilyq *run, size_t first);

#endif
