#include "model/entry.h"

#include "base/text.h"

#include <stdarg.h>
#include <string.h>

static const char *const names[LQ_FIELD_COUNT] = {
    [LQ_NAME] = "name",
    [LQ_EXCHANGE_NAME] = "exchange_name",
    [LQ_ROUTING_KEY] = "routing_key",
    [LQ_EXCHANGE_KIND] = "exchange_kind",
    [LQ_QUEUE_TYPE] = "queue_type",
    [LQ_TOPOLOGY_OWNERSHIP] = "topology_ownership",
    [LQ_DURABLE] = "durable",
    [LQ_AUTO_DELETE] = "auto_delete",
    [LQ_EXCLUSIVE] = "exclusive",
    [LQ_SINGLE_ACTIVE_CONSUMER] = "single_active_consumer",
    [LQ_MAX_PRIORITY] = "max_priority",
    [LQ_MESSAGE_TTL_MS] = "message_ttl_ms",
    [LQ_DEAD_LETTER_EXCHANGE] = "dead_letter_exchange",
    [LQ_DEAD_LETTER_ROUTING_KEY] = "dead_letter_routing_key",
    [LQ_MAIN_MAX_MESSAGES] = "retention.main_max_messages",
    [LQ_MAIN_MAX_BYTES] = "retention.main_max_bytes",
    [LQ_RETRY_BUCKET_MAX_MESSAGES] = "retention.retry_bucket_max_messages",
    [LQ_RETRY_BUCKET_MAX_BYTES] = "retention.retry_bucket_max_bytes",
    [LQ_DEAD_LETTER_MAX_MESSAGES] = "retention.dead_letter_max_messages",
    [LQ_DEAD_LETTER_MAX_BYTES] = "retention.dead_letter_max_bytes",
    [LQ_RETRY_ATTEMPTS] = "retry_attempts",
    [LQ_RETRY_BACKOFF_MILLIS] = "retry_backoff_millis",
    [LQ_MAX_RETRY_BACKOFF_MILLIS] = "max_retry_backoff_millis",
    [LQ_RETRY_JITTER_RATIO] = "retry_jitter_ratio",
    [LQ_CONCURRENCY] = "concurrency",
    [LQ_PREFETCH_COUNT] = "prefetch_count",
    [LQ_DELIVERY_BUFFER_CAPACITY] = "delivery_buffer_capacity",
    [LQ_DELIVERY_EXECUTION_TIMEOUT_MILLIS] =
        "delivery_execution_timeout_millis",
    [LQ_SETTLEMENT_TIMEOUT_MILLIS] = "settlement_timeout_millis",
    [LQ_MAX_MESSAGE_SIZE_BYTES] = "max_message_size_bytes",
};

const char *lq_field_name(enum lq_field field)
{
    return names[field];
}

enum lq_status lq_field_place(const struct lq_entry *entry, enum lq_field field,
                              struct lq_arena *arena, struct lq_place *out)
{
    *out = entry->place;
    if ((entry->given & lq_field_bit(field)) == 0) {
        return LQ_OK;
    }
    if (entry->lines[field] != 0) {
        out->line = entry->lines[field];
        out->column = 0;
    }
    if (entry->place.path) {
        out->path = lq_format(arena, "%s.%s", entry->place.path, names[field]);
    }
    return entry->place.path && !out->path ? LQ_NOMEM : LQ_OK;
}

char *lq_entry_label(struct lq_arena *arena, const struct lq_entry *entry)
{
    const char *const name = entry->name ? entry->name : "";
    const char *const shown = lq_printable(arena, name, strlen(name));

    return shown ? lq_format(arena, "[queue:%s]", shown) : NULL;
}

enum lq_status lq_entry_error(struct lq_diags *diags,
                              const struct lq_entry *entry, enum lq_field field,
                              const char *format, ...)
{
    const char *const label = lq_entry_label(diags->arena, entry);
    struct lq_place place;
    const char *text = NULL;
    va_list args;

    va_start(args, format);
    text = lq_vformat(diags->arena, format, args);
    va_end(args);
    if (!label || !text ||
        lq_field_place(entry, field, diags->arena, &place) != LQ_OK) {
        return LQ_NOMEM;
    }
    return lq_error(diags, &place, "%s %s", label, text);
}
