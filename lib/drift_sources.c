#include "drift_sources.h"

#include "base/file.h"
#include "base/text.h"
#include "compare/change.h"
#include "drift.h"
#include "earlier.h"
#include "live/amqp_look.h"
#include "preflight.h"
#include "topology/own_policy_diff.h"

#include <string.h>

/* What is beyond the plan, and policies: all of it is out of sight. */
static enum lq_status add_unseen(struct lilyq *run,
                                 const struct lilyq_policy_options *policies,
                                 struct lq_drift *out)
{
    struct lq_arena *const arena = run->diags.arena;
    const struct lq_own_policies *own = NULL;
    const enum lq_status status = lq_session_own_policies(
        run->topology, NULL, policies, &run->diags, &own);
    struct lq_live nothing;

    lq_live_init(&nothing, out->vhost, arena);
    return status == LQ_OK ? lq_drift_complete(run->topology, &nothing, own,
                                               arena, &out->diff)
                           : status;
}

static enum lq_status look(struct lilyq *run, struct lq_lazy *lazy,
                           const struct lilyq_source *source,
                           struct lq_drift *out)
{
    struct lq_stages stages = {.broker = &lazy->broker,
                               .diags = &run->diags,
                               .hooks = {.progress = lazy->hooks->progress,
                                         .stop = lazy->hooks->stop,
                                         .notice = lazy->hooks->notice,
                                         .data = lazy->hooks->data}};
    enum lq_status status = lq_lazy_connect(lazy);

    if (status != LQ_OK) {
        return status;
    }
    out->kind = LQ_DRIFT_AMQP;
    out->vhost = lazy->used->vhost;
    status = lq_amqp_diff(
        &stages, run->topology,
        source->passive_only ? LQ_AMQP_PASSIVE : LQ_AMQP_COMPARED, &out->diff);
    out->source = lq_connection_address(&run->arena, lazy->used);
    if (!out->source) {
        return LQ_NOMEM;
    }
    return status == LQ_OK ? add_unseen(run, source->policies, out) : status;
}

enum lq_status lq_drift_amqp(struct lilyq *run,
                             const struct lilyq_source *source,
                             const struct lilyq_hooks *hooks,
                             struct lq_drift *out)
{
    struct lq_route route;
    struct lq_lazy lazy;
    enum lq_status status =
        lq_session_resolve(source->connection, &run->diags, &route);

    lq_lazy_init(&lazy, &route, hooks, &run->diags);
    if (status == LQ_OK) {
        status = look(run, &lazy, source, out);
    }
    lq_lazy_close(&lazy);
    return status;
}

/* What the change does to the policies, which are those of either plan. */
static enum lq_status
change_policies(struct lilyq *run, const struct lq_topology *before,
                const struct lilyq_policy_options *policies,
                struct lq_diff *diff)
{
    const struct lq_own_policies *old = NULL;
    const struct lq_own_policies *own = NULL;
    enum lq_status status =
        lq_session_own_policies(before, NULL, policies, &run->diags, &old);

    if (status == LQ_OK) {
        status = lq_session_own_policies(run->topology, NULL, policies,
                                         &run->diags, &own);
    }
    return status == LQ_OK ? lq_change_own_policies(old, own, &run->arena, diff)
                           : status;
}

/* Finds that, or only whether there would be anything to find. */
static enum lq_status look_at_policies(struct lilyq *run,
                                       const struct lq_topology *before,
                                       const struct lilyq_source *source,
                                       struct lq_drift *out)
{
    static const struct lilyq_policy_options usual;
    struct lq_diff unheard = {.counts = {0}};
    enum lq_status status = LQ_OK;

    if (source->policies) {
        return change_policies(run, before, source->policies, &out->diff);
    }
    lq_array_init(&unheard.findings, sizeof(struct lq_finding));
    status = change_policies(run, before, &usual, &unheard);
    out->lacks_policies = unheard.findings.count > 0;
    return status;
}

enum lq_status lq_drift_earlier(struct lilyq *run,
                                const struct lilyq_source *source,
                                struct lq_drift *out)
{
    const struct lilyq_earlier *const earlier = source->earlier;
    struct lq_document document = {earlier->name, earlier->text,
                                   earlier->length, LQ_INPUT_AUTO};
    struct lq_file_text text = {earlier->text, earlier->length};
    const struct lq_topology *before = NULL;
    enum lq_status status = LQ_OK;

    out->kind = LQ_DRIFT_EARLIER;
    out->source =
        lq_printable(&run->arena, earlier->name, strlen(earlier->name));
    if (!out->source) {
        return LQ_NOMEM;
    }
    if (!document.text) {
        status =
            lq_read_file(earlier->name, LQ_FILE_MAX_BYTES, &run->diags, &text);
        document.text = text.bytes;
        document.length = text.length;
    }
    if (status == LQ_OK) {
        status = lq_earlier_plan(&document, &run->diags, &before);
    }
    if (status == LQ_OK) {
        status = lq_change(before, run->topology, &run->arena, &out->diff);
    }
    if (status == LQ_OK) {
        status = lq_drift_order(run->topology, &run->arena, &out->diff);
    }
    return status == LQ_OK ? look_at_policies(run, before, source, out)
                           : status;
}
