#include "broker/inspect_job.h"

#include "base/text.h"
#include "broker/apply_job.h"

static struct lq_finding about(const struct lq_sight *sight, bool exchange)
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

static enum lq_status add(const struct lq_inspection *inspection,
                          const struct lq_finding *finding)
{
    return lq_diff_add(inspection->diff, finding, inspection->run.diags->arena);
}

static enum lq_status add_missing(struct lq_inspection *inspection,
                                  struct lq_sight *sight,
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

static enum lq_status add_findings_of(struct lq_inspection *inspection,
                                      size_t index)
{
    struct lq_sight *const sight = &inspection->sights[index];
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
        if (!inspection->run.options->passive_only || !sight->managed) {
            return LQ_OK;
        }
        finding.code = LQ_PROPERTY_NOT_SEEN;
        finding.field = "declaration";
        return add(inspection, &finding);
    case LQ_COMPARED_REFUSED:
        break;
    }
    return LQ_OK;
}

/* AMQP shows no binding, but there is none without its ends. */
static enum lq_status add_binding(struct lq_inspection *inspection,
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

enum lq_status lq_inspection_add_findings(struct lq_inspection *inspection)
{
    const struct lq_topology *const plan = inspection->plan;
    struct lq_arena *const arena = inspection->run.diags->arena;
    enum lq_status status = LQ_OK;

    lq_map_init(&inspection->missing_exchanges, arena);
    lq_map_init(&inspection->missing_queues, arena);
    for (size_t i = 0; i < inspection->count && status == LQ_OK; ++i) {
        status = add_findings_of(inspection, i);
    }
    for (size_t i = 0; i < plan->binding_count && status == LQ_OK; ++i) {
        status = add_binding(inspection, &plan->bindings[i]);
    }
    return status;
}
