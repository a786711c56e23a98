#ifndef LQ_PLAN_DECLARE_H
#define LQ_PLAN_DECLARE_H

#include "base/diag.h"
#include "model/topology.h"

/*
 * A topology under construction. Some of its logicals may be incomplete (see
 * plan/expand.h): the checks below take what is there, so that one run
 * finds every problem.
 */
struct lq_draft {
    struct lq_diags *diags;
    struct lq_logical *logicals;
    size_t logical_count;
    struct lq_exchange *exchanges;
    size_t exchange_count;
    struct lq_queue *queues;
    size_t queue_count;
    struct lq_binding *bindings;
    size_t binding_count;
};

/*
 * Collects the exchanges, each at its first appearance, and reports every one
 * that is used with two ownerships. LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_draft_exchanges(struct lq_draft *draft) LQ_CHECK;

/*
 * Collects the physical queues (name, role, logical) and reports entries of
 * one name and queues that collide. LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_draft_queues(struct lq_draft *draft) LQ_CHECK;

/*
 * Completes the collected queues with flags and arguments, and binds them. All
 * logicals must be complete. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_draft_declare(struct lq_draft *draft) LQ_CHECK;

#endif
