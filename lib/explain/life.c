#include "explain/life.h"

#include "plan/backoff.h"

#include <string.h>

/* The attempt's delay as it is without jitter. */
static uint64_t nominal_of(const struct lq_logical *logical, uint64_t number)
{
    struct lq_entry plain = *logical->entry;
    struct lq_attempt attempt;

    plain.retry_jitter_ratio = 0;
    lq_backoff_attempt(&plain, number, &attempt);
    return attempt.delays_millis[0];
}

static enum lq_spread spread_of(uint64_t delay, uint64_t nominal)
{
    if (delay == nominal) {
        return LQ_SPREAD_NOMINAL;
    }
    return delay < nominal ? LQ_SPREAD_LOWER : LQ_SPREAD_UPPER;
}

static void fill_stops(const struct lq_life *life, struct lq_retry *retry)
{
    const struct lq_logical *const logical = life->logical;
    const struct lq_attempt *const attempt =
        &logical->attempts[retry->number - 1];
    const uint64_t nominal = nominal_of(logical, retry->number);
    const uint64_t chosen =
        life->event_id ? lq_backoff_select(logical->entry, life->event_id,
                                           (uint32_t)retry->number)
                       : 0;

    for (size_t i = 0; i < attempt->count; ++i) {
        const uint64_t delay = attempt->delays_millis[i];

        retry->stops[i] = (struct lq_stop){
            .bucket = &logical->buckets[lq_bucket_index(logical, delay)],
            .spread = spread_of(delay, nominal),
            .taken = chosen == 0 || chosen == delay,
        };
    }
    retry->stop_count = attempt->count;
}

/* Adds the shortest and the longest wait of the retry to those before it. */
static void add_waits(struct lq_life *life, struct lq_retry *retry)
{
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;

    for (size_t i = 0; i < retry->stop_count; ++i) {
        const uint64_t delay = retry->stops[i].bucket->delay_millis;

        if (retry->stops[i].taken) {
            least = delay < least ? delay : least;
            most = delay > most ? delay : most;
        }
    }
    life->min_elapsed_millis += least;
    life->max_elapsed_millis += most;
    retry->min_elapsed_millis = life->min_elapsed_millis;
    retry->max_elapsed_millis = life->max_elapsed_millis;
}

enum lq_status lq_life_build(const struct lq_logical *logical,
                             const char *event_id, struct lq_arena *arena,
                             struct lq_life *out)
{
    const size_t count = logical->attempt_count;
    struct lq_retry *const retries =
        lq_alloc_array(arena, count, sizeof(*retries));

    if (!retries) {
        return LQ_NOMEM;
    }
    *out = (struct lq_life){.logical = logical,
                            .event_id = event_id,
                            .retries = retries,
                            .retry_count = count};
    for (size_t i = 0; i < count; ++i) {
        retries[i].number = i + 1;
        fill_stops(out, &retries[i]);
        add_waits(out, &retries[i]);
    }
    return LQ_OK;
}

size_t lq_bucket_index(const struct lq_logical *logical, uint64_t delay_millis)
{
    size_t low = 0;
    size_t high = logical->bucket_count - 1;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (logical->buckets[middle].delay_millis < delay_millis) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const struct lq_hand_off_header lq_headers[LQ_HEADER_COUNT] = {
    {"x-retry-count", "int32", LQ_HEADER_RETRY_COUNT},
    {"x-lily-failure-delivery-attempt", "int32", LQ_HEADER_DELIVERY_ATTEMPT},
    {"x-lily-rejection-code", "longstr", LQ_HEADER_REJECTION_CODE},
    {"x-lily-event-id", "longstr", LQ_HEADER_EVENT_ID},
    {"x-lily-schema-version", "longstr", LQ_HEADER_OWN},
    {"x-lily-content-kind", "longstr", LQ_HEADER_OWN},
    {"traceparent", "longstr", LQ_HEADER_OWN},
    {"tracestate", "longstr", LQ_HEADER_OWN},
};

struct lq_hand_off lq_hand_off_retry(uint64_t number)
{
    return (struct lq_hand_off){.retry_count = number,
                                .delivery_attempt = number};
}

struct lq_hand_off lq_hand_off_dead(uint64_t retries)
{
    return (struct lq_hand_off){.retry_count = retries,
                                .delivery_attempt = retries + 1};
}
