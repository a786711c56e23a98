#ifndef LQ_RENDER_EXPLAIN_H
#define LQ_RENDER_EXPLAIN_H

#include "base/writer.h"
#include "explain/life.h"
#include "explain/load.h"
#include "lilyq.h"
#include "json/write.h"

/* What there is to tell of a logical queue. */
struct lq_explanation {
    struct lq_life life;
    const struct lq_load *load; /* NULL: no load is given */
};

/*
 * As text that fits 80 columns but for long names. LQ_OK or LQ_IO (the sink
 * refused).
 */
enum lq_status lq_explain_text_render(const struct lq_explanation *explanation,
                                      const struct lilyq_sink *sink) LQ_CHECK;

/*
 * The lilyq-explain document, format_version 1
 * (man/lilyq-explain.schema.json). LQ_OK, LQ_IO or LQ_NOMEM.
 */
enum lq_status lq_explain_json_render(const struct lq_explanation *explanation,
                                      const struct lilyq_sink *sink) LQ_CHECK;

/*
 * As an SVG drawing of what the queues hold through the outage of the load,
 * which there must be. LQ_OK or LQ_IO.
 */
enum lq_status lq_explain_svg_render(const struct lq_explanation *explanation,
                                     const struct lilyq_sink *sink) LQ_CHECK;

/* Writes what a load makes of the queues, as members of the document. */
void lq_json_write_load(struct lq_json *json, const struct lq_logical *logical,
                        const struct lq_load *load);

/* Writes what a load makes of the queues, as tables. */
void lq_write_load(struct lq_writer *writer, const struct lq_logical *logical,
                   const struct lq_load *load);

#endif
