#include "format/logical_json.h"

#include "format/words.h"

static void write_delays(struct lq_json *json, const struct lq_logical *logical)
{
    lq_json_array_begin(json, "delays_millis");
    for (size_t i = 0; i < logical->attempt_count; ++i) {
        const struct lq_attempt *const attempt = &logical->attempts[i];

        lq_json_array_begin(json, NULL);
        for (size_t j = 0; j < attempt->count; ++j) {
            lq_json_count(json, NULL, attempt->delays_millis[j]);
        }
        lq_json_array_end(json);
    }
    lq_json_array_end(json);
}

static void write_buckets(struct lq_json *json,
                          const struct lq_logical *logical)
{
    lq_json_array_begin(json, "buckets");
    for (size_t i = 0; i < logical->bucket_count; ++i) {
        const struct lq_bucket *const bucket = &logical->buckets[i];

        lq_json_object_begin(json, NULL);
        lq_json_count(json, "delay_millis", bucket->delay_millis);
        lq_json_text(json, "queue", bucket->queue_name);
        lq_json_text(json, "routing_key", bucket->routing_key);
        lq_json_object_end(json);
    }
    lq_json_array_end(json);
}

static void write_window(struct lq_json *json, const struct lq_logical *logical)
{
    lq_json_object_begin(json, "retry_window");
    lq_json_count(json, "min_wait_millis", logical->min_wait_millis);
    lq_json_count(json, "max_wait_millis", logical->max_wait_millis);
    lq_json_object_end(json);
}

static void write_dead_letter(struct lq_json *json,
                              const struct lq_logical *logical)
{
    lq_json_object_begin(json, "dead_letter");
    lq_json_text(json, "exchange", logical->dead_letter_exchange);
    lq_json_text(json, "queue", logical->dead_letter_queue);
    lq_json_text(json, "routing_key", logical->dead_letter_routing_key);
    lq_json_object_end(json);
}

static void write_sum(struct lq_json *json, const char *key,
                      const struct lq_sum *sum)
{
    if (sum->known) {
        lq_json_count(json, key, sum->value);
    } else {
        lq_json_null(json, key);
    }
}

void lq_json_capacity(struct lq_json *json, const char *key,
                      const struct lq_capacity *capacity)
{
    lq_json_object_begin(json, key);
    write_sum(json, "messages", &capacity->messages);
    write_sum(json, "bytes", &capacity->bytes);
    lq_json_object_end(json);
}

void lq_json_main_queue(struct lq_json *json, const struct lq_entry *entry)
{
    lq_json_text(json, "name", entry->name);
    lq_json_text(json, "ownership",
                 lq_ownership_word(entry->topology_ownership));
    lq_json_text(json, "queue_type", lq_queue_type_word(entry->queue_type));
    lq_json_text(json, "exchange", entry->exchange_name);
    lq_json_text(json, "routing_key", entry->routing_key);
}

void lq_json_logical(struct lq_json *json, const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;

    lq_json_object_begin(json, NULL);
    lq_json_main_queue(json, entry);
    lq_json_text_or_null(json, "retry_exchange", logical->retry_exchange);
    write_delays(json, logical);
    write_buckets(json, logical);
    write_window(json, logical);
    write_dead_letter(json, logical);
    lq_json_capacity(json, "worst_case", &logical->capacity);
    lq_json_object_end(json);
}
