#ifndef LQ_FORMAT_GRAPH_H
#define LQ_FORMAT_GRAPH_H

#include "base/arena.h"
#include "lilyq.h"
#include "topology/topology.h"

/*
 * The flow of messages between exchanges and queues (publish, retry, return,
 * dead-letter), TTLs as labels, in Graphviz DOT. `arena` is for scratch.
 * LQ_OK, LQ_IO (the sink refused) or LQ_NOMEM.
 */
enum lq_status lq_dot_render(const struct lq_topology *topology,
                             struct lq_arena *arena,
                             const struct lilyq_sink *sink) LQ_CHECK;

/* The same as a Mermaid flowchart. */
enum lq_status lq_mermaid_render(const struct lq_topology *topology,
                                 struct lq_arena *arena,
                                 const struct lilyq_sink *sink) LQ_CHECK;

#endif
