#include "topology/change.h"

#include "base/map.h"
#include "base/text.h"
#include "topology/plan_live.h"

#include <string.h>

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
    enum lq_status status = lq_plan_live(before, change->arena, &change->old);

    if (status == LQ_OK) {
        status = lq_plan_live(after, change->arena, &change->new);
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

static enum lq_status add(const struct change *change,
                          struct lq_finding finding, enum lq_finding_code code)
{
    finding.code = code;
    return lq_diff_add(change->diff, &finding, change->arena);
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
            status = add(change, *finding, code_of(finding->code));
        }
    }
    return status;
}

static const char *owner_word(enum lq_ownership ownership)
{
    return ownership == LQ_EXTERNAL ? "external" : "framework_managed";
}

static enum lq_status add_owner(const struct change *change,
                                struct lq_finding about,
                                enum lq_ownership before,
                                enum lq_ownership after)
{
    if (before == after) {
        return LQ_OK;
    }
    about.field = "topology_ownership";
    about.planned = (struct lq_side_value){owner_word(after), "string"};
    about.actual = (struct lq_side_value){owner_word(before), "string"};
    return add(change, about,
               after == LQ_EXTERNAL ? LQ_OWNER_LEAVES : LQ_OWNER_ENTERS);
}

static enum lq_status compare_exchange_owner(const struct change *change,
                                             const struct lq_exchange *after)
{
    const struct lq_exchange *const before =
        lq_map_get(&change->old_exchanges, after->name);
    const struct lq_finding about = {.resource = LQ_EXCHANGE,
                                     .name = after->name,
                                     .logical = after->logical,
                                     .role = after->role};

    return before
               ? add_owner(change, about, before->ownership, after->ownership)
               : LQ_OK;
}

/* The main queue speaks for the others of its entry. */
static enum lq_status compare_queue_owner(const struct change *change,
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
        return LQ_OK;
    }
    return add_owner(change, about, lq_owner(before->logical),
                     lq_owner(after->logical));
}

static enum lq_status compare_owners(const struct change *change)
{
    const struct lq_topology *const after = change->after;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < after->exchange_count && status == LQ_OK; ++i) {
        status = compare_exchange_owner(change, &after->exchanges[i]);
    }
    for (size_t i = 0; i < after->queue_count && status == LQ_OK; ++i) {
        status = compare_queue_owner(change, &after->queues[i]);
    }
    return status;
}

static enum lq_status leave_exchange(const struct change *change,
                                     const struct lq_exchange *before)
{
    const struct lq_finding about = {.resource = LQ_EXCHANGE,
                                     .name = before->name,
                                     .logical =
                                         successor(change, before->logical),
                                     .role = before->role};

    if (lq_live_exchange(&change->new, before->name)) {
        return LQ_OK;
    }
    return add(change, about,
               before->ownership == LQ_EXTERNAL ? LQ_EXTERNAL_EXCHANGE_DROPPED
                                                : LQ_EXCHANGE_ORPHANED);
}

static enum lq_status leave_queue(const struct change *change,
                                  const struct lq_queue *before)
{
    const struct lq_finding about = {.resource = LQ_QUEUE,
                                     .name = before->name,
                                     .logical =
                                         successor(change, before->logical),
                                     .role = before->role};

    if (lq_live_queue(&change->new, before->name)) {
        return LQ_OK;
    }
    return add(change, about,
               lq_owner(before->logical) == LQ_EXTERNAL
                   ? LQ_EXTERNAL_QUEUE_DROPPED
                   : LQ_QUEUE_ORPHANED);
}

static enum lq_status leave_binding(const struct change *change,
                                    const struct lq_binding *before)
{
    const struct lq_finding about = {.resource = LQ_BINDING,
                                     .name = before->destination,
                                     .binding = before,
                                     .logical =
                                         successor(change, before->logical),
                                     .role = before->role};

    if (lq_live_is_bound(&change->new, before) == LQ_LIVE_YES) {
        return LQ_OK;
    }
    if (lq_owner(before->logical) == LQ_EXTERNAL) {
        return add(change, about, LQ_EXTERNAL_BINDING_DROPPED);
    }
    return add(change, about,
               lq_live_queue(&change->new, before->destination)
                   ? LQ_BINDING_LEFT
                   : LQ_BINDING_ORPHANED);
}

static enum lq_status leave_behind(const struct change *change)
{
    const struct lq_topology *const before = change->before;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < before->exchange_count && status == LQ_OK; ++i) {
        status = leave_exchange(change, &before->exchanges[i]);
    }
    for (size_t i = 0; i < before->queue_count && status == LQ_OK; ++i) {
        status = leave_queue(change, &before->queues[i]);
    }
    for (size_t i = 0; i < before->binding_count && status == LQ_OK; ++i) {
        status = leave_binding(change, &before->bindings[i]);
    }
    return status;
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
        status = compare_owners(&change);
    }
    if (status == LQ_OK) {
        status = add_differences(&change);
    }
    return status == LQ_OK ? leave_behind(&change) : status;
}
