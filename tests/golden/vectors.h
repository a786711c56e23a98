#ifndef VECTORS_H
#define VECTORS_H

#include "base/arena.h"

#include <jansson.h>

/*
 * A line of a vector file. The objects live until vectors_free(), the texts as
 * long as the arena.
 */
struct vector {
    const char *name;
    const char *document; /* {"queues":[...]}, the bytes as they are */
    size_t length;
    json_t *queues; /* the same, parsed */
    json_t *line;   /* all else, parsed: "expect" and the like */
};

struct vectors {
    struct vector *items;
    size_t count;
};

/*
 * Reads tests/data/vectors/<file>; run from the root of the tree. Ends the
 * program with a message when a line is not as expected.
 */
struct vectors vectors_read(struct lq_arena *arena, const char *file);

void vectors_free(const struct vectors *vectors);

/* Ends the program with a message. */
_Noreturn void give_up(const char *what, const char *where);

#endif
