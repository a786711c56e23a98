/* What the parts of lq_diff_unexpected() share. */
#ifndef LQ_TOPOLOGY_EXTRAS_H
#define LQ_TOPOLOGY_EXTRAS_H

#include "topology/former.h"
#include "topology/own.h"
#include "topology/unexpected.h"

struct lq_extras {
    struct lq_own own;
    struct lq_formers formers;
    const struct lq_live *live;
    struct lq_arena *arena;
    struct lq_diff *diff;
};

/* What a binding that is not planned makes of its destination. */
enum lq_extras_trace {
    LQ_TRACE_NONE,  /* nothing: it is not one that v2 derives */
    LQ_TRACE_ENTRY, /* what an entry of the plan had: `logical` */
    LQ_TRACE_GONE   /* what an entry had that is not in the plan */
};

/*
 * Whether a binding is one that v2 derives for an entry, from an exchange
 * with a name of the plan's own. `logical` is the entry, or if it is gone the
 * first one with that exchange.
 */
enum lq_status lq_extras_trace(const struct lq_extras *extras,
                               const struct lq_live_binding *binding,
                               enum lq_extras_trace *out,
                               struct lq_finding *about) LQ_CHECK;

/* Looks at a binding; adds a finding if it is unexpected. LQ_OK or LQ_NOMEM. */
enum lq_status
lq_extras_check_binding(const struct lq_extras *extras,
                        const struct lq_live_binding *binding) LQ_CHECK;

#endif
