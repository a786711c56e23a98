#ifndef LQ_FORMAT_EXPLAIN_H
#define LQ_FORMAT_EXPLAIN_H

#include "explain/life.h"
#include "format/sink.h"

/*
 * The life of a message, as text that fits 80 columns but for long names.
 * LQ_OK or LQ_IO (the sink refused).
 */
enum lq_status lq_explain_text_render(const struct lq_life *life,
                                      const struct lq_sink *sink) LQ_CHECK;

/*
 * The lilyq-explain document, format_version 1
 * (man/lilyq-explain.schema.json). LQ_OK, LQ_IO or LQ_NOMEM.
 */
enum lq_status lq_explain_json_render(const struct lq_life *life,
                                      const struct lq_sink *sink) LQ_CHECK;

#endif
