#ifndef LQ_TOPOLOGY_TOKEN_H
#define LQ_TOPOLOGY_TOKEN_H

#include "base/buffer.h"

#include <stddef.h>

/* The pieces that names are taken apart into. */
enum lq_grain {
    LQ_GRAIN_WORDS, /* runs of letters, runs of digits, single signs */
    LQ_GRAIN_CHARACTERS
};

/* Bytes of the piece that a text starts with; 0 for an empty text. */
size_t lq_token_length(const char *text, enum lq_grain grain);

/*
 * Bytes of the pieces that two texts have in common at their beginning. All
 * pieces are whole: "ab" and "ac" have no word in common.
 */
size_t lq_token_common(const char *a, const char *b, enum lq_grain grain);

/*
 * Sorts names piece by piece, so that those that begin with the same pieces
 * are neighbours, a name stands before the longer ones that begin with it, and
 * 900 before 1000.
 */
void lq_token_sort(const char **names, size_t count, enum lq_grain grain);

/*
 * Adds a regular expression that matches these bytes and no other. It is in
 * ASCII: bytes beyond are \xNN.
 */
void lq_token_escape(struct lq_buffer *buffer, const char *text, size_t length);

#endif
