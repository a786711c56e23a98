#ifndef CLI_SECRET_H
#define CLI_SECRET_H

#include "command.h"

/*
 * Reads a file whole, less one newline at its end. `source` is what named it,
 * for messages, which never quote the content. EXIT_FAILED when it cannot be
 * read, EXIT_INVALID when it is empty, over 64 KiB or has a NUL in it.
 */
enum exit_code secret_read(const struct invocation *invocation,
                           const char *source, const char *path,
                           const char **out);

/*
 * The value itself, or what it refers to as a whole: ${env:NAME}, or
 * ${file:PATH} as by secret_read(). EXIT_INVALID when a variable is not set or
 * empty.
 */
enum exit_code secret_resolve(const struct invocation *invocation,
                              const char *source, const char *value,
                              const char **out);

#endif
