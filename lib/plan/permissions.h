#ifndef LQ_PLAN_PERMISSIONS_H
#define LQ_PLAN_PERMISSIONS_H

#include "base/diag.h"
#include "lilyq.h"
#include "model/topology.h"

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

/* One regular expression for each permission, indexed by enum lq_access. */
struct lq_permissions {
    const char *patterns[LQ_ACCESS_COUNT];
};

/*
 * The least that lets a user in that role do its work. LQ_OK, with a warning in
 * `diags` if only some brokers take so long a pattern. LQ_NOMEM, or LQ_INVALID
 * with an error: no broker takes it, or a name has another meaning there.
 */
enum lq_status lq_permissions_build(const struct lq_topology *topology,
                                    enum lilyq_role role,
                                    struct lq_diags *diags,
                                    struct lq_permissions *out) LQ_CHECK;

/* "deployer", "publisher", "consumer" or "operator"; a constant. */
const char *lq_user_role_word(enum lilyq_role role);

#endif
