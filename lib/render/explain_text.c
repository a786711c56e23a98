#include "render/explain.h"

#include "base/writer.h"
#include "explain/figure.h"
#include "explain/life.h"
#include "render/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
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

#define LABEL_WIDTH 14
#define CELL_WIDTH 11
#define MILLENNIUM (1000 * 365.25 * 24 * 3600 * 1000)

/* A label of a table's line; its column is wide enough for all of them. */
static void write_label(struct lq_writer *writer, const struct lq_level *level)
{
    struct lq_duration label = {"dead letters"};
    char cell[sizeof(label) + 4];

    if (level->role == LQ_ROLE_RETRY) {
        label = lq_duration_of(level->bucket->delay_millis);
    } else if (level->role == LQ_ROLE_MAIN) {
        label = (struct lq_duration){"main queue"};
    }
    (void)snprintf(cell, sizeof(cell), "  %-*s", LABEL_WIDTH, label.text);
    lq_write_text(writer, cell);
}

static void write_cell(struct lq_writer *writer, const char *text)
{
    char cell[64];

    (void)snprintf(cell, sizeof(cell), " %*s", CELL_WIDTH, text);
    lq_write_text(writer, cell);
}

static void write_amount(struct lq_writer *writer, double messages)
{
    write_cell(writer, isinf(messages) ? "-" : lq_decimal_about(messages).text);
}

static void write_bound(struct lq_writer *writer, uint64_t bound)
{
    char digits[24];

    (void)snprintf(digits, sizeof(digits), "%" PRIu64, bound);
    write_cell(writer, bound == INT64_MAX ? "2^63-1" : digits);
}

static struct lq_duration time_of(double millis)
{
    if (isinf(millis)) {
        return (struct lq_duration){"never"};
    }
    if (millis > MILLENNIUM) {
        return (struct lq_duration){"> 1000 years"};
    }
    return lq_duration_about((uint64_t)round(millis));
}

/* "never" is what most cells of the column say. */
static void write_full(struct lq_writer *writer, double millis)
{
    lq_write_texts(writer, "  ",
                   millis == 0 ? "in normal time" : time_of(millis).text, NULL);
}

/* One table: of messages, or of their bytes. */
struct table {
    enum lq_bound bound;
    double size; /* of what is counted, in messages or bytes */
    bool peaks;  /* the peaks are of messages of that size */
};

static void write_level(struct lq_writer *writer, const struct table *table,
                        const struct lq_level *level)
{
    const bool bucket = level->role == LQ_ROLE_RETRY;
    const bool peaks = table->peaks && !isinf(level->peak_millis);

    write_label(writer, level);
    write_amount(writer, bucket ? level->normal * table->size : INFINITY);
    write_amount(writer, peaks ? level->peak * table->size : INFINITY);
    write_amount(writer, level->most * table->size);
    write_bound(writer, table->bound == LQ_BOUND_MESSAGES ? level->max_messages
                                                          : level->max_bytes);
    write_full(writer, level->full_millis[table->bound]);
    lq_write_text(writer, "\n");
}

static void write_table(struct lq_writer *writer, const struct table *table,
                        const struct lq_load *load)
{
    char head[96] = "messages";

    if (table->bound != LQ_BOUND_MESSAGES) {
        (void)snprintf(head, sizeof(head), "%.0f byte%s each", table->size,
                       table->size == 1 ? "" : "s");
    }
    lq_write_text(writer, "\n  ");
    lq_write_text(writer, head);
    (void)snprintf(head, sizeof(head), "%*s",
                   LABEL_WIDTH + 1 + CELL_WIDTH - (int)strlen(head), "normal");
    lq_write_texts(writer, head,
                   "        peak       needs       bound  full after\n", NULL);
    for (size_t i = 1; i <= load->level_count; ++i) {
        write_level(writer, table, &load->levels[i % load->level_count]);
    }
}

static void write_tables(struct lq_writer *writer,
                         const struct lq_logical *logical,
                         const struct lq_load *load)
{
    const struct table tables[] = {
        {LQ_BOUND_MESSAGES, 1, true},
        {LQ_BOUND_BYTES, (double)load->given.message_bytes, true},
        {LQ_BOUND_LARGEST, (double)logical->entry->max_message_size_bytes,
         lq_load_bytes_bound(load) == LQ_BOUND_LARGEST},
    };

    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); ++i) {
        if (tables[i].size > 0) {
            write_table(writer, &tables[i], load);
        }
    }
}

/* Whether the outage that is asked for ends before the first break. */
static bool is_too_short(const struct lq_load *load)
{
    return load->given.outage_millis > 0 &&
           load->first.millis > (double)load->given.outage_millis;
}

static void write_full_queue(struct lq_writer *writer,
                             const struct lq_level *level)
{
    if (level->role == LQ_ROLE_RETRY) {
        lq_write_texts(writer, "the bucket of ",
                       lq_duration_of(level->bucket->delay_millis).text, NULL);
    } else {
        lq_write_text(writer, "the dead letters");
    }
}

static const char *word_of(enum lq_bound bound)
{
    return bound == LQ_BOUND_MESSAGES ? "messages" : "bytes";
}

static void write_first(struct lq_writer *writer, const struct lq_load *load)
{
    const struct lq_break *const first = &load->first;

    lq_write_text(writer, "\n  first full     ");
    if (!first->level) {
        lq_write_text(writer, "none, however long the outage is\n");
        return;
    }
    write_full_queue(writer, first->level);
    lq_write_texts(
        writer, ", in ", word_of(first->bound),
        first->millis == 0 ? ", in normal time" : ", after ",
        first->millis == 0 ? "" : time_of(first->millis).text,
        is_too_short(load) ? ",\n                 not in this outage\n" : "\n",
        NULL);
    lq_write_texts(writer,
                   "                 then no hand-off is confirmed, the "
                   "consumer stops, and the main\n                 queue is "
                   "full after ",
                   time_of(first->main_millis).text,
                   ", if nobody starts it again\n", NULL);
}

/* One thing that happens, and when. */
static void write_event(struct lq_writer *writer, double millis,
                        const char *what)
{
    char cell[sizeof(struct lq_duration) + 8];

    (void)snprintf(cell, sizeof(cell), "\n  %-14s ",
                   millis < 0.5 ? "at once" : time_of(millis).text);
    lq_write_texts(writer, cell, what, NULL);
}

static void write_main_full(struct lq_writer *writer,
                            const struct lq_logical *logical,
                            const struct lq_load *load)
{
    const struct lq_course *const course = &load->course;
    const bool quorum = logical->entry->queue_type == LQ_QUORUM;

    write_event(writer, course->main_millis, "the main queue is full, in ");
    lq_write_texts(
        writer, word_of(course->main_bound),
        ": publishers are refused,\n                 ",
        lq_decimal_about(load->given.rate_per_second).text, "/s",
        isinf(course->refused) ? "" : ", ",
        isinf(course->refused) ? "" : lq_decimal_about(course->refused).text,
        isinf(course->refused) ? "" : " in all", NULL);
    if (course->surplus > 0) {
        lq_write_texts(writer, "; ", lq_decimal_about(course->surplus).text,
                       " that come back from buckets\n                 ",
                       quorum ? "are taken above its bound" : "are lost", NULL);
    }
}

static void write_start(struct lq_writer *writer, const struct lq_load *load)
{
    const struct lq_course *const course = &load->course;

    write_event(writer, course->start_millis,
                "the outage ends, and the consumer is started again:");
    lq_write_texts(writer, "\n                 ",
                   lq_decimal_about(course->backlog).text,
                   " messages wait in the main queue", NULL);
    if (course->level->role == LQ_ROLE_DEAD_LETTER) {
        lq_write_text(writer,
                      "; it stops at the next\n                 dead letter, "
                      "until some are removed");
    }
}

static void write_stop(struct lq_writer *writer, const struct lq_load *load)
{
    const struct lq_course *const course = &load->course;

    write_event(writer, course->stop_millis, "");
    write_full_queue(writer, course->level);
    lq_write_texts(writer,
                   course->level->role == LQ_ROLE_RETRY ? " is" : " are",
                   " full, in ", word_of(course->bound),
                   ": a hand-off is refused,\n                 and the "
                   "consumer stops",
                   NULL);
}

/* What happens in turn, once a queue is full. */
static void write_course(struct lq_writer *writer,
                         const struct lq_logical *logical,
                         const struct lq_load *load)
{
    const struct lq_course *const course = &load->course;
    const double full = course->main_millis;
    const double drained =
        logical->bucket_count > 0 ? course->drained_millis : INFINITY;

    lq_write_text(writer, "\n  What happens in this outage:\n");
    write_stop(writer, load);
    if (!isinf(full) && full < drained) {
        write_main_full(writer, logical, load);
    }
    if (drained < course->start_millis) {
        write_event(writer, drained, "the buckets are empty");
    }
    if (!isinf(full) && full >= drained) {
        write_main_full(writer, logical, load);
    }
    if (!isinf(course->start_millis)) {
        write_start(writer, load);
    }
    lq_write_text(writer, "\n");
}

static void write_wave(struct lq_writer *writer, const struct lq_wave *wave,
                       const char *lead)
{
    lq_write_texts(writer, lead, lq_decimal_about(wave->messages).text,
                   " messages, up to ",
                   lq_decimal_about(wave->peak_per_second).text,
                   "/s, half within ", time_of(wave->half_millis).text,
                   ",\n                 all within ",
                   time_of(wave->all_millis).text, ", with jitter ",
                   lq_decimal_of(wave->jitter_ratio, 6).text, "\n", NULL);
}

static void write_waves(struct lq_writer *writer, const struct lq_load *load)
{
    write_wave(writer, &load->waves[0], "  comes back     ");
    write_wave(writer, &load->waves[1], "  for comparison ");
}

static void write_outage(struct lq_writer *writer,
                         const struct lq_logical *logical,
                         const struct lq_load *load)
{
    if (logical->bucket_count > 0) {
        lq_write_texts(writer, "  in buckets     up to ",
                       lq_decimal_about(load->peak).text, " messages, after ",
                       time_of(load->peak_millis).text, "\n", NULL);
    }
    lq_write_texts(writer, "  dead letters   ",
                   lq_decimal_about(load->dead).text,
                   " messages in the outage\n", NULL);
    if (load->waves[0].messages > 0) {
        write_waves(writer, load);
    }
}

static void write_disk(struct lq_writer *writer,
                       const struct lq_logical *logical)
{
    const struct lq_sum *const bytes = &logical->capacity.bytes;
    const bool quorum = logical->entry->queue_type == LQ_QUORUM;

    lq_write_text(writer, "  disk at worst  ");
    if (bytes->known) {
        lq_write_number(writer, bytes->value);
        lq_write_text(writer, " bytes");
    } else {
        lq_write_text(writer, "over 9223372036854775807 bytes");
    }
    lq_write_texts(writer, quorum ? " on each member" : "",
                   bytes->known ? ", " : ",\n                 ",
                   "when every bound is reached\n", NULL);
}

static void write_given(struct lq_writer *writer,
                        const struct lq_load_case *given)
{
    const struct lq_decimal rate = lq_decimal_of(given->rate_per_second, 6);

    lq_write_texts(writer, "\nLoad: ", rate.text,
                   strcmp(rate.text, "1") == 0 ? " message" : " messages",
                   " a second, of which ",
                   lq_decimal_of(given->failure_ratio * 100, 4).text, " % fail",
                   NULL);
    if (given->outage_millis > 0) {
        lq_write_texts(writer, ",\nand an outage of ",
                       lq_duration_of(given->outage_millis).text,
                       " in which all of them do", NULL);
    }
    lq_write_text(writer, ".\n");
}

void lq_write_load(struct lq_writer *writer, const struct lq_logical *logical,
                   const struct lq_load *load)
{
    write_given(writer, &load->given);
    lq_write_text(writer,
                  "Normal, needs: what normal time and an outage without an "
                  "end take, if no queue\nis ever full.\n"
                  "Full after: how long an outage has lasted by then; for the "
                  "main queue, how long\nnothing was consumed.\n");
    write_tables(writer, logical, load);
    write_first(writer, load);
    if (load->given.outage_millis > 0) {
        write_outage(writer, logical, load);
    }
    write_disk(writer, logical);
    if (load->course.level) {
        write_course(writer, logical, load);
    }
}
