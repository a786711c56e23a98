#include "apply/job.h"

/* One check of everything, one declaration of everything managed. */
static size_t count_requests(const struct lq_job *job)
{
    const struct lq_topology *const plan = job->plan;
    const bool blind = job->report->mode == LILYQ_NO_PREFLIGHT;
    size_t count = 0;

    for (size_t i = 0; i < plan->exchange_count; ++i) {
        const bool managed = lq_is_managed(plan->exchanges[i].ownership);

        count += managed && !blind ? 2 : 1;
    }
    for (size_t i = 0; i < plan->queue_count; ++i) {
        const bool managed = lq_is_managed(lq_owner(plan->queues[i].logical));

        count += managed && !blind ? 2 : 1;
    }
    for (size_t i = 0; i < plan->binding_count; ++i) {
        count += lq_is_managed(lq_owner(plan->bindings[i].logical));
    }
    return count;
}

static enum lq_status prepare(struct lq_job *job)
{
    const struct lq_topology *const plan = job->plan;
    struct lq_arena *const arena = job->stages.diags->arena;
    struct lq_apply_report *const report = job->report;
    const size_t size = sizeof(struct lq_outcome);

    *report = (struct lq_apply_report){.mode = job->options->mode,
                                       .ending = LILYQ_ENDED_UNTOUCHED};
    report->exchanges = lq_alloc_array(arena, plan->exchange_count, size);
    report->queues = lq_alloc_array(arena, plan->queue_count, size);
    report->bindings = lq_alloc_array(arena, plan->binding_count, size);
    job->unseen_exchanges =
        lq_alloc_array(arena, plan->exchange_count, sizeof(bool));
    job->unseen_queues = lq_alloc_array(arena, plan->queue_count, sizeof(bool));
    job->shows_bindings = job->options->live != NULL;
    job->stages.total = count_requests(job);
    return report->exchanges && report->queues && report->bindings &&
                   job->unseen_exchanges && job->unseen_queues
               ? LQ_OK
               : LQ_NOMEM;
}

/* A dry run says what is missing even if something else is in the way. */
static enum lq_status end_dry_run(struct lq_job *job, enum lq_status status)
{
    const bool looked = status == LQ_OK || status == LQ_REFUSED;

    if (looked && !job->stages.stopped && lq_job_leave_pending(job) != LQ_OK) {
        return LQ_NOMEM;
    }
    return status;
}

static enum lq_status run_stages(struct lq_job *job)
{
    const struct lq_apply_options *const options = job->options;
    enum lq_status status = lq_job_look(job);

    if (options->mode == LILYQ_DRY_RUN) {
        return end_dry_run(job, status);
    }
    if (status == LQ_OK && options->mode == LILYQ_PREFLIGHT &&
        options->before) {
        status = options->before(options->before_data);
    }
    return status == LQ_OK ? lq_job_declare(job) : status;
}

static bool any_written(const struct lq_outcome *outcomes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (lq_is_write(outcomes[i].result) ||
            outcomes[i].result == LQ_UNCERTAIN) {
            return true;
        }
    }
    return false;
}

static enum lilyq_ending ending_of(const struct lq_job *job,
                                   enum lq_status status)
{
    const struct lq_topology *const plan = job->plan;
    const struct lq_apply_report *const report = job->report;

    if (status == LQ_OK) {
        return report->mode == LILYQ_DRY_RUN ? LILYQ_ENDED_DRY : LILYQ_APPLIED;
    }
    if (any_written(report->exchanges, plan->exchange_count) ||
        any_written(report->queues, plan->queue_count) ||
        any_written(report->bindings, plan->binding_count)) {
        return LILYQ_ENDED_PARTLY;
    }
    return job->conflict && status == LQ_REFUSED ? LILYQ_ENDED_CONFLICT
                                                 : LILYQ_ENDED_UNTOUCHED;
}

enum lq_status lq_apply(struct lq_broker *broker,
                        const struct lq_topology *topology,
                        const struct lq_apply_options *options,
                        struct lq_diags *diags, struct lq_apply_report *out)
{
    struct lq_job job = {
        .stages = {.broker = broker,
                   .diags = diags,
                   .hooks = {.max_in_flight = options->max_in_flight,
                             .fail_when_blocked = options->fail_when_blocked,
                             .progress = options->progress,
                             .stop = options->stop,
                             .notice = options->notice,
                             .data = options->data}},
        .options = options,
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
        options->progress(options->data, job.stages.total, job.stages.total);
    }
    return status;
}
