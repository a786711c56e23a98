#include "policy/native_retry.h"

#include "base/map.h"
#include "base/pattern.h"
#include "model/entry.h"

#define KEY_COUNT 11

uint64_t lq_native_delay(const struct lq_logical *logical, size_t attempt)
{
    const struct lq_entry *const entry = logical->entry;
    const uint64_t delay = entry->retry_backoff_millis * attempt;

    return delay < entry->max_retry_backoff_millis
               ? delay
               : entry->max_retry_backoff_millis;
}

uint64_t lq_native_wait(const struct lq_logical *logical)
{
    uint64_t total = 0;

    for (size_t i = 1; i <= logical->attempt_count; ++i) {
        total += lq_native_delay(logical, i);
    }
    return total;
}

static enum lq_status check_broker(struct lq_version broker,
                                   struct lq_diags *diags)
{
    if (lq_version_is_before(broker, 4, 3)) {
        return lq_error(diags, NULL,
                        "native retry needs RabbitMQ 4.3 or later, not %u.%u",
                        broker.major, broker.minor);
    }
    return LQ_OK;
}

static struct lq_argument text_key(const char *key, const char *text)
{
    return (struct lq_argument){.key = key, .type = LQ_LONGSTR, .text = text};
}

static struct lq_argument number_key(const char *key, uint64_t number)
{
    return (struct lq_argument){
        .key = key, .type = LQ_INT64, .number = (int64_t)number};
}

/*
 * The policy has all that v2 sets by arguments, so that the queue is declared
 * with its type alone. "all" also delays what is returned with basic.nack,
 * which "failed" delivers again at once.
 */
static enum lq_status find_keys(struct lq_native_retry *retry,
                                struct lq_arena *arena)
{
    const struct lq_logical *const logical = retry->logical;
    const struct lq_entry *const entry = logical->entry;
    const struct lq_argument keys[KEY_COUNT] = {
        text_key("delayed-retry-type", "all"),
        number_key("delayed-retry-min", entry->retry_backoff_millis),
        number_key("delayed-retry-max", entry->max_retry_backoff_millis),
        number_key("delivery-limit", entry->retry_attempts),
        text_key("dead-letter-exchange", logical->dead_letter_exchange),
        text_key("dead-letter-routing-key", logical->dead_letter_routing_key),
        text_key("dead-letter-strategy", "at-least-once"),
        text_key("overflow", "reject-publish"),
        number_key("max-length", entry->main_max_messages),
        number_key("max-length-bytes", entry->main_max_bytes),
        number_key("message-ttl", entry->message_ttl_ms),
    };
    struct lq_argument *const held =
        lq_alloc_array(arena, KEY_COUNT, sizeof(*held));

    if (!held) {
        return LQ_NOMEM;
    }
    retry->policy.keys = held;
    retry->policy.key_count = KEY_COUNT - (entry->message_ttl_ms == 0);
    for (size_t i = 0; i < retry->policy.key_count; ++i) {
        held[i] = keys[i];
    }
    return LQ_OK;
}

static void find_names(struct lq_native_retry *retry,
                       const struct lq_policy_wants *wants,
                       struct lq_arena *arena)
{
    const char *const name = retry->logical->entry->name;
    const char *names[1] = {lq_format(arena, "%s" LQ_NATIVE_SUFFIX, name)};

    retry->queue = names[0];
    retry->policy.kind = LQ_POLICY_NATIVE_RETRY;
    retry->policy.priority = wants->priority;
    retry->policy.name =
        lq_format(arena, LQ_OWN_POLICY_PREFIX "%s%snative-%s",
                  wants->name ? wants->name : "", wants->name ? "-" : "", name);
    retry->policy.pattern =
        lq_pattern_of(names, 1, LQ_PATTERN_PLAIN, arena).text;
}

static enum lq_status index_queues(const struct lq_topology *topology,
                                   struct lq_map *out)
{
    enum lq_status status = lq_map_reserve(out, topology->queue_count);

    for (size_t i = 0; i < topology->queue_count && status == LQ_OK; ++i) {
        void *held = NULL;

        status = lq_map_add(out, topology->queues[i].name, out, &held);
    }
    return status;
}

static enum lq_status check_free(const struct lq_map *queues,
                                 const struct lq_native_retry *retry,
                                 struct lq_diags *diags)
{
    if (!lq_map_get(queues, retry->queue)) {
        return LQ_OK;
    }
    return lq_entry_error(diags, retry->logical->entry, LQ_NAME,
                          "native retry needs the name '%s', which a v2 queue "
                          "has",
                          retry->queue);
}

static enum lq_status add(const struct lq_native_retry *retry,
                          struct lq_array *list, struct lq_arena *arena)
{
    struct lq_native_retry *const slot = lq_array_push(list, arena);

    if (!slot) {
        return LQ_NOMEM;
    }
    *slot = *retry;
    return LQ_OK;
}

static enum lq_status add_all(const struct lq_topology *topology,
                              const struct lq_policy_wants *wants,
                              struct lq_diags *diags, struct lq_array *list)
{
    struct lq_map queues;
    enum lq_status status = LQ_OK;

    lq_map_init(&queues, diags->arena);
    status = index_queues(topology, &queues);
    for (size_t i = 0; i < topology->logical_count && status == LQ_OK; ++i) {
        struct lq_native_retry retry = {.logical = &topology->logicals[i]};

        if (lq_owner(retry.logical) != LQ_FRAMEWORK_MANAGED ||
            retry.logical->attempt_count == 0) {
            continue;
        }
        find_names(&retry, wants, diags->arena);
        status = check_free(&queues, &retry, diags);
        if (status == LQ_OK) {
            status = find_keys(&retry, diags->arena);
        }
        if (status == LQ_OK) {
            status = add(&retry, list, diags->arena);
        }
    }
    return status;
}

enum lq_status lq_native_retries_build(const struct lq_topology *topology,
                                       const struct lq_policy_wants *wants,
                                       struct lq_diags *diags,
                                       struct lq_native_retries *out)
{
    struct lq_array list;
    enum lq_status status = check_broker(wants->broker, diags);

    lq_array_init(&list, sizeof(struct lq_native_retry));
    if (status == LQ_OK) {
        status = lq_policy_name_check(wants->name, diags);
    }
    if (status == LQ_OK) {
        status = add_all(topology, wants, diags, &list);
    }
    *out = (struct lq_native_retries){list.items, list.count};
    return status;
}
