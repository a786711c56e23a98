/* What happens to messages when a queue is full, or a delivery fails. */
#include "lint/run.h"

#include <inttypes.h>

/* "1000 ms" or "1000 to 4000 ms"; "" when out of memory. */
static const char *delays(struct lq_lint_run *run,
                          const struct lq_logical *logical)
{
    const uint64_t first = logical->buckets[0].delay_millis;
    const uint64_t last =
        logical->buckets[logical->bucket_count - 1].delay_millis;
    const char *const text =
        first == last ? lq_format(run->arena, "%" PRIu64 " ms", first)
                      : lq_format(run->arena, "%" PRIu64 " to %" PRIu64 " ms",
                                  first, last);

    run->failed |= !text;
    return text ? text : "";
}

static void check_classic(struct lq_lint_run *run,
                          const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;

    lq_lint_found(
        run, LQ_LINT_LOSS_FULL_MAIN,
        (struct lq_lint_spot){logical, LQ_QUEUE_TYPE},
        "a message whose delay of %s ends while the main queue is full "
        "(%" PRIu64 " messages or %" PRIu64
        " bytes) is lost: a classic bucket dead-letters it at most once, and "
        "the full queue refuses it",
        delays(run, logical), entry->main_max_messages, entry->main_max_bytes);
}

/* The most messages that all buckets hold; UINT64_MAX when that is more. */
static uint64_t in_buckets(const struct lq_logical *logical)
{
    const uint64_t each = logical->entry->retry_bucket_max_messages;

    return each > UINT64_MAX / logical->bucket_count
               ? UINT64_MAX
               : each * logical->bucket_count;
}

static void check_quorum(struct lq_lint_run *run,
                         const struct lq_logical *logical)
{
    lq_lint_found(
        run, LQ_LINT_QUORUM_OVERSHOOT,
        (struct lq_lint_spot){logical, LQ_QUEUE_TYPE},
        "what returns from the buckets, up to %" PRIu64
        " messages, is let into the main queue beyond its bounds (%" PRIu64
        " messages or %" PRIu64
        " bytes): a quorum bucket's transfers are not held to them",
        in_buckets(logical), logical->entry->main_max_messages,
        logical->entry->main_max_bytes);
}

static void check_delivery_limits(struct lq_lint_run *run,
                                  const struct lq_logical *logical)
{
    lq_lint_found(run, LQ_LINT_DELIVERY_LIMIT_MAIN,
                  (struct lq_lint_spot){logical, LQ_QUEUE_TYPE},
                  "a message that is put back or left unsettled more than 20 "
                  "times goes to exchange '%s' by the broker's own hand, "
                  "without the framework's headers",
                  logical->dead_letter_exchange);
    lq_lint_found(run, LQ_LINT_DELIVERY_LIMIT_DLQ,
                  (struct lq_lint_spot){logical, LQ_QUEUE_TYPE},
                  "a dead letter that was looked at and put back more than 20 "
                  "times is deleted: '%s' is a quorum queue, and has no "
                  "dead-letter exchange of its own",
                  logical->dead_letter_queue);
}

void lq_lint_loss(struct lq_lint_run *run, const struct lq_logical *logical)
{
    const bool quorum = lq_lint_is_quorum(logical);

    if (logical->bucket_count > 0) {
        (quorum ? check_quorum : check_classic)(run, logical);
    }
    if (quorum) {
        check_delivery_limits(run, logical);
    }
}
