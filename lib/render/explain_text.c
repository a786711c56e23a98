#include "base/writer.h"
#include "explain/duration.h"
#include "explain/headers.h"
#include "render/explain.h"
#include "render/load_text.h"
#include "render/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WAITS_WIDTH 34

static void write_duration(struct lq_writer *writer, uint64_t millis)
{
    const struct lq_duration duration = lq_duration_of(millis);

    lq_write_text(writer, duration.text);
}

/* "7 s", or "5.8 s to 8.2 s" */
static void write_range(struct lq_writer *writer, uint64_t least, uint64_t most)
{
    write_duration(writer, least);
    if (most != least) {
        lq_write_text(writer, " to ");
        write_duration(writer, most);
    }
}

static void write_line(struct lq_writer *writer, const char *lead,
                       const char *text)
{
    lq_write_text(writer, lead);
    lq_write_shown(writer, text);
    lq_write_text(writer, "\n");
}

static void write_head(struct lq_writer *writer, const struct lq_life *life)
{
    const struct lq_logical *const logical = life->logical;
    const struct lq_entry *const entry = logical->entry;

    lq_write_shown(writer, entry->name);
    lq_write_texts(writer, "\n  ", lq_queue_type_word(entry->queue_type), ", ",
                   lq_owner(logical) == LQ_EXTERNAL
                       ? "declared by others: lilyq only checks that it exists"
                       : "declared by the framework and by lilyq",
                   "\n\n", NULL);
    write_line(writer, "  exchange      ", entry->exchange_name);
    write_line(writer, "  routing key   ", entry->routing_key);
    if (life->event_id) {
        write_line(writer, "  event id      ", life->event_id);
    }
}

/* "1.6 s, 2 s or 2.4 s": what may be taken. */
static void format_waits(const struct lq_retry *retry, char *out, size_t size)
{
    size_t left = 0;
    size_t length = 0;

    for (size_t i = 0; i < retry->stop_count; ++i) {
        left += retry->stops[i].taken;
    }
    out[0] = '\0';
    for (size_t i = 0; i < retry->stop_count; ++i) {
        if (retry->stops[i].taken) {
            const struct lq_duration delay =
                lq_duration_of(retry->stops[i].bucket->delay_millis);

            --left;
            length += (size_t)snprintf(
                out + length, size - length, "%s%s", delay.text,
                left > 1 ? ", " : (left == 1 ? " or " : ""));
        }
    }
}

static void write_retry(struct lq_writer *writer, const struct lq_retry *retry)
{
    char waits[3 * sizeof(struct lq_duration)];
    char line[sizeof(waits) + 32];

    format_waits(retry, waits, sizeof(waits));
    (void)snprintf(line, sizeof(line), "  %5" PRIu64 "  %-*s ", retry->number,
                   WAITS_WIDTH, waits);
    lq_write_text(writer, line);
    write_range(writer, retry->min_elapsed_millis, retry->max_elapsed_millis);
    lq_write_text(writer, "\n");
}

/* Whether the message may come by a bucket. */
static bool is_taken(const struct lq_life *life, const struct lq_bucket *bucket)
{
    for (size_t i = 0; i < life->retry_count; ++i) {
        for (size_t j = 0; j < life->retries[i].stop_count; ++j) {
            const struct lq_stop *const stop = &life->retries[i].stops[j];

            if (stop->taken && stop->bucket == bucket) {
                return true;
            }
        }
    }
    return false;
}

static void write_bucket(struct lq_writer *writer,
                         const struct lq_bucket *bucket)
{
    const struct lq_duration delay = lq_duration_of(bucket->delay_millis);
    char lead[sizeof(struct lq_duration) + 8];

    (void)snprintf(lead, sizeof(lead), "  %-14s ", delay.text);
    write_line(writer, lead, bucket->queue_name);
    (void)snprintf(lead, sizeof(lead), "  %-14s ", "");
    write_line(writer, lead, bucket->routing_key);
}

static void write_retries(struct lq_writer *writer, const struct lq_life *life)
{
    const struct lq_logical *const logical = life->logical;

    lq_write_text(writer,
                  "\nA delivery that fails, and may be retried, goes to the "
                  "retry exchange, waits in\na bucket, and comes back by the "
                  "exchange above:\n\n");
    write_line(writer, "  exchange      ", logical->retry_exchange);
    lq_write_text(writer, "\n  retry  waits                              "
                          "back after\n");
    for (size_t i = 0; i < life->retry_count; ++i) {
        write_retry(writer, &life->retries[i]);
    }
    lq_write_text(writer, "\n  wait           bucket queue, and below it the "
                          "routing key that leads to it\n");
    for (size_t i = 0; i < logical->bucket_count; ++i) {
        if (is_taken(life, &logical->buckets[i])) {
            write_bucket(writer, &logical->buckets[i]);
        }
    }
}

static const char *value_of(enum lq_header_value value,
                            const struct lq_life *life)
{
    switch (value) {
    case LQ_HEADER_RETRY_COUNT:
        return life->retry_count ? "1 in retry 1, 2 in retry 2, ..." : "0";
    case LQ_HEADER_DELIVERY_ATTEMPT:
        return "the delivery that failed, from 1";
    case LQ_HEADER_REJECTION_CODE:
        return "why it failed, up to 64 bytes";
    case LQ_HEADER_EVENT_ID:
        return life->event_id ? life->event_id : "as it was";
    case LQ_HEADER_OWN:
        break;
    }
    return "as it was";
}

static void write_headers(struct lq_writer *writer, const struct lq_life *life)
{
    lq_write_text(writer, "\nHeaders of a message that is handed on:\n\n");
    for (size_t i = 0; i < LQ_HEADER_COUNT; ++i) {
        const struct lq_hand_off_header *const header = &lq_headers[i];
        char lead[64];

        (void)snprintf(lead, sizeof(lead), "  %-32s %-8s ", header->name,
                       header->type);
        write_line(writer, lead, value_of(header->value, life));
    }
}

/* What the broker dead-letters by itself. */
static void write_other_ways(struct lq_writer *writer,
                             const struct lq_entry *entry)
{
    lq_write_text(writer, "  at once when a delivery fails for good\n"
                          "  by the broker, without these headers, when it has "
                          "over ");
    lq_write_number(writer, entry->max_message_size_bytes);
    lq_write_text(writer, " bytes\n");
    if (entry->message_ttl_ms > 0) {
        lq_write_text(writer, "  by the broker, without these headers, when it "
                              "waits to be delivered\n  for ");
        write_duration(writer, entry->message_ttl_ms);
        lq_write_text(writer, "\n");
    }
    if (entry->queue_type == LQ_QUORUM) {
        lq_write_text(writer, "  by RabbitMQ 4, without these headers, once "
                              "over 20 deliveries were not settled\n");
    }
}

static void write_dead_letter(struct lq_writer *writer,
                              const struct lq_life *life)
{
    const struct lq_logical *const logical = life->logical;
    const struct lq_hand_off hand_off = lq_hand_off_dead(life->retry_count);

    lq_write_text(writer, "\nIt is dead-lettered\n\n  after ");
    write_range(writer, life->min_elapsed_millis, life->max_elapsed_millis);
    lq_write_text(writer, ", when delivery ");
    lq_write_number(writer, hand_off.delivery_attempt);
    lq_write_text(writer, " fails, with x-retry-count ");
    lq_write_number(writer, hand_off.retry_count);
    lq_write_text(writer, "\n");
    write_other_ways(writer, logical->entry);
    write_line(writer, "\n  exchange      ", logical->dead_letter_exchange);
    write_line(writer, "  routing key   ", logical->dead_letter_routing_key);
    write_line(writer, "  queue         ", logical->dead_letter_queue);
}

enum lq_status lq_explain_text_render(const struct lq_explanation *explanation,
                                      const struct lilyq_sink *sink)
{
    const struct lq_life *const life = &explanation->life;
    struct lq_writer writer;

    lq_writer_init(&writer, sink);
    write_head(&writer, life);
    if (life->retry_count > 0) {
        write_retries(&writer, life);
    } else {
        lq_write_text(&writer, "\nNothing is retried: there is no retry "
                               "exchange and no bucket.\n");
    }
    write_headers(&writer, life);
    write_dead_letter(&writer, life);
    lq_write_text(&writer,
                  "\nTimes are the waits alone; each delivery adds its "
                  "time in the queue and the\nhandler's.\n");
    if (explanation->load) {
        lq_write_load(&writer, life->logical, explanation->load);
    }
    return lq_writer_end(&writer);
}
