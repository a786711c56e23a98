/* Turns names into a regular expression that matches them and nothing else. */
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
    LQ_PATTERN_SHORT  /* alternatives at one position are split as well */
};

/* A regular expression for the broker. */
struct lq_pattern {
    const char *text;      /* "^(...)\z", in ASCII */
    size_t length;         /* bytes */
    size_t compiled_bytes; /* what PCRE makes of it */
};

/*
 * A pattern that matches these names and nothing else. Common prefixes, and
 * what follows equal pieces, are written once; bytes beyond ASCII become \xNN,
 * as the broker matches bytes. The text depends on the set of names alone; the
 * empty set gives "^\z", which matches no name. Names are UTF-8, not empty and
 * free of control characters; order and repeats do not matter. The array is
 * sorted in place. When out of memory, the text is "".
 */
struct lq_pattern lq_pattern_of(const char **names, size_t count,
                                enum lq_pattern_style style,
                                struct lq_arena *arena);

/* The pieces that names are split into. */
enum lq_grain {
    LQ_GRAIN_WORDS, /* runs of letters, runs of digits, other characters one by
                       one */
    LQ_GRAIN_CHARACTERS
};

/* Bytes of the first piece of a text; 0 for an empty text. */
size_t lq_token_length(const char *text, enum lq_grain grain);

/*
 * Bytes of the leading pieces that two texts share. Only whole pieces count:
 * "ab" and "ac" share no word.
 */
size_t lq_token_common(const char *a, const char *b, enum lq_grain grain);

/*
 * Sorts names piece by piece: names that begin with the same pieces are
 * neighbours, a name precedes longer ones that begin with it, and 900 precedes
 * 1000.
 */
void lq_token_sort(const char **names, size_t count, enum lq_grain grain);

/*
 * Adds a regular expression that matches exactly these bytes. It is ASCII:
 * other bytes become \xNN.
 */
void lq_token_escape(struct lq_buffer *buffer, const char *text, size_t length);

#endif
