/* Main queues that go away before their buckets do. */
#include "lint/run.h"

#include <inttypes.h>

static void check_transient(struct lq_lint_run *run,
                            const struct lq_logical *logical)
{
    const struct lq_lint_spot spot = {logical, LQ_DURABLE};

    if (logical->bucket_count > 0) {
        lq_lint_found(run, LQ_LINT_TRANSIENT_MAIN, spot,
                      "a restart of the broker takes the main queue away, but "
                      "not its %zu durable buckets: what they send back finds "
                      "no queue and is dropped; RabbitMQ 4 warns of such a "
                      "main queue too, and 4.3, set to refuse it, does not "
                      "start while it has one",
                      logical->bucket_count);
        return;
    }
    lq_lint_found(run, LQ_LINT_TRANSIENT_DEPRECATED, spot,
                  "'%s' is neither durable nor exclusive, which is deprecated: "
                  "the broker warns of it; set to refuse it, it closes the "
                  "connection with 541, and 4.3 does not start while it has "
                  "one",
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
