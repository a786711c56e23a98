#include "compare/amqp.h"

#include "base/map.h"
#include "base/text.h"
#include "compare/answer.h"

/* An exchange or queue of the plan, and the last that was said of it. */
struct seen {
    struct lq_request request;
    struct lq_answer answer;
    struct lq_comparison comparison; /* what the answer means */
    bool managed;
    bool there; /* a check found it, and none has missed it since */
    bool asked; /* in the stage being made */
};

struct look {
    struct lq_stages *stages;
    const struct lq_topology *plan;
    enum lq_amqp_scope scope;
    struct seen *seen; /* exchanges, then queues */
    size_t count;
    struct lq_map missing_exchanges; /* what was seen of them, by name */
    struct lq_map missing_queues;
    struct lq_amqp_look *out;
};

static bool is_managed(enum lq_ownership ownership)
{
    return ownership == LQ_FRAMEWORK_MANAGED;
}

static bool is_check(const struct seen *seen)
{
    return seen->request.kind == LQ_CHECK_EXCHANGE ||
           seen->request.kind == LQ_CHECK_QUEUE;
}

static enum lq_status prepare(struct look *look)
{
    const struct lq_topology *const plan = look->plan;
    struct lq_arena *const arena = look->stages->diags->arena;
    const size_t exchanges = plan->exchange_count;

    look->count = exchanges + plan->queue_count;
    look->seen = lq_alloc_array(arena, look->count, sizeof(struct seen));
    if (!look->seen) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < exchanges; ++i) {
        look->seen[i] = (struct seen){
            .request = {LQ_CHECK_EXCHANGE, {.exchange = &plan->exchanges[i]}},
            .comparison.kind = LQ_COMPARISON_OPEN,
            .managed = is_managed(plan->exchanges[i].ownership)};
    }
    for (size_t i = 0; i < plan->queue_count; ++i) {
        look->seen[exchanges + i] = (struct seen){
            .request = {LQ_CHECK_QUEUE, {.queue = &plan->queues[i]}},
            .comparison.kind = LQ_COMPARISON_OPEN,
            .managed = is_managed(lq_owner(plan->queues[i].logical))};
    }
    return lq_stages_reserve(look->stages, look->count);
}

static void ask(struct look *look, struct seen *seen)
{
    seen->asked = true;
    lq_stages_add(look->stages, seen->request, &seen->answer);
}

/* Notes what an answer means. */
static enum lq_status note(struct seen *seen, struct lq_arena *arena)
{
    if (lq_comparison_of(&seen->request, &seen->answer, arena,
                         &seen->comparison) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (is_check(seen) && seen->comparison.kind != LQ_COMPARISON_OPEN) {
        seen->there = seen->comparison.kind != LQ_COMPARED_GONE &&
                      seen->comparison.kind != LQ_COMPARED_REFUSED;
    }
    return LQ_OK;
}

/* Sends what was added, and notes what the answers mean. */
static enum lq_status hear(struct look *look)
{
    struct lq_arena *const arena = look->stages->diags->arena;
    const enum lq_status status = lq_stages_run(look->stages, false);

    for (size_t i = 0; status != LQ_NOMEM && i < look->count; ++i) {
        struct seen *const seen = &look->seen[i];

        if (seen->asked && note(seen, arena) != LQ_OK) {
            return LQ_NOMEM;
        }
        seen->asked = false;
    }
    return status;
}

static enum lq_status check(struct look *look)
{
    for (size_t i = 0; i < look->count; ++i) {
        if (look->scope != LQ_AMQP_EXTERNAL || !look->seen[i].managed) {
            ask(look, &look->seen[i]);
        }
    }
    return hear(look);
}

/* Compares those from `first` on that are there, and ours. */
static enum lq_status compare(struct look *look, size_t first, size_t end,
                              enum lq_request_kind kind)
{
    for (size_t i = first; i < end; ++i) {
        struct seen *const seen = &look->seen[i];

        if (seen->managed && seen->comparison.kind == LQ_COMPARED_EQUAL) {
            seen->request.kind = kind;
            ask(look, seen);
        }
    }
    return hear(look);
}

/*
 * Asks again for what was there, and then seemed to be gone. It may have been
 * created anew in between; and a broker that looked at the barrier first would
 * call everything missing.
 */
static enum lq_status confirm(struct look *look)
{
    for (size_t i = 0; i < look->count; ++i) {
        struct seen *const seen = &look->seen[i];

        if (!is_check(seen) && seen->comparison.kind == LQ_COMPARED_GONE) {
            seen->request.kind = seen->request.kind == LQ_COMPARE_EXCHANGE
                                     ? LQ_CHECK_EXCHANGE
                                     : LQ_CHECK_QUEUE;
            ++look->stages->total;
            ask(look, seen);
        }
    }
    return hear(look);
}

/* Comparisons of exchanges are always denied, those of queues seldom. */
static enum lq_status ask_all(struct look *look)
{
    const size_t exchanges = look->plan->exchange_count;
    enum lq_status status = check(look);

    if (look->scope != LQ_AMQP_COMPARED) {
        return status;
    }
    if (status == LQ_OK) {
        status = compare(look, 0, exchanges, LQ_COMPARE_EXCHANGE);
    }
    if (status == LQ_OK) {
        status = compare(look, exchanges, look->count, LQ_COMPARE_QUEUE);
    }
    return status == LQ_OK ? confirm(look) : status;
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

static struct lq_finding about(const struct seen *seen)
{
    const struct lq_exchange *const exchange = seen->request.of.exchange;
    const struct lq_queue *const queue = seen->request.of.queue;

    return lq_is_about_exchange(&seen->request)
               ? (struct lq_finding){.resource = LQ_EXCHANGE,
                                     .name = exchange->name,
                                     .logical = exchange->logical,
                                     .role = exchange->role}
               : (struct lq_finding){.resource = LQ_QUEUE,
                                     .name = queue->name,
                                     .logical = queue->logical,
                                     .role = queue->role};
}

static void add(const struct look *look, const struct lq_finding *finding)
{
    lq_diff_add(&look->out->diff, finding, look->stages->diags->arena);
}

static enum lq_status add_missing(struct look *look, struct seen *seen,
                                  struct lq_finding *finding)
{
    const bool exchange = finding->resource == LQ_EXCHANGE;
    void *held = NULL;

    finding->code = missing_code(exchange, seen->managed);
    if (lq_map_add(exchange ? &look->missing_exchanges : &look->missing_queues,
                   finding->name, seen, &held) != LQ_OK) {
        return LQ_NOMEM;
    }
    add(look, finding);
    return LQ_OK;
}

/* What is external has no more to be than there. */
static void add_open(const struct look *look, const struct seen *seen,
                     struct lq_finding *finding)
{
    if (seen->there && !seen->managed) {
        return;
    }
    if (seen->there) {
        finding->code = LQ_PROPERTY_NOT_SEEN;
        finding->field = "declaration";
    } else {
        finding->code = finding->resource == LQ_EXCHANGE ? LQ_EXCHANGE_NOT_SEEN
                                                         : LQ_QUEUE_NOT_SEEN;
    }
    add(look, finding);
}

static enum lq_status add_finding(struct look *look, struct seen *seen)
{
    const struct lq_comparison *const comparison = &seen->comparison;
    struct lq_finding finding = about(seen);

    switch (comparison->kind) {
    case LQ_COMPARISON_OPEN:
        add_open(look, seen, &finding);
        return LQ_OK;
    case LQ_COMPARED_GONE:
        return add_missing(look, seen, &finding);
    case LQ_COMPARED_DIFFERENT:
        if (!seen->managed) {
            return LQ_OK; /* it is there, which is all that is asked */
        }
        finding.code =
            different_code(finding.resource == LQ_EXCHANGE, comparison->field);
        finding.field = comparison->field;
        finding.planned = comparison->planned;
        finding.actual = comparison->actual;
        add(look, &finding);
        return LQ_OK;
    case LQ_COMPARED_UNCLEAR:
        finding.code = LQ_PROPERTY_NOT_SEEN;
        finding.field = comparison->field;
        add(look, &finding);
        return LQ_OK;
    case LQ_COMPARED_EQUAL:
        if (is_check(seen)) {
            add_open(look, seen, &finding);
        }
        return LQ_OK;
    case LQ_COMPARED_REFUSED:
        break;
    }
    return LQ_OK;
}

static enum lq_status add_denial(const struct look *look,
                                 const struct seen *seen)
{
    const enum lq_comparison_kind kind = seen->comparison.kind;
    struct lq_denial *denial = NULL;

    if (kind != LQ_COMPARED_REFUSED &&
        !(kind == LQ_COMPARED_GONE && !seen->managed) &&
        !(kind == LQ_COMPARED_DIFFERENT && seen->managed)) {
        return LQ_OK;
    }
    denial = lq_array_push(&look->out->denials, look->stages->diags->arena);
    if (!denial) {
        return LQ_NOMEM;
    }
    *denial = (struct lq_denial){seen->request, seen->answer,
                                 kind == LQ_COMPARED_REFUSED};
    return LQ_OK;
}

/* AMQP shows no binding, but there is none without its ends. */
static void add_binding(const struct look *look,
                        const struct lq_binding *binding)
{
    const bool managed = is_managed(lq_owner(binding->logical));
    const bool missing =
        lq_map_get(&look->missing_exchanges, binding->source) ||
        lq_map_get(&look->missing_queues, binding->destination);
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

    add(look, &finding);
}

static enum lq_status add_all(struct look *look)
{
    const struct lq_topology *const plan = look->plan;
    struct lq_arena *const arena = look->stages->diags->arena;
    enum lq_status status = LQ_OK;

    lq_map_init(&look->missing_exchanges, arena);
    lq_map_init(&look->missing_queues, arena);
    for (size_t i = 0; i < look->count && status == LQ_OK; ++i) {
        status = add_finding(look, &look->seen[i]);
        if (status == LQ_OK) {
            status = add_denial(look, &look->seen[i]);
        }
    }
    for (size_t i = 0; i < plan->binding_count && status == LQ_OK; ++i) {
        add_binding(look, &plan->bindings[i]);
    }
    return status;
}

enum lq_status lq_amqp_look(struct lq_stages *stages,
                            const struct lq_topology *plan,
                            enum lq_amqp_scope scope, struct lq_amqp_look *out)
{
    struct look look = {
        .stages = stages, .plan = plan, .scope = scope, .out = out};
    enum lq_status status = prepare(&look);

    *out = (struct lq_amqp_look){.diff = {.counts = {0}}};
    lq_array_init(&out->diff.findings, sizeof(struct lq_finding));
    lq_array_init(&out->denials, sizeof(struct lq_denial));
    if (status == LQ_OK) {
        status = ask_all(&look);
    }
    return status != LQ_NOMEM && add_all(&look) != LQ_OK ? LQ_NOMEM : status;
}

/* Reports everything that was refused. */
static enum lq_status report_refusals(const struct lq_amqp_look *look,
                                      struct lq_diags *diags)
{
    const struct lq_denial *const denials = look->denials.items;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < look->denials.count; ++i) {
        const char *text = NULL;

        if (!denials[i].refused) {
            continue;
        }
        text = lq_verdict_text(&denials[i].request, &denials[i].answer,
                               diags->arena);
        (void)lq_error(diags, NULL, "%s", text);
        status = LQ_REFUSED;
    }
    return status;
}

enum lq_status lq_amqp_diff(struct lq_stages *stages,
                            const struct lq_topology *plan,
                            enum lq_amqp_scope scope, struct lq_diff *out)
{
    const size_t resources = plan->exchange_count + plan->queue_count;
    const struct lq_stage_hooks *const hooks = &stages->hooks;
    struct lq_amqp_look look;
    enum lq_status status = LQ_OK;

    stages->total = scope == LQ_AMQP_COMPARED ? 2 * resources : resources;
    *out = (struct lq_diff){.counts = {0}};
    lq_array_init(&out->findings, sizeof(struct lq_finding));
    status = lq_amqp_look(stages, plan, scope, &look);
    if (status == LQ_OK && hooks->progress) {
        hooks->progress(hooks->data, stages->total, stages->total);
    }
    if (status == LQ_OK) {
        status = report_refusals(&look, stages->diags);
    }
    if (status == LQ_OK) {
        *out = look.diff;
    }
    return status;
}
