#include "base/text.h"
#include "base/writer.h"
#include "explain/decimal.h"
#include "explain/duration.h"
#include "explain/scale.h"
#include "render/explain.h"
#include "render/svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 960.0
#define HEIGHT 560.0
#define LEFT 88.0
#define RIGHT 716.0
#define TOP 96.0
#define BOTTOM 500.0
#define LEGEND 736.0
#define TITLE_SIZE 18.0
#define ROW_HEIGHT 18.0
#define MARKS 8
#define LEAST 0.01 /* messages that are worth a drawing */

static const char head[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"960\" height=\"560\" "
    "viewBox=\"0 0 960 560\">\n"
    "<style>\n"
    "text { font-family: sans-serif; font-size: 12px; fill: #24292f }\n"
    ".right { text-anchor: end }\n"
    ".middle { text-anchor: middle }\n"
    ".paper { fill: #ffffff }\n"
    ".outage { fill: #fde8d7 }\n"
    ".full { fill: #d8dee4 }\n"
    ".first { stroke: #57606a; stroke-width: 1.5 }\n"
    ".grid { stroke: #d0d7de; stroke-width: 1 }\n"
    ".bound { stroke: #cf222e; stroke-width: 1.5; stroke-dasharray: 6 4 }\n"
    ".bucket { fill: none; stroke-width: 2; stroke-linejoin: round }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "text { fill: #e6edf3 }\n"
    ".paper { fill: #0d1117 }\n"
    ".outage { fill: #3b2413 }\n"
    ".full { fill: #30363d }\n"
    ".grid { stroke: #30363d }\n"
    "}\n"
    "</style>\n";

/* What the drawing is made from. */
struct chart {
    struct lq_writer *writer;
    const struct lq_explanation *explanation;
    const struct lq_load *load;
    size_t bucket_count;
    uint64_t bound; /* of messages in a bucket */
    double most;    /* messages at the top */
    double step;    /* between two marks */
};

static double last_millis(const struct lq_timeline *timeline)
{
    return (double)timeline->first_millis +
           (double)(timeline->count - 1) * (double)timeline->step_millis;
}

/* How many samples are not after the first full queue. */
static size_t count_possible(const struct lq_load *load)
{
    const struct lq_timeline *const timeline = &load->timeline;
    size_t count = 0;

    while (count < timeline->count &&
           (double)timeline->first_millis +
                   (double)count * (double)timeline->step_millis <=
               load->first.millis) {
        ++count;
    }
    return count;
}

/* The greatest of the samples of a bucket that are drawn. */
static double greatest_drawn(const struct lq_load *load, size_t index)
{
    const double *const samples =
        load->timeline.messages + index * load->timeline.count;
    const size_t count = count_possible(load);
    double most = 0;

    for (size_t k = 0; k < count; ++k) {
        most = fmax(most, samples[k]);
    }
    return most;
}

static double x_of(const struct chart *chart, double millis)
{
    const struct lq_timeline *const timeline = &chart->load->timeline;
    const double first = (double)timeline->first_millis;

    return LEFT +
           (RIGHT - LEFT) * (millis - first) / (last_millis(timeline) - first);
}

static double y_of(const struct chart *chart, double messages)
{
    return BOTTOM - (BOTTOM - TOP) * messages / chart->most;
}

/* Finds a scale for the samples, and for the bound if it is not far away. */
static void fit(struct chart *chart)
{
    double most = LEAST;

    for (size_t i = 0; i < chart->bucket_count; ++i) {
        most = fmax(most, greatest_drawn(chart->load, i));
    }
    if ((double)chart->bound <= 1.5 * most) {
        most = fmax(most, (double)chart->bound);
    }
    chart->step = lq_scale_step(most, MARKS);
    chart->most = fmax(ceil(most / chart->step), 1) * chart->step;
}

/* As many as are drawn: four for each byte of what is not shown as itself. */
static size_t count_characters(const char *text)
{
    size_t count = 0;
    size_t step = 0;

    for (; *text; text += step) {
        uint32_t code = 0;

        step = lq_utf8_decode(text, strlen(text), &code);
        count += lq_is_shown(code) ? 1 : 4 * step;
    }
    return count;
}

/* The name, in letters that let it fit whatever they are. */
static void draw_title(const struct chart *chart, const char *name)
{
    struct lq_writer *const writer = chart->writer;
    const double size =
        fmin(TITLE_SIZE, (WIDTH - 64) / (double)count_characters(name));

    lq_write_text(writer, "<text x=\"32\" y=\"36\" style=\"font-size: ");
    lq_svg_number(writer, size);
    lq_write_text(writer, "px\">");
    lq_svg_text(writer, name);
    lq_write_text(writer, "</text>\n");
}

static void draw_given(const struct chart *chart)
{
    const struct lq_load_case *const given = &chart->load->given;
    char text[256];

    (void)snprintf(text, sizeof(text),
                   "messages in each bucket with %s a second, of which %s %% "
                   "fail, and in an outage of %s all; bound %" PRIu64,
                   lq_decimal_of(given->rate_per_second, 6).text,
                   lq_decimal_of(given->failure_ratio * 100, 4).text,
                   lq_duration_of(given->outage_millis).text, chart->bound);
    lq_svg_label(chart->writer, "given", (struct lq_point){32, 62}, text);
}

static void draw_outage(const struct chart *chart)
{
    const double begin = x_of(chart, 0);
    const double end = x_of(chart, (double)chart->load->given.outage_millis);

    lq_svg_box(chart->writer, "outage", (struct lq_point){begin, TOP},
               (struct lq_point){end, BOTTOM});
    lq_svg_label(chart->writer, "middle",
                 (struct lq_point){(begin + end) / 2, TOP - 8}, "outage");
}

/* Behind the first full queue the consumer stops: no curve goes on there. */
static void draw_full(const struct chart *chart)
{
    const double full = chart->load->first.millis;
    const double x = x_of(chart, full);

    if (full > last_millis(&chart->load->timeline)) {
        return;
    }
    lq_svg_box(chart->writer, "full", (struct lq_point){x, TOP},
               (struct lq_point){RIGHT, BOTTOM});
    lq_svg_line(chart->writer, "first", (struct lq_point){x, TOP},
                (struct lq_point){x, BOTTOM});
    lq_svg_label(chart->writer, "note", (struct lq_point){LEGEND, TOP - 8},
                 "grey: the consumer stopped");
}

static void draw_messages_axis(const struct chart *chart)
{
    const unsigned count = (unsigned)round(chart->most / chart->step);

    for (unsigned i = 0; i <= count; ++i) {
        const double y = y_of(chart, i * chart->step);

        lq_svg_line(chart->writer, "grid", (struct lq_point){LEFT, y},
                    (struct lq_point){RIGHT, y});
        lq_svg_label(chart->writer, "right", (struct lq_point){LEFT - 8, y + 4},
                     lq_decimal_of(i * chart->step, 6).text);
    }
}

static void draw_time_axis(const struct chart *chart)
{
    const uint64_t last = (uint64_t)last_millis(&chart->load->timeline);
    const uint64_t step = lq_scale_millis(last, MARKS);

    for (uint64_t time = 0; time <= last; time += step) {
        const double x = x_of(chart, (double)time);

        lq_svg_line(chart->writer, "grid", (struct lq_point){x, BOTTOM},
                    (struct lq_point){x, BOTTOM + 6});
        lq_svg_label(chart->writer, "middle", (struct lq_point){x, BOTTOM + 22},
                     lq_duration_of(time).text);
    }
    lq_svg_label(chart->writer, "middle",
                 (struct lq_point){(LEFT + RIGHT) / 2, BOTTOM + 44},
                 "time since the outage began");
}

static void draw_bound(const struct chart *chart)
{
    const double y = y_of(chart, (double)chart->bound);

    if ((double)chart->bound <= chart->most) {
        lq_svg_line(chart->writer, "bound", (struct lq_point){LEFT, y},
                    (struct lq_point){RIGHT, y});
    }
}

static void draw_bucket(const struct chart *chart, size_t index)
{
    struct lq_writer *const writer = chart->writer;
    const struct lq_timeline *const timeline = &chart->load->timeline;
    const double *const samples = timeline->messages + index * timeline->count;
    const size_t count = count_possible(chart->load);

    lq_write_text(writer, "<polyline class=\"bucket\"");
    lq_svg_stroke(writer, index, chart->bucket_count);
    lq_write_text(writer, " points=\"");
    for (size_t k = 0; k < count; ++k) {
        const double time = (double)timeline->first_millis +
                            (double)k * (double)timeline->step_millis;

        lq_write_text(writer, k ? " " : "");
        lq_svg_number(writer, x_of(chart, time));
        lq_write_text(writer, ",");
        lq_svg_number(writer, y_of(chart, samples[k]));
    }
    lq_write_text(writer, "\"><title>");
    lq_svg_text(writer, chart->load->levels[index + 1].bucket->queue_name);
    lq_write_text(writer, "</title></polyline>\n");
}

static void draw_legend(const struct chart *chart, size_t index)
{
    struct lq_writer *const writer = chart->writer;
    const struct lq_level *const level = &chart->load->levels[index + 1];
    const double row =
        fmin(ROW_HEIGHT, (BOTTOM - TOP) / (double)chart->bucket_count);
    const double y = TOP + row * ((double)index + 0.5);
    const double possible = level->peak_millis <= chart->load->first.millis
                                ? level->peak
                                : greatest_drawn(chart->load, index);
    char text[160];

    lq_write_text(writer, "<g");
    lq_svg_stroke(writer, index, chart->bucket_count);
    lq_write_text(writer, ">");
    lq_svg_line(writer, "bucket", (struct lq_point){LEGEND, y},
                (struct lq_point){LEGEND + 20, y});
    lq_write_text(writer, "</g>\n");
    (void)snprintf(text, sizeof(text), "%s: up to %s",
                   lq_duration_of(level->bucket->delay_millis).text,
                   lq_decimal_about(possible).text);
    lq_svg_label(writer, "legend", (struct lq_point){LEGEND + 28, y + 4}, text);
}

static void draw(const struct chart *chart)
{
    const char *const name = chart->explanation->life.logical->entry->name;

    lq_write_texts(chart->writer, head, "<title>", NULL);
    lq_svg_text(chart->writer, name);
    lq_write_text(chart->writer, "</title>\n");
    lq_svg_box(chart->writer, "paper", (struct lq_point){0, 0},
               (struct lq_point){WIDTH, HEIGHT});
    draw_title(chart, name);
    draw_given(chart);
    draw_outage(chart);
    draw_full(chart);
    draw_messages_axis(chart);
    draw_time_axis(chart);
    for (size_t i = 0; i < chart->bucket_count; ++i) {
        draw_bucket(chart, i);
        draw_legend(chart, i);
    }
    draw_bound(chart);
    lq_write_text(chart->writer, "</svg>\n");
}

enum lq_status lq_explain_svg_render(const struct lq_explanation *explanation,
                                     const struct lilyq_sink *sink)
{
    const struct lq_logical *const logical = explanation->life.logical;
    struct lq_writer writer;
    struct chart chart = {.writer = &writer,
                          .explanation = explanation,
                          .load = explanation->load,
                          .bucket_count = logical->bucket_count,
                          .bound = logical->entry->retry_bucket_max_messages};

    lq_writer_init(&writer, sink);
    fit(&chart);
    draw(&chart);
    return lq_writer_end(&writer);
}
