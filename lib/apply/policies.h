/* Sets the policies of a plan on a broker, through its management API. */
#ifndef LQ_APPLY_POLICIES_H
#define LQ_APPLY_POLICIES_H

#include "apply/apply.h"
#include "broker/http/management.h"
#include "broker/route.h"
#include "lilyq.h"
#include "policy/conflict.h"

/* Policies to be set on a broker; results live in the arena of `diags`. */
struct lq_policy_job {
    /* set by the caller */
    const struct lq_topology *topology;
    struct lq_diags *diags;
    const struct lq_route *route;
    const struct lilyq_hooks *hooks;
    struct lq_management_settings management;
    /* set by lq_policy_job_look() */
    const struct lq_own_policies *policies;
    struct lq_policy_step *verdicts;
    struct lq_outcome *outcomes;
    const char *version; /* of the broker; NULL: not known */
    bool conflict;       /* something is in the way of one */
};

/*
 * Builds the policies for a broker that holds `live`, and finds out what
 * setting them would do there. The broker's version is that of `live`, whatever
 * `wants` says. A conflict is reported, and is no failure. LQ_OK, LQ_INVALID,
 * LQ_REFUSED (policies are not shown) or LQ_NOMEM.
 */
enum lq_status lq_policy_job_look(struct lq_policy_job *job,
                                  const struct lq_policy_wants *wants,
                                  const struct lq_live *live) LQ_CHECK;

/*
 * Creates and updates policies one by one, up to the first failure; with a
 * conflict it does nothing. LQ_OK, LQ_REFUSED (a conflict, a failure or a
 * stop), LQ_LOST, LQ_INVALID, LQ_IO or LQ_NOMEM.
 */
enum lq_status lq_policy_job_set(struct lq_policy_job *job) LQ_CHECK;

/* Marks the policies that would be set as pending. */
void lq_policy_job_leave_pending(struct lq_policy_job *job);

/* Whether a policy was set, or may have been. */
bool lq_policy_job_wrote(const struct lq_policy_job *job);

#endif
