#include "render/explain.h"

#include "explain/figure.h"
#include "explain/life.h"
#include "render/plan.h"
#include "render/text.h"
#include "json/write.h"

#include <math.h>
#include <stdbool.h>

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

#define DECIMALS 3
#define RATE_DECIMALS 6

static void write_decimal(struct lq_json *json, const char *key, double number,
                          unsigned decimals)
{
    if (isinf(number)) {
        lq_json_null(json, key);
    } else {
        lq_json_number(json, key, lq_decimal_of(number, decimals).text);
    }
}

static void write_messages(struct lq_json *json, const char *key, double number)
{
    write_decimal(json, key, number, DECIMALS);
}

static void write_whole(struct lq_json *json, const char *key, double number)
{
    write_decimal(json, key, number, 0);
}

static void write_given(struct lq_json *json, const struct lq_load_case *given)
{
    lq_json_object_begin(json, "load");
    write_decimal(json, "rate_per_second", given->rate_per_second,
                  RATE_DECIMALS);
    write_decimal(json, "failure_ratio", given->failure_ratio, RATE_DECIMALS);
    write_whole(json, "outage_millis",
                given->outage_millis ? (double)given->outage_millis : INFINITY);
    write_whole(json, "message_bytes",
                given->message_bytes ? (double)given->message_bytes : INFINITY);
    lq_json_object_end(json);
}

static const char *queue_of(const struct lq_level *level,
                            const struct lq_logical *logical)
{
    switch (level->role) {
    case LQ_ROLE_MAIN:
        return logical->entry->name;
    case LQ_ROLE_RETRY:
        return level->bucket->queue_name;
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return logical->dead_letter_queue;
}

static void write_full(struct lq_json *json, const struct lq_level *level)
{
    lq_json_object_begin(json, "full_after_millis");
    write_whole(json, "by_messages", level->full_millis[LQ_BOUND_MESSAGES]);
    write_whole(json, "by_largest_bytes", level->full_millis[LQ_BOUND_LARGEST]);
    write_whole(json, "by_message_bytes", level->full_millis[LQ_BOUND_BYTES]);
    lq_json_object_end(json);
}

/* What a queue holds, if each message has `size` bytes; its peak is known for
   the size that the bounds are compared with. */
static void write_bytes(struct lq_json *json, const char *key,
                        const struct lq_level *level, uint64_t size,
                        bool counts)
{
    const bool bucket = level->role == LQ_ROLE_RETRY;
    const bool peaks = counts && !isinf(level->peak_millis);
    const double each = (double)size;

    if (size == 0) {
        lq_json_null(json, key);
        return;
    }
    lq_json_object_begin(json, key);
    write_whole(json, "normal", bucket ? level->normal * each : INFINITY);
    write_whole(json, "peak", peaks ? level->peak * each : INFINITY);
    write_whole(json, "limit", level->most * each);
    lq_json_object_end(json);
}

/* What a queue holds. */
static void write_content(struct lq_json *json, const struct lq_level *level)
{
    if (level->role == LQ_ROLE_RETRY) {
        lq_json_count(json, "delay_millis", level->bucket->delay_millis);
        write_messages(json, "normal_messages", level->normal);
        write_messages(json, "limit_messages", level->most);
    } else if (level->role == LQ_ROLE_DEAD_LETTER) {
        write_decimal(json, "normal_per_second", level->growth, RATE_DECIMALS);
    }
    write_messages(json, "peak_messages",
                   isinf(level->peak_millis) ? INFINITY : level->peak);
    write_whole(json, "peak_after_millis", level->peak_millis);
}

static void write_levels(struct lq_json *json, const struct lq_logical *logical,
                         const struct lq_load *load)
{
    lq_json_lines_begin(json, "levels");
    for (size_t i = 0; i < load->level_count; ++i) {
        const struct lq_level *const level = &load->levels[i];

        lq_json_object_begin(json, NULL);
        lq_json_text(json, "role", lq_queue_role_word(level->role));
        lq_json_text(json, "queue", queue_of(level, logical));
        lq_json_count(json, "max_messages", level->max_messages);
        lq_json_count(json, "max_bytes", level->max_bytes);
        write_content(json, level);
        write_bytes(json, "largest_bytes", level,
                    lq_load_bytes(load, logical, LQ_BOUND_LARGEST),
                    lq_load_bytes_bound(load) == LQ_BOUND_LARGEST);
        write_bytes(json, "message_bytes", level,
                    lq_load_bytes(load, logical, LQ_BOUND_BYTES), true);
        write_full(json, level);
        lq_json_object_end(json);
    }
    lq_json_lines_end(json);
}

static const char *bound_word(enum lq_bound bound)
{
    return bound == LQ_BOUND_MESSAGES ? "messages" : "bytes";
}

static void write_first(struct lq_json *json, const struct lq_logical *logical,
                        const struct lq_load *load)
{
    const struct lq_break *const first = &load->first;

    if (!first->level) {
        lq_json_null(json, "first_full");
        return;
    }
    lq_json_object_begin(json, "first_full");
    lq_json_text(json, "queue", queue_of(first->level, logical));
    lq_json_text(json, "bound", bound_word(first->bound));
    write_whole(json, "after_millis", first->millis);
    write_whole(json, "main_after_millis", first->main_millis);
    lq_json_object_end(json);
}

static void write_outage(struct lq_json *json, const struct lq_load *load)
{
    lq_json_object_begin(json, "outage");
    write_messages(json, "peak_messages", load->peak);
    write_whole(json, "peak_after_millis", load->peak_millis);
    write_messages(json, "dead_lettered_messages", load->dead);
    lq_json_object_end(json);
}

/* What follows the first full queue: null when none is full. */
static void write_course(struct lq_json *json, const struct lq_logical *logical,
                         const struct lq_load *load)
{
    const struct lq_course *const course = &load->course;
    const bool full = !isinf(course->main_millis);
    const bool quorum = logical->entry->queue_type == LQ_QUORUM;

    if (!course->level) {
        lq_json_null(json, "course");
        return;
    }
    lq_json_object_begin(json, "course");
    lq_json_text(json, "full_queue", queue_of(course->level, logical));
    lq_json_text(json, "bound", bound_word(course->bound));
    write_whole(json, "consumer_stops_after_millis", course->stop_millis);
    write_whole(json, "main_full_after_millis", course->main_millis);
    lq_json_text_or_null(json, "main_bound",
                         full ? bound_word(course->main_bound) : NULL);
    write_decimal(json, "refused_per_second",
                  full ? load->given.rate_per_second : 0, RATE_DECIMALS);
    write_messages(json, "refused_messages", course->refused);
    write_messages(json, "lost_messages", quorum ? 0 : course->surplus);
    write_messages(json, "above_bound_messages", quorum ? course->surplus : 0);
    write_whole(json, "buckets_empty_after_millis", course->drained_millis);
    write_whole(json, "consumer_starts_after_millis", course->start_millis);
    write_messages(json, "backlog_messages", course->backlog);
    lq_json_object_end(json);
}

static void write_waves(struct lq_json *json, const struct lq_load *load)
{
    lq_json_lines_begin(json, "return_waves");
    for (size_t i = 0; i < 2; ++i) {
        const struct lq_wave *const wave = &load->waves[i];

        lq_json_object_begin(json, NULL);
        write_decimal(json, "jitter_ratio", wave->jitter_ratio, RATE_DECIMALS);
        lq_json_bool(json, "configured", i == 0);
        write_messages(json, "messages", wave->messages);
        write_decimal(json, "peak_per_second", wave->peak_per_second,
                      RATE_DECIMALS);
        write_whole(json, "peak_after_millis", wave->peak_millis);
        write_whole(json, "half_after_millis", wave->half_millis);
        write_whole(json, "all_after_millis", wave->all_millis);
        lq_json_object_end(json);
    }
    lq_json_lines_end(json);
}

static void write_timeline(struct lq_json *json,
                           const struct lq_logical *logical,
                           const struct lq_load *load)
{
    const struct lq_timeline *const timeline = &load->timeline;

    lq_json_object_begin(json, "timeline");
    lq_json_integer(json, "first_millis", timeline->first_millis);
    lq_json_count(json, "step_millis", timeline->step_millis);
    lq_json_count(json, "count", timeline->count);
    lq_json_bool(json, "ends_early", timeline->ends_early);
    lq_json_object_end(json);
    lq_json_lines_begin(json, "occupancy");
    for (size_t i = 0; i < load->level_count; ++i) {
        lq_json_object_begin(json, NULL);
        lq_json_text(json, "queue", queue_of(&load->levels[i], logical));
        lq_json_array_begin(json, "messages");
        for (size_t k = 0; k < timeline->count; ++k) {
            write_messages(json, NULL,
                           timeline->messages[i * timeline->count + k]);
        }
        lq_json_array_end(json);
        lq_json_object_end(json);
    }
    lq_json_lines_end(json);
}

void lq_json_write_load(struct lq_json *json, const struct lq_logical *logical,
                        const struct lq_load *load)
{
    write_given(json, &load->given);
    write_levels(json, logical, load);
    write_first(json, logical, load);
    lq_json_capacity(json, "worst_case", &logical->capacity);
    if (load->given.outage_millis > 0) {
        write_outage(json, load);
        write_course(json, logical, load);
        write_waves(json, load);
        write_timeline(json, logical, load);
    }
}
