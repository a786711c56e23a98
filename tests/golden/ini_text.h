#ifndef INI_TEXT_H
#define INI_TEXT_H

#include "base/arena.h"

#include <jansson.h>

/*
 * The queues of a {"queues":[...]} document as INI text in the arena; NULL
 * when some name or value cannot be written in INI: one with a line break or
 * NUL, with blanks at an end, or with what begins a comment.
 */
const char *ini_text(struct lq_arena *arena, const json_t *document);

#endif
