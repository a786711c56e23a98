#include "preflight.h"

/* A look at the broker, under way. */
struct look {
    const struct lq_view *view;
    struct lq_management_settings management;
    struct lq_diags *diags;
    struct lq_live *live;
};

static enum lq_status survey(void *data)
{
    struct look *const look = data;

    look->management.peer.deadline = lq_route_deadline(look->view->route);
    return lq_survey(&look->management, look->view->wants, look->diags,
                     look->live);
}

enum lq_status lq_preflight(const struct lq_view *view, struct lq_diags *diags,
                            struct lq_live *out)
{
    struct look look = {view, *view->management, diags, out};

    look.management.stop = view->hooks->stop;
    look.management.data = view->hooks->data;
    return lq_persist(view->route, view->hooks, diags, survey, &look);
}

/* What was looked at through one node is no other through the next one. */
static enum lq_status run_anywhere(struct lq_lazy *lazy,
                                   const struct lq_batch *batch)
{
    const struct lq_said said = {lazy->diags, *lazy->diags};
    enum lq_status status = lazy->inner->run(lazy->inner, batch);

    while (status == LQ_LOST && !lazy->inner->refused && !lazy->wrote) {
        const struct lq_connection *used = lazy->used;
        struct lq_broker *inner = NULL;

        status = lq_reach_on(lazy->route, lazy->hooks, &said, &used, &inner);
        if (status != LQ_OK) {
            return status;
        }
        lq_amqp_close(lazy->inner);
        lazy->inner = inner;
        lazy->used = used;
        status = inner->run(inner, batch);
    }
    return status;
}

static enum lq_status connect_and_run(struct lq_broker *broker,
                                      const struct lq_batch *batch)
{
    struct lq_lazy *const lazy = (struct lq_lazy *)broker;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < batch->count; ++i) {
        batch->answers[i] = (struct lq_answer){.kind = LQ_UNSENT};
    }
    status = lq_lazy_connect(lazy);
    if (status == LQ_OK) {
        lazy->wrote = lazy->wrote || batch->writes;
        status = run_anywhere(lazy, batch);
        broker->refused = lazy->inner->refused;
    }
    return status;
}

void lq_lazy_init(struct lq_lazy *lazy, const struct lq_route *route,
                  const struct lilyq_hooks *hooks, struct lq_diags *diags)
{
    *lazy = (struct lq_lazy){
        .broker = {.run = connect_and_run},
        .route = route,
        .hooks = hooks,
        .diags = diags,
    };
}

enum lq_status lq_lazy_connect(struct lq_lazy *lazy)
{
    const struct lq_connection *used = NULL;
    enum lq_status status = LQ_OK;

    if (lazy->inner) {
        return LQ_OK;
    }
    status =
        lq_reach(lazy->route, lazy->hooks, lazy->diags, &used, &lazy->inner);
    if (status == LQ_OK) {
        lazy->used = used;
    }
    return status;
}

void lq_lazy_close(struct lq_lazy *lazy)
{
    if (lazy->used) {
        lq_amqp_close(lazy->inner);
    }
}
