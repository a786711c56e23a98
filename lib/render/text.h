/* Texts in a language that has characters of its own. */
#ifndef LQ_RENDER_TEXT_H
#define LQ_RENDER_TEXT_H

#include "base/writer.h"
#include "model/topology.h"

/*
 * Writes a text of any bytes. `replace` gives what a character must be written
 * as, or NULL: as it is. What it leaves and lq_is_shown() does not let through,
 * and what is not UTF-8, become \xNN: all that XML forbids is among that, and a
 * drawing or report that is for people shows no name turned around.
 */
void lq_write_escaped(struct lq_writer *writer, const char *text,
                      const char *(*replace)(uint32_t code));

/* Writes each byte as \xNN, with what stands for a backslash in its place. */
void lq_write_hex(struct lq_writer *writer, const char *bytes, size_t length,
                  const char *backslash);

/* Writes a text of any bytes as lq_printable() has it. */
void lq_write_shown(struct lq_writer *writer, const char *text);

/* What a character that is always markup in XML is written as, or NULL. */
const char *lq_xml_entity(uint32_t code);

/* Writes one word of a command for a POSIX shell, in quotes if need be. */
void lq_shell_word(struct lq_writer *writer, const char *word);

/*
 * Writes what may stand between two single quotes: quotes in it get out, and
 * so does what lq_is_shown() does not let through, as bytes in octal.
 */
void lq_shell_inner(struct lq_writer *writer, const char *text);

/* Writes the option of rabbitmqctl that names a virtual host. */
void lq_shell_vhost(struct lq_writer *writer, const char *vhost);

/* Enumerators as they are spelt in every output. All are constants. */

/* "framework_managed" or "external" */
const char *lq_ownership_word(enum lq_ownership ownership);

/* "classic" or "quorum" */
const char *lq_queue_type_word(enum lq_queue_type type);

/* Of an exchange: "main", "retry" or "dead_letter". */
const char *lq_exchange_role_word(enum lq_role role);

/* Of a queue and of its binding: "main", "retry_bucket" or "dead_letter". */
const char *lq_queue_role_word(enum lq_role role);

#endif
