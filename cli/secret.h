#ifndef CLI_SECRET_H
#define CLI_SECRET_H

#include "command.h"
#include "lilyq.h"

/*
 * Reads a file whole, less one newline at its end. `source` is what named it,
 * for messages, which never quote the content. EXIT_FAILED when it cannot be
 * read, EXIT_INVALID when it is empty, over 64 KiB or has a NUL in it.
 */
enum exit_code secret_read(const struct invocation *invocation,
                           const char *source, const char *path,
                           const char **out);

/*
 * The value of a setting itself, or what it refers to: a variable, or a file as
 * by secret_read(). EXIT_INVALID when a variable is not set or empty.
 */
enum exit_code secret_resolve(const struct invocation *invocation,
                              const struct lilyq_setting *setting,
                              const char **out);

#endif
