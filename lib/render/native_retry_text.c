#include "render/policies.h"
#include "render/text.h"

#include <inttypes.h>
#include <stdio.h>

#define CELL_BYTES 48

/* "800 to 1200", or one number */
static void format_range(uint64_t least, uint64_t most, char *out)
{
    if (least == most) {
        (void)snprintf(out, CELL_BYTES, "%" PRIu64, least);
    } else {
        (void)snprintf(out, CELL_BYTES, "%" PRIu64 " to %" PRIu64, least, most);
    }
}

static void write_row(struct lq_writer *writer, const char *margin,
                      const char *const *cells)
{
    /* two blanks between the cells, the line feed and the end */
    char line[3 * CELL_BYTES + 4];

    (void)snprintf(line, sizeof(line), "%-9s %-20s %s\n", cells[0], cells[1],
                   cells[2]);
    lq_write_texts(writer, margin, line, NULL);
}

static void write_numbers(struct lq_writer *writer, const char *margin,
                          const char *label, const uint64_t *numbers)
{
    char range[CELL_BYTES];
    char native[CELL_BYTES];
    const char *const cells[] = {label, range, native};

    format_range(numbers[0], numbers[1], range);
    format_range(numbers[2], numbers[2], native);
    write_row(writer, margin, cells);
}

static void write_attempts(struct lq_writer *writer, const char *margin,
                           const struct lq_logical *logical)
{
    char label[CELL_BYTES];

    for (size_t i = 0; i < logical->attempt_count; ++i) {
        const struct lq_attempt *const attempt = &logical->attempts[i];
        const uint64_t numbers[] = {
            attempt->delays_millis[0],
            attempt->delays_millis[attempt->count - 1],
            lq_native_delay(logical, i + 1),
        };

        (void)snprintf(label, sizeof(label), "%zu", i + 1);
        write_numbers(writer, margin, label, numbers);
    }
}

/* The queue that takes the place of the main queue. */
static void write_queue(struct lq_writer *writer, const char *margin,
                        const struct lq_native_retry *retry)
{
    const struct lq_entry *const entry = retry->logical->entry;

    lq_write_texts(writer, margin, "the queue '", NULL);
    lq_write_shown(writer, retry->queue);
    lq_write_text(writer, "' in place of '");
    lq_write_shown(writer, entry->name);
    lq_write_texts(writer, "':\n", margin, "  bind it to '", NULL);
    lq_write_shown(writer, entry->exchange_name);
    lq_write_text(writer, "' with key '");
    lq_write_shown(writer, entry->routing_key);
    lq_write_texts(writer, "'\n", margin,
                   "  declare it as durable, with these arguments and no "
                   "other:\n",
                   margin, "    x-queue-type = quorum\n", NULL);
    if (entry->single_active_consumer) {
        lq_write_texts(writer, margin, "    x-single-active-consumer = true\n",
                       NULL);
    }
    if (entry->max_priority > 0) {
        lq_write_texts(writer, margin,
                       "  max_priority is lost: no argument or policy of a "
                       "quorum queue has it\n",
                       NULL);
    }
}

void lq_write_native_retry(struct lq_writer *writer,
                           const struct lq_native_retry *retry,
                           const char *margin)
{
    static const char *const heads[] = {"attempt", "v2, ms", "broker, ms"};
    const struct lq_logical *const logical = retry->logical;
    const uint64_t totals[] = {logical->min_wait_millis,
                               logical->max_wait_millis,
                               lq_native_wait(logical)};

    write_queue(writer, margin, retry);
    write_row(writer, margin, heads);
    write_attempts(writer, margin, logical);
    write_numbers(writer, margin, "all", totals);
}

void lq_write_native_terms(struct lq_writer *writer, const char *margin)
{
    static const char *const lines[] = {
        "lost: delays grow by the same step instead of doubling, and have no",
        "  jitter; there is no bucket for each delay, to look into and to "
        "bound;",
        "  no x-retry-count or other header of the framework: the broker's",
        "  x-delivery-count counts, and messages that wait fill the queue "
        "itself",
        "gained: one queue, without retry exchange and buckets; nothing is",
        "  published to hand a message on, so no crash can double it there",
        "how: basic.reject with requeue, or a connection that ends, is an "
        "attempt;",
        "  basic.nack with requeue waits for the first delay and is not "
        "counted,",
        "  so it can go on for ever",
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); ++i) {
        lq_write_texts(writer, margin, lines[i], "\n", NULL);
    }
}
