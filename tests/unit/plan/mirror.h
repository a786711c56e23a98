/* A broker that holds a plan exactly, for tests to change afterwards. */
#ifndef MIRROR_H
#define MIRROR_H

#include "live/live.h"

#include <inttypes.h>

#include "fixture.h"

static inline void *mirror_alloc(struct lq_arena *arena, size_t size)
{
    void *const memory = lq_alloc(arena, size);

    assert_non_null(memory);
    return memory;
}

static inline struct lq_live_argument
mirror_argument(const struct lq_argument *argument, struct lq_arena *arena)
{
    static const enum lq_live_type types[] = {[LQ_LONGSTR] = LQ_LIVE_STRING,
                                              [LQ_INT64] = LQ_LIVE_INTEGER,
                                              [LQ_INT32] = LQ_LIVE_INTEGER,
                                              [LQ_BOOL] = LQ_LIVE_BOOL};

    return (struct lq_live_argument){
        .key = argument->key,
        .type = types[argument->type],
        .text = argument->type == LQ_LONGSTR
                    ? argument->text
                    : lq_format(arena, "%" PRId64, argument->number),
        .number = argument->number,
    };
}

static inline void mirror_exchange(struct lq_live *live, const char *name)
{
    struct lq_live_exchange *const item =
        mirror_alloc(live->arena, sizeof(*item));

    *item = (struct lq_live_exchange){.name = name,
                                      .type = "direct",
                                      .durable = LQ_LIVE_YES,
                                      .auto_delete = LQ_LIVE_NO,
                                      .internal = LQ_LIVE_NO,
                                      .arguments.known = true};
    assert_int_equal(lq_live_add_exchange(live, item), LQ_OK);
}

/* With room for one more argument. */
static inline void mirror_queue(struct lq_live *live,
                                const struct lq_queue *queue)
{
    struct lq_live_queue *const item = mirror_alloc(live->arena, sizeof(*item));
    const size_t count = queue->argument_count;

    *item = (struct lq_live_queue){
        .name = queue->name,
        .type = count ? queue->arguments[0].text : "classic",
        .durable = queue->durable ? LQ_LIVE_YES : LQ_LIVE_NO,
        .auto_delete = queue->auto_delete ? LQ_LIVE_YES : LQ_LIVE_NO,
        .exclusive = LQ_LIVE_NO,
        .arguments = {mirror_alloc(live->arena,
                                   (count + 1) *
                                       sizeof(struct lq_live_argument)),
                      count, true},
    };
    for (size_t i = 0; i < count; ++i) {
        item->arguments.items[i] =
            mirror_argument(&queue->arguments[i], live->arena);
    }
    assert_int_equal(lq_live_add_queue(live, item), LQ_OK);
}

static inline void mirror_binding(struct lq_live *live,
                                  const struct lq_binding *binding)
{
    struct lq_live_binding *const item =
        mirror_alloc(live->arena, sizeof(*item));

    *item = (struct lq_live_binding){.source = binding->source,
                                     .destination = binding->destination,
                                     .routing_key = binding->routing_key,
                                     .arguments.known = true};
    assert_int_equal(lq_live_add_binding(live, item), LQ_OK);
}

/* One that is not planned, without arguments; there is room for one. */
static inline struct lq_live_queue *mirror_other_queue(struct lq_live *live,
                                                       const char *name)
{
    const struct lq_queue queue = {.name = name, .durable = true};

    mirror_queue(live, &queue);
    return lq_live_queue(live, name);
}

static inline struct lq_live_binding *
mirror_other_binding(struct lq_live *live, const char *source, const char *key,
                     const char *destination)
{
    const struct lq_binding binding = {
        .source = source, .destination = destination, .routing_key = key};

    mirror_binding(live, &binding);
    return ((void **)live->bindings.items)[live->bindings.count - 1];
}

/* Adds an argument that is a text. */
static inline void mirror_text_argument(struct lq_live_arguments *arguments,
                                        const char *key, const char *text)
{
    arguments->items[arguments->count++] = (struct lq_live_argument){
        .key = key, .type = LQ_LIVE_STRING, .text = text};
}

static inline void mirror(struct lq_live *live, const struct lq_topology *plan,
                          struct lq_arena *arena)
{
    lq_live_init(live, "/", arena);
    live->parts = ~0U;
    for (size_t i = 0; i < plan->exchange_count; ++i) {
        mirror_exchange(live, plan->exchanges[i].name);
    }
    for (size_t i = 0; i < plan->queue_count; ++i) {
        mirror_queue(live, &plan->queues[i]);
    }
    for (size_t i = 0; i < plan->binding_count; ++i) {
        mirror_binding(live, &plan->bindings[i]);
    }
}

/* What there is to change. */
static inline struct lq_live_exchange *mirrored_exchange(struct lq_live *live,
                                                         size_t index)
{
    return ((void **)live->exchanges.items)[index];
}

static inline struct lq_live_queue *mirrored_queue(struct lq_live *live,
                                                   size_t index)
{
    return ((void **)live->queues.items)[index];
}

static inline struct lq_live_binding *mirrored_binding(struct lq_live *live,
                                                       size_t index)
{
    return ((void **)live->bindings.items)[index];
}

static inline struct lq_live_argument *
mirrored_argument(struct lq_live_queue *queue, const char *key)
{
    for (size_t i = 0; i < queue->arguments.count; ++i) {
        if (strcmp(queue->arguments.items[i].key, key) == 0) {
            return &queue->arguments.items[i];
        }
    }
    fail_msg("no argument %s", key);
    return NULL;
}

#endif
