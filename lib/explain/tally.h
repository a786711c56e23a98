#ifndef LQ_EXPLAIN_TALLY_H
#define LQ_EXPLAIN_TALLY_H

#include "explain/curve.h"

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
