#include "explain/load.h"

#include "explain/load_job.h"

#include <math.h>

#define MILLIS 1000.0

uint64_t lq_load_bytes(const struct lq_load *load,
                       const struct lq_logical *logical, enum lq_bound bound)
{
    switch (bound) {
    case LQ_BOUND_LARGEST:
        return logical->entry->max_message_size_bytes;
    case LQ_BOUND_BYTES:
        return load->given.message_bytes;
    case LQ_BOUND_MESSAGES:
    case LQ_BOUND_COUNT:
        break;
    }
    return 0;
}

enum lq_bound lq_load_bytes_bound(const struct lq_load *load)
{
    return load->given.message_bytes > 0 ? LQ_BOUND_BYTES : LQ_BOUND_LARGEST;
}

double lq_load_allowed(const struct lq_load *load,
                       const struct lq_logical *logical,
                       const struct lq_level *level, enum lq_bound bound)
{
    const uint64_t bytes = lq_load_bytes(load, logical, bound);

    if (bound == LQ_BOUND_MESSAGES) {
        return (double)level->max_messages;
    }
    return bytes > 0 ? (double)level->max_bytes / (double)bytes : INFINITY;
}

double lq_load_capacity(const struct lq_load *load,
                        const struct lq_logical *logical,
                        const struct lq_level *level, enum lq_bound *out)
{
    const enum lq_bound bytes_bound = lq_load_bytes_bound(load);
    const double messages = (double)level->max_messages;
    const double bytes = lq_load_allowed(load, logical, level, bytes_bound);

    *out = messages <= bytes ? LQ_BOUND_MESSAGES : bytes_bound;
    return fmin(messages, bytes);
}

/* Finds when a level that changes so reaches its bounds. */
static void find_full(const struct lq_load_job *job,
                      const struct lq_curve *slope, struct lq_level *level)
{
    for (int i = 0; i < LQ_BOUND_COUNT; ++i) {
        level->full_millis[i] = lq_ramp_reach(
            slope, level->normal,
            lq_load_allowed(job->load, job->logical, level, (enum lq_bound)i));
    }
}

/*
 * What fills the main queue while nothing is consumed: the arrivals, and what
 * the buckets held, `wave`.
 */
static void fill_main(struct lq_load_job *job, const struct lq_curve *wave,
                      double shift, struct lq_level *level)
{
    lq_curve_raise(wave, job->load->given.rate_per_second / MILLIS, -shift,
                   &job->slope);
    find_full(job, &job->slope, level);
}

/* The endless outage: what each queue holds before it, and when it is full. */
static void run_endless(struct lq_load_job *job)
{
    struct lq_flow_case given = lq_load_flow_case(job->load);
    struct lq_level *const levels = job->levels;
    struct lq_level *const dead = &levels[job->logical->bucket_count + 1];

    given.stop_millis = 0;
    lq_load_run(job, &given);
    for (size_t i = 0; i < job->logical->bucket_count; ++i) {
        struct lq_level *const level = &levels[i + 1];

        level->most = lq_ramp_peak(&job->flow.changes[i], level->normal).level;
        find_full(job, &job->flow.changes[i], level);
    }
    dead->growth = job->flow.dead.start * MILLIS;
    find_full(job, &job->flow.dead, dead);
    fill_main(job, &job->flow.wave, 0, &levels[0]);
}

/* When the queue is full by the bound that it reaches first. */
static double least_full(const struct lq_load_job *job,
                         const struct lq_level *level, enum lq_bound *out)
{
    (void)lq_load_capacity(job->load, job->logical, level, out);
    return level->full_millis[*out];
}

/* How full the queue is in normal time; over 1 it cannot be. */
static double fullness(const struct lq_load_job *job,
                       const struct lq_level *level)
{
    enum lq_bound bound = LQ_BOUND_MESSAGES;

    return level->normal /
           lq_load_capacity(job->load, job->logical, level, &bound);
}

static void find_first(struct lq_load_job *job)
{
    struct lq_break *const first = &job->load->first;

    *first = (struct lq_break){.millis = INFINITY, .main_millis = INFINITY};
    for (size_t i = 1; i < job->load->level_count; ++i) {
        const struct lq_level *const level = &job->levels[i];
        enum lq_bound bound = LQ_BOUND_MESSAGES;
        const double millis = least_full(job, level, &bound);

        if (millis < first->millis ||
            (first->level && millis == 0 &&
             fullness(job, level) > fullness(job, first->level))) {
            first->level = level;
            first->bound = bound;
            first->millis = millis;
        }
    }
}

/* The consumer stops at the break, and all that waits returns. */
static void find_main_full(struct lq_load_job *job)
{
    struct lq_break *const first = &job->load->first;
    struct lq_flow_case given = lq_load_flow_case(job->load);
    struct lq_level main_level = job->levels[0];

    if (!first->level) {
        return;
    }
    given.stop_millis = first->millis;
    given.rate *= job->share;
    lq_load_run(job, &given);
    fill_main(job, &job->flow.wave, first->millis, &main_level);
    first->main_millis =
        first->millis + least_full(job, &main_level, &first->main_bound);
}

enum lq_status lq_load_build(const struct lq_logical *logical,
                             const struct lq_load_case *given,
                             struct lq_arena *arena, struct lq_load *out)
{
    struct lq_load_job job;
    enum lq_status status = LQ_OK;

    *out = (struct lq_load){.given = *given};
    status = lq_load_start(&job, logical, out, arena);
    if (status != LQ_OK) {
        return status;
    }
    run_endless(&job);
    find_first(&job);
    find_main_full(&job);
    return given->outage_millis > 0 ? lq_load_run_outage(&job, arena) : LQ_OK;
}
