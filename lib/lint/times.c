#include "lint/run.h"
#include "model/entry.h"

#include <inttypes.h>

/* How long messages live and wait. */

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
        lq_lint_found(
            run, LQ_LINT_TTL_BELOW_WINDOW, spot,
            "a message that waits %" PRIu64
            " ms in the main queue becomes a dead letter without being tried, "
            "though its retries are to bridge up to %" PRIu64 " ms",
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

/* Main queues that go away before their buckets do. */

static void check_transient(struct lq_lint_run *run,
                            const struct lq_logical *logical)
{
    const struct lq_lint_spot spot = {logical, LQ_DURABLE};

    if (logical->bucket_count > 0) {
        lq_lint_found(
            run, LQ_LINT_TRANSIENT_MAIN, spot,
            "a restart of the broker takes the main queue away, but not its "
            "%zu durable buckets: what they send back finds no queue and is "
            "dropped; RabbitMQ 4 also warns about such a main queue, and 4.3, "
            "set to refuse it, does not start while it has one",
            logical->bucket_count);
        return;
    }
    lq_lint_found(
        run, LQ_LINT_TRANSIENT_DEPRECATED, spot,
        "'%s' is neither durable nor exclusive, which is deprecated: the "
        "broker warns about it; a broker that is set to refuse it closes the "
        "connection with 541, and 4.3 then does not start while it has one",
        logical->entry->name);
}

static void check_auto_delete(struct lq_lint_run *run,
                              const struct lq_logical *logical)
{
    lq_lint_found(run, LQ_LINT_AUTO_DELETE_MAIN,
                  (struct lq_lint_spot){logical, LQ_AUTO_DELETE},
                  "the main queue is deleted with its last consumer, but not "
                  "its %zu buckets: what they send back, within %" PRIu64
                  " ms, is dropped unless a consumer has declared it again",
                  logical->bucket_count,
                  logical->buckets[logical->bucket_count - 1].delay_millis);
}

void lq_lint_lifetime(struct lq_lint_run *run, const struct lq_logical *logical)
{
    if (!logical->entry->durable) {
        check_transient(run, logical);
    }
    if (logical->entry->auto_delete && logical->bucket_count > 0) {
        check_auto_delete(run, logical);
    }
}

/* Settings without effect. */

static bool varies(const struct lq_logical *logical)
{
    for (size_t i = 0; i < logical->attempt_count; ++i) {
        if (logical->attempts[i].count > 1) {
            return true;
        }
    }
    return false;
}

static void check_jitter(struct lq_lint_run *run,
                         const struct lq_logical *logical)
{
    if (!varies(logical)) {
        lq_lint_found(
            run, LQ_LINT_JITTER_WITHOUT_EFFECT,
            (struct lq_lint_spot){logical, LQ_RETRY_JITTER_RATIO},
            "'retry_jitter_ratio' is set, but changes none of the %zu delays",
            logical->attempt_count);
    }
}

/* The first backoff field that the entry itself gives. */
static enum lq_field given_backoff(const struct lq_entry *entry)
{
    static const enum lq_field fields[] = {LQ_RETRY_BACKOFF_MILLIS,
                                           LQ_MAX_RETRY_BACKOFF_MILLIS,
                                           LQ_RETRY_JITTER_RATIO};
    const uint64_t own = entry->given & ~entry->inherited;

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); ++i) {
        if (own & lq_field_bit(fields[i])) {
            return fields[i];
        }
    }
    return LQ_FIELD_COUNT;
}

static void check_backoff(struct lq_lint_run *run,
                          const struct lq_logical *logical)
{
    const enum lq_field field = given_backoff(logical->entry);

    if (field != LQ_FIELD_COUNT) {
        lq_lint_found(run, LQ_LINT_BACKOFF_WITHOUT_ATTEMPTS,
                      (struct lq_lint_spot){logical, field},
                      "'%s' is set, but with retry_attempts = 0 there is no "
                      "retry to delay",
                      lq_field_name(field));
    }
}

void lq_lint_idle(struct lq_lint_run *run, const struct lq_logical *logical)
{
    if (logical->attempt_count == 0) {
        check_backoff(run, logical);
    } else if (logical->entry->retry_jitter_ratio > 0) {
        check_jitter(run, logical);
    }
}
