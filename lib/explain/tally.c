#include "explain/tally.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

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
