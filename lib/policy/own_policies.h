/* Policies that give a topology what arguments cannot. */
#ifndef LQ_POLICY_OWN_POLICIES_H
#define LQ_POLICY_OWN_POLICIES_H

#include "base/version.h"
#include "model/topology.h"
#include "json/write.h"

/* What the name of each begins with. */
#define LQ_OWN_POLICY_PREFIX "lilyq-"

/* What an own policy is for. */
enum lq_policy_kind {
    LQ_POLICY_AT_LEAST_ONCE, /* quorum queues with a dead-letter target */
    LQ_POLICY_DLQ,           /* quorum DLQs */
    LQ_POLICY_DLQ_CLASSIC,   /* classic DLQs */
    LQ_POLICY_NATIVE_RETRY   /* a queue beside v2: policy/native_retry.h */
};

/*
 * A policy to set on the broker. It applies to "queues", since RabbitMQ before
 * 3.12 knows no finer word; its pattern matches queues of one type only.
 */
struct lq_own_policy {
    enum lq_policy_kind kind;
    const char *name;
    const char *pattern;
    unsigned priority;
    const struct lq_argument *keys; /* of its definition */
    size_t key_count;
    const struct lq_queue *const *queues; /* that it matches */
    size_t queue_count;
};

struct lq_own_policies {
    const char *name; /* part of their names, or NULL */
    const struct lq_own_policy *list;
    size_t count;
};

/* What the policies should be like; zeroed members mean the default. */
struct lq_policy_wants {
    const char *name; /* part of their names, as others in the virtual host may
                         have such policies too; NULL: none */
    struct lq_version broker;
    unsigned priority;
    unsigned dlq_delivery_limit;   /* 0: no limit */
    uint64_t dlq_retention_millis; /* 0: for ever */
};

/*
 * At most one policy is in force for a queue, and a policy with a key that the
 * queue's type does not support is not applied to it at all. So each queue that
 * is framework-managed is in one list or none:
 *
 *   lilyq-at-least-once  quorum queues with a dead-letter target
 *   lilyq-dlq            quorum DLQs: delivery-limit from RabbitMQ 4.0 on,
 *                        message-ttl where wanted
 *   lilyq-dlq-classic    classic DLQs: message-ttl where wanted
 *
 * Each list is split ("-2", "-3", ...) where its pattern would be longer than
 * RabbitMQ 4.3 takes. Queues are in the order of the topology, so that a queue
 * added at the end changes only the end. LQ_OK, LQ_NOMEM, or LQ_INVALID with an
 * error in `diags`: the name is not allowed.
 */
enum lq_status lq_own_policies_build(const struct lq_topology *topology,
                                     const struct lq_policy_wants *wants,
                                     struct lq_diags *diags,
                                     struct lq_own_policies *out) LQ_CHECK;

/* LQ_OK, LQ_NOMEM, or LQ_INVALID with an error: the name is not allowed. */
enum lq_status lq_policy_name_check(const char *name,
                                    struct lq_diags *diags) LQ_CHECK;

/* Whether an earlier plan may have made the policy of that name. */
bool lq_own_policies_had(const struct lq_own_policies *policies,
                         const char *name);

/* Whether the topology has a quorum DLQ that lilyq-dlq could be for. */
bool lq_has_quorum_dlq(const struct lq_topology *topology);

/* Kinds of policies that a topology may have, from 0. */
#define LQ_POLICY_KIND_COUNT 3

/*
 * "lilyq-NAME-KIND-2", where the first of a kind has no number, and `name` may
 * be NULL.
 */
const char *lq_policy_name(struct lq_arena *arena, const char *name,
                           enum lq_policy_kind kind, size_t index);

/* Writes the members that the API takes for a policy. */
void lq_json_own_policy(struct lq_json *json,
                        const struct lq_own_policy *policy);

/* What the API takes for a policy. */
const char *lq_policy_body(const struct lq_own_policy *policy,
                           struct lq_arena *arena);

#endif
