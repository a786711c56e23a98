/* Reads a plan that was saved as JSON. */
#ifndef LQ_RENDER_SAVED_H
#define LQ_RENDER_SAVED_H

#include "base/diag.h"
#include "model/topology.h"
#include "json/tree.h"

/* Whether a JSON document says that it is a plan. */
bool lq_plan_is_saved(const struct lq_node *document);

/*
 * Reads what lq_plan_json_render() wrote, be its members in another order. It
 * is strict: all members must be there and no others, and what can be told
 * from the rest must agree with it, so that rendering the plan again gives the
 * same document. A format_version that is not known is an error. The plan has
 * what the document says, and no more of its entries; its texts are those of
 * the document. `warnings` takes those of the plan. LQ_OK, LQ_INVALID or
 * LQ_NOMEM.
 */
enum lq_status lq_plan_read(const struct lq_node *document, const char *file,
                            struct lq_diags *diags, struct lq_diags *warnings,
                            const struct lq_topology **out) LQ_CHECK;

#endif
