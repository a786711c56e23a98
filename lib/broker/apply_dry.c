#include "broker/apply_job.h"
#include "broker/comparison.h"

/* The answers to comparisons; parallel to the plan's. */
struct answers {
    struct lq_answer *exchanges;
    struct lq_answer *queues;
};

/* Comparisons of exchanges are always denied, those of queues seldom. */
static enum lq_status ask(struct lq_job *job, const struct lq_found *found,
                          const struct answers *answers)
{
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < job->plan->exchange_count; ++i) {
        if (found->exchanges[i]) {
            lq_job_add_exchange(
                job, i, LQ_COMPARE_EXCHANGE,
                (struct lq_step){.keep = &answers->exchanges[i]});
        }
    }
    status = lq_apply_stage(&job->run, false);
    for (size_t i = 0; i < job->plan->queue_count && status == LQ_OK; ++i) {
        if (found->queues[i]) {
            lq_job_add_queue(job, i, LQ_COMPARE_QUEUE,
                             (struct lq_step){.keep = &answers->queues[i]});
        }
    }
    return status == LQ_OK ? lq_apply_stage(&job->run, false) : status;
}

static enum lq_status judge(struct lq_job *job,
                            const struct lq_request *request,
                            const struct lq_answer *answer,
                            struct lq_outcome *outcome)
{
    struct lq_comparison comparison;

    if (lq_comparison_of(request, answer, job->run.diags->arena, &comparison) !=
        LQ_OK) {
        return LQ_NOMEM;
    }
    switch (comparison.kind) {
    case LQ_COMPARED_EQUAL:
    case LQ_COMPARED_UNCLEAR:
        outcome->result = LQ_EXISTING;
        return LQ_OK;
    case LQ_COMPARED_GONE:
        return LQ_OK; /* what is not done is missing */
    case LQ_COMPARED_DIFFERENT:
    case LQ_COMPARED_REFUSED:
        break;
    }
    return lq_apply_deny(&job->run, request, answer, outcome);
}

static enum lq_status judge_all(struct lq_job *job,
                                const struct lq_found *found,
                                const struct answers *answers)
{
    const struct lq_topology *const plan = job->plan;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < plan->exchange_count && status == LQ_OK; ++i) {
        const struct lq_request request = {LQ_COMPARE_EXCHANGE,
                                           {.exchange = &plan->exchanges[i]}};

        if (found->exchanges[i]) {
            status = judge(job, &request, &answers->exchanges[i],
                           &job->report->exchanges[i]);
        }
    }
    for (size_t i = 0; i < plan->queue_count && status == LQ_OK; ++i) {
        const struct lq_request request = {LQ_COMPARE_QUEUE,
                                           {.queue = &plan->queues[i]}};

        if (found->queues[i]) {
            status = judge(job, &request, &answers->queues[i],
                           &job->report->queues[i]);
        }
    }
    return status;
}

enum lq_status lq_job_compare_dry(struct lq_job *job,
                                  const struct lq_found *found)
{
    struct lq_arena *const arena = job->run.diags->arena;
    const struct answers answers = {
        lq_alloc_array(arena, job->plan->exchange_count,
                       sizeof(struct lq_answer)),
        lq_alloc_array(arena, job->plan->queue_count,
                       sizeof(struct lq_answer))};
    enum lq_status status = LQ_NOMEM;

    if (answers.exchanges && answers.queues) {
        status = ask(job, found, &answers);
    }
    return status == LQ_OK ? judge_all(job, found, &answers) : status;
}
