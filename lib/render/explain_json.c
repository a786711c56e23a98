#include "explain/headers.h"
#include "render/explain.h"
#include "render/load_json.h"
#include "render/plan.h"
#include "render/text.h"
#include "json/write.h"

static void write_queue(struct lq_json *json, const struct lq_entry *entry)
{
    lq_json_object_begin(json, "queue");
    lq_json_main_queue(json, entry);
    lq_json_object_end(json);
}

static void write_headers(struct lq_json *json, const struct lq_life *life,
                          struct lq_hand_off hand_off)
{
    lq_json_object_begin(json, "headers");
    for (size_t i = 0; i < LQ_HEADER_COUNT; ++i) {
        const char *const name = lq_headers[i].name;

        switch (lq_headers[i].value) {
        case LQ_HEADER_RETRY_COUNT:
            lq_json_count(json, name, hand_off.retry_count);
            break;
        case LQ_HEADER_DELIVERY_ATTEMPT:
            lq_json_count(json, name, hand_off.delivery_attempt);
            break;
        case LQ_HEADER_EVENT_ID:
            lq_json_text_or_null(json, name, life->event_id);
            break;
        case LQ_HEADER_REJECTION_CODE:
        case LQ_HEADER_OWN:
            lq_json_null(json, name);
            break;
        }
    }
    lq_json_object_end(json);
}

static void write_stop(struct lq_json *json, const struct lq_stop *stop)
{
    static const char *const spreads[] = {[LQ_SPREAD_LOWER] = "lower",
                                          [LQ_SPREAD_NOMINAL] = "nominal",
                                          [LQ_SPREAD_UPPER] = "upper"};

    lq_json_object_begin(json, NULL);
    lq_json_text(json, "spread", spreads[stop->spread]);
    lq_json_count(json, "delay_millis", stop->bucket->delay_millis);
    lq_json_text(json, "queue", stop->bucket->queue_name);
    lq_json_text(json, "routing_key", stop->bucket->routing_key);
    lq_json_bool(json, "possible", stop->taken);
    lq_json_object_end(json);
}

static void write_elapsed(struct lq_json *json, uint64_t least, uint64_t most)
{
    lq_json_count(json, "min_elapsed_millis", least);
    lq_json_count(json, "max_elapsed_millis", most);
}

static void write_retries(struct lq_json *json, const struct lq_life *life)
{
    lq_json_lines_begin(json, "retries");
    for (size_t i = 0; i < life->retry_count; ++i) {
        const struct lq_retry *const retry = &life->retries[i];

        lq_json_object_begin(json, NULL);
        lq_json_count(json, "retry", retry->number);
        lq_json_array_begin(json, "buckets");
        for (size_t j = 0; j < retry->stop_count; ++j) {
            write_stop(json, &retry->stops[j]);
        }
        lq_json_array_end(json);
        write_elapsed(json, retry->min_elapsed_millis,
                      retry->max_elapsed_millis);
        write_headers(json, life, lq_hand_off_retry(retry->number));
        lq_json_object_end(json);
    }
    lq_json_lines_end(json);
}

static void write_dead_letter(struct lq_json *json, const struct lq_life *life)
{
    const struct lq_logical *const logical = life->logical;

    lq_json_object_begin(json, "dead_letter");
    lq_json_text(json, "exchange", logical->dead_letter_exchange);
    lq_json_text(json, "routing_key", logical->dead_letter_routing_key);
    lq_json_text(json, "queue", logical->dead_letter_queue);
    write_elapsed(json, life->min_elapsed_millis, life->max_elapsed_millis);
    write_headers(json, life, lq_hand_off_dead(life->retry_count));
    lq_json_count(json, "over_bytes", logical->entry->max_message_size_bytes);
    lq_json_count_or_null(json, "expires_after_millis",
                          logical->entry->message_ttl_ms);
    lq_json_object_end(json);
}

static void write_header_types(struct lq_json *json)
{
    lq_json_lines_begin(json, "header_types");
    for (size_t i = 0; i < LQ_HEADER_COUNT; ++i) {
        const struct lq_hand_off_header *const header = &lq_headers[i];
        const bool kept = header->value == LQ_HEADER_EVENT_ID ||
                          header->value == LQ_HEADER_OWN;

        lq_json_object_begin(json, NULL);
        lq_json_text(json, "name", header->name);
        lq_json_text(json, "type", header->type);
        lq_json_text(json, "origin", kept ? "kept" : "set");
        lq_json_object_end(json);
    }
    lq_json_lines_end(json);
}

enum lq_status lq_explain_json_render(const struct lq_explanation *explanation,
                                      const struct lilyq_sink *sink)
{
    const struct lq_life *const life = &explanation->life;
    struct lq_json json;

    lq_json_begin(&json, sink);
    lq_json_text(&json, "format", "lilyq-explain");
    lq_json_count(&json, "format_version", 1);
    lq_json_text(&json, "topology_version", "v2");
    write_queue(&json, life->logical->entry);
    lq_json_text_or_null(&json, "event_id", life->event_id);
    lq_json_text_or_null(&json, "retry_exchange",
                         life->logical->retry_exchange);
    write_retries(&json, life);
    write_dead_letter(&json, life);
    write_header_types(&json);
    if (explanation->load) {
        lq_json_write_load(&json, life->logical, explanation->load);
    }
    return lq_json_end(&json);
}
