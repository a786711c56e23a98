#include "plan/draft.h"

#include "model/entry.h"

#include <inttypes.h>

static bool is_given(const struct lq_entry *entry, enum lq_field field)
{
    return (entry->given & lq_field_bit(field)) != 0;
}

static bool is_sound(const struct lq_entry *entry, enum lq_field field)
{
    return lq_entry_sound(entry, lq_field_bit(field));
}

static enum lq_status check_exclusive(const struct lq_entry *entry,
                                      struct lq_diags *diags)
{
    if (!is_sound(entry, LQ_EXCLUSIVE) || !entry->exclusive) {
        return LQ_OK;
    }
    return lq_entry_error(diags, entry, LQ_EXCLUSIVE,
                          "'exclusive' must be false, not 'true': an exclusive "
                          "queue cannot outlive the connection declaring it");
}

/* Whether an external entry lacks one of its two dead-letter fields. */
static bool lacks(const struct lq_entry *entry, enum lq_field field,
                  const char *value)
{
    return is_sound(entry, LQ_TOPOLOGY_OWNERSHIP) &&
           entry->topology_ownership == LQ_EXTERNAL && is_sound(entry, field) &&
           !value;
}

static enum lq_status require_external(const struct lq_entry *entry,
                                       struct lq_diags *diags,
                                       enum lq_field field)
{
    return lq_entry_error(
        diags, entry, field,
        "'%s' is required when topology_ownership is external",
        lq_field_name(field));
}

static enum lq_status check_external_exchange(const struct lq_entry *entry,
                                              struct lq_diags *diags)
{
    return lacks(entry, LQ_DEAD_LETTER_EXCHANGE, entry->dead_letter_exchange)
               ? require_external(entry, diags, LQ_DEAD_LETTER_EXCHANGE)
               : LQ_OK;
}

static enum lq_status check_external_key(const struct lq_entry *entry,
                                         struct lq_diags *diags)
{
    return lacks(entry, LQ_DEAD_LETTER_ROUTING_KEY,
                 entry->dead_letter_routing_key)
               ? require_external(entry, diags, LQ_DEAD_LETTER_ROUTING_KEY)
               : LQ_OK;
}

static enum lq_status check_buffer(const struct lq_entry *entry,
                                   struct lq_diags *diags)
{
    if (!is_sound(entry, LQ_DELIVERY_BUFFER_CAPACITY) ||
        !is_sound(entry, LQ_PREFETCH_COUNT) ||
        entry->delivery_buffer_capacity <= entry->prefetch_count) {
        return LQ_OK;
    }
    return lq_entry_error(diags, entry, LQ_DELIVERY_BUFFER_CAPACITY,
                          "'delivery_buffer_capacity' must not exceed "
                          "prefetch_count (%" PRIu64 "%s), not '%" PRIu64 "'",
                          entry->prefetch_count,
                          is_given(entry, LQ_PREFETCH_COUNT) ? ""
                                                             : " by default",
                          entry->delivery_buffer_capacity);
}

static enum lq_status check_backoff(const struct lq_entry *entry,
                                    struct lq_diags *diags)
{
    if (!is_sound(entry, LQ_RETRY_BACKOFF_MILLIS) ||
        !is_sound(entry, LQ_MAX_RETRY_BACKOFF_MILLIS) ||
        entry->retry_backoff_millis <= entry->max_retry_backoff_millis) {
        return LQ_OK;
    }
    if (!is_given(entry, LQ_MAX_RETRY_BACKOFF_MILLIS)) {
        return lq_entry_error(
            diags, entry, LQ_RETRY_BACKOFF_MILLIS,
            "'retry_backoff_millis' must not exceed max_retry_backoff_millis "
            "(%" PRIu64 " by default), not '%" PRIu64 "'",
            entry->max_retry_backoff_millis, entry->retry_backoff_millis);
    }
    return lq_entry_error(
        diags, entry, LQ_MAX_RETRY_BACKOFF_MILLIS,
        "'max_retry_backoff_millis' must be at least retry_backoff_millis "
        "(%" PRIu64 "%s), not '%" PRIu64 "'",
        entry->retry_backoff_millis,
        is_given(entry, LQ_RETRY_BACKOFF_MILLIS) ? "" : " by default",
        entry->max_retry_backoff_millis);
}

static bool is_quorum(const struct lq_entry *entry)
{
    return is_sound(entry, LQ_QUEUE_TYPE) && entry->queue_type == LQ_QUORUM;
}

static enum lq_status check_quorum_durable(const struct lq_entry *entry,
                                           struct lq_diags *diags)
{
    if (!is_quorum(entry) || !is_sound(entry, LQ_DURABLE) || entry->durable) {
        return LQ_OK;
    }
    return lq_entry_error(diags, entry, LQ_DURABLE,
                          "'durable' must be true on a quorum queue, not "
                          "'false'");
}

static enum lq_status check_quorum_auto_delete(const struct lq_entry *entry,
                                               struct lq_diags *diags)
{
    if (!is_quorum(entry) || !is_sound(entry, LQ_AUTO_DELETE) ||
        !entry->auto_delete) {
        return LQ_OK;
    }
    return lq_entry_error(diags, entry, LQ_AUTO_DELETE,
                          "'auto_delete' must be false on a quorum queue, not "
                          "'true'");
}

/* A value out of range is given, too, and better left out than mended. */
static bool has_priority(const struct lq_entry *entry)
{
    return is_sound(entry, LQ_MAX_PRIORITY) ? entry->max_priority != 0
                                            : is_given(entry, LQ_MAX_PRIORITY);
}

static enum lq_status check_quorum_priority(const struct lq_entry *entry,
                                            struct lq_diags *diags)
{
    if (!is_quorum(entry) || !has_priority(entry)) {
        return LQ_OK;
    }
    return lq_entry_error(diags, entry, LQ_MAX_PRIORITY,
                          "'max_priority' must be absent on a quorum queue");
}

enum lq_status lq_rules_check(const struct lq_entry *entry,
                              struct lq_diags *diags)
{
    static enum lq_status (*const rules[])(const struct lq_entry *,
                                           struct lq_diags *) = {
        check_exclusive,
        check_external_exchange,
        check_external_key,
        check_buffer,
        check_backoff,
        check_quorum_durable,
        check_quorum_auto_delete,
        check_quorum_priority,
    };
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); ++i) {
        status = lq_worse(status, rules[i](entry, diags));
    }
    return status;
}
