#include "render/plan.h"
#include "json/write.h"

static void write_exchanges(struct lq_json *json,
                            const struct lq_topology *topology,
                            const char *vhost)
{
    lq_json_lines_begin(json, "exchanges");
    for (size_t i = 0; i < topology->exchange_count; ++i) {
        const struct lq_exchange *const exchange = &topology->exchanges[i];

        if (exchange->ownership == LQ_FRAMEWORK_MANAGED) {
            lq_json_object_begin(json, NULL);
            lq_json_exchange(json, exchange, vhost);
            lq_json_object_end(json);
        }
    }
    lq_json_lines_end(json);
}

static void write_queues(struct lq_json *json,
                         const struct lq_topology *topology, const char *vhost)
{
    lq_json_lines_begin(json, "queues");
    for (size_t i = 0; i < topology->queue_count; ++i) {
        const struct lq_queue *const queue = &topology->queues[i];

        if (lq_owner(queue->logical) == LQ_FRAMEWORK_MANAGED) {
            lq_json_object_begin(json, NULL);
            lq_json_queue(json, queue, vhost);
            lq_json_object_end(json);
        }
    }
    lq_json_lines_end(json);
}

static void write_bindings(struct lq_json *json,
                           const struct lq_topology *topology,
                           const char *vhost)
{
    lq_json_lines_begin(json, "bindings");
    for (size_t i = 0; i < topology->binding_count; ++i) {
        const struct lq_binding *const binding = &topology->bindings[i];

        if (lq_owner(binding->logical) == LQ_FRAMEWORK_MANAGED) {
            lq_json_object_begin(json, NULL);
            lq_json_binding(json, binding, vhost);
            lq_json_object_end(json);
        }
    }
    lq_json_lines_end(json);
}

enum lq_status lq_definitions_render(const struct lq_topology *topology,
                                     const char *vhost,
                                     const struct lq_policy_set *policies,
                                     const struct lilyq_sink *sink)
{
    struct lq_json json;

    lq_json_begin(&json, sink);
    if (policies) {
        lq_json_policies(&json, policies);
    }
    write_exchanges(&json, topology, vhost);
    write_queues(&json, topology, vhost);
    write_bindings(&json, topology, vhost);
    return lq_json_end(&json);
}
