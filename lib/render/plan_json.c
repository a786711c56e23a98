#include "base/text.h"
#include "render/plan.h"
#include "render/text.h"
#include "json/write.h"

#include <string.h>

static void write_vhost(struct lq_json *json, const char *vhost)
{
    if (vhost) {
        lq_json_text(json, "vhost", vhost);
    }
}

static void write_no_arguments(struct lq_json *json)
{
    lq_json_object_begin(json, "arguments");
    lq_json_object_end(json);
}

void lq_json_exchange(struct lq_json *json, const struct lq_exchange *exchange,
                      const char *vhost)
{
    lq_json_text(json, "name", exchange->name);
    write_vhost(json, vhost);
    lq_json_text(json, "type", "direct");
    lq_json_bool(json, "durable", true);
    lq_json_bool(json, "auto_delete", false);
    lq_json_bool(json, "internal", false);
    write_no_arguments(json);
}

void lq_json_queue(struct lq_json *json, const struct lq_queue *queue,
                   const char *vhost)
{
    lq_json_text(json, "name", queue->name);
    write_vhost(json, vhost);
    lq_json_bool(json, "durable", queue->durable);
    lq_json_bool(json, "auto_delete", queue->auto_delete);
    lq_json_object_begin(json, "arguments");
    for (size_t i = 0; i < queue->argument_count; ++i) {
        lq_json_argument(json, &queue->arguments[i]);
    }
    lq_json_object_end(json);
}

void lq_json_binding(struct lq_json *json, const struct lq_binding *binding,
                     const char *vhost)
{
    lq_json_text(json, "source", binding->source);
    write_vhost(json, vhost);
    lq_json_text(json, "destination", binding->destination);
    lq_json_text(json, "destination_type", "queue");
    lq_json_text(json, "routing_key", binding->routing_key);
    write_no_arguments(json);
}

static void write_delays(struct lq_json *json, const struct lq_logical *logical)
{
    lq_json_array_begin(json, "delays_millis");
    for (size_t i = 0; i < logical->attempt_count; ++i) {
        const struct lq_attempt *const attempt = &logical->attempts[i];

        lq_json_array_begin(json, NULL);
        for (size_t j = 0; j < attempt->count; ++j) {
            lq_json_count(json, NULL, attempt->delays_millis[j]);
        }
        lq_json_array_end(json);
    }
    lq_json_array_end(json);
}

static void write_buckets(struct lq_json *json,
                          const struct lq_logical *logical)
{
    lq_json_array_begin(json, "buckets");
    for (size_t i = 0; i < logical->bucket_count; ++i) {
        const struct lq_bucket *const bucket = &logical->buckets[i];

        lq_json_object_begin(json, NULL);
        lq_json_count(json, "delay_millis", bucket->delay_millis);
        lq_json_text(json, "queue", bucket->queue_name);
        lq_json_text(json, "routing_key", bucket->routing_key);
        lq_json_object_end(json);
    }
    lq_json_array_end(json);
}

static void write_window(struct lq_json *json, const struct lq_logical *logical)
{
    lq_json_object_begin(json, "retry_window");
    lq_json_count(json, "min_wait_millis", logical->min_wait_millis);
    lq_json_count(json, "max_wait_millis", logical->max_wait_millis);
    lq_json_object_end(json);
}

static void write_dead_letter(struct lq_json *json,
                              const struct lq_logical *logical)
{
    lq_json_object_begin(json, "dead_letter");
    lq_json_text(json, "exchange", logical->dead_letter_exchange);
    lq_json_text(json, "queue", logical->dead_letter_queue);
    lq_json_text(json, "routing_key", logical->dead_letter_routing_key);
    lq_json_object_end(json);
}

static void write_sum(struct lq_json *json, const char *key,
                      const struct lq_sum *sum)
{
    if (sum->known) {
        lq_json_count(json, key, sum->value);
    } else {
        lq_json_null(json, key);
    }
}

void lq_json_capacity(struct lq_json *json, const char *key,
                      const struct lq_capacity *capacity)
{
    lq_json_object_begin(json, key);
    write_sum(json, "messages", &capacity->messages);
    write_sum(json, "bytes", &capacity->bytes);
    lq_json_object_end(json);
}

void lq_json_main_queue(struct lq_json *json, const struct lq_entry *entry)
{
    lq_json_text(json, "name", entry->name);
    lq_json_text(json, "ownership",
                 lq_ownership_word(entry->topology_ownership));
    lq_json_text(json, "queue_type", lq_queue_type_word(entry->queue_type));
    lq_json_text(json, "exchange", entry->exchange_name);
    lq_json_text(json, "routing_key", entry->routing_key);
}

void lq_json_logical(struct lq_json *json, const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;

    lq_json_object_begin(json, NULL);
    lq_json_main_queue(json, entry);
    lq_json_text_or_null(json, "retry_exchange", logical->retry_exchange);
    write_delays(json, logical);
    write_buckets(json, logical);
    write_window(json, logical);
    write_dead_letter(json, logical);
    lq_json_capacity(json, "worst_case", &logical->capacity);
    lq_json_object_end(json);
}

static void write_summary(struct lq_json *json,
                          const struct lq_topology *topology)
{
    lq_json_object_begin(json, "summary");
    lq_json_count(json, "logical_queues", topology->logical_count);
    lq_json_count(json, "exchanges", topology->exchange_count);
    lq_json_count(json, "queues", topology->queue_count);
    lq_json_count(json, "bindings", topology->binding_count);
    lq_json_count(json, "buckets", topology->bucket_count);
    lq_json_capacity(json, "worst_case", &topology->capacity);
    lq_json_object_end(json);
}

/* What the plan says about a resource beyond its declaration. */
static void write_origin(struct lq_json *json, enum lq_ownership ownership,
                         const char *role, const struct lq_logical *logical)
{
    lq_json_text(json, "ownership", lq_ownership_word(ownership));
    lq_json_text(json, "role", role);
    lq_json_text(json, "logical_queue", logical->entry->name);
}

static void write_logicals(struct lq_json *json,
                           const struct lq_topology *topology)
{
    lq_json_lines_begin(json, "logical_queues");
    for (size_t i = 0; i < topology->logical_count; ++i) {
        lq_json_logical(json, &topology->logicals[i]);
    }
    lq_json_lines_end(json);
}

static void write_exchanges(struct lq_json *json,
                            const struct lq_topology *topology)
{
    lq_json_lines_begin(json, "exchanges");
    for (size_t i = 0; i < topology->exchange_count; ++i) {
        const struct lq_exchange *const exchange = &topology->exchanges[i];

        lq_json_object_begin(json, NULL);
        lq_json_exchange(json, exchange, NULL);
        write_origin(json, exchange->ownership,
                     lq_exchange_role_word(exchange->role), exchange->logical);
        lq_json_object_end(json);
    }
    lq_json_lines_end(json);
}

static void write_queues(struct lq_json *json,
                         const struct lq_topology *topology)
{
    lq_json_lines_begin(json, "queues");
    for (size_t i = 0; i < topology->queue_count; ++i) {
        const struct lq_queue *const queue = &topology->queues[i];

        lq_json_object_begin(json, NULL);
        lq_json_queue(json, queue, NULL);
        write_origin(json, lq_owner(queue->logical),
                     lq_queue_role_word(queue->role), queue->logical);
        lq_json_object_end(json);
    }
    lq_json_lines_end(json);
}

static void write_bindings(struct lq_json *json,
                           const struct lq_topology *topology)
{
    lq_json_lines_begin(json, "bindings");
    for (size_t i = 0; i < topology->binding_count; ++i) {
        const struct lq_binding *const binding = &topology->bindings[i];

        lq_json_object_begin(json, NULL);
        lq_json_binding(json, binding, NULL);
        write_origin(json, lq_owner(binding->logical),
                     lq_queue_role_word(binding->role), binding->logical);
        lq_json_object_end(json);
    }
    lq_json_lines_end(json);
}

/* A warning may quote what is no UTF-8, such as the name of a file. */
static void write_warning(struct lq_json *json, struct lq_arena *arena,
                          const char *text)
{
    lq_json_object_begin(json, NULL);
    lq_json_text(json, "text", lq_printable(arena, text, strlen(text)));
    lq_json_object_end(json);
}

static void write_warnings(struct lq_json *json, const struct lq_diags *diags)
{
    lq_json_lines_begin(json, "warnings");
    for (size_t i = 0; i < diags->items.count; ++i) {
        const struct lq_diag *const diag = lq_diags_at(diags, i);

        if (diag->severity == LQ_WARNING) {
            write_warning(json, diags->arena, diag->text);
        }
    }
    lq_json_lines_end(json);
}

enum lq_status lq_plan_json_render(const struct lq_topology *topology,
                                   const struct lq_diags *diags,
                                   const struct lilyq_sink *sink)
{
    struct lq_json json;

    lq_json_begin(&json, sink);
    lq_json_text(&json, "format", "lilyq-plan");
    lq_json_count(&json, "format_version", 1);
    lq_json_text(&json, "topology_version", "v2");
    write_summary(&json, topology);
    write_logicals(&json, topology);
    write_exchanges(&json, topology);
    write_queues(&json, topology);
    write_bindings(&json, topology);
    write_warnings(&json, diags);
    return lq_json_end(&json);
}
