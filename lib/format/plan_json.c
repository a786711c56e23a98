#include "format/plan_json.h"

#include "base/text.h"
#include "format/logical_json.h"
#include "format/resource_json.h"
#include "format/words.h"
#include "json/write.h"

#include <string.h>

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
    const char *const shown = lq_printable(arena, text, strlen(text));

    if (!shown) {
        lq_writer_fail(&json->writer, LQ_NOMEM);
        return;
    }
    lq_json_object_begin(json, NULL);
    lq_json_text(json, "text", shown);
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
