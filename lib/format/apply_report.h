#ifndef LQ_FORMAT_APPLY_REPORT_H
#define LQ_FORMAT_APPLY_REPORT_H

#include "apply/apply.h"
#include "lilyq.h"

/*
 * A table of counts per kind, then every resource that is not as planned.
 * LQ_OK or LQ_IO (the sink refused).
 */
enum lq_status lq_apply_text_render(const struct lq_topology *topology,
                                    const struct lq_apply_report *report,
                                    const struct lilyq_sink *sink) LQ_CHECK;

/*
 * The same and more as a document (man/lilyq-apply.schema.json). `arena` is for
 * scratch. LQ_OK, LQ_IO (the sink refused) or LQ_NOMEM.
 */
enum lq_status lq_apply_json_render(const struct lq_topology *topology,
                                    const struct lq_apply_report *report,
                                    struct lq_arena *arena,
                                    const struct lilyq_sink *sink) LQ_CHECK;

#endif
