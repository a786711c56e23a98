#ifndef LQ_BASE_ARENA_H
#define LQ_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct lq_arena_block;

/*
 * Memory of one run: everything is released together. An arena is not
 * thread-safe; the caller owns the struct itself.
 */
struct lq_arena {
    struct lq_arena_block *blocks;
    size_t limit; /* allocations that may still succeed; tests lower it */
};

void lq_arena_init(struct lq_arena *arena);

/* Releases everything; the arena may be used again afterwards. */
void lq_arena_free(struct lq_arena *arena);

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

/* Copies `length` bytes and adds a NUL; NULL when out of memory. */
char *lq_strndup(struct lq_arena *arena, const char *text, size_t length);

char *lq_strdup(struct lq_arena *arena, const char *text);

/* A printf into the arena, never truncated; NULL when out of memory. */
char *lq_format(struct lq_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

char *lq_vformat(struct lq_arena *arena, const char *format, va_list args)
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
