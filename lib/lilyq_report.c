#include "lilyq.h"

#include "format/apply_report.h"
#include "session.h"

#include <assert.h>

static_assert((int)LILYQ_APPLIED == (int)LQ_APPLIED, "ending");
static_assert((int)LILYQ_ENDED_CONFLICT == (int)LQ_ENDED_CONFLICT, "ending");
static_assert((int)LILYQ_ENDED_UNTOUCHED == (int)LQ_ENDED_UNTOUCHED, "ending");
static_assert((int)LILYQ_ENDED_PARTLY == (int)LQ_ENDED_PARTLY, "ending");
static_assert((int)LILYQ_ENDED_DRY == (int)LQ_ENDED_DRY, "ending");

static_assert((int)LILYQ_NO_CAUSE == (int)LQ_NO_CAUSE, "cause");
static_assert((int)LILYQ_CAUSE_CONFLICT == (int)LQ_CAUSE_CONFLICT, "cause");
static_assert((int)LILYQ_CAUSE_REFUSED == (int)LQ_CAUSE_REFUSED, "cause");
static_assert((int)LILYQ_CAUSE_LOST == (int)LQ_CAUSE_LOST, "cause");
static_assert((int)LILYQ_CAUSE_STOPPED == (int)LQ_CAUSE_STOPPED, "cause");

enum lq_status lq_session_begin_report(struct lilyq *run,
                                       enum lq_apply_mode mode)
{
    const struct lq_topology *const topology = run->topology;
    struct lq_arena *const arena = &run->arena;
    struct lq_apply_report *const report = &run->report;
    const size_t size = sizeof(struct lq_outcome);

    *report =
        (struct lq_apply_report){.mode = mode, .ending = LQ_ENDED_UNTOUCHED};
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
    case LQ_UPDATED:
        return &counts->updated;
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

void lq_session_summarise(const struct lilyq *run, struct lilyq_report *out)
{
    const struct lq_topology *const topology = run->topology;
    const struct lq_apply_report *const report = &run->report;

    out->ending = (enum lilyq_ending)report->ending;
    out->cause = (enum lilyq_cause)report->cause;
    out->broker = report->broker;
    out->management = report->management;
    out->exchanges = count_up(report->exchanges, topology->exchange_count);
    out->queues = count_up(report->queues, topology->queue_count);
    out->bindings = count_up(report->bindings, topology->binding_count);
    out->policies = count_up(report->policy_outcomes,
                             report->policies ? report->policies->count : 0);
    out->version = report->version;
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
        status = lq_apply_text_render(run->topology, &run->report, &inner);
    }
    return lq_session_end(run, first, status);
}
