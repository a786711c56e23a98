#ifndef LQ_EARLIER_H
#define LQ_EARLIER_H

#include "base/diag.h"
#include "config/load.h"
#include "topology/topology.h"

/*
 * The plan of a document in memory: entries, as INI or JSON, or a plan saved
 * as JSON. What begins with '{' is JSON, whatever its name. Its errors are
 * added to `diags`, its warnings are not: they are about a plan that is left.
 * LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_earlier_plan(const struct lq_document *document,
                               struct lq_diags *diags,
                               const struct lq_topology **out) LQ_CHECK;

#endif
