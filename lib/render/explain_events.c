#include "explain/figure.h"
#include "render/explain_chart.h"
#include "render/svg.h"

#include <math.h>
#include <stdio.h>

double lq_chart_time(const struct lq_chart *chart, size_t sample)
{
    const struct lq_timeline *const timeline = &chart->load->timeline;

    return (double)timeline->first_millis +
           (double)sample * (double)timeline->step_millis;
}

double lq_chart_last(const struct lq_chart *chart)
{
    return lq_chart_time(chart, chart->load->timeline.count - 1);
}

double lq_chart_x(const struct lq_chart *chart, double millis)
{
    const double first = lq_chart_time(chart, 0);

    return LQ_CHART_LEFT + (LQ_CHART_RIGHT - LQ_CHART_LEFT) * (millis - first) /
                               (lq_chart_last(chart) - first);
}

/* Where the number of the next event goes, and its line of text. */
struct listing {
    unsigned count;
    double next; /* the least x that does not run into the one before */
};

/* Marks an event, if it is within the time that is drawn, and tells of it. */
static void draw_event(const struct lq_chart *chart, struct listing *listing,
                       double millis, const char *what)
{
    const double x = lq_chart_x(chart, millis);
    const double at = fmax(x, listing->next);
    const double y = chart->axis + 70 + LQ_CHART_EVENT * listing->count;
    char text[320];

    (void)snprintf(text, sizeof(text), "%u", ++listing->count);
    if (millis <= lq_chart_last(chart)) {
        for (size_t i = 0; i < (chart->shown ? 2 : 1); ++i) {
            lq_svg_line(chart->writer, "event",
                        (struct lq_point){x, chart->panels[i].top},
                        (struct lq_point){x, chart->panels[i].bottom});
        }
        lq_svg_line(chart->writer, "event",
                    (struct lq_point){at, LQ_CHART_TOP - 14},
                    (struct lq_point){x, LQ_CHART_TOP});
        lq_svg_label(chart->writer, "number",
                     (struct lq_point){at, LQ_CHART_TOP - 18}, text);
        listing->next = at + 14;
    }
    (void)snprintf(
        text, sizeof(text), "%u  %s%s: %s", listing->count,
        millis < 0.5 ? "at once" : "after ",
        millis < 0.5
            ? ""
            : lq_duration_about((uint64_t)round(fmin(millis, 1e18))).text,
        what);
    lq_svg_label(chart->writer, "what", (struct lq_point){32, y}, text);
}

static void tell_stop(const struct lq_chart *chart, struct listing *listing)
{
    const struct lq_course *const course = &chart->load->course;
    const bool bucket = course->level->role == LQ_ROLE_RETRY;
    char text[256];

    (void)snprintf(
        text, sizeof(text),
        "%s%s %s full, in %s: a hand-off is refused, and the consumer stops "
        "(grey)",
        bucket ? "the bucket of " : "the dead letters",
        bucket ? lq_duration_of(course->level->bucket->delay_millis).text : "",
        bucket ? "is" : "are",
        course->bound == LQ_BOUND_MESSAGES ? "messages" : "bytes");
    draw_event(chart, listing, course->stop_millis, text);
}

static void tell_main_full(const struct lq_chart *chart,
                           struct listing *listing)
{
    const struct lq_course *const course = &chart->load->course;
    const bool quorum = chart->logical->entry->queue_type == LQ_QUORUM;
    char more[128] = "";
    char text[256];

    if (course->surplus >= LQ_CHART_LEAST) {
        (void)snprintf(more, sizeof(more), "; %s that come back are %s",
                       lq_decimal_about(course->surplus).text,
                       quorum ? "taken above its bound" : "lost");
    }
    (void)snprintf(
        text, sizeof(text),
        "the main queue is full, in %s: publishers are refused, %s/s%s",
        course->main_bound == LQ_BOUND_MESSAGES ? "messages" : "bytes",
        lq_decimal_about(chart->load->given.rate_per_second).text, more);
    draw_event(chart, listing, course->main_millis, text);
}

static void tell_start(const struct lq_chart *chart, struct listing *listing)
{
    const struct lq_course *const course = &chart->load->course;
    char text[256];

    (void)snprintf(text, sizeof(text),
                   "the outage ends, and the consumer is started again: %s "
                   "messages wait in the main queue",
                   lq_decimal_about(course->backlog).text);
    draw_event(chart, listing, course->start_millis, text);
}

void lq_chart_draw_events(const struct lq_chart *chart)
{
    const struct lq_course *const course = &chart->load->course;
    struct listing listing = {0, 0};

    if (!course->level) {
        lq_svg_label(chart->writer, "what",
                     (struct lq_point){32, chart->axis + 70},
                     "no queue is full in this outage");
        return;
    }
    tell_stop(chart, &listing);
    if (!isinf(course->main_millis)) {
        tell_main_full(chart, &listing);
    }
    if (!isinf(course->start_millis)) {
        tell_start(chart, &listing);
    }
}
