#include "explain/load.h"

#include "explain/load_job.h"

#include <math.h>

#define MILLIS 1000.0

/* What jitter is compared with none. */
#define OTHER_JITTER 0.2

/* The part of the greatest peak that is worth a look. */
#define NOTABLE 0.01

#define SAMPLES ((size_t)201)
#define SAMPLES_BEFORE ((uint64_t)8)
#define SAMPLES_AFTER ((uint64_t)8)

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

static struct lq_flow_case flow_case(const struct lq_load *load)
{
    return (struct lq_flow_case){
        .rate = load->given.rate_per_second / MILLIS,
        .failure_ratio = load->given.failure_ratio,
        .outage_millis = INFINITY,
        .stop_millis = INFINITY,
    };
}

/* How many messages the bound allows; INFINITY when it does not count. */
static double allowed(const struct lq_load_job *job,
                      const struct lq_level *level, enum lq_bound bound)
{
    const uint64_t bytes = lq_load_bytes(job->load, job->logical, bound);

    if (bound == LQ_BOUND_MESSAGES) {
        return (double)level->max_messages;
    }
    return bytes > 0 ? (double)level->max_bytes / (double)bytes : INFINITY;
}

/* Finds when a level that changes so reaches its bounds. */
static void find_full(const struct lq_load_job *job,
                      const struct lq_curve *slope, struct lq_level *level)
{
    for (int i = 0; i < LQ_BOUND_COUNT; ++i) {
        level->full_millis[i] = lq_ramp_reach(
            slope, level->normal, allowed(job, level, (enum lq_bound)i));
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
    struct lq_flow_case given = flow_case(job->load);
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

/* The bounds that a break is looked for in. */
static bool counts(const struct lq_load *load, enum lq_bound bound)
{
    return bound == LQ_BOUND_MESSAGES ||
           (bound == LQ_BOUND_BYTES) == (load->given.message_bytes > 0);
}

static double least_full(const struct lq_load *load,
                         const struct lq_level *level, enum lq_bound *out)
{
    double least = INFINITY;

    for (int i = 0; i < LQ_BOUND_COUNT; ++i) {
        if (counts(load, (enum lq_bound)i) && level->full_millis[i] < least) {
            least = level->full_millis[i];
            *out = (enum lq_bound)i;
        }
    }
    return least;
}

static void find_first(struct lq_load_job *job)
{
    struct lq_break *const first = &job->load->first;

    *first = (struct lq_break){.millis = INFINITY, .main_millis = INFINITY};
    for (size_t i = 1; i < job->load->level_count; ++i) {
        enum lq_bound bound = LQ_BOUND_MESSAGES;
        const double millis = least_full(job->load, &job->levels[i], &bound);

        if (millis < first->millis) {
            first->level = &job->levels[i];
            first->bound = bound;
            first->millis = millis;
        }
    }
}

/* The consumer stops at the break, and all that waits returns. */
static void find_main_full(struct lq_load_job *job)
{
    struct lq_break *const first = &job->load->first;
    struct lq_flow_case given = flow_case(job->load);
    struct lq_level main_level = job->levels[0];
    enum lq_bound bound = LQ_BOUND_MESSAGES;

    if (!first->level) {
        return;
    }
    given.stop_millis = first->millis;
    lq_load_run(job, &given);
    fill_main(job, &job->flow.wave, first->millis, &main_level);
    first->main_millis =
        first->millis + least_full(job->load, &main_level, &bound);
}

static void find_wave(struct lq_load_job *job, struct lq_wave *wave)
{
    const struct lq_curve *const curve = &job->flow.wave;
    const double end = (double)job->load->given.outage_millis;
    const struct lq_peak peak = lq_curve_peak(curve);
    const size_t count = curve->count;
    const double last = count ? curve->jumps[count - 1].time : end;
    const double messages = lq_ramp_at(curve, 0, last);

    wave->messages = messages;
    wave->peak_per_second = peak.level * MILLIS;
    wave->peak_millis = count ? peak.time - end : 0;
    wave->half_millis = count ? lq_ramp_reach(curve, 0, messages / 2) - end : 0;
    wave->all_millis = last - end;
}

static void find_peaks(struct lq_load_job *job)
{
    struct lq_load *const load = job->load;
    const double end = (double)load->given.outage_millis;
    struct lq_level *const dead = &job->levels[load->level_count - 1];
    struct lq_peak peak;
    double normal = 0;

    for (size_t i = 1; i + 1 < load->level_count; ++i) {
        struct lq_level *const level = &job->levels[i];

        peak = lq_ramp_peak(&job->flow.changes[i - 1], level->normal);
        level->peak = peak.level;
        level->peak_millis = peak.time;
        normal += level->normal;
    }
    peak = lq_ramp_peak(&job->flow.change, normal);
    load->peak = peak.level;
    load->peak_millis = peak.time;
    load->dead = lq_ramp_at(&job->flow.dead, 0, end);
    dead->peak = load->dead;
    dead->peak_millis = end;
}

static void sample(struct lq_load_job *job, double *samples)
{
    const struct lq_timeline *const timeline = &job->load->timeline;

    for (size_t i = 0; i < job->logical->bucket_count; ++i) {
        for (size_t k = 0; k < timeline->count; ++k) {
            const double time = (double)timeline->first_millis +
                                (double)k * (double)timeline->step_millis;

            samples[i * timeline->count + k] = lq_ramp_at(
                &job->flow.changes[i], job->levels[i + 1].normal, time);
        }
    }
}

/* When the last bucket is at its peak that is not next to nothing. */
static double last_peak(const struct lq_load_job *job)
{
    const size_t count = job->logical->bucket_count;
    double greatest = 0;
    double last = 0;

    for (size_t i = 1; i <= count; ++i) {
        greatest = fmax(greatest, job->levels[i].peak);
    }
    for (size_t i = 1; i <= count; ++i) {
        if (job->levels[i].peak >= greatest * NOTABLE) {
            last = fmax(last, job->levels[i].peak_millis);
        }
    }
    return last;
}

/*
 * From a little before the outage until the last wait after it is over, or
 * longer if a bucket is at its peak later.
 */
static enum lq_status run_timeline(struct lq_load_job *job,
                                   struct lq_arena *arena)
{
    const size_t buckets = job->logical->bucket_count;
    const uint64_t longest =
        buckets ? job->logical->buckets[buckets - 1].delay_millis : 0;
    const uint64_t end = job->load->given.outage_millis + longest;
    const uint64_t span = (uint64_t)fmax((double)end, ceil(last_peak(job)));
    const uint64_t steps = SAMPLES - 1 - SAMPLES_BEFORE - SAMPLES_AFTER;
    const uint64_t step = (span + steps - 1) / steps;
    double *const samples =
        lq_alloc_array(arena, buckets * SAMPLES, sizeof(*samples));

    if (!samples) {
        return LQ_NOMEM;
    }
    job->load->timeline = (struct lq_timeline){
        .first_millis = -(int64_t)(SAMPLES_BEFORE * step),
        .step_millis = step,
        .count = SAMPLES,
        .messages = samples,
    };
    sample(job, samples);
    return LQ_OK;
}

/* The outage that is asked for. */
static enum lq_status run_outage(struct lq_load_job *job,
                                 struct lq_arena *arena)
{
    struct lq_load *const load = job->load;
    struct lq_flow_case given = flow_case(load);
    const double own = job->logical->entry->retry_jitter_ratio;
    const double other = own > 0 ? 0 : OTHER_JITTER;
    enum lq_status status = LQ_OK;

    given.outage_millis = (double)load->given.outage_millis;
    given.stop_millis = given.outage_millis;
    lq_load_run(job, &given);
    find_peaks(job);
    load->waves[0].jitter_ratio = own;
    find_wave(job, &load->waves[0]);
    status = run_timeline(job, arena);
    lq_load_jitter(job, other);
    lq_load_run(job, &given);
    load->waves[1].jitter_ratio = other;
    find_wave(job, &load->waves[1]);
    return status;
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
    return given->outage_millis > 0 ? run_outage(&job, arena) : LQ_OK;
}
