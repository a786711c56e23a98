/* A look through the management API, before anything is declared. */
#ifndef LQ_PREFLIGHT_H
#define LQ_PREFLIGHT_H

#include "broker/management.h"
#include "reach.h"
#include "survey.h"
#include "topology/live.h"

/* Where to look, and at what. */
struct lq_view {
    const struct lq_route *route; /* its times count */
    const struct lq_management_settings *management;
    const struct lq_survey_wants *wants;
    const struct lilyq_hooks *hooks;
};

/*
 * Reads what the virtual host holds, as often as lq_persist() tries. The status
 * of lq_survey().
 */
enum lq_status lq_preflight(const struct lq_view *view, struct lq_diags *diags,
                            struct lq_live *out) LQ_CHECK;

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
