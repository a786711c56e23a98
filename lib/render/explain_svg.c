#include "base/text.h"
#include "base/writer.h"
#include "explain/figure.h"
#include "render/explain.h"
#include "render/explain_chart.h"
#include "render/svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 960.0
#define UPPER_HEIGHT 150.0
#define LOWER_HEIGHT 190.0
#define GAP 44.0 /* between the panels */
#define LEGEND 716.0
#define TITLE_SIZE 18.0
#define ROW_HEIGHT 16.0
#define MARKS 6
#define ROWS 6 /* marks of messages, at most */

static const char head[] =
    "<style>\n"
    "text { font-family: sans-serif; font-size: 12px; fill: #24292f }\n"
    ".right, .lower-right { text-anchor: end }\n"
    ".middle, .number, .band { text-anchor: middle }\n"
    ".paper { fill: #ffffff }\n"
    ".outage { fill: #fde8d7 }\n"
    ".full { fill: #d8dee4 }\n"
    ".event { stroke: #57606a; stroke-width: 1.5 }\n"
    ".grid { stroke: #d0d7de; stroke-width: 1 }\n"
    ".bound, .shared { stroke-width: 1.5; stroke-dasharray: 6 4 }\n"
    ".shared { stroke: #6e7781 }\n"
    ".curve { fill: none; stroke-width: 2; stroke-linejoin: round }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "text { fill: #e6edf3 }\n"
    ".paper { fill: #0d1117 }\n"
    ".outage { fill: #3b2413 }\n"
    ".full { fill: #30363d }\n"
    ".event { stroke: #8b949e }\n"
    ".grid { stroke: #484f58 }\n"
    "}\n"
    "</style>\n";

/* An amount in units that people read. */
struct unit {
    double size;
    const char *name;
};

static struct unit unit_of(double amount, bool bytes)
{
    static const struct unit of_bytes[] = {
        {1, "bytes"},        {1024, "KiB"},          {1048576, "MiB"},
        {1073741824, "GiB"}, {1099511627776, "TiB"}, {1125899906842624, "PiB"},
    };
    static const struct unit of_messages[] = {
        {1, "messages"},
        {1e3, "thousand messages"},
        {1e6, "million messages"},
        {1e9, "billion messages"},
        {1e12, "trillion messages"},
    };
    const struct unit *const units = bytes ? of_bytes : of_messages;
    const size_t count = bytes ? sizeof(of_bytes) / sizeof(of_bytes[0])
                               : sizeof(of_messages) / sizeof(of_messages[0]);
    size_t i = 0;

    /* thousands of messages from ten on */
    while (i + 1 < count && amount >= units[i + 1].size * (bytes ? 1 : 10)) {
        ++i;
    }
    return units[i];
}

/* As the legend has it: "120 MiB", or a number of messages. */
static void write_amount(const struct lq_chart *chart, double messages,
                         char *out, size_t size)
{
    const struct unit unit = unit_of(messages * chart->size, true);

    if (!chart->bytes) {
        (void)snprintf(out, size, "%s", lq_decimal_about(messages).text);
    } else {
        (void)snprintf(
            out, size, "%s %s",
            lq_decimal_about(messages * chart->size / unit.size).text,
            unit.name);
    }
}

static double capacity(const struct lq_chart *chart, size_t index)
{
    enum lq_bound bound = LQ_BOUND_MESSAGES;

    return lq_load_capacity(chart->load, chart->logical,
                            &chart->load->levels[index], &bound);
}

static const double *samples_of(const struct lq_chart *chart, size_t index)
{
    return chart->load->timeline.messages + index * chart->load->timeline.count;
}

static double y_of(const struct lq_chart *chart, const struct lq_panel *panel,
                   double messages)
{
    return panel->bottom - (panel->bottom - panel->top) * messages *
                               chart->size / panel->unit / panel->most;
}

/* Which panel shows a level; NULL: a bucket that holds next to nothing. */
static const struct lq_panel *panel_of(const struct lq_chart *chart,
                                       size_t index)
{
    const struct lq_level *const level = &chart->load->levels[index];

    if (level->role != LQ_ROLE_RETRY) {
        return &chart->panels[0];
    }
    return level->peak >= LQ_CHART_LEAST ? &chart->panels[1] : NULL;
}

/* Finds a scale for the samples, and for a bound if it is not far away. */
static void fit(struct lq_chart *chart, struct lq_panel *panel)
{
    double most = LQ_CHART_LEAST;
    struct unit unit;

    for (size_t i = 0; i < chart->load->level_count; ++i) {
        for (size_t k = 0;
             k < chart->load->timeline.count && panel_of(chart, i) == panel;
             ++k) {
            most = fmax(most, samples_of(chart, i)[k]);
        }
    }
    for (size_t i = 0; i < chart->load->level_count; ++i) {
        if (panel_of(chart, i) == panel && capacity(chart, i) <= 1.5 * most) {
            most = fmax(most, capacity(chart, i));
        }
    }
    most *= chart->size;
    unit = unit_of(most, chart->bytes);
    panel->unit = unit.size;
    panel->unit_name = unit.name;
    panel->step = lq_scale_step(most / unit.size, ROWS);
    panel->most = fmax(ceil(most / unit.size / panel->step), 1) * panel->step;
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
static void draw_title(const struct lq_chart *chart, const char *name)
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

static void draw_given(const struct lq_chart *chart)
{
    const struct lq_load_case *const given = &chart->load->given;
    const double bytes =
        chart->bytes ? chart->size : (double)given->message_bytes;
    char size[80] = "";
    char text[sizeof(size) + 2 * sizeof(struct lq_decimal) +
              sizeof(struct lq_duration) + 80];

    if (bytes > 0) {
        (void)snprintf(size, sizeof(size), " with messages of %.0f byte%s%s",
                       bytes, bytes == 1 ? "" : "s",
                       given->message_bytes > 0 ? "" : " (the largest)");
    }
    (void)snprintf(text, sizeof(text),
                   "what the queues hold at %s/s%s, of which %s %% fail, and "
                   "in an outage of %s all",
                   lq_decimal_of(given->rate_per_second, 6).text, size,
                   lq_decimal_of(given->failure_ratio * 100, 4).text,
                   lq_duration_of(given->outage_millis).text);
    lq_svg_label(chart->writer, "given", (struct lq_point){32, 60}, text);
}

/* A band of time through both panels. */
static void draw_band(const struct lq_chart *chart, const char *class_name,
                      double from, double to)
{
    for (size_t i = 0; i < (chart->shown ? 2 : 1); ++i) {
        lq_svg_box(
            chart->writer, class_name,
            (struct lq_point){lq_chart_x(chart, from), chart->panels[i].top},
            (struct lq_point){lq_chart_x(chart, to), chart->panels[i].bottom});
    }
}

static void draw_outage(const struct lq_chart *chart)
{
    const double end = (double)chart->load->given.outage_millis;
    const double seen = fmin(end, lq_chart_last(chart));
    const double middle = (lq_chart_x(chart, 0) + lq_chart_x(chart, seen)) / 2;
    char text[128];

    draw_band(chart, "outage", 0, seen);
    (void)snprintf(
        text, sizeof(text), "outage%s%s",
        end > seen ? ", which goes on until " : "",
        end > seen ? lq_duration_about(chart->load->given.outage_millis).text
                   : "");
    lq_svg_label(chart->writer, "band",
                 (struct lq_point){fmax(fmin(middle, LQ_CHART_RIGHT - 100),
                                        LQ_CHART_LEFT + 40),
                                   LQ_CHART_TOP - 36},
                 text);
}

/* From the first full queue on the consumer stands still. */
static void draw_stop(const struct lq_chart *chart)
{
    const struct lq_course *const course = &chart->load->course;

    if (course->level && course->stop_millis < lq_chart_last(chart)) {
        draw_band(chart, "full", course->stop_millis,
                  fmin(course->start_millis, lq_chart_last(chart)));
    }
}

static void draw_messages_axis(const struct lq_chart *chart,
                               const struct lq_panel *panel)
{
    const unsigned count = (unsigned)round(panel->most / panel->step);

    for (unsigned i = 0; i <= count; ++i) {
        const double y = panel->bottom - (panel->bottom - panel->top) *
                                             (i * panel->step) / panel->most;

        lq_svg_line(chart->writer, "grid", (struct lq_point){LQ_CHART_LEFT, y},
                    (struct lq_point){LQ_CHART_RIGHT, y});
        lq_svg_label(chart->writer, panel->marks,
                     (struct lq_point){LQ_CHART_LEFT - 8, y + 4},
                     lq_decimal_of(i * panel->step, 6).text);
    }
    lq_write_text(chart->writer, "<text class=\"axis\" x=\"32\" y=\"");
    lq_svg_number(chart->writer,
                  panel->top - (panel->top == LQ_CHART_TOP ? 58 : 12));
    lq_write_texts(chart->writer, "\">", panel->name, ", in ", panel->unit_name,
                   "</text>\n", NULL);
}

static void draw_time_axis(const struct lq_chart *chart)
{
    const uint64_t last = (uint64_t)lq_chart_last(chart);
    const uint64_t step = lq_scale_millis(last, MARKS);

    for (uint64_t time = 0; time <= last; time += step) {
        const double x = lq_chart_x(chart, (double)time);

        lq_svg_line(chart->writer, "grid", (struct lq_point){x, chart->axis},
                    (struct lq_point){x, chart->axis + 6});
        lq_svg_label(chart->writer, "middle",
                     (struct lq_point){x, chart->axis + 22},
                     lq_duration_of(time).text);
    }
    lq_svg_label(chart->writer, "middle",
                 (struct lq_point){(LQ_CHART_LEFT + LQ_CHART_RIGHT) / 2,
                                   chart->axis + 42},
                 "time since the outage began");
}

/* The place of a level among those of its kind, from 0 on. */
static size_t place_of(const struct lq_chart *chart, size_t index)
{
    size_t place = 0;

    for (size_t i = 1; i < index; ++i) {
        place += panel_of(chart, i) == &chart->panels[1];
    }
    return place;
}

/* Begins an element that has the level's colour. */
static void begin_coloured(const struct lq_chart *chart, const char *element,
                           size_t index)
{
    lq_write_text(chart->writer, element);
    switch (chart->load->levels[index].role) {
    case LQ_ROLE_MAIN:
        lq_write_text(chart->writer, " stroke=\"#1f6feb\"");
        break;
    case LQ_ROLE_RETRY:
        lq_svg_stroke(chart->writer, place_of(chart, index), chart->shown);
        break;
    case LQ_ROLE_DEAD_LETTER:
        lq_write_text(chart->writer, " stroke=\"#a040c8\"");
        break;
    }
}

static void draw_line(const struct lq_chart *chart, const char *class_name,
                      size_t index, struct lq_point from, struct lq_point to)
{
    begin_coloured(chart, "<g", index);
    lq_write_text(chart->writer, ">");
    lq_svg_line(chart->writer, class_name, from, to);
    lq_write_text(chart->writer, "</g>\n");
}

static const char *queue_of(const struct lq_chart *chart, size_t index)
{
    switch (chart->load->levels[index].role) {
    case LQ_ROLE_MAIN:
        return chart->logical->entry->name;
    case LQ_ROLE_RETRY:
        return chart->load->levels[index].bucket->queue_name;
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return chart->logical->dead_letter_queue;
}

static void draw_curve(const struct lq_chart *chart, size_t index)
{
    struct lq_writer *const writer = chart->writer;
    const struct lq_panel *const panel = panel_of(chart, index);

    begin_coloured(chart, "<polyline class=\"curve\"", index);
    lq_write_text(writer, " points=\"");
    for (size_t k = 0; k < chart->load->timeline.count; ++k) {
        lq_write_text(writer, k ? " " : "");
        lq_svg_number(writer, lq_chart_x(chart, lq_chart_time(chart, k)));
        lq_write_text(writer, ",");
        lq_svg_number(writer, y_of(chart, panel, samples_of(chart, index)[k]));
    }
    lq_write_text(writer, "\"><title>");
    lq_svg_text(writer, queue_of(chart, index));
    lq_write_text(writer, "</title></polyline>\n");
}

/* All buckets share one, which has the colour of none. */
static void draw_bound_line(const struct lq_chart *chart, size_t index,
                            double y)
{
    const struct lq_point from = {LQ_CHART_LEFT, y};
    const struct lq_point to = {LQ_CHART_RIGHT, y};

    if (chart->load->levels[index].role == LQ_ROLE_RETRY) {
        lq_svg_line(chart->writer, "shared", from, to);
    } else {
        draw_line(chart, "bound", index, from, to);
    }
}

/* Says the bound, whose line is drawn if it is in the panel. */
static void draw_bound(const struct lq_chart *chart, size_t index, double row)
{
    const struct lq_level *const level = &chart->load->levels[index];
    const struct lq_panel *const panel = panel_of(chart, index);
    enum lq_bound bound = LQ_BOUND_MESSAGES;
    const double y =
        y_of(chart, panel,
             lq_load_capacity(chart->load, chart->logical, level, &bound));
    const uint64_t most =
        bound == LQ_BOUND_MESSAGES ? level->max_messages : level->max_bytes;
    const bool seen = y >= panel->top - 0.01;
    char digits[32] = "2^63-1";
    char text[160];

    if (most != INT64_MAX) {
        (void)snprintf(digits, sizeof(digits), "%" PRIu64, most);
    }
    (void)snprintf(text, sizeof(text), "bound %s %s%s", digits,
                   bound == LQ_BOUND_MESSAGES ? "messages" : "bytes",
                   seen ? "" : ", higher up");
    lq_svg_label(chart->writer, "limit", (struct lq_point){LEGEND, row + 4},
                 text);
    if (seen) {
        draw_bound_line(chart, index, y);
    }
}

/* Dead letters are drawn beyond the outage's end, where their peak is. */
static double most_of(const struct lq_chart *chart, size_t index)
{
    double most = chart->load->levels[index].peak;

    for (size_t k = 0; k < chart->load->timeline.count; ++k) {
        most = fmax(most, samples_of(chart, index)[k]);
    }
    return most;
}

static void draw_legend(const struct lq_chart *chart, size_t index, double y)
{
    const struct lq_level *const level = &chart->load->levels[index];
    char amount[64];
    char text[160];

    draw_line(chart, "curve", index, (struct lq_point){LEGEND, y},
              (struct lq_point){LEGEND + 20, y});
    write_amount(chart, most_of(chart, index), amount, sizeof(amount));
    (void)snprintf(text, sizeof(text), "%s: up to %s",
                   level->role == LQ_ROLE_MAIN ? "main queue"
                   : level->role == LQ_ROLE_RETRY
                       ? lq_duration_of(level->bucket->delay_millis).text
                       : "dead letters",
                   amount);
    lq_svg_label(chart->writer, "legend", (struct lq_point){LEGEND + 28, y + 4},
                 text);
}

/* The legend, and behind the curves the bounds. */
static void draw_legends(const struct lq_chart *chart)
{
    const size_t dead = chart->load->level_count - 1;
    const double upper = chart->panels[0].top + 8;
    double y = chart->panels[1].top + 8;

    draw_legend(chart, 0, upper);
    draw_bound(chart, 0, upper + ROW_HEIGHT);
    draw_legend(chart, dead, upper + 3 * ROW_HEIGHT);
    draw_bound(chart, dead, upper + 4 * ROW_HEIGHT);
    for (size_t i = 1; i < dead; ++i) {
        if (!panel_of(chart, i)) {
            continue;
        }
        if (place_of(chart, i) == 0) {
            draw_bound(chart, i, y);
            y += ROW_HEIGHT;
        }
        draw_legend(chart, i, y);
        y += ROW_HEIGHT;
    }
}

static void draw_head(const struct lq_chart *chart, const char *name)
{
    char text[160];

    (void)snprintf(text, sizeof(text),
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
                   "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n",
                   WIDTH, chart->height, WIDTH, chart->height);
    lq_write_texts(chart->writer, text, head, "<title>", NULL);
    lq_svg_text(chart->writer, name);
    lq_write_text(chart->writer, "</title>\n");
    lq_svg_box(chart->writer, "paper", (struct lq_point){0, 0},
               (struct lq_point){WIDTH, chart->height});
    draw_title(chart, name);
    draw_given(chart);
}

static void draw(const struct lq_chart *chart)
{
    draw_head(chart, chart->logical->entry->name);
    draw_outage(chart);
    draw_stop(chart);
    draw_messages_axis(chart, &chart->panels[0]);
    if (chart->shown) {
        draw_messages_axis(chart, &chart->panels[1]);
    }
    draw_time_axis(chart);
    lq_chart_draw_events(chart);
    draw_legends(chart);
    for (size_t i = 0; i < chart->load->level_count; ++i) {
        if (panel_of(chart, i)) {
            draw_curve(chart, i);
        }
    }
    lq_write_text(chart->writer, "</svg>\n");
}

/* Places the panels, of which the lower one grows with its legend. */
static void lay_out(struct lq_chart *chart)
{
    const double middle = LQ_CHART_TOP + UPPER_HEIGHT;
    const struct lq_course *const course = &chart->load->course;
    const double events = 1 + (course->level && !isinf(course->main_millis)) +
                          (course->level && !isinf(course->start_millis));

    chart->shown = place_of(chart, chart->load->level_count - 1);
    chart->panels[0] = (struct lq_panel){.name = "main queue and dead letters",
                                         .marks = "right",
                                         .top = LQ_CHART_TOP,
                                         .bottom = middle};
    chart->panels[1] = (struct lq_panel){
        .name = "buckets",
        .marks = "lower-right",
        .top = middle + GAP,
        .bottom = middle + GAP +
                  fmax(LOWER_HEIGHT, ROW_HEIGHT * ((double)chart->shown + 1.5)),
    };
    chart->axis = chart->panels[chart->shown ? 1 : 0].bottom;
    chart->height = chart->axis + 70 + LQ_CHART_EVENT * events;
    fit(chart, &chart->panels[0]);
    fit(chart, &chart->panels[1]);
}

enum lq_status lq_explain_svg_render(const struct lq_explanation *explanation,
                                     const struct lilyq_sink *sink)
{
    const struct lq_load *const load = explanation->load;
    const struct lq_logical *const logical = explanation->life.logical;
    const bool bytes =
        load->course.level && load->course.bound != LQ_BOUND_MESSAGES;
    struct lq_writer writer;
    struct lq_chart chart = {
        .writer = &writer,
        .logical = logical,
        .load = load,
        .bytes = bytes,
        .size = bytes ? (double)lq_load_bytes(load, logical,
                                              lq_load_bytes_bound(load))
                      : 1,
    };

    lq_writer_init(&writer, sink);
    lay_out(&chart);
    draw(&chart);
    return lq_writer_end(&writer);
}
