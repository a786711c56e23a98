#include "lint/run.h"
#include "live/live.h"

#include <inttypes.h>
#include <string.h>

#define OWN_LIMIT 20 /* the delivery limit of RabbitMQ 4 itself */

/* "1000 ms" or "1000 to 4000 ms"; "" when out of memory. */
static const char *delays(struct lq_lint_run *run,
                          const struct lq_logical *logical)
{
    const uint64_t first = logical->buckets[0].delay_millis;
    const uint64_t last =
        logical->buckets[logical->bucket_count - 1].delay_millis;

    return first == last ? lq_lint_format(run, "%" PRIu64 " ms", first)
                         : lq_lint_format(run, "%" PRIu64 " to %" PRIu64 " ms",
                                          first, last);
}

static void check_classic(struct lq_lint_run *run,
                          const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;

    lq_lint_found(run, LQ_LINT_LOSS_FULL_MAIN,
                  (struct lq_lint_spot){logical, LQ_QUEUE_TYPE},
                  "a message whose delay of %s ends while the main queue is "
                  "full (%" PRIu64 " messages or %" PRIu64
                  " bytes) is lost: a classic bucket dead-letters it at most "
                  "once, and the full queue refuses it",
                  delays(run, logical), entry->main_max_messages,
                  entry->main_max_bytes);
}

/* The most messages that all buckets hold, at most UINT64_MAX. */
static uint64_t in_buckets(const struct lq_logical *logical)
{
    const uint64_t each = logical->entry->retry_bucket_max_messages;

    return each > UINT64_MAX / logical->bucket_count
               ? UINT64_MAX
               : each * logical->bucket_count;
}

static void report_rounds(struct lq_lint_run *run,
                          const struct lq_logical *logical,
                          const struct lq_live_policy *policy)
{
    lq_lint_found(run, LQ_LINT_AT_LEAST_ONCE_ROUNDS,
                  (struct lq_lint_spot){logical, LQ_QUEUE_TYPE},
                  "policy '%s' keeps a message that finds the main queue full "
                  "in its bucket (at-least-once), where it counts towards the "
                  "bucket's bounds: it is offered again within two rounds of "
                  "about 180 s each, not after its delay of %s",
                  lq_lint_shown(run, policy->name), delays(run, logical));
}

static void check_quorum(struct lq_lint_run *run,
                         const struct lq_logical *logical)
{
    const struct lq_live_policy *const policy =
        lq_lint_guard(run, logical)->at_least_once;

    if (policy) {
        report_rounds(run, logical, policy);
        return;
    }
    lq_lint_found(
        run, LQ_LINT_QUORUM_OVERSHOOT,
        (struct lq_lint_spot){logical, LQ_QUEUE_TYPE},
        "messages that return from the buckets, up to %" PRIu64
        ", enter the main queue even beyond its bounds (%" PRIu64
        " messages or %" PRIu64
        " bytes): these do not apply to what a quorum bucket transfers",
        in_buckets(logical), logical->entry->main_max_messages,
        logical->entry->main_max_bytes);
}

/* Whether a limit is so high that it hardly matters. */
static bool is_high(const struct lq_effective *limit)
{
    return limit->value &&
           (limit->value->number < 0 || limit->value->number > OWN_LIMIT);
}

/* "more than 20 times", and which policy says so; "" when out of memory. */
static const char *times(struct lq_lint_run *run,
                         const struct lq_effective *limit)
{
    if (!limit->value) {
        return "more than 20 times";
    }
    return lq_lint_format(
        run, "more than %" PRId64 " times (delivery-limit of %spolicy '%s')",
        limit->value->number, limit->by_operator ? "operator " : "",
        lq_lint_shown(run, limit->policy->name));
}

static void check_main_limit(struct lq_lint_run *run,
                             const struct lq_logical *logical,
                             const struct lq_effective *limit)
{
    lq_lint_found(
        run, LQ_LINT_DELIVERY_LIMIT_MAIN,
        (struct lq_lint_spot){logical, LQ_QUEUE_TYPE},
        "a message that is put back or left unsettled %s is sent to exchange "
        "'%s' by the broker itself, without the framework's headers",
        times(run, limit), logical->dead_letter_exchange);
}

static void check_dead_limit(struct lq_lint_run *run,
                             const struct lq_logical *logical,
                             const struct lq_effective *limit)
{
    lq_lint_found(
        run, LQ_LINT_DELIVERY_LIMIT_DLQ,
        (struct lq_lint_spot){logical, LQ_QUEUE_TYPE},
        "a dead letter that is read and put back %s is deleted: '%s' is a "
        "quorum queue, and has no dead-letter exchange of its own",
        times(run, limit), logical->dead_letter_queue);
}

/* What waits for a full dead-letter queue. */
static void check_keeper(struct lq_lint_run *run,
                         const struct lq_logical *logical)
{
    const struct lq_live_policy *const policy =
        lq_lint_guard(run, logical)->main_keeper;

    if (!policy) {
        return;
    }
    lq_lint_found(run, LQ_LINT_AT_LEAST_ONCE_FULL,
                  (struct lq_lint_spot){logical, LQ_QUEUE_TYPE},
                  "policy '%s' keeps a message that finds '%s' full in the "
                  "main queue (at-least-once), where it is not ready but "
                  "counts towards the bounds (%" PRIu64 " messages or %" PRIu64
                  " bytes): enough of them close the queue to publishers, "
                  "though it looks empty",
                  lq_lint_shown(run, policy->name), logical->dead_letter_queue,
                  logical->entry->main_max_messages,
                  logical->entry->main_max_bytes);
}

static void check_limits(struct lq_lint_run *run,
                         const struct lq_logical *logical)
{
    const struct lq_lint_guard *const guard = lq_lint_guard(run, logical);

    if (!is_high(&guard->main_limit)) {
        check_main_limit(run, logical, &guard->main_limit);
    }
    if (!is_high(&guard->dead_limit)) {
        check_dead_limit(run, logical, &guard->dead_limit);
    }
}

/* What the broker itself dead-letters; the framework would wait instead. */
static void check_expiry(struct lq_lint_run *run,
                         const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;

    lq_lint_found(run, LQ_LINT_LOSS_FULL_DLQ,
                  (struct lq_lint_spot){logical, LQ_MESSAGE_TTL_MS},
                  "a message that expires after %" PRIu64
                  " ms while '%s' is full (%" PRIu64 " messages or %" PRIu64
                  " bytes) is lost: a classic queue dead-letters it at most "
                  "once, and the full queue refuses it",
                  entry->message_ttl_ms, logical->dead_letter_queue,
                  entry->dead_letter_max_messages,
                  entry->dead_letter_max_bytes);
}

void lq_lint_loss(struct lq_lint_run *run, const struct lq_logical *logical)
{
    const bool quorum = lq_lint_is_quorum(logical);

    if (logical->bucket_count > 0) {
        (quorum ? check_quorum : check_classic)(run, logical);
    }
    if (quorum) {
        check_keeper(run, logical);
        check_limits(run, logical);
    } else if (logical->entry->message_ttl_ms > 0) {
        check_expiry(run, logical);
    }
}
