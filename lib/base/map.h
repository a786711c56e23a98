#ifndef LQ_BASE_MAP_H
#define LQ_BASE_MAP_H

#include "base/arena.h"
#include "base/status.h"

#include <stddef.h>

struct lq_map_slot;

/* A map from strings to pointers, in an arena; look-ups take constant time. */
struct lq_map {
    struct lq_arena *arena;
    struct lq_map_slot *slots;
    size_t count;
    size_t capacity; /* 0 or a power of two */
};

void lq_map_init(struct lq_map *map, struct lq_arena *arena);

/* Makes room for `count` keys at once, so that adding them allocates nothing.
 */
enum lq_status lq_map_reserve(struct lq_map *map, size_t count) LQ_CHECK;

/* The value stored under `key`, or NULL. */
void *lq_map_get(const struct lq_map *map, const char *key);

/*
 * Stores a non-NULL value unless the key is there already. `*out` is the value
 * the map now holds: `value` itself when it was stored. The key's bytes stay
 * the caller's and must live as long as the map.
 */
enum lq_status lq_map_add(struct lq_map *map, const char *key, void *value,
                          void **out) LQ_CHECK;

#endif
