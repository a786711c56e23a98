#ifndef LQ_BASE_BUFFER_H
#define LQ_BASE_BUFFER_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A text that grows in an arena. A failed allocation sticks: what is added
 * after it goes nowhere, and the text is "".
 */
struct lq_buffer {
    struct lq_arena *arena;
    char *bytes;
    size_t length;   /* without the NUL */
    size_t capacity; /* 0: nothing was added yet */
    bool failed;
};

void lq_buffer_init(struct lq_buffer *buffer, struct lq_arena *arena);

void lq_buffer_add_bytes(struct lq_buffer *buffer, const char *bytes,
                         size_t length);

void lq_buffer_add(struct lq_buffer *buffer, const char *text);

/*
 * What was added, NUL-terminated; "" when memory ran out, which the arena
 * remembers. Valid until more is added.
 */
const char *lq_buffer_text(const struct lq_buffer *buffer);

#endif
