#include "format/plan_logical.h"

#define DELAYS_MAX                                                             \
    (sizeof(((struct lq_attempt *)NULL)->delays_millis) / sizeof(uint64_t))

/* A sum that is too great is null. */
static struct lq_sum take_sum(struct lq_plan_taker *taker,
                              const struct lq_node *object, const char *key)
{
    const struct lq_node *const node = lq_node_member(object, key);
    struct lq_sum sum = {.value = 0};

    if (!node || node->kind != LQ_NODE_NULL) {
        sum.value = lq_plan_take_count(taker, object, key);
        sum.known = true;
    }
    return sum;
}

struct lq_capacity lq_plan_take_capacity(struct lq_plan_taker *taker,
                                         const struct lq_node *object)
{
    const struct lq_node *const table =
        lq_plan_take(taker, object, "worst_case", LQ_NODE_TABLE);
    struct lq_capacity capacity = {{0}, {0}};

    if (table) {
        capacity.messages = take_sum(taker, table, "messages");
        capacity.bytes = take_sum(taker, table, "bytes");
    }
    return capacity;
}

static void read_attempt(struct lq_plan_taker *taker,
                         const struct lq_node *list, struct lq_attempt *out)
{
    size_t count = 0;
    const struct lq_node *at =
        lq_plan_elements(taker, list, LQ_NODE_NUMBER, &count);

    if (taker->status == LQ_OK && (count < 1 || count > DELAYS_MAX)) {
        lq_plan_fail(taker, lq_shape_report(&taker->shape, list,
                                            "must have 1 to 3 delays"));
    }
    for (; at && taker->status == LQ_OK; at = lq_node_next(at)) {
        out->delays_millis[out->count++] = lq_plan_number(taker, at);
    }
}

static void read_attempts(struct lq_plan_taker *taker,
                          const struct lq_node *object, struct lq_logical *out)
{
    const struct lq_node *const list =
        lq_plan_take(taker, object, "delays_millis", LQ_NODE_LIST);
    const struct lq_node *at =
        lq_plan_elements(taker, list, LQ_NODE_LIST, &out->attempt_count);
    struct lq_attempt *const attempts =
        lq_plan_room(taker, out->attempt_count, sizeof(*attempts));

    out->attempts = attempts;
    for (size_t i = 0; at && taker->status == LQ_OK; at = lq_node_next(at)) {
        read_attempt(taker, at, &attempts[i++]);
    }
}

static void read_buckets(struct lq_plan_taker *taker,
                         const struct lq_node *object, struct lq_logical *out)
{
    const struct lq_node *const list =
        lq_plan_take(taker, object, "buckets", LQ_NODE_LIST);
    const struct lq_node *at =
        lq_plan_elements(taker, list, LQ_NODE_TABLE, &out->bucket_count);
    struct lq_bucket *const buckets =
        lq_plan_room(taker, out->bucket_count, sizeof(*buckets));

    out->buckets = buckets;
    for (size_t i = 0; at && taker->status == LQ_OK; at = lq_node_next(at)) {
        buckets[i++] = (struct lq_bucket){
            .delay_millis = lq_plan_take_count(taker, at, "delay_millis"),
            .queue_name = lq_plan_take_name(taker, at, "queue"),
            .routing_key = lq_plan_take_name(taker, at, "routing_key"),
        };
    }
}

static void read_entry(struct lq_plan_taker *taker,
                       const struct lq_node *object, struct lq_entry *out)
{
    static const char *const owners[] = {"framework_managed", "external"};
    static const char *const types[] = {"classic", "quorum"};

    out->name = lq_plan_take_name(taker, object, "name");
    out->topology_ownership =
        lq_plan_take_word(taker, object, "ownership", owners)
            ? LQ_EXTERNAL
            : LQ_FRAMEWORK_MANAGED;
    out->queue_type = lq_plan_take_word(taker, object, "queue_type", types)
                          ? LQ_QUORUM
                          : LQ_CLASSIC;
    out->exchange_name = lq_plan_take_name(taker, object, "exchange");
    out->routing_key = lq_plan_take_name(taker, object, "routing_key");
}

static void read_dead_letter(struct lq_plan_taker *taker,
                             const struct lq_node *object,
                             struct lq_logical *out)
{
    const struct lq_node *const table =
        lq_plan_take(taker, object, "dead_letter", LQ_NODE_TABLE);

    if (table) {
        out->dead_letter_exchange = lq_plan_take_name(taker, table, "exchange");
        out->dead_letter_queue = lq_plan_take_name(taker, table, "queue");
        out->dead_letter_routing_key =
            lq_plan_take_name(taker, table, "routing_key");
    }
}

static void read_window(struct lq_plan_taker *taker,
                        const struct lq_node *object, struct lq_logical *out)
{
    const struct lq_node *const table =
        lq_plan_take(taker, object, "retry_window", LQ_NODE_TABLE);

    if (table) {
        out->min_wait_millis =
            lq_plan_take_count(taker, table, "min_wait_millis");
        out->max_wait_millis =
            lq_plan_take_count(taker, table, "max_wait_millis");
    }
}

void lq_plan_read_logical(struct lq_plan_taker *taker,
                          const struct lq_node *object, size_t index,
                          struct lq_logical *out)
{
    struct lq_entry *const entry = lq_plan_room(taker, 1, sizeof(*entry));

    if (!entry) {
        return;
    }
    entry->place.file = taker->shape.file;
    entry->place.path = lq_format(taker->arena, "logical_queues[%zu]", index);
    if (!entry->place.path) {
        lq_plan_fail(taker, LQ_NOMEM);
    }
    out->entry = entry;
    read_entry(taker, object, entry);
    out->retry_exchange =
        lq_plan_take_nullable(taker, object, "retry_exchange");
    read_attempts(taker, object, out);
    read_buckets(taker, object, out);
    read_window(taker, object, out);
    read_dead_letter(taker, object, out);
    out->capacity = lq_plan_take_capacity(taker, object);
}
