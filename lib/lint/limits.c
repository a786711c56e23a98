/* Limits that many entries together come near or pass. */
#include "lint/run.h"

#include <inttypes.h>
#include <string.h>

#define CONSUMER_MAX_ENTRIES 256 /* of one process of the framework */

/* Nine tenths of a limit and more is near it. */
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

/* Tells where the buckets of all entries come near their limit. */
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

/* The entries of a file follow each other. */
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
            lq_lint_found(
                run, LQ_LINT_CONSUMER_ENTRIES,
                (struct lq_lint_spot){
                    &topology->logicals[i + CONSUMER_MAX_ENTRIES],
                    LQ_FIELD_COUNT},
                "the file has %zu entries, but one consumer process takes at "
                "most %d: this is the first one too many",
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

/* Tells which entry is the first that the disk is too small for. */
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
