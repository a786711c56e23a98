/* Texts in a language that has characters of its own. */
#ifndef LQ_FORMAT_ESCAPE_H
#define LQ_FORMAT_ESCAPE_H

#include "format/writer.h"

/*
 * Writes a text of any bytes. `replace` gives what a character must be written
 * as, or NULL: as it is. What it leaves and lq_is_shown() does not let through,
 * what is not UTF-8 and U+xxFFFE and U+xxFFFF, which XML forbids, become \xNN.
 */
void lq_write_escaped(struct lq_writer *writer, const char *text,
                      const char *(*replace)(uint32_t code));

/* What a character that is always markup in XML is written as, or NULL. */
const char *lq_xml_entity(uint32_t code);

#endif
