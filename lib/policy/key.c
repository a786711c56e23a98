#include "policy/key.h"

#include "base/text.h"

/* The brokers that were asked, and the types of queues. */
enum { AT_3_10 = 1 << 0, AT_4_0 = 1 << 1, AT_4_3 = 1 << 2, ALL = 7 };

/* A key, and the brokers on which a type of queue does not support it. */
struct row {
    const char *key;
    unsigned classic;
    unsigned quorum;
};

/* Their own lists, as far as a policy of that version can hold the key. */
static const struct row rows[] = {
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

/* Those of the brokers that the one at hand lies between, or is. */
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
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        if (lq_str_equal(rows[i].key, key)) {
            const unsigned without =
                brokers &
                (target == LQ_TARGET_QUORUM ? rows[i].quorum : rows[i].classic);

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
