#ifndef LQ_TOPOLOGY_GRANTS_H
#define LQ_TOPOLOGY_GRANTS_H

#include "lilyq.h"
#include "topology/topology.h"

#define LQ_USER_ROLE_COUNT 4

/* The three permissions that the broker has. */
enum lq_access { LQ_CONFIGURE, LQ_WRITE, LQ_READ };

#define LQ_ACCESS_COUNT 3

/*
 * Names of exchanges and queues, by the permission wanted on them; the broker
 * does not tell one from the other there. In no order, with repeats.
 */
struct lq_grants {
    struct lq_array names[LQ_ACCESS_COUNT]; /* const char * */
};

/*
 * What a user in that role needs, and no more: LQ_OK or LQ_NOMEM. The broker's
 * rules are these:
 *
 *   declare              configure on it
 *   declare a queue      and for the one to which it dead-letters: read on the
 *                        queue, write on that exchange
 *   bind                 write on the queue, read on the exchange
 *   publish              write on the exchange
 *   get, consume, purge  read on the queue
 *   passive declare      any of the three (none before RabbitMQ 4.2.6)
 */
enum lq_status lq_grants_collect(const struct lq_topology *topology,
                                 enum lilyq_role role, struct lq_arena *arena,
                                 struct lq_grants *out) LQ_CHECK;

#endif
