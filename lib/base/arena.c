#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 * 1024)

struct lq_arena_block {
    struct lq_arena_block *next;
    size_t used;     /* bytes of `data` handed out */
    size_t capacity; /* bytes of `data` */
    alignas(max_align_t) unsigned char data[];
};

void lq_arena_init(struct lq_arena *arena)
{
    *arena = (struct lq_arena){.limit = SIZE_MAX};
}

void lq_arena_free(struct lq_arena *arena)
{
    struct lq_arena_block *block = arena->blocks;

    while (block) {
        struct lq_arena_block *const next = block->next;
        free(block);
        block = next;
    }
    arena->blocks = NULL;
}

static struct lq_arena_block *add_block(struct lq_arena *arena, size_t size)
{
    const size_t capacity = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    struct lq_arena_block *block = NULL;

    if (capacity > SIZE_MAX - sizeof(*block)) {
        return NULL;
    }
    block = calloc(1, sizeof(*block) + capacity);
    if (!block) {
        return NULL;
    }
    block->capacity = capacity;
    if (arena->blocks && size > BLOCK_SIZE) {
        /* keep filling the current block after one oversized item */
        block->next = arena->blocks->next;
        arena->blocks->next = block;
    } else {
        block->next = arena->blocks;
        arena->blocks = block;
    }
    return block;
}

/* Nothing can be allocated from now on. */
static void *fail(struct lq_arena *arena)
{
    arena->failed = true;
    return NULL;
}

void *lq_alloc(struct lq_arena *arena, size_t size)
{
    const size_t unit = alignof(max_align_t);
    struct lq_arena_block *block = arena->blocks;
    size_t rounded = 0;
    void *memory = NULL;

    if (arena->failed || size > SIZE_MAX - unit || arena->limit == 0) {
        return fail(arena);
    }
    arena->limit -= arena->limit != SIZE_MAX;
    rounded = (size + unit - 1) / unit * unit;
    if (!block || block->capacity - block->used < rounded) {
        block = add_block(arena, rounded);
    }
    if (!block) {
        return fail(arena);
    }
    memory = block->data + block->used;
    block->used += rounded;
    return memory;
}

struct lq_arena_mark lq_arena_mark(const struct lq_arena *arena)
{
    struct lq_arena_block *const block = arena->blocks;

    return block ? (struct lq_arena_mark){block, block->next, block->used}
                 : (struct lq_arena_mark){0};
}

/* Frees the blocks from `from` up to `to`. */
static void free_blocks(struct lq_arena_block *from,
                        const struct lq_arena_block *to)
{
    while (from != to) {
        struct lq_arena_block *const next = from->next;

        free(from);
        from = next;
    }
}

void lq_arena_release(struct lq_arena *arena, const struct lq_arena_mark *mark)
{
    struct lq_arena_block *const block = mark->block;

    free_blocks(arena->blocks, block);
    arena->blocks = block;
    if (block) {
        free_blocks(block->next, mark->next);
        block->next = mark->next;
        memset(block->data + mark->used, 0, block->used - mark->used);
        block->used = mark->used;
    }
}

void *lq_alloc_array(struct lq_arena *arena, size_t count, size_t size)
{
    return size != 0 && count > SIZE_MAX / size ? fail(arena)
                                                : lq_alloc(arena, count * size);
}

char *lq_copy(struct lq_arena *arena, const char *text, size_t length)
{
    char *const copy =
        length == SIZE_MAX ? fail(arena) : lq_alloc(arena, length + 1);

    if (copy && length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

const char *lq_strndup(struct lq_arena *arena, const char *text, size_t length)
{
    const char *const copy = lq_copy(arena, text, length);

    return copy ? copy : "";
}

const char *lq_strdup(struct lq_arena *arena, const char *text)
{
    return lq_strndup(arena, text, strlen(text));
}

const char *lq_vformat(struct lq_arena *arena, const char *format, va_list args)
{
    va_list again;
    int length = 0;
    char *text = NULL;

    va_copy(again, args);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = length < 0 ? fail(arena) : lq_alloc(arena, (size_t)length + 1);
    if (!text) {
        return "";
    }
    (void)vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

const char *lq_format(struct lq_arena *arena, const char *format, ...)
{
    va_list args;
    const char *text = NULL;

    va_start(args, format);
    text = lq_vformat(arena, format, args);
    va_end(args);
    return text;
}

void lq_array_init(struct lq_array *array, size_t item_size)
{
    *array = (struct lq_array){.item_size = item_size};
}

static int grow(struct lq_array *array, struct lq_arena *arena)
{
    const size_t capacity = array->capacity ? array->capacity * 2 : 16;
    void *const items = lq_alloc_array(arena, capacity, array->item_size);

    if (!items) {
        return -1;
    }
    if (array->count) {
        memcpy(items, array->items, array->count * array->item_size);
    }
    array->items = items;
    array->capacity = capacity;
    return 0;
}

void *lq_array_push(struct lq_array *array, struct lq_arena *arena)
{
    if (array->count == array->capacity && grow(array, arena)) {
        return NULL;
    }
    return (unsigned char *)array->items + array->item_size * array->count++;
}
