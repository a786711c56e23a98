/* Puts together what differs between a plan and what a broker holds. */
#ifndef LQ_COMPARE_DRIFT_H
#define LQ_COMPARE_DRIFT_H

#include "compare/compare.h"
#include "policy/own_policies.h"

/*
 * Every comparison that there is, with what a source shows of a broker; `own`
 * are policies that shall be there too, or NULL. The findings are in the order
 * of lq_drift_order(). LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_drift_compare(const struct lq_topology *plan,
                                const struct lq_live *live,
                                const struct lq_own_policies *own,
                                struct lq_arena *arena,
                                struct lq_diff *out) LQ_CHECK;

/*
 * Adds to findings about what is planned those about all else that a source
 * shows, or does not show, and orders them. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_drift_complete(const struct lq_topology *plan,
                                 const struct lq_live *live,
                                 const struct lq_own_policies *own,
                                 struct lq_arena *arena,
                                 struct lq_diff *diff) LQ_CHECK;

/*
 * Orders findings by logical queue as the plan has them, what belongs to none
 * behind all; stable. Linear. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_drift_order(const struct lq_topology *plan,
                              struct lq_arena *arena,
                              struct lq_diff *diff) LQ_CHECK;

#endif
