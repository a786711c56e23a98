#include "lint/run.h"
#include "model/entry.h"

#include <inttypes.h>
#include <string.h>

/* An average message so much smaller than the largest is unlikely. */
#define UNLIKELY_FRACTION 4096

/* The bounds of one of an entry's queues. */
struct bounds {
    const char *queue; /* what messages call it */
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

/* The greatest possible bound of messages means that none is wanted. */
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
        "%s is out of reach: %s reaches %s first, unless a message has %" PRIu64
        " bytes or less on average, of at most %" PRIu64,
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

/* Limits that many entries together come near or pass. */

#define CONSUMER_MAX_ENTRIES 256 /* that one process of the framework takes */

/* From nine tenths of a limit on. */
static bool is_near(size_t count, size_t limit)
{
    return count * 10 >= limit * 9;
}

static void check_entry_buckets(struct lq_lint_run *run,
                                const struct lq_logical *logical)
{
    if (is_near(logical->bucket_count, LQ_MAX_BUCKETS_PER_QUEUE)) {
        lq_lint_found(run, LQ_LINT_BUCKETS_NEAR_LIMIT,
                      (struct lq_lint_spot){logical, LQ_RETRY_ATTEMPTS},
                      "%zu of at most %d buckets of an entry are used",
                      logical->bucket_count, LQ_MAX_BUCKETS_PER_QUEUE);
    }
}

/* Reports the entry at which the buckets of all come near their limit. */
static void check_buckets(struct lq_lint_run *run)
{
    const struct lq_topology *const topology = run->topology;
    size_t buckets = 0;

    for (size_t i = 0; i < topology->logical_count; ++i) {
        const struct lq_logical *const logical = &topology->logicals[i];
        const bool near = is_near(buckets, LQ_MAX_BUCKETS);

        check_entry_buckets(run, logical);
        buckets += logical->bucket_count;
        if (!near && is_near(buckets, LQ_MAX_BUCKETS)) {
            lq_lint_found(run, LQ_LINT_BUCKETS_NEAR_LIMIT,
                          (struct lq_lint_spot){logical, LQ_FIELD_COUNT},
                          "%zu of at most %d buckets of a topology are used, "
                          "%zu of them up to this entry",
                          topology->bucket_count, LQ_MAX_BUCKETS, buckets);
        }
    }
}

/* The end of a run of entries of one file: they follow each other. */
static size_t end_of_file(const struct lq_topology *topology, size_t start)
{
    const char *const file = topology->logicals[start].entry->place.file;
    size_t end = start;

    while (end < topology->logical_count &&
           topology->logicals[end].entry->place.file == file) {
        ++end;
    }
    return end;
}

static void check_entries(struct lq_lint_run *run)
{
    const struct lq_topology *const topology = run->topology;
    size_t end = 0;

    for (size_t i = 0; i < topology->logical_count; i = end) {
        end = end_of_file(topology, i);
        if (end - i > CONSUMER_MAX_ENTRIES) {
            lq_lint_found(run, LQ_LINT_CONSUMER_ENTRIES,
                          (struct lq_lint_spot){
                              &topology->logicals[i + CONSUMER_MAX_ENTRIES],
                              LQ_FIELD_COUNT},
                          "the file has %zu entries, but one consumer process "
                          "takes at most %d: this is the first one too many",
                          end - i, CONSUMER_MAX_ENTRIES);
        }
    }
}

/* Adds up; false when the sum passes the limit. */
static bool add_up(uint64_t *sum, const struct lq_sum *part, uint64_t limit)
{
    if (!part->known || part->value > limit - *sum) {
        return false;
    }
    *sum += part->value;
    return true;
}

static void report_disk(struct lq_lint_run *run,
                        const struct lq_logical *logical)
{
    const struct lq_sum all = run->topology->capacity.bytes;
    const uint64_t limit = run->settings->max_disk_bytes;
    const struct lq_lint_spot spot = {logical, LQ_FIELD_COUNT};

    if (all.known) {
        lq_lint_found(run, LQ_LINT_DISK_BUDGET, spot,
                      "all queues together may hold %" PRIu64
                      " bytes, more than the %" PRIu64
                      " of the disk; those of the entries before this one fit",
                      all.value, limit);
    } else {
        lq_lint_found(
            run, LQ_LINT_DISK_BUDGET, spot,
            "all queues together may hold more than the %" PRIu64
            " bytes of the disk; those of the entries before this one fit",
            limit);
    }
}

/* Reports the first entry that the disk is too small for. */
static void check_disk(struct lq_lint_run *run)
{
    const struct lq_topology *const topology = run->topology;
    const uint64_t limit = run->settings->max_disk_bytes;
    uint64_t sum = 0;

    for (size_t i = 0; limit > 0 && i < topology->logical_count; ++i) {
        if (!add_up(&sum, &topology->logicals[i].capacity.bytes, limit)) {
            report_disk(run, &topology->logicals[i]);
            return;
        }
    }
}

void lq_lint_limits(struct lq_lint_run *run)
{
    check_buckets(run);
    check_entries(run);
    check_disk(run);
}
