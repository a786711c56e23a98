#ifndef LQ_TOPOLOGY_ALTERNATION_H
#define LQ_TOPOLOGY_ALTERNATION_H

#include "topology/token.h"

#include <stdbool.h>
#include <stddef.h>

/* Pieces that may stand at one place, all with the same to follow. */
struct lq_branch {
    struct lq_array heads; /* const char *, as they are in the names */
    const char *tail;      /* a pattern, may be empty */
    struct lq_branch *next;
};

/*
 * How names are made a pattern. `add_heads` adds the pattern of a branch's
 * heads, of which there are several; `grouped` asks for one that has no bar
 * outside of parentheses.
 */
struct lq_alternation {
    enum lq_grain grain;
    void (*add_heads)(struct lq_buffer *buffer, const struct lq_branch *branch,
                      bool grouped);
};

/*
 * Adds a pattern that matches these names and no other, with bars between what
 * they differ in: "a|b(c|d)?". Common beginnings are written once, and so is
 * what follows equal pieces. `names` has at least one, none empty, and may have
 * repeats; it is sorted. Memory is the buffer's: so is a failure.
 */
void lq_alternation_add(struct lq_buffer *buffer, const char **names,
                        size_t count, const struct lq_alternation *how);

#endif
