#include "format/policies.h"

#include "base/buffer.h"
#include "format/resource_json.h"

size_t lq_policy_set_count(const struct lq_policy_set *set)
{
    return set->is_native ? set->native.count : set->own.count;
}

const struct lq_own_policy *lq_policy_set_at(const struct lq_policy_set *set,
                                             size_t index)
{
    return set->is_native ? &set->native.list[index].policy
                          : &set->own.list[index];
}

/* What the API takes. */
static void write_body(struct lq_json *json, const struct lq_own_policy *policy)
{
    lq_json_text(json, "pattern", policy->pattern);
    lq_json_text(json, "apply-to", "queues");
    lq_json_count(json, "priority", policy->priority);
    lq_json_object_begin(json, "definition");
    for (size_t i = 0; i < policy->key_count; ++i) {
        lq_json_argument(json, &policy->keys[i]);
    }
    lq_json_object_end(json);
}

/* The members that a policy has in a definitions file. */
static void write_policy(struct lq_json *json,
                         const struct lq_own_policy *policy, const char *vhost)
{
    lq_json_object_begin(json, NULL);
    lq_json_text(json, "vhost", vhost);
    lq_json_text(json, "name", policy->name);
    write_body(json, policy);
    lq_json_object_end(json);
}

static int keep(void *data, const char *bytes, size_t length)
{
    lq_buffer_add_bytes(data, bytes, length);
    return 0;
}

const char *lq_policy_body(const struct lq_own_policy *policy,
                           struct lq_arena *arena)
{
    struct lq_buffer buffer;
    const struct lilyq_sink sink = {keep, &buffer};
    struct lq_json json;

    lq_buffer_init(&buffer, arena);
    lq_json_begin(&json, &sink);
    write_body(&json, policy);
    return lq_json_end(&json) == LQ_OK ? lq_buffer_text(&buffer) : NULL;
}

void lq_json_policies(struct lq_json *json, const struct lq_policy_set *set)
{
    lq_json_lines_begin(json, "policies");
    for (size_t i = 0; i < lq_policy_set_count(set); ++i) {
        write_policy(json, lq_policy_set_at(set, i), set->vhost);
    }
    lq_json_lines_end(json);
}

static void write_attempt(struct lq_json *json,
                          const struct lq_native_retry *retry, size_t number)
{
    const struct lq_attempt *const attempt =
        &retry->logical->attempts[number - 1];

    lq_json_object_begin(json, NULL);
    lq_json_count(json, "attempt", number);
    lq_json_array_begin(json, "v2_millis");
    for (size_t i = 0; i < attempt->count; ++i) {
        lq_json_count(json, NULL, attempt->delays_millis[i]);
    }
    lq_json_array_end(json);
    lq_json_count(json, "native_millis",
                  lq_native_delay(retry->logical, number));
    lq_json_object_end(json);
}

/* What no policy can say: the arguments to declare the queue with. */
static void write_arguments(struct lq_json *json, const struct lq_entry *entry)
{
    lq_json_object_begin(json, "arguments");
    lq_json_text(json, "x-queue-type", "quorum");
    if (entry->single_active_consumer) {
        lq_json_bool(json, "x-single-active-consumer", true);
    }
    lq_json_object_end(json);
}

static void write_retry(struct lq_json *json,
                        const struct lq_native_retry *retry)
{
    const struct lq_logical *const logical = retry->logical;

    lq_json_object_begin(json, NULL);
    lq_json_text(json, "logical_queue", logical->entry->name);
    lq_json_text(json, "queue", retry->queue);
    write_arguments(json, logical->entry);
    lq_json_text(json, "exchange", logical->entry->exchange_name);
    lq_json_text(json, "routing_key", logical->entry->routing_key);
    lq_json_text(json, "policy", retry->policy.name);
    lq_json_array_begin(json, "attempts");
    for (size_t i = 1; i <= logical->attempt_count; ++i) {
        write_attempt(json, retry, i);
    }
    lq_json_array_end(json);
    lq_json_count(json, "v2_min_wait_millis", logical->min_wait_millis);
    lq_json_count(json, "v2_max_wait_millis", logical->max_wait_millis);
    lq_json_count(json, "native_wait_millis", lq_native_wait(logical));
    lq_json_object_end(json);
}

static void write_retries(struct lq_json *json,
                          const struct lq_native_retries *retries)
{
    lq_json_lines_begin(json, "native_retry");
    for (size_t i = 0; i < retries->count; ++i) {
        write_retry(json, &retries->list[i]);
    }
    lq_json_lines_end(json);
}

enum lq_status lq_policies_json_render(const struct lq_policy_set *set,
                                       const struct lilyq_sink *sink)
{
    struct lq_json json;

    lq_json_begin(&json, sink);
    lq_json_text(&json, "format", "lilyq-policies");
    lq_json_count(&json, "format_version", 1);
    lq_json_text(&json, "topology_version", "v2");
    lq_json_policies(&json, set);
    if (set->is_native) {
        write_retries(&json, &set->native);
    }
    return lq_json_end(&json);
}
