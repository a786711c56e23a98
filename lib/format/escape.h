/* Texts in a language that has characters of its own. */
#ifndef LQ_FORMAT_ESCAPE_H
#define LQ_FORMAT_ESCAPE_H

#include "base/writer.h"

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

#endif
