#include "explain/tally.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define HEAPS (2 * LQ_TALLY_CELLS) /* of a stretch */

/* All jumps of one direction within a cell. */
struct lq_heap {
    double by;
    double moment; /* by x time since the origin */
};

enum lq_status lq_tally_init(struct lq_tally *tally, struct lq_arena *arena)
{
    *tally = (struct lq_tally){
        .heaps = lq_alloc_array(arena, 2 * HEAPS, sizeof(*tally->heaps))};
    return tally->heaps ? LQ_OK : LQ_NOMEM;
}

void lq_tally_clear(struct lq_tally *tally, double first_origin,
                    double second_origin, double span)
{
    tally->start = 0;
    tally->span = span;
    tally->origins[0] = first_origin;
    tally->origins[1] = second_origin;
    memset(tally->heaps, 0, 2 * HEAPS * sizeof(*tally->heaps));
}

void lq_tally_note(struct lq_tally *tally, unsigned stretch,
                   struct lq_jump jump)
{
    const double last = (double)(LQ_TALLY_CELLS - 1);
    const double cell =
        tally->span > 0 ? floor(jump.time / tally->span * last) : 0;
    struct lq_heap *const heap =
        &tally->heaps[stretch * HEAPS + 2 * (size_t)cell + (jump.by < 0)];

    heap->by += jump.by;
    heap->moment += jump.by * jump.time;
}

/* The jumps of one stretch, in turn. */
struct walk {
    const struct lq_heap *next;
    const struct lq_heap *end;
    double origin;
    struct lq_jump ready[2]; /* of the cell that is at hand, in order */
    size_t taken;
};

static struct lq_jump mean_of(const struct lq_heap *heap, double origin)
{
    return (struct lq_jump){
        heap->by == 0 ? INFINITY : origin + heap->moment / heap->by, heap->by};
}

/* Gets the next cell ready that has a jump. */
static void go_on(struct walk *walk)
{
    while (walk->next < walk->end && walk->next[0].by == 0 &&
           walk->next[1].by == 0) {
        walk->next += 2;
    }
    walk->taken = 0;
    walk->ready[0].time = INFINITY;
    walk->ready[1].time = INFINITY;
    if (walk->next < walk->end) {
        const struct lq_jump rise = mean_of(&walk->next[0], walk->origin);
        const struct lq_jump fall = mean_of(&walk->next[1], walk->origin);
        const bool rise_first = rise.time <= fall.time;

        walk->ready[0] = rise_first ? rise : fall;
        walk->ready[1] = rise_first ? fall : rise;
        walk->next += 2;
    }
}

static struct walk begin(const struct lq_tally *tally, unsigned stretch)
{
    struct walk walk = {
        .next = tally->heaps + stretch * HEAPS,
        .end = tally->heaps + (stretch + 1) * HEAPS,
        .origin = tally->origins[stretch],
    };

    go_on(&walk);
    return walk;
}

/* When the next jump is; INFINITY: there is none left. */
static double time_of(const struct walk *walk)
{
    return walk->ready[walk->taken].time;
}

static struct lq_jump take(struct walk *walk)
{
    const struct lq_jump jump = walk->ready[walk->taken++];

    if (walk->taken == 2 || isinf(time_of(walk))) {
        go_on(walk);
    }
    return jump;
}

void lq_tally_curve(const struct lq_tally *tally, struct lq_curve *out)
{
    struct walk first = begin(tally, 0);
    struct walk second = begin(tally, 1);

    lq_curve_set(out, tally->start);
    while (!isinf(time_of(&first)) || !isinf(time_of(&second))) {
        lq_curve_push(
            out, take(time_of(&first) <= time_of(&second) ? &first : &second));
    }
}
