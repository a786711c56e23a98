#include "compare/compare.h"

#include "base/map.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

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

/*
 * What a broker holds on which a plan, and nothing else, was declared: its
 * exchanges, queues and bindings, external ones too, and the exchanges that
 * every virtual host has.
 */
static enum lq_status live_of(const struct lq_topology *plan,
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

/* A comparison of two plans under way. */
struct change {
    const struct lq_topology *before;
    const struct lq_topology *after;
    struct lq_live old;          /* a broker that is as `before` says */
    struct lq_live new;          /* the same of `after` */
    struct lq_map old_exchanges; /* struct lq_exchange by name */
    struct lq_map old_queues;    /* struct lq_queue by name */
    struct lq_map new_logicals;  /* struct lq_logical by name */
    struct lq_arena *arena;
    struct lq_diff *diff;
};

/* Maps hold no pointers to const. */
static enum lq_status note(struct lq_map *map, const char *name,
                           const void *item)
{
    void *held = NULL;
    void *value = NULL;

    memcpy(&value, &item, sizeof(value));
    return lq_map_add(map, name, value, &held);
}

static enum lq_status prepare(struct change *change)
{
    const struct lq_topology *const before = change->before;
    const struct lq_topology *const after = change->after;
    enum lq_status status = live_of(before, change->arena, &change->old);

    if (status == LQ_OK) {
        status = live_of(after, change->arena, &change->new);
    }
    lq_map_init(&change->old_exchanges, change->arena);
    lq_map_init(&change->old_queues, change->arena);
    lq_map_init(&change->new_logicals, change->arena);
    for (size_t i = 0; i < before->exchange_count && status == LQ_OK; ++i) {
        status = note(&change->old_exchanges, before->exchanges[i].name,
                      &before->exchanges[i]);
    }
    for (size_t i = 0; i < before->queue_count && status == LQ_OK; ++i) {
        status = note(&change->old_queues, before->queues[i].name,
                      &before->queues[i]);
    }
    for (size_t i = 0; i < after->logical_count && status == LQ_OK; ++i) {
        status = note(&change->new_logicals, after->logicals[i].entry->name,
                      &after->logicals[i]);
    }
    return status;
}

/* The logical queue of that name in the plan after, if it is still there. */
static const struct lq_logical *successor(const struct change *change,
                                          const struct lq_logical *before)
{
    return lq_map_get(&change->new_logicals, before->entry->name);
}

static void add(const struct change *change, struct lq_finding finding,
                enum lq_finding_code code)
{
    finding.code = code;
    lq_diff_add(change->diff, &finding, change->arena);
}

/* What a finding about a broker is called in a change of plans. */
static enum lq_finding_code code_of(enum lq_finding_code code)
{
    static const struct {
        enum lq_finding_code of_broker;
        enum lq_finding_code of_change;
    } pairs[] = {
        {LQ_EXCHANGE_MISSING, LQ_EXCHANGE_CREATED},
        {LQ_QUEUE_MISSING, LQ_QUEUE_CREATED},
        {LQ_BINDING_MISSING, LQ_BINDING_CREATED},
        {LQ_EXTERNAL_EXCHANGE_MISSING, LQ_EXTERNAL_EXCHANGE_WANTED},
        {LQ_EXTERNAL_QUEUE_MISSING, LQ_EXTERNAL_QUEUE_WANTED},
        {LQ_EXTERNAL_BINDING_MISSING, LQ_EXTERNAL_BINDING_WANTED},
        {LQ_QUEUE_PROPERTY_DIFFERENT, LQ_QUEUE_PROPERTY_CHANGED},
        {LQ_QUEUE_ARGUMENT_DIFFERENT, LQ_QUEUE_ARGUMENT_CHANGED},
    };

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); ++i) {
        if (pairs[i].of_broker == code) {
            return pairs[i].of_change;
        }
    }
    return code;
}

/* Whether others own what a finding is about, as the plan before has it. */
static bool was_external(const struct change *change,
                         const struct lq_finding *finding)
{
    const struct lq_exchange *exchange = NULL;
    const struct lq_queue *queue = NULL;

    switch (finding->resource) {
    case LQ_EXCHANGE:
        exchange = lq_map_get(&change->old_exchanges, finding->name);
        return exchange && exchange->ownership == LQ_EXTERNAL;
    case LQ_QUEUE:
        queue = lq_map_get(&change->old_queues, finding->name);
        return queue && lq_owner(queue->logical) == LQ_EXTERNAL;
    case LQ_BINDING:
    case LQ_POLICY:
    case LQ_VHOST:
        break;
    }
    return false;
}

static enum lq_status add_differences(const struct change *change)
{
    struct lq_diff found;
    enum lq_status status =
        lq_diff(change->after, &change->old, change->arena, &found);

    for (size_t i = 0; i < found.findings.count && status == LQ_OK; ++i) {
        const struct lq_finding *const finding = lq_diff_at(&found, i);

        if (!was_external(change, finding)) {
            add(change, *finding, code_of(finding->code));
        }
    }
    return status;
}

static const char *owner_word(enum lq_ownership ownership)
{
    return ownership == LQ_EXTERNAL ? "external" : "framework_managed";
}

static void add_owner(const struct change *change, struct lq_finding about,
                      enum lq_ownership before, enum lq_ownership after)
{
    if (before == after) {
        return;
    }
    about.field = "topology_ownership";
    about.planned = (struct lq_side_value){owner_word(after), "string"};
    about.actual = (struct lq_side_value){owner_word(before), "string"};
    add(change, about,
        after == LQ_EXTERNAL ? LQ_OWNER_LEAVES : LQ_OWNER_ENTERS);
}

static void compare_exchange_owner(const struct change *change,
                                   const struct lq_exchange *after)
{
    const struct lq_exchange *const before =
        lq_map_get(&change->old_exchanges, after->name);
    const struct lq_finding about = {.resource = LQ_EXCHANGE,
                                     .name = after->name,
                                     .logical = after->logical,
                                     .role = after->role};

    if (before) {
        add_owner(change, about, before->ownership, after->ownership);
    }
}

/* The main queue speaks for the others of its entry. */
static void compare_queue_owner(const struct change *change,
                                const struct lq_queue *after)
{
    const struct lq_queue *const before =
        lq_map_get(&change->old_queues, after->name);
    const struct lq_finding about = {.resource = LQ_QUEUE,
                                     .name = after->name,
                                     .logical = after->logical,
                                     .role = after->role};

    if (!before || (after->role != LQ_ROLE_MAIN &&
                    lq_str_equal(before->logical->entry->name,
                                 after->logical->entry->name))) {
        return;
    }
    add_owner(change, about, lq_owner(before->logical),
              lq_owner(after->logical));
}

static void compare_owners(const struct change *change)
{
    const struct lq_topology *const after = change->after;

    for (size_t i = 0; i < after->exchange_count; ++i) {
        compare_exchange_owner(change, &after->exchanges[i]);
    }
    for (size_t i = 0; i < after->queue_count; ++i) {
        compare_queue_owner(change, &after->queues[i]);
    }
}

static void leave_exchange(const struct change *change,
                           const struct lq_exchange *before)
{
    const struct lq_finding about = {.resource = LQ_EXCHANGE,
                                     .name = before->name,
                                     .logical =
                                         successor(change, before->logical),
                                     .role = before->role};

    if (lq_live_exchange(&change->new, before->name)) {
        return;
    }
    add(change, about,
        before->ownership == LQ_EXTERNAL ? LQ_EXTERNAL_EXCHANGE_DROPPED
                                         : LQ_EXCHANGE_ORPHANED);
}

static void leave_queue(const struct change *change,
                        const struct lq_queue *before)
{
    const struct lq_finding about = {.resource = LQ_QUEUE,
                                     .name = before->name,
                                     .logical =
                                         successor(change, before->logical),
                                     .role = before->role};

    if (lq_live_queue(&change->new, before->name)) {
        return;
    }
    add(change, about,
        lq_owner(before->logical) == LQ_EXTERNAL ? LQ_EXTERNAL_QUEUE_DROPPED
                                                 : LQ_QUEUE_ORPHANED);
}

static void leave_binding(const struct change *change,
                          const struct lq_binding *before)
{
    const struct lq_finding about = {.resource = LQ_BINDING,
                                     .name = before->destination,
                                     .binding = before,
                                     .logical =
                                         successor(change, before->logical),
                                     .role = before->role};

    if (lq_live_is_bound(&change->new, before) == LQ_LIVE_YES) {
        return;
    }
    if (lq_owner(before->logical) == LQ_EXTERNAL) {
        add(change, about, LQ_EXTERNAL_BINDING_DROPPED);
        return;
    }
    add(change, about,
        lq_live_queue(&change->new, before->destination) ? LQ_BINDING_LEFT
                                                         : LQ_BINDING_ORPHANED);
}

static void leave_behind(const struct change *change)
{
    const struct lq_topology *const before = change->before;

    for (size_t i = 0; i < before->exchange_count; ++i) {
        leave_exchange(change, &before->exchanges[i]);
    }
    for (size_t i = 0; i < before->queue_count; ++i) {
        leave_queue(change, &before->queues[i]);
    }
    for (size_t i = 0; i < before->binding_count; ++i) {
        leave_binding(change, &before->bindings[i]);
    }
}

enum lq_status lq_change(const struct lq_topology *before,
                         const struct lq_topology *after,
                         struct lq_arena *arena, struct lq_diff *out)
{
    struct change change = {
        .before = before, .after = after, .arena = arena, .diff = out};
    enum lq_status status = prepare(&change);

    *out = (struct lq_diff){.counts = {0}};
    lq_array_init(&out->findings, sizeof(struct lq_finding));
    if (status == LQ_OK) {
        compare_owners(&change);
    }
    if (status == LQ_OK) {
        status = add_differences(&change);
    }
    if (status == LQ_OK) {
        leave_behind(&change);
    }
    return status;
}
