#ifndef LQ_FORMAT_PLAN_JSON_H
#define LQ_FORMAT_PLAN_JSON_H

#include "base/diag.h"
#include "lilyq.h"
#include "topology/topology.h"

/*
 * The lilyq-plan document, format_version 1 (man/lilyq-plan.schema.json).
 * The warnings among `diags` go into it. LQ_OK, LQ_IO (the sink refused) or
 * LQ_NOMEM.
 */
enum lq_status lq_plan_json_render(const struct lq_topology *topology,
                                   const struct lq_diags *diags,
                                   const struct lilyq_sink *sink) LQ_CHECK;

#endif
