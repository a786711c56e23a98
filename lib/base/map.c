#include "base/map.h"

#include <stdint.h>
#include <string.h>

#define LEAST_CAPACITY ((size_t)64)

struct lq_map_slot {
    const char *key; /* NULL: free */
    void *value;
    size_t hash;
};

void lq_map_init(struct lq_map *map, struct lq_arena *arena)
{
    *map = (struct lq_map){.arena = arena};
}

static size_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *text; ++text) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    }
    return (size_t)(hash ^ (hash >> 32));
}

/* The slot that holds the key, or the free one where it belongs. */
static struct lq_map_slot *find_slot(struct lq_map_slot *slots, size_t capacity,
                                     const char *key, size_t hash)
{
    size_t at = hash & (capacity - 1);

    while (slots[at].key &&
           (slots[at].hash != hash || strcmp(slots[at].key, key) != 0)) {
        at = (at + 1) & (capacity - 1);
    }
    return &slots[at];
}

void *lq_map_get(const struct lq_map *map, const char *key)
{
    if (map->capacity == 0) {
        return NULL;
    }
    return find_slot(map->slots, map->capacity, key, hash_text(key))->value;
}

static enum lq_status grow(struct lq_map *map, size_t capacity)
{
    struct lq_map_slot *const slots =
        lq_alloc_array(map->arena, capacity, sizeof(*slots));

    if (!slots) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < map->capacity; ++i) {
        const struct lq_map_slot *const old = &map->slots[i];
        if (old->key) {
            *find_slot(slots, capacity, old->key, old->hash) = *old;
        }
    }
    map->slots = slots;
    map->capacity = capacity;
    return LQ_OK;
}

enum lq_status lq_map_reserve(struct lq_map *map, size_t count)
{
    size_t capacity = map->capacity ? map->capacity : LEAST_CAPACITY;

    while (capacity / 2 < count) {
        if (capacity > SIZE_MAX / 2) {
            map->arena->failed = true;
            return LQ_NOMEM;
        }
        capacity *= 2;
    }
    return capacity == map->capacity ? LQ_OK : grow(map, capacity);
}

enum lq_status lq_map_add(struct lq_map *map, const char *key, void *value,
                          void **out)
{
    const size_t hash = hash_text(key);
    struct lq_map_slot *slot = NULL;

    if (map->count >= map->capacity / 2 &&
        lq_map_reserve(map, map->count + 1) != LQ_OK) {
        return LQ_NOMEM;
    }
    slot = find_slot(map->slots, map->capacity, key, hash);
    if (!slot->key) {
        *slot = (struct lq_map_slot){key, value, hash};
        ++map->count;
    }
    *out = slot->value;
    return LQ_OK;
}
