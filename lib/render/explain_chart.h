#ifndef LQ_RENDER_EXPLAIN_CHART_H
#define LQ_RENDER_EXPLAIN_CHART_H

#include "base/writer.h"
#include "explain/load.h"

/* Where the panels are, in pixels. */
#define LQ_CHART_LEFT 88.0
#define LQ_CHART_RIGHT 700.0
#define LQ_CHART_TOP 152.0
#define LQ_CHART_EVENT 18.0  /* the height of an event's line */
#define LQ_CHART_LEAST 0.005 /* messages that are worth a drawing */

/* Some of the levels, drawn at one scale. */
struct lq_panel {
    const char *name;
    const char *marks; /* class of their texts */
    double top;
    double bottom;
    double most; /* units at the top */
    double step; /* between two marks */
    double unit; /* so many messages, or bytes */
    const char *unit_name;
};

/* What the drawing is made from. */
struct lq_chart {
    struct lq_writer *writer;
    const struct lq_logical *logical;
    const struct lq_load *load;
    bool bytes;   /* are drawn, not messages */
    double size;  /* of a message, when bytes are drawn; or else 1 */
    size_t shown; /* buckets */
    double height;
    double axis;               /* where the axis of time is */
    struct lq_panel panels[2]; /* of the main queue and dead letters; buckets */
};

/* When the sample is, in millis since the outage began. */
double lq_chart_time(const struct lq_chart *chart, size_t sample);

/* The last time that is drawn. */
double lq_chart_last(const struct lq_chart *chart);

/* Where a time is. */
double lq_chart_x(const struct lq_chart *chart, double millis);

/* Marks what happens once a queue is full, and tells of it below the axis. */
void lq_chart_draw_events(const struct lq_chart *chart);

#endif
