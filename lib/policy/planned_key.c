#include "policy/planned_key.h"

#include "base/text.h"
#include "policy/own_policies.h"

#include <string.h>

/* The broker's own, from 4.0 on. */
#define DEFAULT_DELIVERY_LIMIT 20

static bool is_always(const struct lq_shadow_view *view,
                      const struct lq_effective *value)
{
    (void)view;
    (void)value;
    return true;
}

/* Whether `lilyq policies` made it, which makes no operator policies. */
static bool is_own(const struct lq_shadow_view *view,
                   const struct lq_effective *value)
{
    return view->queue->role == LQ_ROLE_DEAD_LETTER && !value->by_operator &&
           strncmp(value->policy->name, LQ_OWN_POLICY_PREFIX,
                   strlen(LQ_OWN_POLICY_PREFIX)) == 0;
}

static bool is_foreign(const struct lq_shadow_view *view,
                       const struct lq_effective *value)
{
    return !is_own(view, value);
}

static bool is_other_overflow(const struct lq_shadow_view *view,
                              const struct lq_effective *value)
{
    const struct lq_argument *const planned =
        lq_argument_of_key(view->queue, "overflow");

    return !planned || !lq_is_same_value(planned, value->value);
}

/* Without a dead-letter exchange, the routing key has no effect. */
static bool is_key_in_use(const struct lq_shadow_view *view,
                          const struct lq_effective *value)
{
    (void)value;
    return lq_effective(&view->in_force, view->target, "dead-letter-exchange",
                        NULL)
               .value != NULL;
}

static bool is_stricter_limit(const struct lq_shadow_view *view,
                              const struct lq_effective *value)
{
    const int64_t limit = value->value->number;

    return view->target == LQ_TARGET_QUORUM &&
           value->value->type == LQ_LIVE_INTEGER && limit >= 0 &&
           (limit < DEFAULT_DELIVERY_LIMIT ||
            lq_live_is_before(view->live, 4, 0)) &&
           !is_own(view, value);
}

/* From 4.3 on, only quorum queues take messages back from slow consumers. */
static bool has_consumer_timeout(const struct lq_shadow_view *view)
{
    return view->target == LQ_TARGET_QUORUM || !view->live->version ||
           lq_live_is_before(view->live, 4, 3);
}

static bool is_too_short_for_work(const struct lq_shadow_view *view,
                                  const struct lq_effective *value)
{
    const struct lq_queue *const queue = view->queue;

    return queue->role == LQ_ROLE_MAIN && has_consumer_timeout(view) &&
           value->value->type == LQ_LIVE_INTEGER &&
           (value->value->number < 0 ||
            (uint64_t)value->value->number <
                queue->logical->entry->delivery_execution_timeout_millis);
}

static bool removes_always(const struct lq_shadow_view *view)
{
    (void)view;
    return true;
}

/* A DLQ has no target for messages that come back too often. */
static bool removes_dead_letters(const struct lq_shadow_view *view)
{
    return view->queue->role == LQ_ROLE_DEAD_LETTER;
}

/* A full queue that does not refuse messages drops those that it holds. */
static bool drops_head(const struct lq_shadow_view *view)
{
    const struct lq_argument *const planned =
        lq_argument_of_key(view->queue, "overflow");
    const struct lq_effective overflow =
        lq_effective(&view->in_force, view->target, "overflow", planned);

    return overflow.value && is_other_overflow(view, &overflow);
}

const struct lq_shadow_key lq_shadow_keys[LQ_SHADOW_KEY_COUNT] = {
    {"message-ttl", is_foreign, removes_always},
    {"expires", is_always, removes_always},
    {"max-length", is_always, drops_head},
    {"max-length-bytes", is_always, drops_head},
    {"overflow", is_other_overflow, removes_always},
    {"dead-letter-exchange", is_always, NULL},
    {"dead-letter-routing-key", is_key_in_use, NULL},
    {"delivery-limit", is_stricter_limit, removes_dead_letters},
    {"consumer-timeout", is_too_short_for_work, NULL},
};

bool lq_shadow_knows(const char *key)
{
    static const char *const others[] = {
        "alternate-exchange",
        "consumer-disconnected-timeout",
        "dead-letter-strategy",
        "delayed-retry-max",
        "delayed-retry-min",
        "delayed-retry-type",
        "ha-mode",
        "ha-params",
        "ha-promote-on-failure",
        "ha-promote-on-shutdown",
        "ha-sync-batch-size",
        "ha-sync-mode",
        "max-in-memory-bytes",
        "max-in-memory-length",
        "queue-leader-locator",
        "queue-master-locator",
        "queue-mode",
        "queue-version",
        "stream-filter-size-bytes",
        "target-group-size",
    };
    bool known = false;

    for (size_t i = 0; i < LQ_SHADOW_KEY_COUNT && !known; ++i) {
        known = lq_str_equal(lq_shadow_keys[i].name, key);
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]) && !known; ++i) {
        known = lq_str_equal(others[i], key);
    }
    return known;
}
