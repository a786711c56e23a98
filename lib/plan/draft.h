#ifndef LQ_PLAN_DRAFT_H
#define LQ_PLAN_DRAFT_H

#include "base/diag.h"
#include "model/entry.h"
#include "model/topology.h"

/*
 * A topology under construction. Some of its logicals may be incomplete, as
 * lq_expand_entry() leaves them: the checks below take what is there, so that
 * one run finds every problem.
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

/*
 * Fills `out` with the delays, buckets, names and keys that v2 derives from
 * one entry. Reports a derived name over 200 bytes and more than 32 buckets;
 * what these or broken fields leave unknown stays NULL or 0, while the rest is
 * filled all the same. LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_expand_entry(const struct lq_entry *entry,
                               struct lq_diags *diags,
                               struct lq_logical *out) LQ_CHECK;

/*
 * Checks the rules of the v2 contract, section 5, that take more than one
 * field of an entry or hang on another field. Reports every broken one; a rule
 * that needs a field which is broken already is passed over. LQ_OK, LQ_INVALID
 * or LQ_NOMEM.
 */
enum lq_status lq_rules_check(const struct lq_entry *entry,
                              struct lq_diags *diags) LQ_CHECK;

#endif
