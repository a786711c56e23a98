#include "policy/in_force.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* The brokers that were tested. */
enum { AT_3_10 = 1 << 0, AT_4_0 = 1 << 1, AT_4_3 = 1 << 2, ALL = 7 };

/* A key, and the brokers on which each type of queue does not support it. */
struct unsupported {
    const char *key;
    unsigned classic;
    unsigned quorum;
};

/* From the brokers' own lists of keys, for what their policies can hold. */
static const struct unsupported unsupported[] = {
    {"dead-letter-strategy", ALL, 0},
    {"delivery-limit", ALL, 0},
    {"ha-mode", 0, ALL},
    {"ha-params", 0, ALL},
    {"ha-promote-on-failure", 0, ALL},
    {"ha-promote-on-shutdown", 0, ALL},
    {"ha-sync-mode", 0, ALL},
    {"initial-cluster-size", ALL, ALL},
    {"max-age", ALL, ALL},
    {"max-in-memory-bytes", AT_4_0 | AT_4_3, 0},
    {"max-in-memory-length", AT_4_0 | AT_4_3, 0},
    {"queue-leader-locator", AT_3_10, 0},
    {"queue-master-locator", 0, ALL},
    {"queue-mode", 0, ALL},
    {"stream-max-segment-size-bytes", ALL, ALL},
    {"target-group-size", ALL, 0},
};

/* The tested brokers that this one is, or lies between. */
static unsigned neighbours(const struct lq_live *live)
{
    if (!live->version) {
        return ALL;
    }
    if (lq_live_is_before(live, 3, 11)) {
        return AT_3_10;
    }
    if (lq_live_is_before(live, 4, 0)) {
        return AT_3_10 | AT_4_0;
    }
    if (lq_live_is_before(live, 4, 1)) {
        return AT_4_0;
    }
    return lq_live_is_before(live, 4, 3) ? AT_4_0 | AT_4_3 : AT_4_3;
}

static enum lq_match is_supported(const char *key, enum lq_target target,
                                  unsigned brokers)
{
    for (size_t i = 0; i < sizeof(unsupported) / sizeof(unsupported[0]); ++i) {
        if (lq_str_equal(unsupported[i].key, key)) {
            const unsigned without =
                brokers & (target == LQ_TARGET_QUORUM ? unsupported[i].quorum
                                                      : unsupported[i].classic);

            return without == 0         ? LQ_MATCH_YES
                   : without == brokers ? LQ_MATCH_NO
                                        : LQ_MATCH_UNKNOWN;
        }
    }
    return LQ_MATCH_YES;
}

static bool is_in_scope(enum lq_live_scope scope, enum lq_target target)
{
    switch (scope) {
    case LQ_LIVE_ALL:
        return true;
    case LQ_LIVE_EXCHANGES:
        return target == LQ_TARGET_EXCHANGE;
    case LQ_LIVE_QUEUES:
        return target != LQ_TARGET_EXCHANGE;
    case LQ_LIVE_CLASSIC_QUEUES:
        return target == LQ_TARGET_CLASSIC;
    case LQ_LIVE_QUORUM_QUEUES:
        return target == LQ_TARGET_QUORUM;
    case LQ_LIVE_STREAMS:
    case LQ_LIVE_OTHERS:
        break;
    }
    return false;
}

enum lq_match lq_policy_applies(const struct lq_live *live,
                                const struct lq_live_policy *policy,
                                enum lq_target target)
{
    const unsigned brokers = neighbours(live);
    enum lq_match answer = LQ_MATCH_YES;

    if (!is_in_scope(policy->scope, target)) {
        return LQ_MATCH_NO;
    }
    if (target == LQ_TARGET_EXCHANGE) {
        return LQ_MATCH_YES;
    }
    for (size_t i = 0; i < policy->definition.count; ++i) {
        const enum lq_match supported =
            is_supported(policy->definition.items[i].key, target, brokers);

        if (supported == LQ_MATCH_NO) {
            return LQ_MATCH_NO;
        }
        if (supported == LQ_MATCH_UNKNOWN) {
            answer = LQ_MATCH_UNKNOWN;
        }
    }
    return answer;
}

enum lq_precedence lq_policy_precedence(const char *key)
{
    static const char *const smallest[] = {"expires", "max-length",
                                           "max-length-bytes", "message-ttl",
                                           "consumer-timeout"};

    for (size_t i = 0; i < sizeof(smallest) / sizeof(smallest[0]); ++i) {
        if (lq_str_equal(smallest[i], key)) {
            return LQ_SMALLEST;
        }
    }
    if (lq_str_equal(key, "delivery-limit")) {
        return LQ_SMALLEST_SET;
    }
    return lq_str_equal(key, "overflow") ? LQ_OVERFLOW : LQ_ARGUMENT;
}

struct lq_ready_policy {
    const struct lq_live_policy *policy;
    size_t place;  /* among those of the broker */
    void *pattern; /* the matcher's; NULL: it cannot be matched */
    enum lq_match applies[LQ_TARGET_COUNT];
};

static int compare(const void *left, const void *right)
{
    const struct lq_ready_policy *const a = left;
    const struct lq_ready_policy *const b = right;

    if (a->policy->priority != b->policy->priority) {
        return a->policy->priority > b->policy->priority ? -1 : 1;
    }
    return a->place < b->place ? -1 : a->place > b->place;
}

static enum lq_status make_ready(const struct lq_policies *all,
                                 const struct lq_array *policies,
                                 struct lq_arena *arena,
                                 struct lq_ready_policies *out)
{
    const struct lq_matcher *const matcher = all->matcher;
    enum lq_status status = LQ_OK;

    out->items = lq_alloc_array(arena, policies->count, sizeof(*out->items));
    if (!out->items) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < policies->count && status == LQ_OK; ++i) {
        struct lq_ready_policy *const item = &out->items[out->count++];

        item->policy = lq_live_policy_at(policies, i);
        item->place = i;
        for (int target = 0; target < LQ_TARGET_COUNT; ++target) {
            item->applies[target] = lq_policy_applies(all->live, item->policy,
                                                      (enum lq_target)target);
        }
        status = matcher->compile(matcher->context, item->policy->pattern,
                                  &item->pattern);
    }
    qsort(out->items, out->count, sizeof(*out->items), compare);
    return status;
}

enum lq_status lq_policies_init(struct lq_policies *policies,
                                const struct lq_live *live,
                                const struct lq_matcher *matcher,
                                struct lq_arena *arena)
{
    enum lq_status status = LQ_OK;

    *policies = (struct lq_policies){.live = live, .matcher = matcher};
    if (live->policies.count > 0) {
        status =
            make_ready(policies, &live->policies, arena, &policies->policies);
    }
    if (live->operator_policies.count > 0 && status == LQ_OK) {
        status = make_ready(policies, &live->operator_policies, arena,
                            &policies->operator_policies);
    }
    return status;
}

bool lq_policies_none(const struct lq_policies *policies)
{
    return policies->policies.count + policies->operator_policies.count == 0;
}

/* Whether a policy would be in force if it were the only one. */
static enum lq_status match(const struct lq_policies *all,
                            const struct lq_ready_policy *item,
                            enum lq_target target, const char *name,
                            enum lq_match *out)
{
    const struct lq_matcher *const matcher = all->matcher;
    enum lq_status status = LQ_OK;

    *out = item->applies[target];
    if (*out == LQ_MATCH_NO) {
        return LQ_OK;
    }
    if (!item->pattern) {
        *out = LQ_MATCH_UNKNOWN;
        return LQ_OK;
    }
    status = matcher->match(matcher->context, item->pattern, name, out);
    if (*out == LQ_MATCH_YES) {
        *out = item->applies[target];
    }
    return status;
}

/* The first policy that matches, or may. */
static const struct lq_live_policy *first_of(const struct lq_winner *winner)
{
    return winner->policy ? winner->policy : winner->doubtful;
}

/* Takes another policy that matches, or may. */
static void take(struct lq_winner *winner, const struct lq_live_policy *policy,
                 enum lq_match found)
{
    if (first_of(winner)) {
        winner->rival = policy;
    } else if (found == LQ_MATCH_UNKNOWN) {
        winner->doubtful = policy;
    } else {
        winner->policy = policy;
    }
}

static enum lq_status find(const struct lq_policies *all,
                           const struct lq_ready_policies *policies,
                           enum lq_target target, const char *name,
                           struct lq_winner *out)
{
    enum lq_status status = LQ_OK;

    *out = (struct lq_winner){.policy = NULL};
    for (size_t i = 0; i < policies->count && !out->rival && status == LQ_OK;
         ++i) {
        const struct lq_ready_policy *const item = &policies->items[i];
        const struct lq_live_policy *const first = first_of(out);
        enum lq_match found = LQ_MATCH_NO;

        if (first && item->policy->priority < first->priority) {
            break;
        }
        if (first && lq_live_arguments_equal(&first->definition,
                                             &item->policy->definition)) {
            continue; /* it is no rival, whether it matches or not */
        }
        status = match(all, item, target, name, &found);
        if (found != LQ_MATCH_NO) {
            take(out, item->policy, found);
        }
    }
    return status;
}

enum lq_status lq_policies_find(const struct lq_policies *policies,
                                enum lq_target target, const char *name,
                                struct lq_in_force *out)
{
    const enum lq_status status =
        find(policies, &policies->policies, target, name, &out->policy);

    return status == LQ_OK ? find(policies, &policies->operator_policies,
                                  target, name, &out->operator_policy)
                           : status;
}

/* What does not fit in an int64 limits nothing that can be planned. */
static int64_t limit_of(const struct lq_live_argument *value)
{
    return value->type == LQ_LIVE_INTEGER ? value->number : INT64_MAX;
}

static bool is_below(int64_t a, int64_t b, enum lq_precedence precedence)
{
    const bool unlimited = precedence == LQ_SMALLEST_SET && (a < 0 || b < 0);

    return unlimited ? a > b : a < b;
}

static struct lq_effective value_in(const struct lq_winner *winner,
                                    const char *key, bool by_operator)
{
    struct lq_effective out = {.policy = winner->policy,
                               .by_operator = by_operator};

    if (winner->policy) {
        out.value = lq_live_argument(&winner->policy->definition, key);
    }
    return out;
}

/* What policy and operator policy come to. */
static struct lq_effective merge(const struct lq_in_force *in_force,
                                 const char *key, enum lq_precedence precedence)
{
    const struct lq_effective policy = value_in(&in_force->policy, key, false);
    const struct lq_effective by_operator =
        value_in(&in_force->operator_policy, key, true);
    const bool smallest =
        precedence == LQ_SMALLEST || precedence == LQ_SMALLEST_SET;

    if (!policy.value || !by_operator.value) {
        return policy.value ? policy : by_operator;
    }
    if (smallest && !is_below(limit_of(by_operator.value),
                              limit_of(policy.value), precedence)) {
        return policy;
    }
    return by_operator;
}

static bool argument_holds(const struct lq_argument *argument,
                           const struct lq_live_argument *value,
                           enum lq_precedence precedence, enum lq_target target)
{
    switch (precedence) {
    case LQ_SMALLEST:
    case LQ_SMALLEST_SET:
        return !is_below(limit_of(value), argument->number, precedence);
    case LQ_OVERFLOW:
        return target == LQ_TARGET_CLASSIC;
    case LQ_ARGUMENT:
        break;
    }
    return true;
}

struct lq_effective lq_effective(const struct lq_in_force *in_force,
                                 enum lq_target target, const char *key,
                                 const struct lq_argument *argument)
{
    const enum lq_precedence precedence = lq_policy_precedence(key);
    const struct lq_effective set = merge(in_force, key, precedence);

    if (!set.value ||
        (argument && argument_holds(argument, set.value, precedence, target))) {
        return (struct lq_effective){.value = NULL};
    }
    return set;
}

const struct lq_argument *lq_argument_of_key(const struct lq_queue *queue,
                                             const char *key)
{
    for (size_t i = 0; i < queue->argument_count; ++i) {
        const struct lq_argument *const argument = &queue->arguments[i];

        if (strncmp(argument->key, "x-", 2) == 0 &&
            lq_str_equal(argument->key + 2, key)) {
            return argument;
        }
    }
    return NULL;
}
