#ifndef CLI_KEY_WORDS_H
#define CLI_KEY_WORDS_H

#include "base/arena.h"
#include "model/schema.h"

/* Rows of the schema in words, in the arena. */

/* What a value may be: "0 to 100", "classic or quorum", ... */
const char *key_accepts(struct lq_arena *arena, const struct lq_key *key);

/* "required", the default as it would be written, or "none". */
const char *key_default(const struct lq_key *key);

#endif
