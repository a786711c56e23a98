#ifndef LQ_FORMAT_SHELL_H
#define LQ_FORMAT_SHELL_H

#include "base/writer.h"

/* Writes one word of a command for a POSIX shell, in quotes if need be. */
void lq_shell_word(struct lq_writer *writer, const char *word);

/*
 * Writes what may stand between two single quotes: quotes in it get out, and
 * so does what lq_is_shown() does not let through, as bytes in octal.
 */
void lq_shell_inner(struct lq_writer *writer, const char *text);

/* Writes the option of rabbitmqctl that names a virtual host. */
void lq_shell_vhost(struct lq_writer *writer, const char *vhost);

#endif
