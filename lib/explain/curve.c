#include "explain/curve.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

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

/* Millis, the shortest wait that there is: cells are even up to there. */
#define UNIT 100.0

/* What was noted within a part of a stretch. */
struct lq_cell {
    struct lq_jump jumps[2]; /* since the origin; in order */
    unsigned count;
};

enum lq_status lq_tally_init(struct lq_jump_tally *tally,
                             struct lq_arena *arena)
{
    *tally = (struct lq_jump_tally){
        .cells = lq_alloc_array(arena, LQ_TALLY_STRETCHES * LQ_TALLY_CELLS,
                                sizeof(*tally->cells))};
    return tally->cells ? LQ_OK : LQ_NOMEM;
}

void lq_tally_clear(struct lq_jump_tally *tally,
                    const double origins[LQ_TALLY_STRETCHES], double span)
{
    tally->start = 0;
    tally->span = span;
    memcpy(tally->origins, origins, sizeof(tally->origins));
    memset(tally->cells, 0,
           LQ_TALLY_STRETCHES * LQ_TALLY_CELLS * sizeof(*tally->cells));
}

/* Adds a second time. */
static void add_time(struct lq_cell *cell, struct lq_jump jump)
{
    const bool before = cell->count > 0 && jump.time < cell->jumps[0].time;

    if (before) {
        cell->jumps[1] = cell->jumps[0];
    }
    cell->jumps[before ? 0 : cell->count] = jump;
    ++cell->count;
}

/* Moves a jump to the two of the cell, as a lever would bear it. */
static void divide(struct lq_cell *cell, struct lq_jump jump)
{
    struct lq_jump *const first = &cell->jumps[0];
    struct lq_jump *const last = &cell->jumps[1];
    const double part = (jump.time - first->time) / (last->time - first->time);

    first->by += jump.by * (1 - part);
    last->by += jump.by * part;
}

/* Has the cell reach to a time, `end` being the jump that it puts inside. */
static void reach(struct lq_cell *cell, struct lq_jump *end, double time)
{
    const struct lq_jump inside = *end;

    *end = (struct lq_jump){time, 0};
    divide(cell, inside);
}

static void add_jump(struct lq_cell *cell, struct lq_jump jump)
{
    struct lq_jump *const first = &cell->jumps[0];
    struct lq_jump *const last = &cell->jumps[1];

    if (cell->count > 0 && jump.time == first->time) {
        first->by += jump.by;
    } else if (cell->count < 2) {
        add_time(cell, jump);
    } else {
        if (jump.time < first->time) {
            reach(cell, first, jump.time);
        } else if (jump.time > last->time) {
            reach(cell, last, jump.time);
        }
        divide(cell, jump);
    }
}

/* About the binary logarithm of 1 + time / UNIT, and much faster. */
static double octaves(double time)
{
    int exponent = 0;
    const double fraction = frexp(1 + time / UNIT, &exponent);

    return exponent - 2 + 2 * fraction;
}

void lq_tally_note(struct lq_jump_tally *tally, unsigned stretch,
                   struct lq_jump jump)
{
    const double share =
        tally->span > 0 ? octaves(jump.time) / octaves(tally->span) : 0;
    const size_t cell = (size_t)(share * (double)(LQ_TALLY_CELLS - 1));

    add_jump(&tally->cells[stretch * LQ_TALLY_CELLS + cell], jump);
}

/* The jumps of one stretch, in turn. */
struct walk {
    const struct lq_cell *cell;
    const struct lq_cell *end;
    double origin;
    unsigned taken; /* of the cell */
};

/* Goes on to the next cell that has a jump left. */
static void go_on(struct walk *walk)
{
    while (walk->cell < walk->end && walk->taken >= walk->cell->count) {
        ++walk->cell;
        walk->taken = 0;
    }
}

static struct walk begin(const struct lq_jump_tally *tally, unsigned stretch)
{
    struct walk walk = {
        .cell = tally->cells + stretch * LQ_TALLY_CELLS,
        .end = tally->cells + (stretch + 1) * LQ_TALLY_CELLS,
        .origin = tally->origins[stretch],
    };

    go_on(&walk);
    return walk;
}

/* When the next jump is; INFINITY: there is none left. */
static double time_of(const struct walk *walk)
{
    return walk->cell < walk->end
               ? walk->origin + walk->cell->jumps[walk->taken].time
               : INFINITY;
}

static struct lq_jump take(struct walk *walk)
{
    const struct lq_jump jump = {time_of(walk),
                                 walk->cell->jumps[walk->taken].by};

    ++walk->taken;
    go_on(walk);
    return jump;
}

/* The one with the next jump; NULL: there is none left. */
static struct walk *earliest(struct walk walks[LQ_TALLY_STRETCHES])
{
    struct walk *next = NULL;

    for (size_t i = 0; i < LQ_TALLY_STRETCHES; ++i) {
        if (!isinf(time_of(&walks[i])) &&
            (!next || time_of(&walks[i]) < time_of(next))) {
            next = &walks[i];
        }
    }
    return next;
}

void lq_tally_curve(const struct lq_jump_tally *tally, struct lq_curve *out)
{
    struct walk walks[LQ_TALLY_STRETCHES];
    struct walk *next = NULL;

    for (unsigned i = 0; i < LQ_TALLY_STRETCHES; ++i) {
        walks[i] = begin(tally, i);
    }
    lq_curve_set(out, tally->start);
    for (next = earliest(walks); next; next = earliest(walks)) {
        lq_curve_push(out, take(next));
    }
}
