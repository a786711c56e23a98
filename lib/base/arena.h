#ifndef LQ_BASE_ARENA_H
#define LQ_BASE_ARENA_H

#include "base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct lq_arena_block;

/*
 * Memory of one run: everything is released together. An arena is not
 * thread-safe; the caller owns the struct itself.
 *
 * A lack of memory sticks: every allocation after the first that failed fails
 * too. Functions that make a text return "" then, never NULL, so that nobody
 * has to check: whoever ends the run, or is about to write something, asks
 * lq_arena_status() once.
 */
struct lq_arena {
    struct lq_arena_block *blocks;
    size_t limit; /* allocations that may still succeed; tests lower it */
    bool failed;  /* until the arena is initialized again */
};

void lq_arena_init(struct lq_arena *arena);

/* Releases everything; the arena may be used again afterwards. */
void lq_arena_free(struct lq_arena *arena);

/* LQ_NOMEM once an allocation has failed, else `status`. */
static inline enum lq_status lq_arena_status(const struct lq_arena *arena,
                                             enum lq_status status)
{
    return arena->failed ? LQ_NOMEM : status;
}

/* Passes a lack of memory elsewhere on to the arena. */
static inline void lq_arena_note(struct lq_arena *arena, enum lq_status status)
{
    arena->failed |= status == LQ_NOMEM;
}

/* Returns `size` zeroed bytes aligned for any type, or NULL: out of memory. */
void *lq_alloc(struct lq_arena *arena, size_t size);

/* Like lq_alloc() for `count` items; a product over SIZE_MAX gives NULL. */
void *lq_alloc_array(struct lq_arena *arena, size_t count, size_t size);

/* A moment in an arena's life. */
struct lq_arena_mark {
    struct lq_arena_block *block; /* the current one at that moment, or NULL */
    struct lq_arena_block *next;
    size_t used; /* bytes of it */
};

struct lq_arena_mark lq_arena_mark(const struct lq_arena *arena);

/*
 * Takes back everything allocated since the mark; none of it may be used again.
 */
void lq_arena_release(struct lq_arena *arena, const struct lq_arena_mark *mark);

/*
 * Copies `length` bytes and adds a NUL, for a caller that changes the copy;
 * NULL: out of memory.
 */
char *lq_copy(struct lq_arena *arena, const char *text, size_t length);

/* The same as a text; "" when out of memory. */
const char *lq_strndup(struct lq_arena *arena, const char *text, size_t length);

const char *lq_strdup(struct lq_arena *arena, const char *text);

/* A printf into the arena, never truncated; "" when out of memory. */
const char *lq_format(struct lq_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

const char *lq_vformat(struct lq_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/*
 * A growing array in an arena. `items` may move at each push; take pointers
 * to items only once the array is complete.
 */
struct lq_array {
    void *items;
    size_t count;
    size_t capacity;
    size_t item_size; /* bytes */
};

void lq_array_init(struct lq_array *array, size_t item_size);

/* Appends one zeroed item and returns it; NULL when out of memory. */
void *lq_array_push(struct lq_array *array, struct lq_arena *arena);

#endif
