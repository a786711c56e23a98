/* How long messages live and wait. */
#include "lint/run.h"

#include <inttypes.h>

static void check_window(struct lq_lint_run *run,
                         const struct lq_logical *logical)
{
    const uint64_t limit = run->settings->max_window_millis;

    if (limit > 0 && logical->max_wait_millis > limit) {
        lq_lint_found(run, LQ_LINT_RETRY_WINDOW_LIMIT,
                      (struct lq_lint_spot){logical, LQ_RETRY_ATTEMPTS},
                      "the %zu attempts wait up to %" PRIu64
                      " ms together, more than the limit of %" PRIu64 " ms",
                      logical->attempt_count, logical->max_wait_millis, limit);
    }
}

static void check_ttl(struct lq_lint_run *run, const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;
    const struct lq_lint_spot spot = {logical, LQ_MESSAGE_TTL_MS};
    const uint64_t ttl = entry->message_ttl_ms;

    if (ttl <= logical->max_wait_millis) {
        lq_lint_found(run, LQ_LINT_TTL_BELOW_WINDOW, spot,
                      "a message that waits %" PRIu64
                      " ms in the main queue becomes a dead letter without "
                      "being tried, though its retries are to bridge up to "
                      "%" PRIu64 " ms",
                      ttl, logical->max_wait_millis);
    }
    if (ttl <= entry->delivery_execution_timeout_millis) {
        lq_lint_found(run, LQ_LINT_TTL_BELOW_HANDLER, spot,
                      "a message that waits %" PRIu64
                      " ms in the main queue becomes a dead letter, but one "
                      "delivery may take %" PRIu64
                      " ms: a slow one costs those behind it their chance",
                      ttl, entry->delivery_execution_timeout_millis);
    }
}

static void check_order(struct lq_lint_run *run,
                        const struct lq_logical *logical)
{
    lq_lint_found(run, LQ_LINT_RETRY_REORDERS,
                  (struct lq_lint_spot){logical, LQ_SINGLE_ACTIVE_CONSUMER},
                  "a message that is retried comes back up to %" PRIu64
                  " ms later, behind all that came meanwhile, so the order "
                  "that a single active consumer keeps is lost",
                  logical->max_wait_millis);
}

void lq_lint_times(struct lq_lint_run *run, const struct lq_logical *logical)
{
    check_window(run, logical);
    if (logical->entry->message_ttl_ms > 0) {
        check_ttl(run, logical);
    }
    if (logical->entry->single_active_consumer && logical->bucket_count > 0) {
        check_order(run, logical);
    }
}
