#include "render/svg.h"

#include "explain/figure.h"
#include "render/text.h"

#include <math.h>
#include <stdio.h>

void lq_svg_number(struct lq_writer *writer, double number)
{
    lq_write_text(writer, lq_decimal_of(number, 2).text);
}

static const char *replace(uint32_t code)
{
    switch (code) {
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return lq_xml_entity(code);
    }
}

void lq_svg_text(struct lq_writer *writer, const char *text)
{
    lq_write_escaped(writer, text, replace);
}

static void write_attribute(struct lq_writer *writer, const char *name,
                            double number)
{
    lq_write_texts(writer, " ", name, "=\"", NULL);
    lq_svg_number(writer, number);
    lq_write_text(writer, "\"");
}

static void begin(struct lq_writer *writer, const char *element,
                  const char *class_name)
{
    lq_write_texts(writer, "<", element, " class=\"", class_name, "\"", NULL);
}

void lq_svg_label(struct lq_writer *writer, const char *class_name,
                  struct lq_point at, const char *text)
{
    begin(writer, "text", class_name);
    write_attribute(writer, "x", at.x);
    write_attribute(writer, "y", at.y);
    lq_write_text(writer, ">");
    lq_svg_text(writer, text);
    lq_write_text(writer, "</text>\n");
}

void lq_svg_line(struct lq_writer *writer, const char *class_name,
                 struct lq_point from, struct lq_point to)
{
    begin(writer, "line", class_name);
    write_attribute(writer, "x1", from.x);
    write_attribute(writer, "y1", from.y);
    write_attribute(writer, "x2", to.x);
    write_attribute(writer, "y2", to.y);
    lq_write_text(writer, "/>\n");
}

void lq_svg_box(struct lq_writer *writer, const char *class_name,
                struct lq_point from, struct lq_point to)
{
    begin(writer, "rect", class_name);
    write_attribute(writer, "x", from.x);
    write_attribute(writer, "y", from.y);
    write_attribute(writer, "width", to.x - from.x);
    write_attribute(writer, "height", to.y - from.y);
    lq_write_text(writer, "/>\n");
}

/* One part of a colour of medium lightness; hue in sixths of the circle. */
static unsigned part_of(double hue, double offset)
{
    const double place = fmod(hue + offset, 6);
    const double full = fmin(fmin(place, 4 - place), 1);

    return (unsigned)round(46 + 164 * fmax(full, 0));
}

void lq_svg_stroke(struct lq_writer *writer, size_t index, size_t count)
{
    /* from blue by green to red */
    const double hue =
        count > 1 ? 3.6 - 3.6 * (double)index / (double)(count - 1) : 3.6;
    char text[24];

    (void)snprintf(text, sizeof(text), " stroke=\"#%02x%02x%02x\"",
                   part_of(hue, 2), part_of(hue, 0), part_of(hue, 4));
    lq_write_text(writer, text);
}
