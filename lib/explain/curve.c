#include "explain/curve.h"

#include <math.h>

/* What is left of a sum that should be 0 is not a rate. */
#define NOISE 1e-9

/* Times so close, in millis, are the same but for rounding. */
#define MOMENT 1e-6

enum lq_status lq_curve_init(struct lq_curve *curve, size_t capacity,
                             struct lq_arena *arena)
{
    *curve = (struct lq_curve){
        .jumps = lq_alloc_array(arena, capacity, sizeof(*curve->jumps))};
    return curve->jumps ? LQ_OK : LQ_NOMEM;
}

void lq_curve_set(struct lq_curve *curve, double value)
{
    curve->start = value;
    curve->count = 0;
}

void lq_curve_push(struct lq_curve *curve, struct lq_jump jump)
{
    struct lq_jump *const last =
        curve->count ? &curve->jumps[curve->count - 1] : NULL;

    if (last && jump.time - last->time < MOMENT) {
        last->by += jump.by;
    } else if (jump.by != 0) {
        curve->jumps[curve->count++] = jump;
    }
}

void lq_curve_raise(const struct lq_curve *curve, double by, double later,
                    struct lq_curve *out)
{
    lq_curve_set(out, curve->start + by);
    for (size_t i = 0; i < curve->count; ++i) {
        lq_curve_push(out, (struct lq_jump){curve->jumps[i].time + later,
                                            curve->jumps[i].by});
    }
}

void lq_curve_cut(const struct lq_curve *curve, double from, double by,
                  struct lq_curve *out)
{
    double value = curve->start;
    size_t i = 0;

    for (; i < curve->count && curve->jumps[i].time <= from; ++i) {
        value += curve->jumps[i].by;
    }
    lq_curve_set(out, 0);
    lq_curve_push(out, (struct lq_jump){from, value + by});
    for (; i < curve->count; ++i) {
        lq_curve_push(out, curve->jumps[i]);
    }
}

struct lq_peak lq_curve_peak(const struct lq_curve *curve)
{
    struct lq_peak peak = {curve->start, 0};
    double value = curve->start;

    for (size_t i = 0; i < curve->count; ++i) {
        value += curve->jumps[i].by;
        if (value > peak.level * (1 + NOISE)) {
            peak = (struct lq_peak){value, curve->jumps[i].time};
        }
    }
    return peak;
}

struct lq_peak lq_ramp_peak(const struct lq_curve *slope, double start)
{
    struct lq_peak peak = {start, 0};
    double rate = slope->start;
    double level = start;
    double time = 0;

    for (size_t i = 0; i < slope->count; ++i) {
        level += rate * (slope->jumps[i].time - time);
        time = slope->jumps[i].time;
        rate += slope->jumps[i].by;
        if (level > peak.level * (1 + NOISE)) {
            peak = (struct lq_peak){level, time};
        }
    }
    return peak;
}

/* The highest rate that a curve jumps to or from. */
static double scale_of(const struct lq_curve *curve)
{
    double most = fabs(curve->start);
    double value = curve->start;

    for (size_t i = 0; i < curve->count; ++i) {
        value += curve->jumps[i].by;
        most = fmax(most, fabs(value));
    }
    return most;
}

double lq_ramp_reach(const struct lq_curve *slope, double start, double level)
{
    const double wanted = level * (1 - NOISE);
    double rate = slope->start;
    double now = start;
    double time = 0;

    if (now >= wanted) {
        return 0;
    }
    for (size_t i = 0; i < slope->count; ++i) {
        const double next = now + rate * (slope->jumps[i].time - time);

        if (next >= wanted) {
            return time + (wanted - now) / rate;
        }
        now = next;
        time = slope->jumps[i].time;
        rate += slope->jumps[i].by;
    }
    return rate > scale_of(slope) * NOISE ? time + (wanted - now) / rate
                                          : INFINITY;
}

double lq_ramp_at(const struct lq_curve *slope, double start, double time)
{
    double rate = slope->start;
    double level = start;
    double before = 0;

    for (size_t i = 0; i < slope->count && slope->jumps[i].time < time; ++i) {
        level += rate * (slope->jumps[i].time - before);
        before = slope->jumps[i].time;
        rate += slope->jumps[i].by;
    }
    return time > 0 ? level + rate * (time - before) : start;
}
