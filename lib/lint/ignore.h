#ifndef LQ_LINT_IGNORE_H
#define LQ_LINT_IGNORE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* The words of a comment "lilyq:ignore LQ001,LQ002 reason". */
struct lq_ignore_words {
    struct lq_array codes; /* const char *, as written */
    const char *reason;    /* "" when there is none */
};

/*
 * Takes apart what follows "lilyq:ignore": words with commas between them,
 * blanks around these or not, and the rest. False when out of memory.
 */
bool lq_ignore_read(const char *text, struct lq_arena *arena,
                    struct lq_ignore_words *out);

#endif
