#include "broker/inspect.h"

#include "broker/apply_job.h"
#include "broker/inspect_job.h"
#include "broker/verdict.h"

static enum lq_status prepare(struct lq_inspection *inspection)
{
    const struct lq_topology *const plan = inspection->plan;
    struct lq_arena *const arena = inspection->run.diags->arena;
    const size_t exchanges = plan->exchange_count;

    inspection->count = exchanges + plan->queue_count;
    inspection->sights =
        lq_alloc_array(arena, inspection->count, sizeof(struct lq_sight));
    if (!inspection->sights) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < exchanges; ++i) {
        inspection->sights[i] = (struct lq_sight){
            .request = {LQ_CHECK_EXCHANGE, {.exchange = &plan->exchanges[i]}},
            .managed = lq_is_managed(plan->exchanges[i].ownership)};
    }
    for (size_t i = 0; i < plan->queue_count; ++i) {
        inspection->sights[exchanges + i] = (struct lq_sight){
            .request = {LQ_CHECK_QUEUE, {.queue = &plan->queues[i]}},
            .managed = lq_is_managed(lq_owner(plan->queues[i].logical))};
    }
    inspection->run.total = inspection->run.options->passive_only
                                ? inspection->count
                                : 2 * inspection->count;
    return lq_apply_reserve(&inspection->run, inspection->count);
}

static void ask(struct lq_inspection *inspection, struct lq_sight *sight)
{
    lq_apply_add(&inspection->run, sight->request,
                 (struct lq_step){.keep = &sight->answer});
}

/* Sends what was added, and notes what the answers mean. */
static enum lq_status hear(struct lq_inspection *inspection)
{
    struct lq_apply_run *const run = &inspection->run;
    struct lq_arena *const arena = run->diags->arena;
    const enum lq_status status = lq_apply_stage(run, false);

    for (size_t i = 0; status == LQ_OK && i < inspection->count; ++i) {
        struct lq_sight *const sight = &inspection->sights[i];

        if (lq_comparison_of(&sight->request, &sight->answer, arena,
                             &sight->comparison) != LQ_OK) {
            return LQ_NOMEM;
        }
    }
    return status;
}

/* What is there, and ours, can be compared. */
static bool is_comparable(const struct lq_sight *sight)
{
    return sight->managed && sight->comparison.kind == LQ_COMPARED_EQUAL;
}

/* Comparisons of exchanges are always denied, those of queues seldom. */
static enum lq_status compare(struct lq_inspection *inspection)
{
    const size_t exchanges = inspection->plan->exchange_count;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < exchanges; ++i) {
        struct lq_sight *const sight = &inspection->sights[i];

        if (is_comparable(sight)) {
            sight->request.kind = LQ_COMPARE_EXCHANGE;
            ask(inspection, sight);
        }
    }
    status = hear(inspection);
    for (size_t i = exchanges; status == LQ_OK && i < inspection->count; ++i) {
        struct lq_sight *const sight = &inspection->sights[i];

        if (is_comparable(sight)) {
            sight->request.kind = LQ_COMPARE_QUEUE;
            ask(inspection, sight);
        }
    }
    return status == LQ_OK ? hear(inspection) : status;
}

/* Asks again for what was there, and then seemed to be gone. */
static void doubt(struct lq_inspection *inspection, struct lq_sight *sight)
{
    const bool exchange = sight->request.kind == LQ_COMPARE_EXCHANGE;

    if (sight->comparison.kind != LQ_COMPARED_GONE ||
        (!exchange && sight->request.kind != LQ_COMPARE_QUEUE)) {
        return;
    }
    sight->request.kind = exchange ? LQ_CHECK_EXCHANGE : LQ_CHECK_QUEUE;
    sight->doubted = true;
    ++inspection->run.total;
    ask(inspection, sight);
}

/*
 * A broker that looked at the barrier first would call everything missing: it
 * is then known to be there, and no more.
 */
static enum lq_status confirm(struct lq_inspection *inspection)
{
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < inspection->count; ++i) {
        doubt(inspection, &inspection->sights[i]);
    }
    status = hear(inspection);
    for (size_t i = 0; status == LQ_OK && i < inspection->count; ++i) {
        struct lq_comparison *const comparison =
            &inspection->sights[i].comparison;

        if (inspection->sights[i].doubted &&
            comparison->kind == LQ_COMPARED_EQUAL) {
            *comparison = (struct lq_comparison){.kind = LQ_COMPARED_UNCLEAR,
                                                 .field = "declaration"};
        }
    }
    return status;
}

static enum lq_status look(struct lq_inspection *inspection)
{
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < inspection->count; ++i) {
        ask(inspection, &inspection->sights[i]);
    }
    status = hear(inspection);
    if (status == LQ_OK && !inspection->run.options->passive_only) {
        status = compare(inspection);
    }
    return status == LQ_OK ? confirm(inspection) : status;
}

/* Reports everything that was denied. */
static enum lq_status report_refusals(const struct lq_inspection *inspection)
{
    struct lq_diags *const diags = inspection->run.diags;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < inspection->count; ++i) {
        const struct lq_sight *const sight = &inspection->sights[i];

        if (sight->comparison.kind == LQ_COMPARED_REFUSED) {
            const char *const text =
                lq_verdict_text(&sight->request, &sight->answer, diags->arena);

            if (!text || lq_error(diags, NULL, "%s", text) == LQ_NOMEM) {
                return LQ_NOMEM;
            }
            status = LQ_REFUSED;
        }
    }
    return status;
}

enum lq_status lq_inspect(struct lq_broker *broker,
                          const struct lq_topology *plan,
                          const struct lq_apply_options *options,
                          struct lq_diags *diags, struct lq_diff *out)
{
    struct lq_inspection inspection = {
        .run = {.broker = broker, .options = options, .diags = diags},
        .plan = plan,
        .diff = out,
    };
    enum lq_status status = prepare(&inspection);

    *out = (struct lq_diff){.counts = {0}};
    lq_array_init(&out->findings, sizeof(struct lq_finding));
    if (status == LQ_OK) {
        status = look(&inspection);
    }
    if (status == LQ_OK && options->progress) {
        options->progress(options->data, inspection.run.total,
                          inspection.run.total);
    }
    if (status == LQ_OK) {
        status = report_refusals(&inspection);
    }
    return status == LQ_OK ? lq_inspection_add_findings(&inspection) : status;
}
