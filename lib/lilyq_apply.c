#include "lilyq.h"

#include "broker/amqp.h"
#include "format/apply_report.h"
#include "reach.h"
#include "session.h"

#include <assert.h>

static_assert((int)LILYQ_APPLIED == (int)LQ_APPLIED, "ending");
static_assert((int)LILYQ_ENDED_CONFLICT == (int)LQ_ENDED_CONFLICT, "ending");
static_assert((int)LILYQ_ENDED_UNTOUCHED == (int)LQ_ENDED_UNTOUCHED, "ending");
static_assert((int)LILYQ_ENDED_PARTLY == (int)LQ_ENDED_PARTLY, "ending");
static_assert((int)LILYQ_ENDED_DRY == (int)LQ_ENDED_DRY, "ending");

static_assert((int)LILYQ_PREFLIGHT == (int)LQ_PREFLIGHT, "mode");
static_assert((int)LILYQ_NO_PREFLIGHT == (int)LQ_NO_PREFLIGHT, "mode");
static_assert((int)LILYQ_DRY_RUN == (int)LQ_DRY_RUN, "mode");

/* A report in which nothing was done yet. */
static enum lq_status begin_report(struct lilyq *run, enum lq_apply_mode mode)
{
    const struct lq_topology *const topology = run->topology;
    struct lq_arena *const arena = &run->arena;
    struct lq_apply_report *const report = &run->report;
    const size_t size = sizeof(struct lq_outcome);

    report->mode = mode;
    report->ending = LQ_ENDED_UNTOUCHED;
    report->exchanges = lq_alloc_array(arena, topology->exchange_count, size);
    report->queues = lq_alloc_array(arena, topology->queue_count, size);
    report->bindings = lq_alloc_array(arena, topology->binding_count, size);
    if (!report->exchanges || !report->queues || !report->bindings) {
        return LQ_NOMEM;
    }
    run->stage = LQ_STAGE_APPLIED;
    return LQ_OK;
}

static size_t *counter(struct lilyq_counts *counts, enum lq_result result)
{
    switch (result) {
    case LQ_NOT_DONE:
        break;
    case LQ_CREATED:
        return &counts->created;
    case LQ_EXISTING:
        return &counts->existing;
    case LQ_ENSURED:
        return &counts->ensured;
    case LQ_DECLARED:
        return &counts->declared;
    case LQ_PENDING:
        return &counts->pending;
    case LQ_VERIFIED:
        return &counts->verified;
    case LQ_UNVERIFIED:
        return &counts->unverified;
    case LQ_CONFLICT:
        return &counts->conflicts;
    case LQ_FAILED:
        return &counts->failed;
    case LQ_UNCERTAIN:
        return &counts->uncertain;
    }
    return &counts->not_done;
}

static struct lilyq_counts count_up(const struct lq_outcome *outcomes,
                                    size_t count)
{
    struct lilyq_counts counts = {0};

    for (size_t i = 0; i < count; ++i) {
        ++*counter(&counts, outcomes[i].result);
    }
    return counts;
}

static void summarise(const struct lilyq *run, struct lilyq_report *out)
{
    const struct lq_topology *const topology = run->topology;
    const struct lq_apply_report *const report = &run->report;

    out->ending = (enum lilyq_ending)report->ending;
    out->broker = report->broker;
    out->exchanges = count_up(report->exchanges, topology->exchange_count);
    out->queues = count_up(report->queues, topology->queue_count);
    out->bindings = count_up(report->bindings, topology->binding_count);
}

/* Notes in the report where it was that this was done. */
static enum lq_status name_broker(struct lilyq *run,
                                  const struct lq_connection *used)
{
    run->report.broker = lq_connection_address(&run->arena, used);
    run->report.vhost = used->vhost;
    return run->report.broker ? LQ_OK : LQ_NOMEM;
}

static struct lq_apply_options
options_of(const struct lilyq_apply_options *options,
           const struct lilyq_hooks *hooks)
{
    return (struct lq_apply_options){
        .mode = (enum lq_apply_mode)options->mode,
        .max_in_flight = options->max_in_flight,
        .fail_when_blocked = options->fail_when_blocked,
        .progress = hooks->progress,
        .stop = hooks->stop,
        .notice = hooks->notice,
        .data = hooks->data,
    };
}

static enum lq_status apply(struct lilyq *run,
                            const struct lilyq_connection *connection,
                            const struct lilyq_apply_options *options,
                            const struct lilyq_hooks *hooks)
{
    const struct lq_apply_options inner = options_of(options, hooks);
    const struct lq_connection *used = NULL;
    struct lq_apply_report report;
    struct lq_route route;
    struct lq_broker *broker = NULL;
    enum lq_status status = lq_session_resolve(connection, &run->diags, &route);

    if (status == LQ_OK) {
        status = lq_reach(&route, hooks, &run->diags, &used, &broker);
    }
    if (status != LQ_OK) {
        return status;
    }
    status = lq_apply(broker, run->topology, &inner, &run->diags, &report);
    if (status != LQ_NOMEM) {
        run->report = report;
        status = lq_worse(status, name_broker(run, used));
    }
    lq_amqp_close(broker);
    return status;
}

enum lilyq_status lilyq_apply(struct lilyq *run,
                              const struct lilyq_connection *connection,
                              const struct lilyq_apply_options *options,
                              const struct lilyq_hooks *hooks,
                              struct lilyq_report *out)
{
    static const struct lilyq_apply_options no_options;
    static const struct lilyq_hooks no_hooks;
    const size_t first = run->diags.items.count;
    enum lq_status status = LQ_OK;

    *out = (struct lilyq_report){.ending = LILYQ_ENDED_UNTOUCHED};
    options = options ? options : &no_options;
    if (!run->topology) {
        return lq_session_end(
            run, first,
            lq_error(&run->diags, NULL, "there is no plan to apply"));
    }
    status = begin_report(run, (enum lq_apply_mode)options->mode);
    if (status != LQ_OK) {
        return (enum lilyq_status)status;
    }
    status = apply(run, connection, options, hooks ? hooks : &no_hooks);
    summarise(run, out);
    return lq_session_end(run, first, status);
}

enum lilyq_status lilyq_render_report(struct lilyq *run,
                                      enum lilyq_report_format format,
                                      const struct lilyq_sink *sink)
{
    const size_t first = run->diags.items.count;
    const struct lq_sink inner = {sink->write, sink->data};
    enum lq_status status = LQ_OK;

    if (run->stage != LQ_STAGE_APPLIED) {
        status = lq_error(&run->diags, NULL, "nothing was applied to report");
    } else if (format == LILYQ_REPORT_JSON) {
        status = lq_apply_json_render(run->topology, &run->report, &run->arena,
                                      &inner);
    } else {
        status = lq_apply_text_render(run->topology, &run->report, &run->arena,
                                      &inner);
    }
    return lq_session_end(run, first, status);
}
