#ifndef LQ_EXPLAIN_CURVE_H
#define LQ_EXPLAIN_CURVE_H

#include "base/arena.h"
#include "base/status.h"

#include <stddef.h>

struct lq_jump {
    double time; /* millis */
    double by;
};

/* A rate over time: constant but for jumps, which are in order. */
struct lq_curve {
    double start; /* before the first jump */
    struct lq_jump *jumps;
    size_t count;
};

/* A curve that is 0, with room for so many jumps. LQ_OK or LQ_NOMEM. */
enum lq_status lq_curve_init(struct lq_curve *curve, size_t capacity,
                             struct lq_arena *arena) LQ_CHECK;

void lq_curve_set(struct lq_curve *curve, double value);

/* Appends a jump, which is not before the last one. */
void lq_curve_push(struct lq_curve *curve, struct lq_jump jump);

/* `by` more than the curve, and so much later. `out` has the room. */
void lq_curve_raise(const struct lq_curve *curve, double by, double later,
                    struct lq_curve *out);

/* The curve from a time on, and `by` more than that; 0 before. */
void lq_curve_cut(const struct lq_curve *curve, double from, double by,
                  struct lq_curve *out);

struct lq_peak {
    double level;
    double time; /* the first at that level */
};

/* The highest value of the curve. */
struct lq_peak lq_curve_peak(const struct lq_curve *curve);

/*
 * A ramp is a level whose rate of change is a curve without jumps before 0; it
 * is `start` up to the time 0. Its peak, when it is first at a level (INFINITY:
 * never), and how high it is at a time:
 */
struct lq_peak lq_ramp_peak(const struct lq_curve *slope, double start);
double lq_ramp_reach(const struct lq_curve *slope, double start, double level);
double lq_ramp_at(const struct lq_curve *slope, double start, double time);

/*
 * Adds up jumps to a curve, in any order. They are noted within stretches of
 * time, each of which has this many cells, the longer the later. A cell keeps
 * two different times as they are. More become two jumps at its first and its
 * last time, such that the integral of the curve is right before and behind,
 * and a straight line between.
 */
#define LQ_TALLY_CELLS ((size_t)4096)
#define LQ_TALLY_STRETCHES ((size_t)3)

struct lq_cell;

struct lq_jump_tally {
    double start;                       /* the value before all jumps */
    double span;                        /* of each stretch, millis */
    double origins[LQ_TALLY_STRETCHES]; /* where the stretches begin */
    struct lq_cell *cells;              /* of all stretches */
};

/* LQ_OK or LQ_NOMEM. */
enum lq_status lq_tally_init(struct lq_jump_tally *tally,
                             struct lq_arena *arena) LQ_CHECK;

/* Starts anew. A stretch whose origin is INFINITY is not used. */
void lq_tally_clear(struct lq_jump_tally *tally,
                    const double origins[LQ_TALLY_STRETCHES], double span);

/* Notes a jump some time after the origin of a stretch. */
void lq_tally_note(struct lq_jump_tally *tally, unsigned stretch,
                   struct lq_jump jump);

/* The most jumps that a tally makes. */
#define LQ_TALLY_JUMPS (2 * LQ_TALLY_STRETCHES * LQ_TALLY_CELLS)

/* Makes the curve; `out` has room for LQ_TALLY_JUMPS. */
void lq_tally_curve(const struct lq_jump_tally *tally, struct lq_curve *out);

#endif
