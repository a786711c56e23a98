#include "topology/effective.h"

#include "base/text.h"

#include <string.h>

/* A limit; what does not fit in an int64 limits nothing that can be planned. */
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
