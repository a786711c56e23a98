#include "broker/apply_job.h"

static enum lq_status prepare(const struct lq_job *job, struct lq_found *found)
{
    struct lq_arena *const arena = job->run.diags->arena;

    found->exchanges =
        lq_alloc_array(arena, job->plan->exchange_count, sizeof(bool));
    found->queues = lq_alloc_array(arena, job->plan->queue_count, sizeof(bool));
    return found->exchanges && found->queues ? LQ_OK : LQ_NOMEM;
}

static void check_exchange(struct lq_job *job, size_t index, bool *found)
{
    lq_job_add_exchange(job, index, LQ_CHECK_EXCHANGE,
                        (struct lq_step){.done = LQ_VERIFIED, .found = found});
}

static void check_queue(struct lq_job *job, size_t index, bool *found)
{
    lq_job_add_queue(job, index, LQ_CHECK_QUEUE,
                     (struct lq_step){.done = LQ_VERIFIED, .found = found});
}

/* What is external must be there; what is managed may be. */
static enum lq_status check(struct lq_job *job, const struct lq_found *found)
{
    const struct lq_topology *const plan = job->plan;

    for (size_t i = 0; i < plan->exchange_count; ++i) {
        check_exchange(job, i,
                       lq_is_managed(plan->exchanges[i].ownership)
                           ? &found->exchanges[i]
                           : NULL);
    }
    for (size_t i = 0; i < plan->queue_count; ++i) {
        check_queue(job, i,
                    lq_is_managed(lq_owner(plan->queues[i].logical))
                        ? &found->queues[i]
                        : NULL);
    }
    return lq_apply_stage(&job->run, false);
}

static enum lq_status compare(struct lq_job *job, const struct lq_found *found)
{
    const struct lq_step step = {.done = LQ_EXISTING};

    for (size_t i = 0; i < job->plan->exchange_count; ++i) {
        if (found->exchanges[i]) {
            lq_job_add_exchange(job, i, LQ_DECLARE_EXCHANGE, step);
        }
    }
    for (size_t i = 0; i < job->plan->queue_count; ++i) {
        if (found->queues[i]) {
            lq_job_add_queue(job, i, LQ_DECLARE_QUEUE, step);
        }
    }
    return lq_apply_stage(&job->run, false);
}

static enum lq_status verdict(const struct lq_job *job, enum lq_status status)
{
    return status == LQ_OK && (job->run.conflict || job->run.failed)
               ? LQ_REFUSED
               : status;
}

enum lq_status lq_job_look(struct lq_job *job)
{
    struct lq_found found;
    enum lq_status status = prepare(job, &found);

    if (status == LQ_OK) {
        status = check(job, &found);
    }
    if (status == LQ_OK) {
        status = job->report->mode == LQ_DRY_RUN
                     ? lq_job_compare_dry(job, &found)
                     : compare(job, &found);
    }
    return verdict(job, status);
}

enum lq_status lq_job_look_at_external(struct lq_job *job)
{
    const struct lq_topology *const plan = job->plan;

    for (size_t i = 0; i < plan->exchange_count; ++i) {
        if (!lq_is_managed(plan->exchanges[i].ownership)) {
            check_exchange(job, i, NULL);
        }
    }
    for (size_t i = 0; i < plan->queue_count; ++i) {
        if (!lq_is_managed(lq_owner(plan->queues[i].logical))) {
            check_queue(job, i, NULL);
        }
    }
    return verdict(job, lq_apply_stage(&job->run, false));
}
