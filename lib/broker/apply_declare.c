#include "broker/apply_job.h"

#include "base/map.h"

static bool is_missing(const struct lq_outcome *outcome,
                       enum lq_ownership ownership)
{
    return lq_is_managed(ownership) && outcome->result == LQ_NOT_DONE;
}

static bool is_exchange_missing(const struct lq_job *job, size_t index)
{
    return is_missing(&job->report->exchanges[index],
                      job->plan->exchanges[index].ownership);
}

static bool is_queue_missing(const struct lq_job *job, size_t index)
{
    return is_missing(&job->report->queues[index],
                      lq_owner(job->plan->queues[index].logical));
}

static bool is_binding_missing(const struct lq_job *job, size_t index)
{
    return is_missing(&job->report->bindings[index],
                      lq_owner(job->plan->bindings[index].logical));
}

/* What is missing, or was before this run. */
struct news {
    struct lq_map exchanges;
    struct lq_map queues;
};

static bool is_new(const struct lq_outcome *outcome)
{
    return outcome->result == LQ_CREATED || outcome->result == LQ_PENDING;
}

/* Puts a name into the map if what it names is new. */
static enum lq_status note(struct lq_map *map, const char *name,
                           struct lq_outcome *outcome)
{
    void *held = NULL;

    return is_new(outcome) ? lq_map_add(map, name, outcome, &held) : LQ_OK;
}

static enum lq_status gather_news(const struct lq_job *job, struct news *news)
{
    const struct lq_topology *const plan = job->plan;
    enum lq_status status = LQ_OK;

    lq_map_init(&news->exchanges, job->run.diags->arena);
    lq_map_init(&news->queues, job->run.diags->arena);
    for (size_t i = 0; status == LQ_OK && i < plan->exchange_count; ++i) {
        status = note(&news->exchanges, plan->exchanges[i].name,
                      &job->report->exchanges[i]);
    }
    for (size_t i = 0; status == LQ_OK && i < plan->queue_count; ++i) {
        status =
            note(&news->queues, plan->queues[i].name, &job->report->queues[i]);
    }
    return status;
}

/* A binding is new for sure when an end of it is. */
static bool has_new_end(const struct news *news,
                        const struct lq_binding *binding)
{
    return lq_map_get(&news->exchanges, binding->source) ||
           lq_map_get(&news->queues, binding->destination);
}

/* What becomes of an exchange or queue that the broker takes. */
static enum lq_result result_of(const struct lq_job *job)
{
    return job->report->mode == LQ_NO_PREFLIGHT ? LQ_DECLARED : LQ_CREATED;
}

static enum lq_status declare_exchanges(struct lq_job *job)
{
    const struct lq_step step = {.done = result_of(job)};

    for (size_t i = 0; i < job->plan->exchange_count; ++i) {
        if (is_exchange_missing(job, i)) {
            lq_job_add_exchange(job, i, LQ_DECLARE_EXCHANGE, step);
        }
    }
    return lq_apply_stage(&job->run, true);
}

static enum lq_status declare_queues(struct lq_job *job)
{
    const struct lq_step step = {.done = result_of(job)};

    for (size_t i = 0; i < job->plan->queue_count; ++i) {
        if (is_queue_missing(job, i)) {
            lq_job_add_queue(job, i, LQ_DECLARE_QUEUE, step);
        }
    }
    return lq_apply_stage(&job->run, true);
}

/* The same of a binding. */
static enum lq_result bound(const struct lq_job *job, const struct news *news,
                            const struct lq_binding *binding)
{
    const bool known =
        job->run.options->live != NULL || has_new_end(news, binding);

    return job->report->mode == LQ_PREFLIGHT && !known ? LQ_ENSURED
                                                       : result_of(job);
}

static enum lq_status bind(struct lq_job *job)
{
    struct news news;

    if (gather_news(job, &news) != LQ_OK) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < job->plan->binding_count; ++i) {
        const struct lq_binding *const binding = &job->plan->bindings[i];

        if (is_binding_missing(job, i)) {
            lq_apply_add(&job->run,
                         (struct lq_request){.kind = LQ_BIND_QUEUE,
                                             .of.binding = binding},
                         (struct lq_step){
                             .outcome = &job->report->bindings[i],
                             .done = bound(job, &news, binding),
                         });
        }
    }
    return lq_apply_stage(&job->run, true);
}

enum lq_status lq_job_declare(struct lq_job *job)
{
    enum lq_status status = declare_exchanges(job);

    if (status == LQ_OK) {
        status = declare_queues(job);
    }
    return status == LQ_OK ? bind(job) : status;
}

enum lq_status lq_job_leave_pending(struct lq_job *job)
{
    const struct lq_topology *const plan = job->plan;
    struct news news;

    for (size_t i = 0; i < plan->exchange_count; ++i) {
        if (is_exchange_missing(job, i)) {
            job->report->exchanges[i].result = LQ_PENDING;
        }
    }
    for (size_t i = 0; i < plan->queue_count; ++i) {
        if (is_queue_missing(job, i)) {
            job->report->queues[i].result = LQ_PENDING;
        }
    }
    if (gather_news(job, &news) != LQ_OK) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < plan->binding_count; ++i) {
        if (is_binding_missing(job, i)) {
            job->report->bindings[i].result =
                job->run.options->live || has_new_end(&news, &plan->bindings[i])
                    ? LQ_PENDING
                    : LQ_UNVERIFIED;
        }
    }
    return LQ_OK;
}
