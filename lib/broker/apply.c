#include "broker/apply.h"

#include "base/map.h"
#include "broker/apply_run.h"

#include <stdint.h>

/* What is planned, what was found, and what becomes of it. */
struct job {
    struct lq_apply_run run;
    const struct lq_topology *plan;
    struct lq_apply_report *report;
    bool *exchange_found; /* by the checks; parallel to the plan's */
    bool *queue_found;
};

static bool is_managed(enum lq_ownership ownership)
{
    return ownership == LQ_FRAMEWORK_MANAGED;
}

/* Checks, then a declaration of all that is managed. */
static size_t count_requests(const struct lq_topology *plan)
{
    size_t count = plan->exchange_count + plan->queue_count;

    for (size_t i = 0; i < plan->exchange_count; ++i) {
        count += is_managed(plan->exchanges[i].ownership);
    }
    for (size_t i = 0; i < plan->queue_count; ++i) {
        count += is_managed(lq_owner(plan->queues[i].logical));
    }
    for (size_t i = 0; i < plan->binding_count; ++i) {
        count += is_managed(lq_owner(plan->bindings[i].logical));
    }
    return count;
}

static enum lq_status prepare(struct job *job)
{
    const struct lq_topology *const plan = job->plan;
    struct lq_arena *const arena = job->run.diags->arena;
    struct lq_apply_report *const report = job->report;
    const size_t resources = plan->exchange_count + plan->queue_count;
    const size_t size = sizeof(struct lq_outcome);

    *report = (struct lq_apply_report){.ending = LQ_ENDED_UNTOUCHED};
    report->exchanges = lq_alloc_array(arena, plan->exchange_count, size);
    report->queues = lq_alloc_array(arena, plan->queue_count, size);
    report->bindings = lq_alloc_array(arena, plan->binding_count, size);
    job->exchange_found =
        lq_alloc_array(arena, plan->exchange_count, sizeof(bool));
    job->queue_found = lq_alloc_array(arena, plan->queue_count, sizeof(bool));
    if (!report->exchanges || !report->queues || !report->bindings ||
        !job->exchange_found || !job->queue_found) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < plan->binding_count; ++i) {
        if (!is_managed(lq_owner(plan->bindings[i].logical))) {
            report->bindings[i].result = LQ_UNVERIFIED;
        }
    }
    job->run.total = count_requests(plan);
    return lq_apply_reserve(&job->run, resources > plan->binding_count
                                           ? resources
                                           : plan->binding_count);
}

static void add_exchange(struct job *job, size_t index,
                         enum lq_request_kind kind, enum lq_result done)
{
    const bool searching = kind == LQ_CHECK_EXCHANGE &&
                           is_managed(job->plan->exchanges[index].ownership);

    lq_apply_add(&job->run,
                 (struct lq_request){
                     .kind = kind, .of.exchange = &job->plan->exchanges[index]},
                 (struct lq_step){
                     .outcome = &job->report->exchanges[index],
                     .done = done,
                     .found = searching ? &job->exchange_found[index] : NULL,
                 });
}

static void add_queue(struct job *job, size_t index, enum lq_request_kind kind,
                      enum lq_result done)
{
    const bool searching =
        kind == LQ_CHECK_QUEUE &&
        is_managed(lq_owner(job->plan->queues[index].logical));

    lq_apply_add(&job->run,
                 (struct lq_request){.kind = kind,
                                     .of.queue = &job->plan->queues[index]},
                 (struct lq_step){
                     .outcome = &job->report->queues[index],
                     .done = done,
                     .found = searching ? &job->queue_found[index] : NULL,
                 });
}

/* Looks at everything; what is external must be there. */
static enum lq_status check(struct job *job)
{
    for (size_t i = 0; i < job->plan->exchange_count; ++i) {
        add_exchange(job, i, LQ_CHECK_EXCHANGE, LQ_VERIFIED);
    }
    for (size_t i = 0; i < job->plan->queue_count; ++i) {
        add_queue(job, i, LQ_CHECK_QUEUE, LQ_VERIFIED);
    }
    return lq_apply_stage(&job->run, false);
}

/* Declares what was found again: an equal declaration changes nothing. */
static enum lq_status compare(struct job *job)
{
    for (size_t i = 0; i < job->plan->exchange_count; ++i) {
        if (job->exchange_found[i]) {
            add_exchange(job, i, LQ_DECLARE_EXCHANGE, LQ_EXISTING);
        }
    }
    for (size_t i = 0; i < job->plan->queue_count; ++i) {
        if (job->queue_found[i]) {
            add_queue(job, i, LQ_DECLARE_QUEUE, LQ_EXISTING);
        }
    }
    return lq_apply_stage(&job->run, false);
}

static enum lq_status create_exchanges(struct job *job)
{
    for (size_t i = 0; i < job->plan->exchange_count; ++i) {
        if (!job->exchange_found[i] &&
            is_managed(job->plan->exchanges[i].ownership)) {
            add_exchange(job, i, LQ_DECLARE_EXCHANGE, LQ_CREATED);
        }
    }
    return lq_apply_stage(&job->run, true);
}

static enum lq_status create_queues(struct job *job)
{
    for (size_t i = 0; i < job->plan->queue_count; ++i) {
        if (!job->queue_found[i] &&
            is_managed(lq_owner(job->plan->queues[i].logical))) {
            add_queue(job, i, LQ_DECLARE_QUEUE, LQ_CREATED);
        }
    }
    return lq_apply_stage(&job->run, true);
}

/* Puts a name into the map if its resource was created in this run. */
static enum lq_status note_created(struct lq_map *created, const char *name,
                                   struct lq_outcome *outcome)
{
    void *held = NULL;

    return outcome->result == LQ_CREATED
               ? lq_map_add(created, name, outcome, &held)
               : LQ_OK;
}

static enum lq_status note_all_created(const struct job *job,
                                       struct lq_map *exchanges,
                                       struct lq_map *queues)
{
    const struct lq_topology *const plan = job->plan;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; status == LQ_OK && i < plan->exchange_count; ++i) {
        status = note_created(exchanges, plan->exchanges[i].name,
                              &job->report->exchanges[i]);
    }
    for (size_t i = 0; status == LQ_OK && i < plan->queue_count; ++i) {
        status =
            note_created(queues, plan->queues[i].name, &job->report->queues[i]);
    }
    return status;
}

/* A binding is new for sure when an end of it is. */
static enum lq_status bind(struct job *job)
{
    const struct lq_topology *const plan = job->plan;
    struct lq_map exchanges;
    struct lq_map queues;

    lq_map_init(&exchanges, job->run.diags->arena);
    lq_map_init(&queues, job->run.diags->arena);
    if (note_all_created(job, &exchanges, &queues) != LQ_OK) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < plan->binding_count; ++i) {
        const struct lq_binding *const binding = &plan->bindings[i];
        const bool is_new = lq_map_get(&exchanges, binding->source) ||
                            lq_map_get(&queues, binding->destination);

        if (is_managed(lq_owner(binding->logical))) {
            lq_apply_add(&job->run,
                         (struct lq_request){.kind = LQ_BIND_QUEUE,
                                             .of.binding = binding},
                         (struct lq_step){
                             .outcome = &job->report->bindings[i],
                             .done = is_new ? LQ_CREATED : LQ_ENSURED,
                         });
        }
    }
    return lq_apply_stage(&job->run, true);
}

static enum lq_status run_stages(struct job *job)
{
    enum lq_status status = check(job);

    if (status == LQ_OK) {
        status = compare(job);
    }
    if (status == LQ_OK && (job->run.conflict || job->run.failed)) {
        status = LQ_REFUSED;
    }
    if (status == LQ_OK) {
        status = create_exchanges(job);
    }
    if (status == LQ_OK) {
        status = create_queues(job);
    }
    return status == LQ_OK ? bind(job) : status;
}

static bool any_written(const struct lq_outcome *outcomes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const enum lq_result result = outcomes[i].result;

        if (result == LQ_CREATED || result == LQ_ENSURED ||
            result == LQ_UNCERTAIN) {
            return true;
        }
    }
    return false;
}

static enum lq_ending ending_of(const struct job *job, enum lq_status status)
{
    const struct lq_topology *const plan = job->plan;
    const struct lq_apply_report *const report = job->report;

    if (status == LQ_OK) {
        return LQ_APPLIED;
    }
    if (any_written(report->exchanges, plan->exchange_count) ||
        any_written(report->queues, plan->queue_count) ||
        any_written(report->bindings, plan->binding_count)) {
        return LQ_ENDED_PARTLY;
    }
    return job->run.conflict && status == LQ_REFUSED ? LQ_ENDED_CONFLICT
                                                     : LQ_ENDED_UNTOUCHED;
}

enum lq_status lq_apply(struct lq_broker *broker,
                        const struct lq_topology *topology,
                        const struct lq_apply_options *options,
                        struct lq_diags *diags, struct lq_apply_report *out)
{
    struct job job = {
        .run = {.broker = broker, .options = options, .diags = diags},
        .plan = topology,
        .report = out,
    };
    enum lq_status status = prepare(&job);

    if (status == LQ_OK) {
        status = run_stages(&job);
    }
    if (status == LQ_NOMEM) {
        return LQ_NOMEM;
    }
    out->ending = ending_of(&job, status);
    if (status == LQ_OK && options->progress) {
        options->progress(options->data, job.run.total, job.run.total);
    }
    return status;
}
