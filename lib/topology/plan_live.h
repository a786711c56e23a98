#ifndef LQ_TOPOLOGY_PLAN_LIVE_H
#define LQ_TOPOLOGY_PLAN_LIVE_H

#include "topology/live.h"
#include "topology/topology.h"

/*
 * What a broker holds on which a plan, and nothing else, was declared: its
 * exchanges, queues and bindings, external ones too, and the exchanges that
 * every virtual host has. Its texts are the plan's, in which no two exchanges
 * or queues have one name. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_plan_live(const struct lq_topology *plan,
                            struct lq_arena *arena,
                            struct lq_live *out) LQ_CHECK;

#endif
