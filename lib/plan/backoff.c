#include "plan/backoff.h"

#include <math.h>

#define DOUBLINGS_MAX ((uint64_t)31)

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t nominal_delay(const struct lq_entry *entry, uint64_t attempt)
{
    const uint64_t doublings = min_u64(attempt - 1, DOUBLINGS_MAX);
    const uint64_t base = entry->retry_backoff_millis;
    const uint64_t grown =
        base > UINT64_MAX >> doublings ? UINT64_MAX : base << doublings;

    return min_u64(grown, entry->max_retry_backoff_millis);
}

static uint64_t clamp(uint64_t delay, const struct lq_entry *entry)
{
    if (delay < entry->retry_backoff_millis) {
        return entry->retry_backoff_millis;
    }
    return min_u64(delay, entry->max_retry_backoff_millis);
}

static void add_distinct(struct lq_attempt *attempt, uint64_t delay)
{
    /* delays come ascending, so that a repeat follows its equal */
    if (attempt->count == 0 ||
        attempt->delays_millis[attempt->count - 1] != delay) {
        attempt->delays_millis[attempt->count++] = delay;
    }
}

void lq_backoff_attempt(const struct lq_entry *entry, uint64_t attempt,
                        struct lq_attempt *out)
{
    const uint64_t nominal = nominal_delay(entry, attempt);
    /* its own step: the product must be rounded to binary64 before round() */
    const double product = (double)nominal * entry->retry_jitter_ratio;
    const uint64_t spread = (uint64_t)round(product);

    *out = (struct lq_attempt){.count = 0};
    add_distinct(out, clamp(nominal - spread, entry));
    add_distinct(out, clamp(nominal, entry));
    add_distinct(out, clamp(nominal + spread, entry));
}

static uint64_t hash_byte(uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * UINT64_C(0x100000001b3);
}

uint64_t lq_backoff_hash(const char *event_id, uint32_t attempt)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *event_id; ++event_id) {
        hash = hash_byte(hash, (unsigned char)*event_id);
    }
    for (int shift = 24; shift >= 0; shift -= 8) {
        hash = hash_byte(hash, (unsigned char)(attempt >> shift));
    }
    return hash;
}

uint64_t lq_backoff_select(const struct lq_entry *entry, const char *event_id,
                           uint32_t attempt)
{
    struct lq_attempt candidates;

    if (attempt == 0 || attempt > entry->retry_attempts) {
        return 0;
    }
    lq_backoff_attempt(entry, attempt, &candidates);
    return candidates
        .delays_millis[lq_backoff_hash(event_id, attempt) % candidates.count];
}
