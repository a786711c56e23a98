#include "plan/draft.h"

#include "model/entry.h"
#include "model/identity.h"
#include "model/names.h"
#include "plan/backoff.h"

#include <string.h>

/* Delays double 31 times at most: no more attempts than 32 can differ. */
#define DISTINCT_DELAYS_MAX ((size_t)(3 * 32))

/* Distinct, ascending. */
struct delays {
    uint64_t millis[DISTINCT_DELAYS_MAX];
    size_t count;
};

static void insert_delay(struct delays *delays, uint64_t millis)
{
    size_t at = delays->count;

    while (at > 0 && delays->millis[at - 1] > millis) {
        --at;
    }
    if (at > 0 && delays->millis[at - 1] == millis) {
        return;
    }
    memmove(&delays->millis[at + 1], &delays->millis[at],
            (delays->count - at) * sizeof(delays->millis[0]));
    delays->millis[at] = millis;
    ++delays->count;
}

static enum lq_status expand_attempts(const struct lq_entry *entry,
                                      struct lq_arena *arena,
                                      struct lq_logical *out,
                                      struct delays *delays)
{
    const size_t count = (size_t)entry->retry_attempts;
    struct lq_attempt *const attempts =
        lq_alloc_array(arena, count, sizeof(*attempts));

    if (!attempts) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < count; ++i) {
        struct lq_attempt *const attempt = &attempts[i];

        lq_backoff_attempt(entry, i + 1, attempt);
        out->min_wait_millis += attempt->delays_millis[0];
        out->max_wait_millis += attempt->delays_millis[attempt->count - 1];
        for (size_t j = 0; j < attempt->count; ++j) {
            insert_delay(delays, attempt->delays_millis[j]);
        }
    }
    out->attempts = attempts;
    out->attempt_count = count;
    return LQ_OK;
}

static bool fits(const char *root, const char *suffix)
{
    return strlen(root) + strlen(suffix) <= LQ_IDENTITY_MAX_BYTES;
}

/* A derived name breaks no other rule of identities when its root does not. */
static enum lq_status report_long(const struct lq_entry *entry,
                                  struct lq_diags *diags, enum lq_field field,
                                  const char *suffix, const char *what)
{
    const char *const root =
        field == LQ_NAME ? entry->name : entry->exchange_name;

    return lq_entry_error(
        diags, entry, field,
        "'%s' is too long: with '%s' the name of the %s has %zu bytes, over "
        "the limit of %d; shorten '%s' to %zu bytes",
        lq_field_name(field), suffix, what, strlen(root) + strlen(suffix),
        LQ_IDENTITY_MAX_BYTES, lq_field_name(field),
        LQ_IDENTITY_MAX_BYTES - strlen(suffix));
}

static enum lq_status name_buckets(const struct lq_entry *entry,
                                   const struct delays *delays,
                                   struct lq_arena *arena,
                                   struct lq_logical *out)
{
    struct lq_bucket *const buckets =
        lq_alloc_array(arena, delays->count, sizeof(*buckets));

    if (!buckets) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < delays->count; ++i) {
        const uint64_t millis = delays->millis[i];
        struct lq_bucket *const bucket = &buckets[i];

        bucket->delay_millis = millis;
        bucket->queue_name = lq_name_bucket_queue(arena, entry->name, millis);
        bucket->routing_key = lq_name_bucket_key(arena, entry->name, millis);
        if (!bucket->queue_name || !bucket->routing_key) {
            return LQ_NOMEM;
        }
    }
    out->buckets = buckets;
    out->bucket_count = delays->count;
    return LQ_OK;
}

static enum lq_status expand_buckets(const struct lq_entry *entry,
                                     const struct delays *delays,
                                     struct lq_diags *diags,
                                     struct lq_logical *out)
{
    const char *longest = NULL;

    if (delays->count > LQ_MAX_BUCKETS_PER_QUEUE) {
        return lq_entry_error(
            diags, entry, LQ_RETRY_ATTEMPTS,
            "needs %zu retry buckets, over the limit of %d: lower "
            "retry_attempts, retry_jitter_ratio or max_retry_backoff_millis",
            delays->count, LQ_MAX_BUCKETS_PER_QUEUE);
    }
    if (!lq_entry_sound(entry, lq_field_bit(LQ_NAME))) {
        return LQ_OK;
    }
    /* the last has the most digits; its key is shorter than its name */
    longest = lq_name_bucket_queue(diags->arena, "",
                                   delays->millis[delays->count - 1]);
    return fits(entry->name, longest)
               ? name_buckets(entry, delays, diags->arena, out)
               : report_long(entry, diags, LQ_NAME, longest, "retry bucket");
}

static enum lq_status expand_retries(const struct lq_entry *entry,
                                     struct lq_diags *diags,
                                     struct lq_logical *out)
{
    const uint64_t needed = lq_field_bit(LQ_RETRY_ATTEMPTS) |
                            lq_field_bit(LQ_RETRY_BACKOFF_MILLIS) |
                            lq_field_bit(LQ_MAX_RETRY_BACKOFF_MILLIS) |
                            lq_field_bit(LQ_RETRY_JITTER_RATIO);
    struct delays delays = {.count = 0};
    enum lq_status status = LQ_OK;

    if (!lq_entry_sound(entry, needed) || entry->retry_attempts == 0 ||
        entry->retry_backoff_millis > entry->max_retry_backoff_millis) {
        return LQ_OK;
    }
    status = expand_attempts(entry, diags->arena, out, &delays);
    return status == LQ_OK ? expand_buckets(entry, &delays, diags, out)
                           : status;
}

/* The retry exchange's name is checked even when there are no retries. */
static enum lq_status expand_retry_exchange(const struct lq_entry *entry,
                                            struct lq_diags *diags,
                                            struct lq_logical *out)
{
    const char *const suffix = LQ_RETRY_EXCHANGE_SUFFIX;

    if (!lq_entry_sound(entry, lq_field_bit(LQ_EXCHANGE_NAME))) {
        return LQ_OK;
    }
    if (!fits(entry->exchange_name, suffix)) {
        return report_long(entry, diags, LQ_EXCHANGE_NAME, suffix,
                           "retry exchange");
    }
    if (!lq_entry_sound(entry, lq_field_bit(LQ_RETRY_ATTEMPTS)) ||
        entry->retry_attempts == 0) {
        return LQ_OK;
    }
    out->retry_exchange =
        lq_name_join(diags->arena, entry->exchange_name, suffix);
    return out->retry_exchange ? LQ_OK : LQ_NOMEM;
}

/* Its derived name is shorter than the retry exchange's: no check of its own */
static enum lq_status expand_dead_letter_exchange(const struct lq_entry *entry,
                                                  struct lq_diags *diags,
                                                  struct lq_logical *out)
{
    const char *const suffix = LQ_DEAD_LETTER_EXCHANGE_SUFFIX;

    if (!lq_entry_sound(entry, lq_field_bit(LQ_DEAD_LETTER_EXCHANGE))) {
        return LQ_OK;
    }
    if (entry->dead_letter_exchange) {
        out->dead_letter_exchange = entry->dead_letter_exchange;
        return LQ_OK;
    }
    /* an external entry must name its own, and is told so */
    if (!lq_entry_sound(entry, lq_field_bit(LQ_EXCHANGE_NAME)) ||
        entry->topology_ownership == LQ_EXTERNAL) {
        return LQ_OK;
    }
    out->dead_letter_exchange =
        lq_name_join(diags->arena, entry->exchange_name, suffix);
    return out->dead_letter_exchange ? LQ_OK : LQ_NOMEM;
}

static enum lq_status expand_dead_letter_queue(const struct lq_entry *entry,
                                               struct lq_diags *diags,
                                               struct lq_logical *out)
{
    const char *const suffix = LQ_DEAD_LETTER_QUEUE_SUFFIX;

    if (!lq_entry_sound(entry, lq_field_bit(LQ_NAME))) {
        return LQ_OK;
    }
    out->dead_letter_routing_key = entry->dead_letter_routing_key
                                       ? entry->dead_letter_routing_key
                                       : entry->name;
    if (!fits(entry->name, suffix)) {
        return report_long(entry, diags, LQ_NAME, suffix, "dead-letter queue");
    }
    out->dead_letter_queue = lq_name_join(diags->arena, entry->name, suffix);
    return out->dead_letter_queue ? LQ_OK : LQ_NOMEM;
}

enum lq_status lq_expand_entry(const struct lq_entry *entry,
                               struct lq_diags *diags, struct lq_logical *out)
{
    enum lq_status status = LQ_OK;

    *out = (struct lq_logical){.entry = entry};
    status = expand_retry_exchange(entry, diags, out);
    status = lq_worse(status, expand_retries(entry, diags, out));
    status = lq_worse(status, expand_dead_letter_exchange(entry, diags, out));
    return lq_worse(status, expand_dead_letter_queue(entry, diags, out));
}
