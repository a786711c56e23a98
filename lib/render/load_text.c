#include "render/load_text.h"

#include "explain/decimal.h"
#include "explain/duration.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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
