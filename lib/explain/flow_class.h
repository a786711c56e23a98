#ifndef LQ_EXPLAIN_FLOW_CLASS_H
#define LQ_EXPLAIN_FLOW_CLASS_H

#include "explain/flow.h"

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
