#include "render/graph.h"

#include "base/map.h"

struct builder {
    const struct lq_topology *topology;
    struct lq_map exchanges; /* struct lq_graph_node by name */
    struct lq_graph *graph;
    const struct lq_graph_node *next_queue;
};

static enum lq_status add_exchanges(struct builder *builder)
{
    const struct lq_topology *const topology = builder->topology;

    for (size_t i = 0; i < topology->exchange_count; ++i) {
        const struct lq_exchange *const exchange = &topology->exchanges[i];
        struct lq_graph_node *const node = &builder->graph->nodes[i];
        void *held = NULL;

        *node = (struct lq_graph_node){.name = exchange->name,
                                       .role = exchange->role,
                                       .external =
                                           exchange->ownership == LQ_EXTERNAL,
                                       .logical = exchange->logical};
        if (lq_map_add(&builder->exchanges, node->name, node, &held) != LQ_OK) {
            return LQ_NOMEM;
        }
    }
    return LQ_OK;
}

static void add_queues(const struct lq_topology *topology,
                       struct lq_graph_node *nodes)
{
    for (size_t i = 0; i < topology->queue_count; ++i) {
        const struct lq_queue *const queue = &topology->queues[i];

        nodes[i] = (struct lq_graph_node){
            .name = queue->name,
            .is_queue = true,
            .role = queue->role,
            .external = lq_owner(queue->logical) == LQ_EXTERNAL,
            .logical = queue->logical};
    }
}

/* The node of an exchange that the logical queue uses. */
static const struct lq_graph_node *
use_exchange(const struct builder *builder, const char *name,
             const struct lq_logical *logical)
{
    struct lq_graph_node *const node = lq_map_get(&builder->exchanges, name);

    if (node->logical != logical) {
        node->logical = NULL;
    }
    return node;
}

static void add_edge(struct builder *builder, struct lq_edge edge)
{
    builder->graph->edges[builder->graph->edge_count++] = edge;
}

static void add_binding(struct builder *builder,
                        const struct lq_graph_node *from,
                        const struct lq_graph_node *to, const char *key)
{
    add_edge(builder, (struct lq_edge){from, to, LQ_EDGE_BINDING, key, 0});
}

static void add_retries(struct builder *builder,
                        const struct lq_logical *logical,
                        const struct lq_graph_node *exchange,
                        const struct lq_graph_node *queue)
{
    const struct lq_graph_node *const retry =
        use_exchange(builder, logical->retry_exchange, logical);

    add_edge(builder, (struct lq_edge){queue, retry, LQ_EDGE_RETRY, NULL, 0});
    for (size_t i = 0; i < logical->bucket_count; ++i) {
        const struct lq_bucket *const bucket = &logical->buckets[i];
        const struct lq_graph_node *const node = builder->next_queue++;

        add_binding(builder, retry, node, bucket->routing_key);
        add_edge(builder, (struct lq_edge){node, exchange, LQ_EDGE_RETURN, NULL,
                                           bucket->delay_millis});
    }
}

/* The topology has a logical queue's main, buckets and DLQ in this order. */
static void add_logical(struct builder *builder,
                        const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;
    const struct lq_graph_node *const exchange =
        use_exchange(builder, entry->exchange_name, logical);
    const struct lq_graph_node *const dead_letter =
        use_exchange(builder, logical->dead_letter_exchange, logical);
    const struct lq_graph_node *const queue = builder->next_queue++;

    add_binding(builder, exchange, queue, entry->routing_key);
    if (logical->retry_exchange) {
        add_retries(builder, logical, exchange, queue);
    }
    add_edge(builder, (struct lq_edge){queue, dead_letter, LQ_EDGE_DEAD_LETTER,
                                       NULL, entry->message_ttl_ms});
    add_binding(builder, dead_letter, builder->next_queue++,
                logical->dead_letter_routing_key);
}

/* Takes the exchanges from `at` on that are shared or the logical queue's. */
static size_t draw_exchanges(struct lq_graph *graph, size_t at,
                             const struct lq_logical *logical, size_t *drawn)
{
    for (; at < graph->exchange_count; ++at) {
        const struct lq_logical *const user = graph->nodes[at].logical;

        if (user && user != logical) {
            break;
        }
        if (user) {
            graph->drawing[(*drawn)++] = at;
        }
    }
    return at;
}

/* An exchange stands where it first appears, as its logical queue does. */
static void group_nodes(struct lq_graph *graph)
{
    size_t exchange = 0;
    size_t drawn = 0;

    for (size_t i = 0; i < graph->exchange_count; ++i) {
        if (!graph->nodes[i].logical) {
            graph->drawing[drawn++] = i;
        }
    }
    for (size_t i = graph->exchange_count; i < graph->node_count; ++i) {
        exchange =
            draw_exchanges(graph, exchange, graph->nodes[i].logical, &drawn);
        graph->drawing[drawn++] = i;
    }
}

/* Per logical queue: main and dead-letter binding, dead-letter and retry. */
static size_t edge_limit(const struct lq_topology *topology)
{
    return topology->logical_count * 4 + topology->bucket_count * 2;
}

enum lq_status lq_graph_build(const struct lq_topology *topology,
                              struct lq_arena *arena, struct lq_graph *out)
{
    struct builder builder = {.topology = topology, .graph = out};

    *out = (struct lq_graph){.exchange_count = topology->exchange_count};
    out->node_count = topology->exchange_count + topology->queue_count;
    out->nodes = lq_alloc_array(arena, out->node_count, sizeof(*out->nodes));
    out->edges =
        lq_alloc_array(arena, edge_limit(topology), sizeof(*out->edges));
    out->drawing =
        lq_alloc_array(arena, out->node_count, sizeof(*out->drawing));
    lq_map_init(&builder.exchanges, arena);
    if (!out->nodes || !out->edges || !out->drawing ||
        add_exchanges(&builder) != LQ_OK) {
        return LQ_NOMEM;
    }
    add_queues(topology, out->nodes + topology->exchange_count);
    builder.next_queue = out->nodes + topology->exchange_count;
    for (size_t i = 0; i < topology->logical_count; ++i) {
        add_logical(&builder, &topology->logicals[i]);
    }
    group_nodes(out);
    return LQ_OK;
}
