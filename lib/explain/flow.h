#ifndef LQ_EXPLAIN_FLOW_H
#define LQ_EXPLAIN_FLOW_H

#include "explain/curve.h"
#include "model/topology.h"

#include <stdbool.h>

/*
 * The model. Messages arrive at a constant rate R and are delivered at once. A
 * delivery fails with the probability F, and with 1 from the time 0 up to the
 * outage's end; before 0 it has been as in normal time for ever. All numbers
 * are means. The flow knows no bounds, but it may halt: nothing is delivered
 * then any more, and so nothing enters a bucket or is dead-lettered.
 *
 * The hash that picks an attempt's delay leaves no choice but one of few: for
 * an attempt below 2^k of one event it is, modulo 2 and modulo 3, the attempt
 * xor-ed with k bits plus a remainder, which are random and independent. Each
 * of these 3 x 2^k classes of events has one sequence of delays, d1, d2, ...
 *
 * The flow of a class into its retry n at the time t is then R times F to the
 * power of how many of the n failures before, at t, t - d(n-1), t - d(n-1) -
 * d(n-2), ..., are outside the outage. It leaves the bucket dn later. What
 * would be retry N + 1 is dead-lettered.
 */
struct lq_flow_case {
    double rate; /* arrivals per millisecond */
    double failure_ratio;
    double outage_millis; /* INFINITY: it does not end */
    double stop_millis;   /* what is in the buckets then makes the wave */
    bool halts;           /* nothing is delivered from stop_millis on */
};

/* A retry as the flow sees it. */
struct lq_flow_attempt {
    size_t buckets[3]; /* indices */
    double delays[3];  /* millis */
    size_t count;
};

/* All the retries of a logical queue. */
struct lq_flow_plan {
    struct lq_flow_attempt *attempts;
    size_t attempt_count;
    size_t bucket_count;
};

/* What comes of it; rates are per millisecond. */
struct lq_flow {
    struct lq_curve *changes; /* of what is in each bucket */
    struct lq_curve change;   /* of what is in all of them */
    struct lq_curve dead;     /* what is dead-lettered */
    struct lq_curve wave;     /* what comes back of all that is in the buckets
                                 at stop_millis, if nothing fails any more */
    struct lq_jump_tally *tallies; /* of the curves above, in this order */
};

/* Takes the memory for a plan's flows. LQ_OK or LQ_NOMEM. */
enum lq_status lq_flow_init(struct lq_flow *flow, size_t bucket_count,
                            struct lq_arena *arena) LQ_CHECK;

/* Works out the flows. */
void lq_flow_run(struct lq_flow *flow, const struct lq_flow_plan *plan,
                 const struct lq_flow_case *given);

/* The events that take the same delays. */
struct lq_flow_class {
    double delays[LQ_MAX_ATTEMPTS];
    size_t buckets[LQ_MAX_ATTEMPTS];
    double share;                       /* of all events */
    double powers[LQ_MAX_ATTEMPTS + 2]; /* of the failure ratio */
};

/* How many classes the plan's events have. */
unsigned lq_flow_class_count(const struct lq_flow_plan *plan);

/* The class with that index. */
void lq_flow_class_init(struct lq_flow_class *events,
                        const struct lq_flow_plan *plan, double failure_ratio,
                        unsigned index);

struct lq_stream_jump {
    double time;
    double since;     /* the same, since the outage's begin or end, or: */
    unsigned stretch; /* 0 or 1; 2: since the flow halts */
    double by;
};

/* The rate of a class at one point of its way. */
struct lq_stream {
    double start;
    struct lq_stream_jump jumps[2 * LQ_MAX_ATTEMPTS + 3];
    size_t count;
};

/* What fails for the time n + 1, and so enters retry n + 1. */
void lq_stream_enter(const struct lq_flow_class *events, size_t n,
                     const struct lq_flow_case *given, struct lq_stream *out);

#endif
