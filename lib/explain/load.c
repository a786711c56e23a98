#include "explain/load.h"

#include "explain/life.h"
#include "plan/backoff.h"

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
