#include "broker/inspect.h"

#include "base/map.h"
#include "base/text.h"
#include "broker/apply_job.h"
#include "broker/comparison.h"
#include "broker/verdict.h"

/* An exchange or queue of the plan, and the last that was said of it. */
struct sight {
    struct lq_request request;
    struct lq_answer answer;
    struct lq_comparison comparison; /* what the answer means */
    bool managed;
};

struct inspection {
    struct lq_apply_run run;
    const struct lq_topology *plan;
    struct sight *sights; /* exchanges, then queues */
    size_t count;
    bool passive_only;
    struct lq_map missing_exchanges; /* their sights, by name */
    struct lq_map missing_queues;
    struct lq_diff *diff;
};

static enum lq_status prepare(struct inspection *inspection)
{
    const struct lq_topology *const plan = inspection->plan;
    struct lq_arena *const arena = inspection->run.diags->arena;
    const size_t exchanges = plan->exchange_count;

    inspection->count = exchanges + plan->queue_count;
    inspection->sights =
        lq_alloc_array(arena, inspection->count, sizeof(struct sight));
    if (!inspection->sights) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < exchanges; ++i) {
        inspection->sights[i] = (struct sight){
            .request = {LQ_CHECK_EXCHANGE, {.exchange = &plan->exchanges[i]}},
            .managed = lq_is_managed(plan->exchanges[i].ownership)};
    }
    for (size_t i = 0; i < plan->queue_count; ++i) {
        inspection->sights[exchanges + i] = (struct sight){
            .request = {LQ_CHECK_QUEUE, {.queue = &plan->queues[i]}},
            .managed = lq_is_managed(lq_owner(plan->queues[i].logical))};
    }
    inspection->run.total =
        inspection->passive_only ? inspection->count : 2 * inspection->count;
    lq_map_init(&inspection->missing_exchanges, arena);
    lq_map_init(&inspection->missing_queues, arena);
    return lq_apply_reserve(&inspection->run, inspection->count);
}

static void ask(struct inspection *inspection, struct sight *sight)
{
    lq_apply_add(&inspection->run, sight->request,
                 (struct lq_step){.keep = &sight->answer});
}

/* Sends what was added, and notes what the answers mean. */
static enum lq_status hear(struct inspection *inspection)
{
    struct lq_apply_run *const run = &inspection->run;
    struct lq_arena *const arena = run->diags->arena;
    const enum lq_status status = lq_apply_stage(run, false);

    for (size_t i = 0; status == LQ_OK && i < inspection->count; ++i) {
        struct sight *const sight = &inspection->sights[i];

        if (lq_comparison_of(&sight->request, &sight->answer, arena,
                             &sight->comparison) != LQ_OK) {
            return LQ_NOMEM;
        }
    }
    return status;
}

/* What is there, and ours, can be compared. */
static bool is_comparable(const struct sight *sight)
{
    return sight->managed && sight->comparison.kind == LQ_COMPARED_EQUAL;
}

/* Comparisons of exchanges are always denied, those of queues seldom. */
static enum lq_status compare(struct inspection *inspection)
{
    const size_t exchanges = inspection->plan->exchange_count;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < exchanges; ++i) {
        struct sight *const sight = &inspection->sights[i];

        if (is_comparable(sight)) {
            sight->request.kind = LQ_COMPARE_EXCHANGE;
            ask(inspection, sight);
        }
    }
    status = hear(inspection);
    for (size_t i = exchanges; status == LQ_OK && i < inspection->count; ++i) {
        struct sight *const sight = &inspection->sights[i];

        if (is_comparable(sight)) {
            sight->request.kind = LQ_COMPARE_QUEUE;
            ask(inspection, sight);
        }
    }
    return status == LQ_OK ? hear(inspection) : status;
}

static enum lq_status look(struct inspection *inspection)
{
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < inspection->count; ++i) {
        ask(inspection, &inspection->sights[i]);
    }
    status = hear(inspection);
    return status == LQ_OK && !inspection->passive_only ? compare(inspection)
                                                        : status;
}

/* Reports everything that was denied. */
static enum lq_status report_refusals(const struct inspection *inspection)
{
    struct lq_diags *const diags = inspection->run.diags;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < inspection->count; ++i) {
        const struct sight *const sight = &inspection->sights[i];

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

static struct lq_finding about(const struct sight *sight, bool exchange)
{
    const struct lq_exchange *const one =
        exchange ? sight->request.of.exchange : NULL;
    const struct lq_queue *const other =
        exchange ? NULL : sight->request.of.queue;

    return (struct lq_finding){
        .resource = exchange ? LQ_EXCHANGE : LQ_QUEUE,
        .name = exchange ? one->name : other->name,
        .logical = exchange ? one->logical : other->logical,
        .role = exchange ? one->role : other->role,
    };
}

static bool is_property(const char *field)
{
    static const char *const properties[] = {"type", "durable", "auto_delete",
                                             "internal", "exclusive"};

    for (size_t i = 0; i < sizeof(properties) / sizeof(*properties); ++i) {
        if (lq_str_equal(field, properties[i])) {
            return true;
        }
    }
    return false;
}

static enum lq_finding_code missing_code(bool exchange, bool managed)
{
    if (exchange) {
        return managed ? LQ_EXCHANGE_MISSING : LQ_EXTERNAL_EXCHANGE_MISSING;
    }
    return managed ? LQ_QUEUE_MISSING : LQ_EXTERNAL_QUEUE_MISSING;
}

static enum lq_finding_code different_code(bool exchange, const char *field)
{
    if (exchange) {
        return is_property(field) ? LQ_EXCHANGE_PROPERTY_DIFFERENT
                                  : LQ_EXCHANGE_ARGUMENT_DIFFERENT;
    }
    return is_property(field) ? LQ_QUEUE_PROPERTY_DIFFERENT
                              : LQ_QUEUE_ARGUMENT_DIFFERENT;
}

static enum lq_status add(const struct inspection *inspection,
                          const struct lq_finding *finding)
{
    return lq_diff_add(inspection->diff, finding, inspection->run.diags->arena);
}

static enum lq_status add_missing(struct inspection *inspection,
                                  struct sight *sight,
                                  struct lq_finding *finding)
{
    const bool exchange = finding->resource == LQ_EXCHANGE;
    void *held = NULL;

    finding->code = missing_code(exchange, sight->managed);
    if (lq_map_add(exchange ? &inspection->missing_exchanges
                            : &inspection->missing_queues,
                   finding->name, sight, &held) != LQ_OK) {
        return LQ_NOMEM;
    }
    return add(inspection, finding);
}

static enum lq_status add_findings_of(struct inspection *inspection,
                                      size_t index)
{
    struct sight *const sight = &inspection->sights[index];
    const struct lq_comparison *const comparison = &sight->comparison;
    const bool exchange = index < inspection->plan->exchange_count;
    struct lq_finding finding = about(sight, exchange);

    switch (comparison->kind) {
    case LQ_COMPARED_GONE:
        return add_missing(inspection, sight, &finding);
    case LQ_COMPARED_DIFFERENT:
        if (!sight->managed) {
            return LQ_OK; /* it is there, which is all that is asked */
        }
        finding.code = different_code(exchange, comparison->field);
        finding.field = comparison->field;
        finding.planned = comparison->planned;
        finding.actual = comparison->actual;
        return add(inspection, &finding);
    case LQ_COMPARED_UNCLEAR:
        finding.code = LQ_PROPERTY_NOT_SEEN;
        finding.field = comparison->field;
        return add(inspection, &finding);
    case LQ_COMPARED_EQUAL:
        if (!inspection->passive_only || !sight->managed) {
            return LQ_OK;
        }
        finding.code = LQ_PROPERTY_NOT_SEEN;
        finding.field = "arguments";
        return add(inspection, &finding);
    case LQ_COMPARED_REFUSED:
        break;
    }
    return LQ_OK;
}

/* AMQP shows no binding, but there is none without its ends. */
static enum lq_status add_binding(struct inspection *inspection,
                                  const struct lq_binding *binding)
{
    const bool managed = lq_is_managed(lq_owner(binding->logical));
    const bool missing =
        lq_map_get(&inspection->missing_exchanges, binding->source) ||
        lq_map_get(&inspection->missing_queues, binding->destination);
    const struct lq_finding finding = {
        .code = !missing  ? LQ_BINDING_NOT_SEEN
                : managed ? LQ_BINDING_MISSING
                          : LQ_EXTERNAL_BINDING_MISSING,
        .resource = LQ_BINDING,
        .name = binding->destination,
        .binding = binding,
        .logical = binding->logical,
        .role = binding->role,
    };

    return add(inspection, &finding);
}

static enum lq_status add_findings(struct inspection *inspection)
{
    const struct lq_topology *const plan = inspection->plan;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < inspection->count && status == LQ_OK; ++i) {
        status = add_findings_of(inspection, i);
    }
    for (size_t i = 0; i < plan->binding_count && status == LQ_OK; ++i) {
        status = add_binding(inspection, &plan->bindings[i]);
    }
    return status;
}

enum lq_status lq_inspect(struct lq_broker *broker,
                          const struct lq_topology *plan,
                          const struct lq_apply_options *options,
                          bool passive_only, struct lq_diags *diags,
                          struct lq_diff *out)
{
    struct inspection inspection = {
        .run = {.broker = broker, .options = options, .diags = diags},
        .plan = plan,
        .passive_only = passive_only,
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
    return status == LQ_OK ? add_findings(&inspection) : status;
}
