#include "model/own.h"

#include "base/text.h"
#include "model/names.h"

#include <string.h>

/* Holds a pointer to a constant, which a map cannot hold itself. */
struct box {
    const void *item;
};

static const void *unbox(const struct lq_map *map, const char *key)
{
    const struct box *const box = lq_map_get(map, key);

    return box ? box->item : NULL;
}

const struct lq_own_exchange *lq_own_exchange_at(const struct lq_own *own,
                                                 size_t index)
{
    return ((void *const *)own->exchanges.items)[index];
}

const struct lq_own_exchange *lq_own_exchange(const struct lq_own *own,
                                              const char *name)
{
    const struct lq_own_exchange *const found =
        lq_map_get(&own->exchange_index, name);

    return found && found->logical ? found : NULL;
}

bool lq_own_has_exchange(const struct lq_own *own, const char *name)
{
    return lq_map_get(&own->exchange_index, name) != NULL;
}

bool lq_own_is_private(const struct lq_own_exchange *exchange)
{
    return lq_own_is(exchange, LQ_OWN_PLANNED) &&
           !lq_own_is(exchange, LQ_OWN_MAIN) &&
           (lq_own_is(exchange, LQ_OWN_RETRY) ||
            lq_own_is(exchange, LQ_OWN_DEAD_LETTER));
}

const struct lq_binding *lq_own_binding_to(const struct lq_own *own,
                                           const char *queue)
{
    return unbox(&own->bindings, queue);
}

/* Joins two texts so that no other two give the same. */
static const char *pair(const struct lq_own *own, const char *source,
                        const char *key)
{
    return lq_format(own->arena, "%zu %s%s", strlen(source), source, key);
}

const struct lq_binding *lq_own_binding_of(const struct lq_own *own,
                                           const char *source, const char *key)
{
    return unbox(&own->keys, pair(own, source, key));
}

enum lq_own_entry lq_own_entry(const struct lq_own *own, const char *name,
                               size_t length, const struct lq_logical **logical)
{
    *logical = unbox(&own->entries, lq_strndup(own->arena, name, length));
    if (!*logical) {
        return LQ_OWN_NOT_HERE;
    }
    return lq_owner(*logical) == LQ_EXTERNAL ? LQ_OWN_EXTERNAL : LQ_OWN_ENTRY;
}

static struct lq_own_exchange *add_exchange(struct lq_own *own,
                                            const char *name)
{
    struct lq_own_exchange *const item = lq_alloc(own->arena, sizeof(*item));
    void **const place = lq_array_push(&own->exchanges, own->arena);
    void *held = NULL;

    if (!item || !place ||
        lq_map_add(&own->exchange_index, name, item, &held) != LQ_OK) {
        return NULL;
    }
    *place = item;
    item->name = name;
    return item;
}

/* The exchange with this name, added if it is new; NULL when out of memory. */
static struct lq_own_exchange *take(struct lq_own *own, const char *name)
{
    struct lq_own_exchange *const item = lq_map_get(&own->exchange_index, name);

    return item ? item : add_exchange(own, name);
}

static enum lq_status add_planned(struct lq_own *own,
                                  const struct lq_exchange *exchange)
{
    struct lq_own_exchange *const item = take(own, exchange->name);

    if (!item) {
        return LQ_NOMEM;
    }
    item->uses = LQ_OWN_PLANNED;
    item->logical =
        exchange->ownership == LQ_EXTERNAL ? NULL : exchange->logical;
    return LQ_OK;
}

/* Notes a name derived from an entry's exchange_name, planned or not. */
static enum lq_status derive(struct lq_own *own,
                             const struct lq_logical *logical,
                             const char *suffix, enum lq_own_use use)
{
    const char *const root = logical->entry->exchange_name;
    struct lq_own_exchange *const item =
        take(own, lq_name_join(own->arena, root, suffix));

    if (!item) {
        return LQ_NOMEM;
    }
    if (item->uses == 0) {
        item->logical = logical;
    } else if (use != LQ_OWN_DEAD_LETTER) {
        return LQ_OK; /* noted, or planned for something else */
    }
    item->uses |= (unsigned)use;
    item->main = root;
    return LQ_OK;
}

static enum lq_status derive_all(struct lq_own *own,
                                 const struct lq_logical *logical)
{
    static const struct {
        const char *suffix;
        enum lq_own_use use;
    } names[] = {
        {LQ_RETRY_EXCHANGE_SUFFIX, LQ_OWN_RETRY},
        {LQ_DEAD_LETTER_EXCHANGE_SUFFIX, LQ_OWN_DEAD_LETTER},
        {LQ_V1_RETRY_SUFFIX, LQ_OWN_V1},
        {LQ_V1_DEAD_LETTER_EXCHANGE_SUFFIX, LQ_OWN_V1},
    };
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        status = lq_worse(status,
                          derive(own, logical, names[i].suffix, names[i].use));
    }
    return status;
}

/* What the exchanges of an entry are for. */
static enum lq_status add_uses(struct lq_own *own,
                               const struct lq_logical *logical)
{
    struct lq_own_exchange *const item =
        take(own, logical->entry->exchange_name);
    struct lq_own_exchange *retry = NULL;

    if (!item) {
        return LQ_NOMEM;
    }
    item->uses |= LQ_OWN_MAIN;
    if (logical->retry_exchange) {
        retry = take(own, logical->retry_exchange);
        if (!retry) {
            return LQ_NOMEM;
        }
        retry->uses |= LQ_OWN_RETRY;
        retry->main = logical->entry->exchange_name;
    }
    return LQ_OK;
}

static bool is_external(const struct lq_logical *logical)
{
    return lq_owner(logical) == LQ_EXTERNAL;
}

/* Planned exchanges first, so that no derived name takes the place of one. */
static enum lq_status add_exchanges(struct lq_own *own)
{
    const struct lq_topology *const plan = own->plan;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < plan->exchange_count && status == LQ_OK; ++i) {
        status = add_planned(own, &plan->exchanges[i]);
    }
    for (size_t i = 0; i < plan->logical_count && status == LQ_OK; ++i) {
        if (!is_external(&plan->logicals[i])) {
            status = add_uses(own, &plan->logicals[i]);
        }
    }
    for (size_t i = 0; i < plan->logical_count && status == LQ_OK; ++i) {
        if (!is_external(&plan->logicals[i])) {
            status = derive_all(own, &plan->logicals[i]);
        }
    }
    return status;
}

/* Keeps the first item of each name. */
static enum lq_status note(struct lq_own *own, struct lq_map *map,
                           const char *name, const void *item)
{
    struct box *const box = lq_alloc(own->arena, sizeof(*box));
    void *held = NULL;

    if (!box) {
        return LQ_NOMEM;
    }
    box->item = item;
    return lq_map_add(map, name, box, &held);
}

static enum lq_status add_entries(struct lq_own *own)
{
    const struct lq_topology *const plan = own->plan;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < plan->logical_count && status == LQ_OK; ++i) {
        status = note(own, &own->entries, plan->logicals[i].entry->name,
                      &plan->logicals[i]);
    }
    return status;
}

static enum lq_status add_bindings(struct lq_own *own)
{
    const struct lq_topology *const plan = own->plan;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < plan->binding_count && status == LQ_OK; ++i) {
        const struct lq_binding *const binding = &plan->bindings[i];

        status = note(own, &own->bindings, binding->destination, binding);
        if (status == LQ_OK && !is_external(binding->logical)) {
            status =
                note(own, &own->keys,
                     pair(own, binding->source, binding->routing_key), binding);
        }
    }
    return status;
}

enum lq_status lq_own_init(struct lq_own *own, const struct lq_topology *plan,
                           struct lq_arena *arena)
{
    enum lq_status status = LQ_OK;

    *own = (struct lq_own){.plan = plan, .arena = arena};
    lq_array_init(&own->exchanges, sizeof(void *));
    lq_map_init(&own->exchange_index, arena);
    lq_map_init(&own->bindings, arena);
    lq_map_init(&own->keys, arena);
    lq_map_init(&own->entries, arena);
    status = add_exchanges(own);
    if (status == LQ_OK) {
        status = add_entries(own);
    }
    return status == LQ_OK ? add_bindings(own) : status;
}
