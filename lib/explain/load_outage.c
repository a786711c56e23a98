#include "explain/load.h"

#include <math.h>

#define MILLIS 1000.0

/* What jitter is compared with none. */
#define OTHER_JITTER 0.2

/* The part of the greatest peak that is worth a look. */
#define NOTABLE 0.01

/* An outage so many times as long as all that moves in it but the main queue,
   which fills up steadily, is not drawn to its end. */
#define STEADY 8

#define SAMPLES ((size_t)201)
#define SAMPLES_BEFORE ((uint64_t)8)
#define SAMPLES_AFTER ((uint64_t)8)

static double end_of(const struct lq_load_job *job)
{
    return (double)job->load->given.outage_millis;
}

/* The outage, in which nothing stops up to that time. */
static struct lq_flow_case case_until(const struct lq_load_job *job,
                                      double stop)
{
    struct lq_flow_case given = lq_load_flow_case(job->load);

    given.rate *= job->share;
    given.outage_millis = end_of(job);
    given.stop_millis = stop;
    return given;
}

static double capacity(const struct lq_load_job *job, size_t index)
{
    enum lq_bound bound = LQ_BOUND_MESSAGES;

    return lq_load_capacity(job->load, job->logical, &job->levels[index],
                            &bound);
}

/* What is in a bucket, or of the dead letters, before the outage. */
static double start_of(const struct lq_load_job *job, size_t index)
{
    return job->levels[index].normal * job->share;
}

/* How what is in a bucket, or the dead letters, changes. */
static const struct lq_curve *slope_of(const struct lq_load_job *job,
                                       size_t index)
{
    return index <= job->logical->bucket_count ? &job->flow.changes[index - 1]
                                               : &job->flow.dead;
}

static double last_time(const struct lq_curve *curve, double otherwise)
{
    return curve->count ? curve->jumps[curve->count - 1].time : otherwise;
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

static double longest_delay(const struct lq_load_job *job)
{
    const size_t count = job->logical->bucket_count;

    return count ? (double)job->logical->buckets[count - 1].delay_millis : 0;
}

/* Until the last wait after the outage is over, or the last bucket's peak. */
static double recovered(const struct lq_load_job *job)
{
    return fmax(end_of(job) + longest_delay(job), last_peak(job));
}

/* What is dead-lettered by then. */
static double dead_at(const struct lq_load_job *job, double time)
{
    return fmin(lq_ramp_at(&job->flow.dead, 0, time),
                capacity(job, job->load->level_count - 1));
}

static void find_peaks(struct lq_load_job *job)
{
    struct lq_load *const load = job->load;
    const size_t last = load->level_count - 1;
    struct lq_level *const dead = &job->levels[last];
    double normal = 0;
    double sum = 0;
    struct lq_peak peak;

    for (size_t i = 1; i < last; ++i) {
        struct lq_level *const level = &job->levels[i];

        peak = lq_ramp_peak(slope_of(job, i), start_of(job, i));
        level->peak = fmin(peak.level, capacity(job, i));
        level->peak_millis = peak.time;
        normal += start_of(job, i);
        sum += level->peak;
    }
    peak = lq_ramp_peak(&job->flow.change, normal);
    load->peak = fmin(peak.level, sum);
    load->peak_millis = peak.time;
    load->dead = dead_at(job, end_of(job));
    dead->peak_millis = isinf(load->course.stop_millis)
                            ? end_of(job)
                            : load->course.stop_millis;
    dead->peak = dead_at(job, dead->peak_millis);
    job->levels[0].peak = 0;
    job->levels[0].peak_millis = 0;
}

/* Finds what is full first while the queues recover from the outage. */
static void find_late_stop(struct lq_load_job *job)
{
    struct lq_course *const course = &job->load->course;
    double first = recovered(job);

    for (size_t i = 1; i < job->load->level_count; ++i) {
        const struct lq_level *const level = &job->levels[i];
        enum lq_bound bound = LQ_BOUND_MESSAGES;
        const double most =
            lq_load_capacity(job->load, job->logical, level, &bound);
        const double time =
            lq_ramp_reach(slope_of(job, i), start_of(job, i), most);

        if (time < first) {
            first = time;
            course->level = level;
            course->bound = bound;
            course->stop_millis = time;
        }
    }
}

/* Finds the queue that stops the consumer, in this outage or after it. */
static void find_stop(struct lq_load_job *job)
{
    struct lq_course *const course = &job->load->course;
    const struct lq_break *const first = &job->load->first;

    *course = (struct lq_course){.stop_millis = INFINITY,
                                 .main_millis = INFINITY,
                                 .start_millis = INFINITY,
                                 .drained_millis = INFINITY};
    if (first->millis <= end_of(job)) {
        course->level = first->level;
        course->bound = first->bound;
        course->stop_millis = first->millis;
        course->start_millis = end_of(job);
    }
}

/* What fills the main queue while the consumer stands still. */
static void fill_main(struct lq_load_job *job)
{
    struct lq_course *const course = &job->load->course;
    struct lq_level *const level = &job->levels[0];
    const struct lq_curve *const wave = &job->flow.wave;
    const double rate = job->load->given.rate_per_second / MILLIS;
    const double most =
        lq_load_capacity(job->load, job->logical, level, &course->main_bound);
    double full = 0;

    lq_curve_cut(wave, course->stop_millis, rate, &job->slope);
    full = lq_ramp_reach(&job->slope, 0, most);
    course->drained_millis = last_time(wave, course->stop_millis);
    if (full < course->start_millis) {
        const double until =
            fmax(fmin(course->start_millis, course->drained_millis), full);

        course->main_millis = full;
        course->surplus =
            lq_ramp_at(wave, 0, until) - lq_ramp_at(wave, 0, full);
        course->refused = rate * (course->start_millis - full);
        course->backlog = most;
    } else {
        course->backlog = lq_ramp_at(&job->slope, 0, course->start_millis);
    }
    level->peak = course->backlog;
    level->peak_millis = fmin(full, course->start_millis);
}

static double level_at(const struct lq_load_job *job, size_t index, double time)
{
    const struct lq_course *const course = &job->load->course;
    double messages = 0;

    if (index > 0) {
        messages = lq_ramp_at(slope_of(job, index), start_of(job, index), time);
    } else if (course->level && time < course->start_millis) {
        messages = lq_ramp_at(&job->slope, 0, time);
    }
    return fmax(fmin(messages, capacity(job, index)), 0);
}

static void sample(struct lq_load_job *job, double *samples)
{
    const struct lq_timeline *const timeline = &job->load->timeline;

    for (size_t i = 0; i < job->load->level_count; ++i) {
        for (size_t k = 0; k < timeline->count; ++k) {
            samples[i * timeline->count + k] =
                level_at(job, i,
                         (double)timeline->first_millis +
                             (double)k * (double)timeline->step_millis);
        }
    }
}

/* When the last thing happens that is to be seen. */
static double last_event(const struct lq_load_job *job, bool *ends_early)
{
    const struct lq_course *const course = &job->load->course;
    const double still = fmax(course->main_millis, course->drained_millis);
    const double steady = course->drained_millis;

    *ends_early = false;
    if (!course->level) {
        return recovered(job);
    }
    if (isinf(course->start_millis)) {
        return still < 4 * steady ? still : steady;
    }
    if (2 * still < course->start_millis) {
        *ends_early = true;
        return still * 1.2;
    }
    if (isinf(course->main_millis) && STEADY * steady < course->start_millis) {
        *ends_early = true;
        return steady * 1.5;
    }
    return fmax(course->start_millis, steady);
}

static enum lq_status run_timeline(struct lq_load_job *job,
                                   struct lq_arena *arena)
{
    bool ends_early = false;
    const uint64_t span = (uint64_t)ceil(last_event(job, &ends_early));
    const uint64_t steps = SAMPLES - 1 - SAMPLES_BEFORE - SAMPLES_AFTER;
    const uint64_t step = span > steps ? (span + steps - 1) / steps : 1;
    double *const samples = lq_alloc_array(
        arena, job->load->level_count * SAMPLES, sizeof(*samples));

    if (!samples) {
        return LQ_NOMEM;
    }
    job->load->timeline = (struct lq_timeline){
        .first_millis = -(int64_t)(SAMPLES_BEFORE * step),
        .step_millis = step,
        .count = SAMPLES,
        .messages = samples,
        .ends_early = ends_early,
    };
    sample(job, samples);
    return LQ_OK;
}

/* Needs a wave of what comes back from the end on. */
static void describe_wave(struct lq_load_job *job, const struct lq_curve *curve,
                          struct lq_wave *wave)
{
    const double end = end_of(job);
    const struct lq_peak peak = lq_curve_peak(curve);
    const double last = fmax(last_time(curve, end), end);
    const double messages = lq_ramp_at(curve, 0, last);

    if (curve->count == 0 || messages <= 0) {
        return;
    }
    wave->messages = messages;
    wave->peak_per_second = peak.level * MILLIS;
    wave->peak_millis = peak.time - end;
    wave->half_millis = lq_ramp_reach(curve, 0, messages / 2) - end;
    wave->all_millis = last - end;
}

/* What comes back after the outage, of what a halt before it leaves. */
static void find_wave(struct lq_load_job *job, double jitter,
                      struct lq_wave *wave)
{
    *wave = (struct lq_wave){.jitter_ratio = jitter};
    lq_curve_cut(&job->flow.wave, end_of(job), 0, &job->slope);
    describe_wave(job, &job->slope, wave);
}

/* Runs the outage up to its end, and halts it where the consumer stops. */
static void run_halting(struct lq_load_job *job)
{
    const double stop = fmin(job->load->course.stop_millis, end_of(job));
    struct lq_flow_case given = case_until(job, stop);

    given.halts = !isinf(job->load->course.start_millis);
    lq_load_run(job, &given);
}

/* Has the consumer stop after the outage, if it does. */
static void run_late_stop(struct lq_load_job *job)
{
    struct lq_flow_case given;

    find_late_stop(job);
    if (job->load->course.level) {
        given = case_until(job, job->load->course.stop_millis);
        given.halts = true;
        lq_load_run(job, &given);
        find_peaks(job);
    }
}

enum lq_status lq_load_run_outage(struct lq_load_job *job,
                                  struct lq_arena *arena)
{
    struct lq_load *const load = job->load;
    const double own = job->logical->entry->retry_jitter_ratio;
    const double other = own > 0 ? 0 : OTHER_JITTER;
    enum lq_status status = LQ_OK;

    find_stop(job);
    run_halting(job);
    find_peaks(job);
    find_wave(job, own, &load->waves[0]);
    if (!load->course.level) {
        run_late_stop(job);
    }
    if (load->course.level) {
        fill_main(job);
    }
    status = run_timeline(job, arena);
    lq_load_jitter(job, other);
    run_halting(job);
    find_wave(job, other, &load->waves[1]);
    return status;
}
