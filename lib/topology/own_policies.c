#include "topology/own_policies.h"

#include "topology/policy_fit.h"
#include "topology/policy_names.h"

struct builder {
    const struct lq_policy_wants *wants;
    struct lq_arena *arena;
    struct lq_array policies; /* struct lq_own_policy */
};

/* The queues of one kind, and the keys that their policies have. */
struct list {
    enum lq_policy_kind kind;
    struct lq_array keys;   /* struct lq_argument */
    struct lq_array queues; /* const struct lq_queue * */
};

/* Whether a queue is for policies of this kind. */
static bool is_of(const struct lq_queue *queue, enum lq_policy_kind kind)
{
    const bool quorum = queue->logical->entry->queue_type == LQ_QUORUM;
    const bool is_dlq = queue->role == LQ_ROLE_DEAD_LETTER;

    if (lq_owner(queue->logical) != LQ_FRAMEWORK_MANAGED) {
        return false;
    }
    switch (kind) {
    case LQ_POLICY_AT_LEAST_ONCE:
        return quorum && !is_dlq;
    case LQ_POLICY_DLQ:
        return quorum && is_dlq;
    case LQ_POLICY_DLQ_CLASSIC:
        return !quorum && is_dlq;
    case LQ_POLICY_NATIVE_RETRY:
        break;
    }
    return false;
}

bool lq_has_quorum_dlq(const struct lq_topology *topology)
{
    for (size_t i = 0; i < topology->queue_count; ++i) {
        if (is_of(&topology->queues[i], LQ_POLICY_DLQ)) {
            return true;
        }
    }
    return false;
}

static enum lq_status add_key(struct list *list, struct lq_argument key,
                              struct lq_arena *arena)
{
    struct lq_argument *const slot = lq_array_push(&list->keys, arena);

    if (!slot) {
        return LQ_NOMEM;
    }
    *slot = key;
    return LQ_OK;
}

/* The overflow that at-least-once asks for is among each queue's arguments. */
static enum lq_status add_strategy(struct list *list, struct lq_arena *arena)
{
    return add_key(list,
                   (struct lq_argument){.key = "dead-letter-strategy",
                                        .type = LQ_LONGSTR,
                                        .text = "at-least-once"},
                   arena);
}

/*
 * A quorum queue without a dead-letter target drops what is looked at too
 * often: more than 20 times, from RabbitMQ 4.0 on, which takes -1 as "never".
 * Before, there is no limit but one that somebody sets, and 3.10 refuses -1.
 */
static enum lq_status add_limit(struct list *list,
                                const struct lq_policy_wants *wants,
                                struct lq_arena *arena)
{
    const int64_t limit =
        wants->dlq_delivery_limit ? (int64_t)wants->dlq_delivery_limit : -1;

    if (!lq_version_is_from(wants->broker, 4, 0)) {
        return LQ_OK;
    }
    return add_key(list,
                   (struct lq_argument){.key = "delivery-limit",
                                        .type = LQ_INT64,
                                        .number = limit},
                   arena);
}

static enum lq_status add_retention(struct list *list,
                                    const struct lq_policy_wants *wants,
                                    struct lq_arena *arena)
{
    if (wants->dlq_retention_millis == 0) {
        return LQ_OK;
    }
    return add_key(
        list,
        (struct lq_argument){.key = "message-ttl",
                             .type = LQ_INT64,
                             .number = (int64_t)wants->dlq_retention_millis},
        arena);
}

static enum lq_status find_keys(struct list *list,
                                const struct lq_policy_wants *wants,
                                struct lq_arena *arena)
{
    enum lq_status status = LQ_OK;

    lq_array_init(&list->keys, sizeof(struct lq_argument));
    if (list->kind == LQ_POLICY_AT_LEAST_ONCE) {
        return add_strategy(list, arena);
    }
    if (list->kind == LQ_POLICY_DLQ) {
        status = add_limit(list, wants, arena);
    }
    return status == LQ_OK ? add_retention(list, wants, arena) : status;
}

static enum lq_status find_queues(struct list *list,
                                  const struct lq_topology *topology,
                                  struct lq_arena *arena)
{
    lq_array_init(&list->queues, sizeof(const struct lq_queue *));
    for (size_t i = 0; i < topology->queue_count; ++i) {
        const struct lq_queue *const queue = &topology->queues[i];
        const struct lq_queue **slot = NULL;

        if (!is_of(queue, list->kind)) {
            continue;
        }
        slot = lq_array_push(&list->queues, arena);
        if (!slot) {
            return LQ_NOMEM;
        }
        *slot = queue;
    }
    return LQ_OK;
}

static enum lq_status add_policies(struct builder *builder,
                                   const struct list *list)
{
    const struct lq_queue *const *const queues = list->queues.items;
    const size_t count = list->queues.count;
    size_t index = 0;

    for (size_t done = 0; done < count; ++index) {
        struct lq_own_policy *const policy =
            lq_array_push(&builder->policies, builder->arena);

        if (!policy || lq_policy_fit(queues + done, count - done,
                                     builder->arena, policy) != LQ_OK) {
            return LQ_NOMEM;
        }
        policy->kind = list->kind;
        policy->name = lq_policy_name(builder->arena, builder->wants->name,
                                      list->kind, index);
        policy->priority = builder->wants->priority;
        policy->keys = list->keys.items;
        policy->key_count = list->keys.count;
        policy->queues = queues + done;
        done += policy->queue_count;
        if (!policy->name) {
            return LQ_NOMEM;
        }
    }
    return LQ_OK;
}

static enum lq_status add_kind(struct builder *builder,
                               const struct lq_topology *topology,
                               enum lq_policy_kind kind)
{
    struct list list = {.kind = kind};
    enum lq_status status = find_keys(&list, builder->wants, builder->arena);

    if (status == LQ_OK && list.keys.count > 0) {
        status = find_queues(&list, topology, builder->arena);
    }
    return status == LQ_OK && list.keys.count > 0 ? add_policies(builder, &list)
                                                  : status;
}

enum lq_status lq_own_policies_build(const struct lq_topology *topology,
                                     const struct lq_policy_wants *wants,
                                     struct lq_diags *diags,
                                     struct lq_own_policies *out)
{
    struct builder builder = {.wants = wants, .arena = diags->arena};
    enum lq_status status = lq_policy_name_check(wants->name, diags);

    lq_array_init(&builder.policies, sizeof(struct lq_own_policy));
    for (unsigned kind = 0; kind < LQ_POLICY_KIND_COUNT && status == LQ_OK;
         ++kind) {
        status = add_kind(&builder, topology, (enum lq_policy_kind)kind);
    }
    *out = (struct lq_own_policies){wants->name, builder.policies.items,
                                    builder.policies.count};
    return status;
}
