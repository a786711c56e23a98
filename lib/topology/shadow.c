#include "topology/shadow.h"

#include "base/text.h"
#include "compare/compare.h"
#include "topology/shadow_key.h"

/* What has been said of a policy. */
struct told {
    const struct lq_live_policy *policy;
    enum lq_finding_code code;
};

/* A search under way; the finding is about the resource at hand. */
struct shadow {
    struct lq_differ differ;
    struct lq_policies policies;
    struct lq_array told; /* struct told */
};

/* Notes that something is said of a policy; LQ_INVALID: it was before. */
static enum lq_status note(struct shadow *shadow,
                           const struct lq_live_policy *policy,
                           enum lq_finding_code code)
{
    const struct told *const items = shadow->told.items;
    struct told *place = NULL;

    for (size_t i = 0; i < shadow->told.count; ++i) {
        if (items[i].policy == policy && items[i].code == code) {
            return LQ_INVALID;
        }
    }
    place = lq_array_push(&shadow->told, shadow->differ.arena);
    if (!place) {
        return LQ_NOMEM;
    }
    *place = (struct told){policy, code};
    return LQ_OK;
}

static enum lq_status tell(struct shadow *shadow,
                           const struct lq_live_policy *policy,
                           enum lq_finding_code code)
{
    enum lq_status status = LQ_OK;

    if (!policy) {
        return LQ_OK;
    }
    status = note(shadow, policy, code);
    if (status == LQ_OK) {
        shadow->differ.about.policy = policy;
        return lq_differ_add(&shadow->differ, code);
    }
    return status == LQ_INVALID ? LQ_OK : status;
}

static enum lq_status tell_unknown_keys(struct shadow *shadow,
                                        const struct lq_live_policy *policy)
{
    enum lq_status status = LQ_INVALID;

    if (policy) {
        status = note(shadow, policy, LQ_POLICY_KEY_NOT_KNOWN);
        shadow->differ.about.policy = policy;
    }
    if (status != LQ_OK) {
        return status == LQ_INVALID ? LQ_OK : status;
    }
    for (size_t i = 0; i < policy->definition.count && status == LQ_OK; ++i) {
        const struct lq_live_argument *const item =
            &policy->definition.items[i];

        if (!lq_shadow_knows(item->key)) {
            status = lq_differ_add_extra(&shadow->differ,
                                         LQ_POLICY_KEY_NOT_KNOWN, item);
        }
    }
    return status;
}

/* What is not sure of the policy that is in force. */
static enum lq_status tell_doubts(struct shadow *shadow,
                                  const struct lq_winner *winner,
                                  bool by_operator)
{
    enum lq_status status = LQ_OK;

    shadow->differ.about.by_operator = by_operator;
    status = tell(shadow, winner->doubtful, LQ_POLICY_DOUBTFUL);
    if (status == LQ_OK) {
        status = tell(shadow, winner->rival, LQ_POLICY_TIED);
    }
    return status == LQ_OK ? tell_unknown_keys(shadow, winner->policy) : status;
}

/* What is in force for the resource at hand; tells what is not sure of it. */
static enum lq_status find_in_force(struct shadow *shadow,
                                    enum lq_target target,
                                    struct lq_in_force *out)
{
    enum lq_status status = lq_policies_find(&shadow->policies, target,
                                             shadow->differ.about.name, out);

    if (status == LQ_OK) {
        status = tell_doubts(shadow, &out->policy, false);
    }
    return status == LQ_OK ? tell_doubts(shadow, &out->operator_policy, true)
                           : status;
}

static enum lq_status add(struct shadow *shadow, enum lq_finding_code code,
                          const char *key, const struct lq_argument *planned,
                          const struct lq_effective *value)
{
    struct lq_side_value wanted = lq_no_value;
    struct lq_side_value found = lq_actual_value(value->value);

    if (planned) {
        wanted = lq_planned_value(planned, shadow->differ.arena);
        if (!wanted.text) {
            return LQ_NOMEM;
        }
    }
    if (lq_str_equal(found.text, "reject-publish-dlx")) {
        found = lq_text_value("drop-head");
    }
    shadow->differ.about.policy = value->policy;
    shadow->differ.about.by_operator = value->by_operator;
    return lq_differ_add_field(&shadow->differ, code, key, &wanted, &found);
}

static enum lq_status check_queue(struct shadow *shadow,
                                  const struct lq_queue *queue)
{
    struct lq_shadow_view view = {
        .live = shadow->policies.live,
        .queue = queue,
        .target = lq_target_of(queue->logical->entry->queue_type)};
    enum lq_status status = LQ_OK;

    shadow->differ.about = (struct lq_finding){.resource = LQ_QUEUE,
                                               .name = queue->name,
                                               .logical = queue->logical,
                                               .role = queue->role};
    status = find_in_force(shadow, view.target, &view.in_force);
    if (!view.in_force.policy.policy && !view.in_force.operator_policy.policy) {
        return status;
    }
    for (size_t i = 0; i < LQ_SHADOW_KEY_COUNT && status == LQ_OK; ++i) {
        const struct lq_shadow_key *const key = &lq_shadow_keys[i];
        const struct lq_argument *const planned =
            lq_argument_of_key(queue, key->name);
        const struct lq_effective value =
            lq_effective(&view.in_force, view.target, key->name, planned);

        shadow->differ.about.removes = key->removes && key->removes(&view);
        if (value.value && key->is_drift(&view, &value)) {
            status = add(shadow, LQ_QUEUE_SHADOWED, key->name, planned, &value);
        }
    }
    return status;
}

static enum lq_status check_exchange(struct shadow *shadow,
                                     const struct lq_exchange *exchange)
{
    static const char key[] = "alternate-exchange";
    struct lq_in_force in_force;
    struct lq_effective value = {.value = NULL};
    enum lq_status status = LQ_OK;

    shadow->differ.about = (struct lq_finding){.resource = LQ_EXCHANGE,
                                               .name = exchange->name,
                                               .logical = exchange->logical,
                                               .role = exchange->role};
    status = find_in_force(shadow, LQ_TARGET_EXCHANGE, &in_force);
    if (status == LQ_OK) {
        value = lq_effective(&in_force, LQ_TARGET_EXCHANGE, key, NULL);
    }
    return value.value ? add(shadow, LQ_EXCHANGE_SHADOWED, key, NULL, &value)
                       : status;
}

static enum lq_status check_all(struct shadow *shadow,
                                const struct lq_topology *plan)
{
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < plan->exchange_count && status == LQ_OK; ++i) {
        if (plan->exchanges[i].ownership != LQ_EXTERNAL) {
            status = check_exchange(shadow, &plan->exchanges[i]);
        }
    }
    for (size_t i = 0; i < plan->queue_count && status == LQ_OK; ++i) {
        if (lq_owner(plan->queues[i].logical) != LQ_EXTERNAL) {
            status = check_queue(shadow, &plan->queues[i]);
        }
    }
    return status;
}

static bool is_anything_managed(const struct lq_topology *plan)
{
    for (size_t i = 0; i < plan->logical_count; ++i) {
        if (lq_owner(&plan->logicals[i]) != LQ_EXTERNAL) {
            return true;
        }
    }
    return false;
}

/* One finding for each kind of policies that the source does not show. */
static enum lq_status tell_unseen(struct lq_differ *differ)
{
    const struct lq_live *const live = differ->live;
    enum lq_status status = LQ_OK;

    differ->about =
        (struct lq_finding){.resource = LQ_VHOST, .name = live->vhost};
    if (!lq_live_has(live, LQ_LIVE_HAS_POLICIES)) {
        status = lq_differ_add(differ, LQ_POLICIES_NOT_SEEN);
    }
    if (!lq_live_has(live, LQ_LIVE_HAS_OPERATOR_POLICIES) && status == LQ_OK) {
        status = lq_differ_add(differ, LQ_OPERATOR_POLICIES_NOT_SEEN);
    }
    return status;
}

enum lq_status lq_diff_shadowed(const struct lq_topology *plan,
                                const struct lq_live *live,
                                const struct lq_matcher *matcher,
                                struct lq_arena *arena, struct lq_diff *diff)
{
    struct shadow shadow = {
        .differ = {.live = live, .arena = arena, .diff = diff}};
    enum lq_status status = LQ_OK;

    lq_array_init(&shadow.told, sizeof(struct told));
    if (!is_anything_managed(plan)) {
        return LQ_OK;
    }
    status = tell_unseen(&shadow.differ);
    if (status == LQ_OK) {
        status = lq_policies_init(&shadow.policies, live, matcher, arena);
    }
    if (status != LQ_OK || lq_policies_none(&shadow.policies)) {
        return status;
    }
    return check_all(&shadow, plan);
}
