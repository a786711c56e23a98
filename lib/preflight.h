/* What comes before the first declaration, through the management API. */
#ifndef LQ_PREFLIGHT_H
#define LQ_PREFLIGHT_H

#include "broker/management.h"
#include "reach.h"
#include "topology/live.h"

/*
 * Reads all that the virtual host holds, within the route's times and as often
 * as lq_persist() tries. The status of lq_survey().
 */
enum lq_status lq_preflight(const struct lq_route *route,
                            const struct lq_management_settings *management,
                            const struct lilyq_hooks *hooks,
                            struct lq_diags *diags,
                            struct lq_live *out) LQ_CHECK;

/* A broker that connects when it is first needed. */
struct lq_lazy {
    struct lq_broker broker; /* first */
    const struct lq_route *route;
    const struct lilyq_hooks *hooks;
    struct lq_diags *diags;
    const struct lq_connection *used; /* NULL until connected */
    struct lq_broker *inner;
};

void lq_lazy_init(struct lq_lazy *lazy, const struct lq_route *route,
                  const struct lilyq_hooks *hooks, struct lq_diags *diags);

/* Connects, unless it is done already: the status of lq_reach(). */
enum lq_status lq_lazy_connect(struct lq_lazy *lazy) LQ_CHECK;

/* Disconnects, if need be. */
void lq_lazy_close(struct lq_lazy *lazy);

#endif
