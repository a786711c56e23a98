#ifndef LQ_EXPLAIN_TALLY_H
#define LQ_EXPLAIN_TALLY_H

#include "explain/curve.h"

/*
 * Adds up jumps to a curve, in any order. They are noted within stretches of
 * time, each of which has this many cells. What meets in a cell becomes one
 * jump, rises and falls apart, at the mean of their times. So up to that many
 * distinct times are kept as they are, as long as they are far enough apart.
 */
#define LQ_TALLY_CELLS ((size_t)2048)

struct lq_heap;

struct lq_tally {
    double start;          /* the value before all jumps */
    double span;           /* of each stretch, millis */
    double origins[2];     /* where the stretches begin */
    struct lq_heap *heaps; /* rises and falls of each cell of each stretch */
};

/* LQ_OK or LQ_NOMEM. */
enum lq_status lq_tally_init(struct lq_tally *tally,
                             struct lq_arena *arena) LQ_CHECK;

/* Starts anew. The second origin may be INFINITY, and is not used then. */
void lq_tally_clear(struct lq_tally *tally, double first_origin,
                    double second_origin, double span);

/* Notes a jump some time after the origin of stretch 0 or 1. */
void lq_tally_note(struct lq_tally *tally, unsigned stretch,
                   struct lq_jump jump);

/* The most jumps that a tally makes. */
#define LQ_TALLY_JUMPS (4 * LQ_TALLY_CELLS)

/* Makes the curve; `out` has room for LQ_TALLY_JUMPS. */
void lq_tally_curve(const struct lq_tally *tally, struct lq_curve *out);

#endif
