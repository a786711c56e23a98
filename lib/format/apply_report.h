#ifndef LQ_FORMAT_APPLY_REPORT_H
#define LQ_FORMAT_APPLY_REPORT_H

#include "broker/apply.h"
#include "format/sink.h"

/* A table of counts per kind, then every resource that is not as planned. */
enum lq_status lq_apply_text_render(const struct lq_topology *topology,
                                    const struct lq_apply_report *report,
                                    const struct lq_sink *sink) LQ_CHECK;

/* {"format":"lilyq-apply","format_version":1,...}; LQ_OK, LQ_IO, LQ_NOMEM. */
enum lq_status lq_apply_json_render(const struct lq_topology *topology,
                                    const struct lq_apply_report *report,
                                    const struct lq_sink *sink) LQ_CHECK;

#endif
