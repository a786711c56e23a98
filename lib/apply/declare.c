#include "apply/job.h"

#include "base/map.h"
#include "compare/answer.h"

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

/* Adds a name to the map if what it names is new. */
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

    lq_map_init(&news->exchanges, job->stages.diags->arena);
    lq_map_init(&news->queues, job->stages.diags->arena);
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

/* A binding is certainly new when one of its ends is. */
static bool has_new_end(const struct news *news,
                        const struct lq_binding *binding)
{
    return lq_map_get(&news->exchanges, binding->source) ||
           lq_map_get(&news->queues, binding->destination);
}

/* A declaration, and what depends on its answer. */
struct step {
    struct lq_request request;
    struct lq_outcome *outcome;
    enum lq_result done; /* the outcome's result when the broker says ok */
    struct lq_answer answer;
};

/* A stage of declarations; it has room for the largest. */
struct steps {
    struct step *items;
    size_t count;
};

static void add(struct lq_job *job, struct steps *steps, struct step step)
{
    struct step *const added = &steps->items[steps->count++];

    *added = step;
    lq_stages_add(&job->stages, step.request, &added->answer);
}

bool lq_is_write(enum lq_result result)
{
    return result == LQ_CREATED || result == LQ_ENSURED ||
           result == LQ_DECLARED;
}

void lq_job_deny(struct lq_job *job, const struct lq_request *request,
                 const struct lq_answer *answer, struct lq_outcome *outcome)
{
    struct lq_diags *const diags = job->stages.diags;
    const enum lq_verdict verdict = lq_verdict_of(request, answer);
    const char *const text = lq_verdict_text(request, answer, diags->arena);

    *outcome = (struct lq_outcome){
        .result = verdict == LQ_VERDICT_CONFLICT ? LQ_CONFLICT : LQ_FAILED,
        .code = answer->code,
        .text = lq_answer_words(answer),
    };
    if (verdict == LQ_VERDICT_REFUSED) {
        job->failed = true;
    } else {
        job->conflict = true;
    }
    (void)lq_error(diags, NULL, "%s", text);
}

static void settle(struct lq_job *job, const struct step *step)
{
    switch (step->answer.kind) {
    case LQ_UNSENT:
        break;
    case LQ_DONE:
        step->outcome->result = step->done;
        break;
    case LQ_DENIED:
        lq_job_deny(job, &step->request, &step->answer, step->outcome);
        return;
    case LQ_UNKNOWN:
        step->outcome->result = LQ_UNCERTAIN;
        break;
    }
}

/* Runs the stage, and notes every outcome. */
static enum lq_status run(struct lq_job *job, struct steps *steps)
{
    const enum lq_status status = lq_stages_run(&job->stages, true);

    for (size_t i = 0; i < steps->count; ++i) {
        settle(job, &steps->items[i]);
    }
    steps->count = 0;
    return status == LQ_OK && (job->conflict || job->failed) ? LQ_REFUSED
                                                             : status;
}

/* What becomes of an exchange or queue that the broker accepts. */
static enum lq_result result_of(bool unseen)
{
    return unseen ? LQ_DECLARED : LQ_CREATED;
}

static enum lq_status declare_exchanges(struct lq_job *job, struct steps *steps)
{
    for (size_t i = 0; i < job->plan->exchange_count; ++i) {
        if (is_exchange_missing(job, i)) {
            add(job, steps,
                (struct step){
                    .request = {LQ_DECLARE_EXCHANGE,
                                {.exchange = &job->plan->exchanges[i]}},
                    .outcome = &job->report->exchanges[i],
                    .done = result_of(job->unseen_exchanges[i])});
        }
    }
    return run(job, steps);
}

static enum lq_status declare_queues(struct lq_job *job, struct steps *steps)
{
    for (size_t i = 0; i < job->plan->queue_count; ++i) {
        if (is_queue_missing(job, i)) {
            add(job, steps,
                (struct step){.request = {LQ_DECLARE_QUEUE,
                                          {.queue = &job->plan->queues[i]}},
                              .outcome = &job->report->queues[i],
                              .done = result_of(job->unseen_queues[i])});
        }
    }
    return run(job, steps);
}

/* The same for a binding. */
static enum lq_result bound(const struct lq_job *job, const struct news *news,
                            const struct lq_binding *binding)
{
    if (job->report->mode == LILYQ_NO_PREFLIGHT) {
        return LQ_DECLARED;
    }
    return job->shows_bindings || has_new_end(news, binding) ? LQ_CREATED
                                                             : LQ_ENSURED;
}

static enum lq_status bind(struct lq_job *job, struct steps *steps)
{
    struct news news;

    if (gather_news(job, &news) != LQ_OK) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < job->plan->binding_count; ++i) {
        const struct lq_binding *const binding = &job->plan->bindings[i];

        if (is_binding_missing(job, i)) {
            add(job, steps,
                (struct step){.request = {LQ_BIND_QUEUE, {.binding = binding}},
                              .outcome = &job->report->bindings[i],
                              .done = bound(job, &news, binding)});
        }
    }
    return run(job, steps);
}

static size_t greatest(size_t a, size_t b)
{
    return a > b ? a : b;
}

enum lq_status lq_job_declare(struct lq_job *job)
{
    const struct lq_topology *const plan = job->plan;
    const size_t room = greatest(
        greatest(plan->exchange_count, plan->queue_count), plan->binding_count);
    struct steps steps = {.items = lq_alloc_array(job->stages.diags->arena,
                                                  room, sizeof(struct step))};
    enum lq_status status = LQ_NOMEM;

    if (steps.items) {
        status = lq_stages_reserve(&job->stages, room);
    }
    if (status == LQ_OK) {
        status = declare_exchanges(job, &steps);
    }
    if (status == LQ_OK) {
        status = declare_queues(job, &steps);
    }
    return status == LQ_OK ? bind(job, &steps) : status;
}

/* What a dry run makes of what is not done. */
static enum lq_result left(bool unseen)
{
    return unseen ? LQ_UNVERIFIED : LQ_PENDING;
}

enum lq_status lq_job_leave_pending(struct lq_job *job)
{
    const struct lq_topology *const plan = job->plan;
    struct news news;

    for (size_t i = 0; i < plan->exchange_count; ++i) {
        if (is_exchange_missing(job, i)) {
            job->report->exchanges[i].result = left(job->unseen_exchanges[i]);
        }
    }
    for (size_t i = 0; i < plan->queue_count; ++i) {
        if (is_queue_missing(job, i)) {
            job->report->queues[i].result = left(job->unseen_queues[i]);
        }
    }
    if (gather_news(job, &news) != LQ_OK) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < plan->binding_count; ++i) {
        if (is_binding_missing(job, i)) {
            job->report->bindings[i].result =
                left(!job->shows_bindings &&
                     !has_new_end(&news, &plan->bindings[i]));
        }
    }
    return LQ_OK;
}
