#include "live/live.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void lq_live_init(struct lq_live *live, const char *vhost,
                  struct lq_arena *arena)
{
    *live = (struct lq_live){.arena = arena, .vhost = vhost};
    lq_array_init(&live->exchanges, sizeof(void *));
    lq_array_init(&live->queues, sizeof(void *));
    lq_array_init(&live->bindings, sizeof(void *));
    lq_array_init(&live->policies, sizeof(void *));
    lq_array_init(&live->operator_policies, sizeof(void *));
    lq_map_init(&live->exchange_index, arena);
    lq_map_init(&live->queue_index, arena);
    lq_map_init(&live->binding_index, arena);
    lq_map_init(&live->source_index, arena);
}

static int compare_keys(const void *left, const void *right)
{
    const struct lq_live_argument *const a = left;
    const struct lq_live_argument *const b = right;

    return strcmp(a->key, b->key);
}

static void sort(const struct lq_live_arguments *arguments)
{
    if (arguments->count > 1) {
        qsort(arguments->items, arguments->count, sizeof(*arguments->items),
              compare_keys);
    }
}

static enum lq_status add(const struct lq_live *live, struct lq_array *items,
                          void *item)
{
    void **const place = lq_array_push(items, live->arena);

    if (!place) {
        return LQ_NOMEM;
    }
    *place = item;
    return LQ_OK;
}

/* Notes an item under its name. */
static enum lq_status note(struct lq_map *index, const char *name, void *item)
{
    void *held = NULL;

    if (lq_map_add(index, name, item, &held) != LQ_OK) {
        return LQ_NOMEM;
    }
    return held == item ? LQ_OK : LQ_INVALID;
}

enum lq_status lq_live_add_exchange(struct lq_live *live,
                                    struct lq_live_exchange *item)
{
    const enum lq_status status = note(&live->exchange_index, item->name, item);

    sort(&item->arguments);
    return status == LQ_OK ? add(live, &live->exchanges, item) : status;
}

enum lq_status lq_live_add_queue(struct lq_live *live,
                                 struct lq_live_queue *item)
{
    const enum lq_status status = note(&live->queue_index, item->name, item);

    sort(&item->arguments);
    return status == LQ_OK ? add(live, &live->queues, item) : status;
}

enum lq_status lq_live_add_binding(struct lq_live *live,
                                   struct lq_live_binding *item)
{
    void *held = item;

    sort(&item->arguments);
    if (!item->to_exchange &&
        lq_map_add(&live->binding_index, item->destination, item, &held)) {
        return LQ_NOMEM;
    }
    if (held != item) {
        struct lq_live_binding *const first = held;

        item->next = first->next;
        first->next = item;
    }
    if (lq_map_add(&live->source_index, item->source, item, &held)) {
        return LQ_NOMEM;
    }
    return add(live, &live->bindings, item);
}

bool lq_live_is_source(const struct lq_live *live, const char *exchange)
{
    return lq_map_get(&live->source_index, exchange) != NULL;
}

enum lq_status lq_live_add_policy(struct lq_live *live,
                                  struct lq_array *policies,
                                  struct lq_live_policy *item)
{
    sort(&item->definition);
    return add(live, policies, item);
}

enum lq_status lq_live_add_reserved(struct lq_live *live)
{
    static const struct {
        const char *name;
        const char *type;
    } reserved[] = {{"", "direct"},           {"amq.direct", "direct"},
                    {"amq.fanout", "fanout"}, {"amq.headers", "headers"},
                    {"amq.match", "headers"}, {"amq.topic", "topic"}};

    for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); ++i) {
        struct lq_live_exchange *const item =
            lq_alloc(live->arena, sizeof(*item));

        if (!item) {
            return LQ_NOMEM;
        }
        *item = (struct lq_live_exchange){.name = reserved[i].name,
                                          .type = reserved[i].type,
                                          .durable = LQ_LIVE_YES,
                                          .auto_delete = LQ_LIVE_NO,
                                          .internal = LQ_LIVE_NO,
                                          .arguments.known = true};
        if (lq_live_add_exchange(live, item) == LQ_NOMEM) {
            return LQ_NOMEM;
        }
    }
    return LQ_OK;
}

static void *item_at(const struct lq_array *items, size_t index)
{
    return ((void *const *)items->items)[index];
}

const struct lq_live_queue *lq_live_queue_at(const struct lq_live *live,
                                             size_t index)
{
    return item_at(&live->queues, index);
}

const struct lq_live_binding *lq_live_binding_at(const struct lq_live *live,
                                                 size_t index)
{
    return item_at(&live->bindings, index);
}

const struct lq_live_policy *lq_live_policy_at(const struct lq_array *policies,
                                               size_t index)
{
    return item_at(policies, index);
}

const struct lq_live_exchange *lq_live_exchange(const struct lq_live *live,
                                                const char *name)
{
    return lq_map_get(&live->exchange_index, name);
}

struct lq_live_queue *lq_live_queue(const struct lq_live *live,
                                    const char *name)
{
    return lq_map_get(&live->queue_index, name);
}

const struct lq_live_binding *lq_live_bindings_to(const struct lq_live *live,
                                                  const char *queue)
{
    return lq_map_get(&live->binding_index, queue);
}

enum lq_live_flag lq_live_is_bound(const struct lq_live *live,
                                   const struct lq_binding *planned)
{
    enum lq_live_flag found = LQ_LIVE_NO;

    for (const struct lq_live_binding *at =
             lq_live_bindings_to(live, planned->destination);
         at && found != LQ_LIVE_YES; at = at->next) {
        if (lq_str_equal(at->source, planned->source) &&
            lq_str_equal(at->routing_key, planned->routing_key) &&
            at->arguments.count == 0) {
            found = at->arguments.known ? LQ_LIVE_YES : LQ_LIVE_UNKNOWN;
        }
    }
    return found;
}

const struct lq_live_argument *
lq_live_argument(const struct lq_live_arguments *arguments, const char *key)
{
    const struct lq_live_argument wanted = {.key = key};

    return arguments->count > 0
               ? bsearch(&wanted, arguments->items, arguments->count,
                         sizeof(wanted), compare_keys)
               : NULL;
}

bool lq_live_is_before(const struct lq_live *live, unsigned major,
                       unsigned minor)
{
    char *end = NULL;
    unsigned long here = 0;

    if (!live->version) {
        return false;
    }
    here = strtoul(live->version, &end, 10);
    if (here != major || *end != '.') {
        return end != live->version && here < major;
    }
    return strtoul(end + 1, NULL, 10) < minor;
}

bool lq_live_arguments_equal(const struct lq_live_arguments *a,
                             const struct lq_live_arguments *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; ++i) {
        if (a->items[i].type != b->items[i].type ||
            !lq_str_equal(a->items[i].key, b->items[i].key) ||
            !lq_str_equal(a->items[i].text, b->items[i].text)) {
            return false;
        }
    }
    return true;
}

bool lq_is_same_value(const struct lq_argument *planned,
                      const struct lq_live_argument *actual)
{
    switch (planned->type) {
    case LQ_LONGSTR:
        return actual->type == LQ_LIVE_STRING &&
               lq_str_equal(planned->text, actual->text);
    case LQ_INT64:
    case LQ_INT32:
        return actual->type == LQ_LIVE_INTEGER &&
               planned->number == actual->number;
    case LQ_BOOL:
        break;
    }
    return actual->type == LQ_LIVE_BOOL && planned->number == actual->number;
}
