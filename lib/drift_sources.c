#include "drift_sources.h"

#include "base/file.h"
#include "base/text.h"
#include "broker/inspect.h"
#include "compare/change.h"
#include "drift.h"
#include "earlier.h"
#include "preflight.h"

#include <string.h>

/* What is beyond the plan, and policies: all of it is out of sight. */
static enum lq_status add_unseen(const struct lilyq *run, struct lq_drift *out)
{
    struct lq_arena *const arena = run->diags.arena;
    struct lq_live nothing;

    lq_live_init(&nothing, out->vhost, arena);
    return lq_drift_complete(run->topology, &nothing, arena, &out->diff);
}

static enum lq_status inspect(struct lilyq *run, struct lq_lazy *lazy,
                              bool passive_only, struct lq_drift *out)
{
    const struct lq_apply_options options = {
        .progress = lazy->hooks->progress,
        .stop = lazy->hooks->stop,
        .notice = lazy->hooks->notice,
        .data = lazy->hooks->data,
        .passive_only = passive_only,
    };
    enum lq_status status = lq_lazy_connect(lazy);

    if (status != LQ_OK) {
        return status;
    }
    out->kind = LQ_DRIFT_AMQP;
    out->vhost = lazy->used->vhost;
    status = lq_inspect(&lazy->broker, run->topology, &options, &run->diags,
                        &out->diff);
    out->source = lq_connection_address(&run->arena, lazy->used);
    if (!out->source) {
        return LQ_NOMEM;
    }
    return status == LQ_OK ? add_unseen(run, out) : status;
}

enum lq_status lq_drift_amqp(struct lilyq *run,
                             const struct lilyq_connection *connection,
                             bool passive_only, const struct lilyq_hooks *hooks,
                             struct lq_drift *out)
{
    struct lq_route route;
    struct lq_lazy lazy;
    enum lq_status status = lq_session_resolve(connection, &run->diags, &route);

    lq_lazy_init(&lazy, &route, hooks, &run->diags);
    if (status == LQ_OK) {
        status = inspect(run, &lazy, passive_only, out);
    }
    lq_lazy_close(&lazy);
    return status;
}

enum lq_status lq_drift_earlier(struct lilyq *run,
                                const struct lilyq_earlier *earlier,
                                struct lq_drift *out)
{
    struct lq_document document = {earlier->name, earlier->text,
                                   earlier->length, LQ_INPUT_AUTO};
    const struct lq_topology *before = NULL;
    enum lq_status status = LQ_OK;

    out->kind = LQ_DRIFT_EARLIER;
    out->source =
        lq_printable(&run->arena, earlier->name, strlen(earlier->name));
    if (!out->source) {
        return LQ_NOMEM;
    }
    if (!document.text) {
        status = lq_read_file(earlier->name, &run->diags, &document.text,
                              &document.length);
    }
    if (status == LQ_OK) {
        status = lq_earlier_plan(&document, &run->diags, &before);
    }
    if (status == LQ_OK) {
        status = lq_change(before, run->topology, &run->arena, &out->diff);
    }
    return status == LQ_OK
               ? lq_drift_order(run->topology, &run->arena, &out->diff)
               : status;
}
