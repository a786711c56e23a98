#ifndef LQ_TOPOLOGY_PATTERN_H
#define LQ_TOPOLOGY_PATTERN_H

#include "base/arena.h"

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
    const char *text;      /* "^(...)$", in ASCII */
    size_t length;         /* bytes */
    size_t compiled_bytes; /* what PCRE makes of it */
};

/*
 * A pattern that matches these names and no other. Common beginnings, and what
 * follows equal pieces, are written once; bytes beyond ASCII are \xNN, as the
 * broker matches bytes. The text depends on the set of names only; none at all
 * gives "^$", which is no name. Names are UTF-8, not empty and without control
 * characters; they may come in any order and repeatedly, and the array is
 * sorted. The NULL text of the result means: out of memory.
 */
struct lq_pattern lq_pattern_of(const char **names, size_t count,
                                enum lq_pattern_style style,
                                struct lq_arena *arena);

#endif
