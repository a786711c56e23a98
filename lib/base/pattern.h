/* Names made a regular expression that matches them and no other. */
#ifndef LQ_BASE_PATTERN_H
#define LQ_BASE_PATTERN_H

#include "base/arena.h"
#include "base/buffer.h"

#include <stddef.h>

/* The longest pattern that RabbitMQ 4.3.6 takes, in bytes. */
#define LQ_PATTERN_MAX_LENGTH ((size_t)1024)

/*
 * What a pattern may be compiled to, in bytes: the limit of PCRE in Erlang, and
 * the only one of RabbitMQ 3.10.8 and 4.0.5.
 */
#define LQ_PATTERN_MAX_COMPILED ((size_t)65536)

/* How a pattern is written. */
enum lq_pattern_style {
    LQ_PATTERN_PLAIN, /* words and numbers stay whole */
    LQ_PATTERN_SHORT  /* what may stand at one place is taken apart as well */
};

/* A regular expression for the broker. */
struct lq_pattern {
    const char *text;      /* "^(...)\z", in ASCII */
    size_t length;         /* bytes */
    size_t compiled_bytes; /* what PCRE makes of it */
};

/*
 * A pattern that matches these names and no other. Common beginnings, and what
 * follows equal pieces, are written once; bytes beyond ASCII are \xNN, as the
 * broker matches bytes. The text depends on the set of names only; none at all
 * gives "^\z", which is no name. Names are UTF-8, not empty and without control
 * characters; they may come in any order and repeatedly, and the array is
 * sorted. The NULL text of the result means: out of memory.
 */
struct lq_pattern lq_pattern_of(const char **names, size_t count,
                                enum lq_pattern_style style,
                                struct lq_arena *arena);

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
