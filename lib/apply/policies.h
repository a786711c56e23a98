/* Sets the policies of a plan on a broker, through its management API. */
#ifndef LQ_APPLY_POLICIES_H
#define LQ_APPLY_POLICIES_H

#include "apply/apply.h"
#include "broker/http/management.h"
#include "broker/route.h"
#include "lilyq.h"
#include "policy/verdict.h"

/* Policies on their way to a broker; what is found is in the arena of `diags`.
 */
struct lq_harden {
    const struct lq_topology *topology;
    struct lq_diags *diags;
    const struct lq_route *route;
    const struct lilyq_hooks *hooks;
    struct lq_management_settings management;
    const struct lq_own_policies *policies;
    struct lq_policy_verdict *verdicts;
    struct lq_outcome *outcomes;
    const char *version; /* of the broker; NULL: not known */
    bool conflict;       /* something is in the way of one */
};

/*
 * Finds the policies for a broker of which all is known, and what setting them
 * would do there: all members up to `management` are set already. The version
 * is that of `live`, whatever is wanted. A conflict is told, and is no failure.
 * LQ_OK, LQ_INVALID, LQ_REFUSED (policies are not shown) or LQ_NOMEM.
 */
enum lq_status lq_harden_judge(struct lq_harden *harden,
                               const struct lq_policy_wants *wants,
                               const struct lq_live *live) LQ_CHECK;

/*
 * Creates and updates what has to be, one by one, and stops at the first
 * failure; nothing where there is a conflict. LQ_OK, LQ_REFUSED (so then),
 * LQ_LOST, LQ_INVALID, LQ_IO or LQ_NOMEM.
 */
enum lq_status lq_harden_set(struct lq_harden *harden) LQ_CHECK;

/* Says of what would be set that it is pending. */
void lq_harden_leave_pending(struct lq_harden *harden);

/* Whether any was set, or may have been. */
bool lq_harden_wrote(const struct lq_harden *harden);

#endif
