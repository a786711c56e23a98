/* Declared as planned, but not in force: what policies change. */
#ifndef LQ_COMPARE_SHADOW_H
#define LQ_COMPARE_SHADOW_H

#include "compare/compare.h"
#include "policy/matcher.h"

/*
 * Adds to `diff` each key of a policy or operator policy that is in force,
 * but not as planned, for what is planned and managed, whether it is there yet
 * or not:
 *
 * - max-length, max-length-bytes, message-ttl below the plan, and where there
 *   is none planned;
 * - expires, which deletes an idle queue with its messages;
 * - overflow of a quorum queue; what quorum queues do not know is drop-head;
 * - dead-letter-exchange of a DLQ, which has none, with its
 *   dead-letter-routing-key;
 * - delivery-limit below what the broker has anyway: 20 from 4.0 on, none
 *   before;
 * - consumer-timeout of a main queue below delivery_execution_timeout_millis;
 * from 4.3 on of a quorum queue only;
 * - alternate-exchange of an exchange: what nothing is bound for is no longer
 *   returned to its publisher.
 *
 * What only hardens or places a queue is no drift: dead-letter-strategy, a
 * greater delivery-limit, delayed-retry-…, and the keys of replicas, leaders,
 * memory and files. Nor is a message-ttl or delivery-limit of a DLQ by a
 * policy whose name begins with "lilyq-". A key that is not known here (a
 * plugin's) is `unverified`; so are a policy that may be in force, and one of
 * equal priority that holds something else: each once, with what it was first
 * found for. If `live` does not show policies, or operator policies, that is
 * one finding each, and what it shows is looked at. Where there are no policies
 * it takes no time, else time linear in the plan, for each policy. LQ_OK or
 * LQ_NOMEM.
 */
enum lq_status lq_diff_shadowed(const struct lq_topology *plan,
                                const struct lq_live *live,
                                const struct lq_matcher *matcher,
                                struct lq_arena *arena,
                                struct lq_diff *diff) LQ_CHECK;

/* What it means that a queue or exchange is shadowed. A constant. */
const char *lq_shadow_effect(const struct lq_finding *finding);

/* The same with what to do about it. A constant. */
const char *lq_shadow_advice(const struct lq_finding *finding);

#endif
