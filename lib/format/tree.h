#ifndef LQ_FORMAT_TREE_H
#define LQ_FORMAT_TREE_H

#include "lilyq.h"
#include "topology/topology.h"

/*
 * The tree of each logical queue, its exchanges, buckets and DLQ.
 * LQ_OK or LQ_IO (the sink refused).
 */
enum lq_status lq_tree_render(const struct lq_topology *topology,
                              const struct lilyq_sink *sink) LQ_CHECK;

#endif
