#ifndef LQ_RENDER_GRAPH_H
#define LQ_RENDER_GRAPH_H

#include "base/arena.h"
#include "base/status.h"
#include "model/topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An exchange or a queue; each is drawn once. */
struct lq_graph_node {
    const char *name;
    bool is_queue;
    enum lq_role role;
    bool external;
    /* The only logical queue that uses it; NULL: several do. */
    const struct lq_logical *logical;
};

enum lq_edge_kind {
    LQ_EDGE_BINDING,    /* exchange to queue: `key` */
    LQ_EDGE_RETRY,      /* main queue to retry exchange, by the consumer */
    LQ_EDGE_RETURN,     /* bucket to main exchange, after `millis` */
    LQ_EDGE_DEAD_LETTER /* main queue to dead-letter exchange: a rejection, or
                           after `millis` unless 0 */
};

/* A way that messages take. */
struct lq_edge {
    const struct lq_graph_node *from;
    const struct lq_graph_node *to;
    enum lq_edge_kind kind;
    const char *key; /* of a binding, else NULL */
    uint64_t millis; /* a TTL, else 0 */
};

/*
 * `nodes` are the exchanges, then the queues, in the topology's order;
 * `drawing` has their indices by group: what is shared, then what belongs to
 * each logical queue. Edges go by logical queue.
 */
struct lq_graph {
    struct lq_graph_node *nodes;
    size_t *drawing;
    size_t exchange_count;
    size_t node_count;
    struct lq_edge *edges;
    size_t edge_count;
};

/* Builds the graph in `arena`, in linear time: LQ_OK or LQ_NOMEM. */
enum lq_status lq_graph_build(const struct lq_topology *topology,
                              struct lq_arena *arena,
                              struct lq_graph *out) LQ_CHECK;

#endif
