#include "explain/load_job.h"

#include "explain/bucket.h"
#include "plan/backoff.h"

#include <math.h>

static void fill_attempts(struct lq_load_job *job)
{
    const struct lq_logical *const logical = job->logical;

    for (size_t i = 0; i < logical->attempt_count; ++i) {
        const struct lq_attempt *const from = &logical->attempts[i];
        struct lq_flow_attempt *const to = &job->plan.attempts[i];

        to->count = from->count;
        for (size_t j = 0; j < from->count; ++j) {
            to->delays[j] = (double)from->delays_millis[j];
            to->buckets[j] = lq_bucket_index(logical, from->delays_millis[j]);
        }
    }
}

void lq_load_jitter(struct lq_load_job *job, double ratio)
{
    struct lq_entry entry = *job->logical->entry;

    entry.retry_jitter_ratio = ratio;
    for (size_t i = 0; i < job->logical->attempt_count; ++i) {
        struct lq_flow_attempt *const to = &job->plan.attempts[i];
        struct lq_attempt from;

        lq_backoff_attempt(&entry, i + 1, &from);
        *to = (struct lq_flow_attempt){.count = from.count};
        for (size_t j = 0; j < from.count; ++j) {
            to->delays[j] = (double)from.delays_millis[j];
        }
    }
}

/* By Little's law: what enters a bucket in a delay is what it holds. */
static void fill_normal(struct lq_load_job *job)
{
    double rate = job->load->given.rate_per_second / 1000;

    for (size_t i = 0; i < job->logical->attempt_count; ++i) {
        const struct lq_flow_attempt *const attempt = &job->plan.attempts[i];

        rate *= job->load->given.failure_ratio;
        for (size_t j = 0; j < attempt->count; ++j) {
            job->levels[attempt->buckets[j] + 1].normal +=
                rate * attempt->delays[j] / (double)attempt->count;
        }
    }
}

static void find_share(struct lq_load_job *job)
{
    job->share = 1;
    for (size_t i = 1; i + 1 < job->load->level_count; ++i) {
        enum lq_bound bound = LQ_BOUND_MESSAGES;
        const double most =
            lq_load_capacity(job->load, job->logical, &job->levels[i], &bound);

        if (job->levels[i].normal > most) {
            job->share = fmin(job->share, most / job->levels[i].normal);
        }
    }
}

static void fill_levels(struct lq_load_job *job)
{
    const struct lq_logical *const logical = job->logical;
    const struct lq_entry *const entry = logical->entry;
    struct lq_level *level = job->levels;

    *level++ = (struct lq_level){.role = LQ_ROLE_MAIN,
                                 .max_messages = entry->main_max_messages,
                                 .max_bytes = entry->main_max_bytes};
    for (size_t i = 0; i < logical->bucket_count; ++i) {
        *level++ =
            (struct lq_level){.role = LQ_ROLE_RETRY,
                              .bucket = &logical->buckets[i],
                              .max_messages = entry->retry_bucket_max_messages,
                              .max_bytes = entry->retry_bucket_max_bytes};
    }
    *level = (struct lq_level){.role = LQ_ROLE_DEAD_LETTER,
                               .max_messages = entry->dead_letter_max_messages,
                               .max_bytes = entry->dead_letter_max_bytes};
    for (size_t i = 0; i < job->load->level_count; ++i) {
        job->levels[i].peak_millis = INFINITY;
        job->levels[i].most = INFINITY;
    }
}

enum lq_status lq_load_start(struct lq_load_job *job,
                             const struct lq_logical *logical,
                             struct lq_load *load, struct lq_arena *arena)
{
    const size_t count = logical->bucket_count + 2;

    *job = (struct lq_load_job){.logical = logical, .load = load};
    job->levels = lq_alloc_array(arena, count, sizeof(*job->levels));
    job->plan = (struct lq_flow_plan){
        .attempts = lq_alloc_array(arena, logical->attempt_count,
                                   sizeof(*job->plan.attempts)),
        .attempt_count = logical->attempt_count,
        .bucket_count = logical->bucket_count,
    };
    if (!job->levels || !job->plan.attempts ||
        lq_flow_init(&job->flow, logical->bucket_count, arena) != LQ_OK ||
        lq_curve_init(&job->slope, LQ_TALLY_JUMPS, arena) != LQ_OK) {
        return LQ_NOMEM;
    }
    load->levels = job->levels;
    load->level_count = count;
    fill_levels(job);
    fill_attempts(job);
    fill_normal(job);
    find_share(job);
    return LQ_OK;
}

struct lq_flow_case lq_load_flow_case(const struct lq_load *load)
{
    return (struct lq_flow_case){
        .rate = load->given.rate_per_second / 1000,
        .failure_ratio = load->given.failure_ratio,
        .outage_millis = INFINITY,
        .stop_millis = INFINITY,
    };
}

void lq_load_run(struct lq_load_job *job, const struct lq_flow_case *given)
{
    lq_flow_run(&job->flow, &job->plan, given);
}
