#include "compare/shadow.h"

#include "base/text.h"
#include "compare/compare.h"
#include "policy/planned_key.h"

/* What a key does to a queue, and the same with what to do about it. */
struct words {
    const char *effect;
    const char *advice;
};

/* By the role of the queue: main, bucket, DLQ. */
struct row {
    const char *key;
    bool removes; /* a row for when it does; behind the other one of its key */
    struct words words[3];
};

#define WORDS(effect, remedy)                                                  \
    {                                                                          \
        effect, effect ": " remedy                                             \
    }

#define SAME(effect, remedy)                                                   \
    {                                                                          \
        WORDS(effect, remedy), WORDS(effect, remedy), WORDS(effect, remedy)    \
    }

#define KEEP_OFF "keep the policy off the queue"
#define KEEP_OFF_OR_PLAN KEEP_OFF ", or plan that value"
#define KEEP_OFF_OR_RAISE KEEP_OFF ", or raise it"
#define KEEP_OFF_OR_REFUSE KEEP_OFF ", or have it say reject-publish"

#define DROPS                                                                  \
    {                                                                          \
        WORDS("the broker drops the oldest messages above that bound, which "  \
              "become dead letters untried",                                   \
              KEEP_OFF_OR_REFUSE),                                             \
            WORDS("the broker drops the oldest messages above that bound, "    \
                  "which return at once",                                      \
                  KEEP_OFF_OR_REFUSE),                                         \
            WORDS("the broker deletes the oldest dead letters above that "     \
                  "bound",                                                     \
                  KEEP_OFF_OR_REFUSE)                                          \
    }

static const struct row rows[] = {
    {"message-ttl",
     false,
     {WORDS("messages that wait longer are dead-lettered unhandled, and a "
            "classic queue deletes those that the DLQ has no room for",
            KEEP_OFF_OR_PLAN),
      WORDS("retries come back sooner than planned, and a classic bucket "
            "deletes those that the main queue has no room for",
            KEEP_OFF),
      WORDS("the broker deletes dead letters that wait longer", KEEP_OFF)}},
    {"expires",
     false,
     {WORDS("the broker deletes the queue with its messages once it has had no "
            "consumer for so long",
            KEEP_OFF),
      WORDS("a bucket never has a consumer, so the broker deletes it with the "
            "retries that wait in it",
            KEEP_OFF),
      WORDS("the broker deletes the queue with its dead letters once nobody "
            "has looked for so long",
            KEEP_OFF)}},
    {"max-length", false,
     SAME("the queue is full sooner than planned", KEEP_OFF_OR_PLAN)},
    {"max-length", true, DROPS},
    {"max-length-bytes", false,
     SAME("the queue is full sooner than planned", KEEP_OFF_OR_PLAN)},
    {"max-length-bytes", true, DROPS},
    {"overflow",
     false,
     {WORDS("a full queue drops its oldest messages, which become dead letters "
            "untried, in place of refusing new ones, and at-least-once "
            "dead-lettering is off",
            KEEP_OFF_OR_REFUSE),
      WORDS("a full bucket drops its oldest messages, which return at once, in "
            "place of refusing new ones, and at-least-once dead-lettering is "
            "off",
            KEEP_OFF_OR_REFUSE),
      WORDS("a full DLQ deletes its oldest dead letters in place of refusing "
            "new ones",
            KEEP_OFF_OR_REFUSE)}},
    {"dead-letter-exchange", false,
     SAME("what is rejected or expires leaves the DLQ for that exchange",
          KEEP_OFF)},
    {"dead-letter-routing-key", false,
     SAME("what leaves the DLQ does so with that key", KEEP_OFF)},
    {"delivery-limit",
     false,
     {WORDS("a message that comes back so often is dead-lettered, whatever "
            "retries are left",
            KEEP_OFF_OR_RAISE),
      WORDS("a message that comes back so often leaves the bucket ahead of its "
            "delay",
            KEEP_OFF_OR_RAISE),
      WORDS("the broker deletes a dead letter that was looked at so often",
            KEEP_OFF_OR_RAISE)}},
    {"consumer-timeout", false,
     SAME("work within delivery_execution_timeout_millis may take longer, and "
          "is then delivered once more",
          "raise the one or lower the other")},
    {"alternate-exchange", false,
     SAME("what no queue is bound for goes there, and its publisher is told "
          "that all is well",
          "keep the policy off the exchange")},
};

static const struct words *words_of(const struct lq_finding *finding)
{
    static const struct words other = WORDS("it is not as planned", KEEP_OFF);
    const struct words *found = &other;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        if (finding->field && lq_str_equal(rows[i].key, finding->field) &&
            (finding->removes || !rows[i].removes)) {
            found = &rows[i].words[finding->role];
        }
    }
    return found;
}

const char *lq_shadow_effect(const struct lq_finding *finding)
{
    return words_of(finding)->effect;
}

const char *lq_shadow_advice(const struct lq_finding *finding)
{
    return words_of(finding)->advice;
}

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
        lq_differ_add(&shadow->differ, code);
        return LQ_OK;
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
            lq_differ_add_extra(&shadow->differ, LQ_POLICY_KEY_NOT_KNOWN, item);
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
    lq_differ_add_field(&shadow->differ, code, key, &wanted, &found);
    return LQ_OK;
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
static void tell_unseen(struct lq_differ *differ)
{
    const struct lq_live *const live = differ->live;

    differ->about =
        (struct lq_finding){.resource = LQ_VHOST, .name = live->vhost};
    if (!lq_live_has(live, LQ_LIVE_HAS_POLICIES)) {
        lq_differ_add(differ, LQ_POLICIES_NOT_SEEN);
    }
    if (!lq_live_has(live, LQ_LIVE_HAS_OPERATOR_POLICIES)) {
        lq_differ_add(differ, LQ_OPERATOR_POLICIES_NOT_SEEN);
    }
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
    tell_unseen(&shadow.differ);
    if (status == LQ_OK) {
        status = lq_policies_init(&shadow.policies, live, matcher, arena);
    }
    if (status != LQ_OK || lq_policies_none(&shadow.policies)) {
        return status;
    }
    return check_all(&shadow, plan);
}
