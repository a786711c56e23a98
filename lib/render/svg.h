#ifndef LQ_RENDER_SVG_H
#define LQ_RENDER_SVG_H

#include "base/writer.h"

/* A point of the drawing, in pixels from the upper left corner. */
struct lq_point {
    double x;
    double y;
};

/* A coordinate or length, to two decimals. */
void lq_svg_number(struct lq_writer *writer, double number);

/* Text of any characters, as XML has it. */
void lq_svg_text(struct lq_writer *writer, const char *text);

/* <text class="..." x="..." y="...">...</text> */
void lq_svg_label(struct lq_writer *writer, const char *class_name,
                  struct lq_point at, const char *text);

/* <line class="..." .../> */
void lq_svg_line(struct lq_writer *writer, const char *class_name,
                 struct lq_point from, struct lq_point to);

/* <rect class="..." .../> with two corners. */
void lq_svg_box(struct lq_writer *writer, const char *class_name,
                struct lq_point from, struct lq_point to);

/* " stroke=\"#rrggbb\"": the colour of one of `count` things in a row. */
void lq_svg_stroke(struct lq_writer *writer, size_t index, size_t count);

#endif
