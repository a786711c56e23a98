/* The ways to a broker, and how one is found that leads there. */
#ifndef LQ_BROKER_ROUTE_H
#define LQ_BROKER_ROUTE_H

#include "broker/amqp/amqp.h"
#include "lilyq.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ways to a broker, such as the nodes of a cluster. */
struct lq_route {
    struct lq_connection *ways; /* tried in this order; at least one */
    size_t count;
    unsigned wait_millis; /* how long to start over when none leads there */
    uint64_t begun;       /* the run, whose timeout counts: lq_now_millis() */
};

/* When the whole run must be over, if it has a limit: lq_now_millis(). */
uint64_t lq_route_deadline(const struct lq_route *route);

/*
 * Calls `attempt` until it returns anything but LQ_LOST, or the route's waiting
 * is over; with pauses, which the hooks' stop ends. Only the last one's errors
 * stay in `diags`. Returns the last one's status.
 */
enum lq_status lq_persist(const struct lq_route *route,
                          const struct lilyq_hooks *hooks,
                          struct lq_diags *diags,
                          enum lq_status (*attempt)(void *data),
                          void *data) LQ_CHECK;

/*
 * Opens the first connection that comes about. A way that does not lead to a
 * broker is passed over for the next one; a broker that answers no ends the
 * search, since the others would say the same. When no way leads there, all are
 * tried again for `wait_millis`, and only the last round's errors stay in
 * `diags`; those of ways that were passed over become warnings once another
 * one is open. The hooks' stop ends the waiting with LQ_LOST. The status of
 * lq_amqp_open();
 * `*used` is the way that `*out` is connected by, with LQ_OK.
 */
enum lq_status lq_reach(const struct lq_route *route,
                        const struct lilyq_hooks *hooks, struct lq_diags *diags,
                        const struct lq_connection **used,
                        struct lq_broker **out) LQ_CHECK;

/* Diags, and how they were before something was said. */
struct lq_said {
    struct lq_diags *diags;
    struct lq_diags before;
};

/*
 * Goes on by the ways behind `*used`, whose connection was lost, as lq_reach()
 * does, but without waiting. LQ_LOST also when there is none, no time, or a
 * stop. With LQ_OK all errors that were `said` since are warnings.
 */
enum lq_status lq_reach_on(const struct lq_route *route,
                           const struct lilyq_hooks *hooks,
                           const struct lq_said *said,
                           const struct lq_connection **used,
                           struct lq_broker **out) LQ_CHECK;

/*
 * A broker that connects when it is first needed. Until something is to be
 * written, it goes on by another way of the route where one is lost.
 */
struct lq_lazy {
    struct lq_broker broker; /* first */
    const struct lq_route *route;
    const struct lilyq_hooks *hooks;
    struct lq_diags *diags;
    const struct lq_connection *used; /* NULL until connected */
    struct lq_broker *inner;
    bool wrote; /* or may have */
};

void lq_lazy_init(struct lq_lazy *lazy, const struct lq_route *route,
                  const struct lilyq_hooks *hooks, struct lq_diags *diags);

/* Connects, unless it is done already: the status of lq_reach(). */
enum lq_status lq_lazy_connect(struct lq_lazy *lazy) LQ_CHECK;

/* Disconnects, if need be. */
void lq_lazy_close(struct lq_lazy *lazy);

#endif
