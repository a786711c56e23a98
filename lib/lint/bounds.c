/* Bounds that contradict each other. */
#include "lint/run.h"

#include "topology/field.h"

#include <inttypes.h>

/* A message of average size so much smaller than the largest is unlikely. */
#define UNLIKELY_FRACTION 4096

/* The bounds of one of an entry's queues. */
struct bounds {
    const char *queue; /* what it is called */
    enum lq_field messages_field;
    enum lq_field bytes_field;
    uint64_t messages;
    uint64_t bytes;
};

static void check_bytes(struct lq_lint_run *run,
                        const struct lq_logical *logical,
                        const struct bounds *bounds)
{
    const uint64_t largest = logical->entry->max_message_size_bytes;
    const struct lq_lint_spot spot = {logical, bounds->bytes_field};

    if (bounds->bytes >= largest) {
        return;
    }
    lq_lint_found(run, LQ_LINT_BYTES_BELOW_MESSAGE, spot,
                  "%s is below max_message_size_bytes = %" PRIu64
                  ": %s %s a message of that size",
                  lq_lint_number_text(run, bounds->bytes_field, bounds->bytes),
                  largest, bounds->queue,
                  lq_lint_is_quorum(logical) ? "is full with" : "never takes");
}

/* The greatest bound of messages that there is means that none is wanted. */
static void check_messages(struct lq_lint_run *run,
                           const struct lq_logical *logical,
                           const struct bounds *bounds)
{
    const uint64_t largest = logical->entry->max_message_size_bytes;
    const uint64_t average = bounds->bytes / bounds->messages;

    if (bounds->bytes < largest || average >= largest / UNLIKELY_FRACTION ||
        bounds->messages == INT64_MAX) {
        return;
    }
    lq_lint_found(
        run, LQ_LINT_BYTES_BEFORE_MESSAGES,
        (struct lq_lint_spot){logical, bounds->messages_field},
        "%s is out of reach: %s reaches %s before, unless a message "
        "has %" PRIu64 " bytes or less on average, of at most %" PRIu64,
        lq_lint_number_text(run, bounds->messages_field, bounds->messages),
        bounds->queue,
        lq_lint_number_text(run, bounds->bytes_field, bounds->bytes), average,
        largest);
}

static void check_queue(struct lq_lint_run *run,
                        const struct lq_logical *logical,
                        const struct bounds *bounds)
{
    check_bytes(run, logical, bounds);
    check_messages(run, logical, bounds);
}

static void check_dead_letters(struct lq_lint_run *run,
                               const struct lq_logical *logical,
                               const struct bounds *bucket,
                               const struct bounds *dead)
{
    const bool fewer = dead->messages < bucket->messages;

    if (!fewer && dead->bytes >= bucket->bytes) {
        return;
    }
    lq_lint_found(
        run, LQ_LINT_DLQ_BELOW_BUCKET,
        (struct lq_lint_spot){logical,
                              fewer ? dead->messages_field : dead->bytes_field},
        "the dead-letter queue, of %s, cannot hold what one bucket, of %s, "
        "may: when a failure outlasts the retries it fills up, and consumers "
        "stop at the first message that they cannot hand to it%s",
        fewer ? lq_lint_number_text(run, dead->messages_field, dead->messages)
              : lq_lint_number_text(run, dead->bytes_field, dead->bytes),
        fewer
            ? lq_lint_number_text(run, bucket->messages_field, bucket->messages)
            : lq_lint_number_text(run, bucket->bytes_field, bucket->bytes),
        lq_lint_is_quorum(logical)
            ? ""
            : "; what expires or is rejected then is lost");
}

void lq_lint_bounds(struct lq_lint_run *run, const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;
    const struct bounds main = {"the main queue", LQ_MAIN_MAX_MESSAGES,
                                LQ_MAIN_MAX_BYTES, entry->main_max_messages,
                                entry->main_max_bytes};
    const struct bounds bucket = {
        "a bucket", LQ_RETRY_BUCKET_MAX_MESSAGES, LQ_RETRY_BUCKET_MAX_BYTES,
        entry->retry_bucket_max_messages, entry->retry_bucket_max_bytes};
    const struct bounds dead = {
        "the dead-letter queue", LQ_DEAD_LETTER_MAX_MESSAGES,
        LQ_DEAD_LETTER_MAX_BYTES, entry->dead_letter_max_messages,
        entry->dead_letter_max_bytes};

    check_queue(run, logical, &main);
    if (logical->bucket_count > 0) {
        check_queue(run, logical, &bucket);
        check_dead_letters(run, logical, &bucket, &dead);
    }
    check_queue(run, logical, &dead);
}
