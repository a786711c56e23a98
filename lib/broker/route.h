/* The ways to a broker, and the search for one that leads there. */
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
    unsigned wait_millis; /* how long to try again when none leads there */
    uint64_t begun;       /* when the run began: lq_now_millis() */
};

/* When a run with a timeout must be over: lq_now_millis(). */
uint64_t lq_route_deadline(const struct lq_route *route);

/*
 * Calls `attempt` until it returns anything but LQ_LOST, the route's waiting
 * time is over or the hooks say stop, with pauses in between. Returns the
 * status of the last attempt, whose errors alone stay in `diags`.
 */
enum lq_status lq_persist(const struct lq_route *route,
                          const struct lilyq_hooks *hooks,
                          struct lq_diags *diags,
                          enum lq_status (*attempt)(void *data),
                          void *data) LQ_CHECK;

/*
 * Opens a connection by the first way that leads to a broker. A broker that
 * refuses ends the search, since the others would refuse too. If no way leads
 * to one, all are tried again for `wait_millis`, and only the last round's
 * errors stay in `diags`; errors of earlier ways become warnings once a
 * connection is open. The hooks' stop ends the waiting with LQ_LOST. Returns
 * the status of lq_amqp_open(); with LQ_OK, `*used` is the way that `*out` is
 * connected by.
 */
enum lq_status lq_route_open(const struct lq_route *route,
                             const struct lilyq_hooks *hooks,
                             struct lq_diags *diags,
                             const struct lq_connection **used,
                             struct lq_broker **out) LQ_CHECK;

/* Diags, and what they were before something was said. */
struct lq_said {
    struct lq_diags *diags;
    struct lq_diags before;
};

/*
 * Opens a connection by one of the ways behind `*used`, whose connection was
 * lost, as lq_route_open() does, but without waiting. LQ_LOST also when there
 * is no such way, no time left, or a stop. With LQ_OK, all errors that were
 * `said` since become warnings.
 */
enum lq_status lq_route_go_on(const struct lq_route *route,
                              const struct lilyq_hooks *hooks,
                              const struct lq_said *said,
                              const struct lq_connection **used,
                              struct lq_broker **out) LQ_CHECK;

/*
 * A broker that connects when it is first needed. If a connection is lost
 * before anything is written, it goes on by another way of the route.
 */
struct lq_lazy {
    struct lq_broker broker; /* first */
    const struct lq_route *route;
    const struct lilyq_hooks *hooks;
    struct lq_diags *diags;
    const struct lq_connection *used; /* NULL until connected */
    struct lq_broker *inner;
    bool wrote; /* a batch that writes was sent */
};

void lq_lazy_init(struct lq_lazy *lazy, const struct lq_route *route,
                  const struct lilyq_hooks *hooks, struct lq_diags *diags);

/* Connects, unless it is connected: the status of lq_route_open(). */
enum lq_status lq_lazy_connect(struct lq_lazy *lazy) LQ_CHECK;

/* Disconnects, if it is connected. */
void lq_lazy_close(struct lq_lazy *lazy);

#endif
