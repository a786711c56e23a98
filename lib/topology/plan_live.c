#include "topology/plan_live.h"

#include <inttypes.h>

static enum lq_status add_exchange(struct lq_live *live, const char *name)
{
    struct lq_live_exchange *const item = lq_alloc(live->arena, sizeof(*item));

    if (!item) {
        return LQ_NOMEM;
    }
    *item = (struct lq_live_exchange){.name = name,
                                      .type = "direct",
                                      .durable = LQ_LIVE_YES,
                                      .auto_delete = LQ_LIVE_NO,
                                      .internal = LQ_LIVE_NO,
                                      .arguments.known = true};
    return lq_live_add_exchange(live, item);
}

static enum lq_status copy_argument(const struct lq_argument *argument,
                                    struct lq_arena *arena,
                                    struct lq_live_argument *out)
{
    out->key = argument->key;
    out->number = argument->number;
    switch (argument->type) {
    case LQ_LONGSTR:
        out->type = LQ_LIVE_STRING;
        out->text = argument->text;
        return LQ_OK;
    case LQ_BOOL:
        out->type = LQ_LIVE_BOOL;
        out->text = argument->number ? "true" : "false";
        return LQ_OK;
    case LQ_INT32:
    case LQ_INT64:
        break;
    }
    out->type = LQ_LIVE_INTEGER;
    out->text = lq_format(arena, "%" PRId64, argument->number);
    return out->text ? LQ_OK : LQ_NOMEM;
}

static enum lq_status copy_arguments(const struct lq_queue *queue,
                                     struct lq_arena *arena,
                                     struct lq_live_arguments *out)
{
    *out = (struct lq_live_arguments){.known = true};
    out->items =
        lq_alloc_array(arena, queue->argument_count, sizeof(*out->items));
    if (!out->items) {
        return LQ_NOMEM;
    }
    for (; out->count < queue->argument_count; ++out->count) {
        if (copy_argument(&queue->arguments[out->count], arena,
                          &out->items[out->count]) != LQ_OK) {
            return LQ_NOMEM;
        }
    }
    return LQ_OK;
}

static enum lq_status add_queue(struct lq_live *live,
                                const struct lq_queue *queue)
{
    struct lq_live_queue *const item = lq_alloc(live->arena, sizeof(*item));

    if (!item) {
        return LQ_NOMEM;
    }
    *item = (struct lq_live_queue){
        .name = queue->name,
        .durable = queue->durable ? LQ_LIVE_YES : LQ_LIVE_NO,
        .auto_delete = queue->auto_delete ? LQ_LIVE_YES : LQ_LIVE_NO,
        .exclusive = LQ_LIVE_NO,
    };
    if (copy_arguments(queue, live->arena, &item->arguments) != LQ_OK ||
        lq_live_add_queue(live, item) != LQ_OK) {
        return LQ_NOMEM;
    }
    const struct lq_live_argument *const type =
        lq_live_argument(&item->arguments, "x-queue-type");

    item->type = type && type->type == LQ_LIVE_STRING ? type->text : "classic";
    return LQ_OK;
}

static enum lq_status add_binding(struct lq_live *live,
                                  const struct lq_binding *binding)
{
    struct lq_live_binding *const item = lq_alloc(live->arena, sizeof(*item));

    if (!item) {
        return LQ_NOMEM;
    }
    *item = (struct lq_live_binding){.source = binding->source,
                                     .destination = binding->destination,
                                     .routing_key = binding->routing_key,
                                     .arguments.known = true};
    return lq_live_add_binding(live, item);
}

enum lq_status lq_plan_live(const struct lq_topology *plan,
                            struct lq_arena *arena, struct lq_live *out)
{
    enum lq_status status = LQ_OK;

    lq_live_init(out, "/", arena);
    out->parts = LQ_LIVE_HAS_EXCHANGES | LQ_LIVE_HAS_RESERVED |
                 LQ_LIVE_HAS_QUEUES | LQ_LIVE_HAS_BINDINGS;
    for (size_t i = 0; i < plan->exchange_count && status == LQ_OK; ++i) {
        status = add_exchange(out, plan->exchanges[i].name);
    }
    for (size_t i = 0; i < plan->queue_count && status == LQ_OK; ++i) {
        status = add_queue(out, &plan->queues[i]);
    }
    for (size_t i = 0; i < plan->binding_count && status == LQ_OK; ++i) {
        status = add_binding(out, &plan->bindings[i]);
    }
    return status == LQ_OK ? lq_live_add_reserved(out) : LQ_NOMEM;
}
