/* What the tests of the renderers share: plans to render, a sink to watch. */
#ifndef LQ_TEST_FORMAT_FIXTURE_H
#define LQ_TEST_FORMAT_FIXTURE_H

#include "base/arena.h"
#include "base/diag.h"
#include "lilyq.h"
#include "plan/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A sink that keeps what it is given and refuses all beyond `limit` bytes. */
struct sheet {
    struct lilyq_sink sink;
    char *text; /* NUL-terminated once something was written */
    size_t length;
    size_t limit;
    size_t writes;
};

static inline int sheet_write(void *data, const char *bytes, size_t length)
{
    struct sheet *const sheet = data;

    ++sheet->writes;
    if (length > sheet->limit - sheet->length) {
        return -1;
    }
    sheet->text = realloc(sheet->text, sheet->length + length + 1);
    assert_non_null(sheet->text);
    memcpy(sheet->text + sheet->length, bytes, length);
    sheet->length += length;
    sheet->text[sheet->length] = '\0';
    return 0;
}

/* `sheet` must not move afterwards. */
static inline void sheet_init(struct sheet *sheet, size_t limit)
{
    *sheet = (struct sheet){.sink = {sheet_write, sheet}, .limit = limit};
}

static inline void sheet_free(struct sheet *sheet)
{
    free(sheet->text);
}

/* One run: an arena, its problems, a plan. */
struct fixture {
    struct lq_arena arena;
    struct lq_diags diags;
    const struct lq_topology *topology;
    struct sheet sheet;
};

static inline int set_up(void **state)
{
    static struct fixture fixture;

    lq_arena_init(&fixture.arena);
    lq_diags_init(&fixture.diags, &fixture.arena);
    fixture.topology = NULL;
    sheet_init(&fixture.sheet, SIZE_MAX);
    *state = &fixture;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *const fixture = *state;

    lq_arena_free(&fixture->arena);
    sheet_free(&fixture->sheet);
    return 0;
}

/* An entry with the contract's defaults, and bounds of 1, 2, ... 6. */
static inline struct lq_entry entry_of(const char *name, const char *exchange,
                                       const char *key)
{
    return (struct lq_entry){.name = name,
                             .exchange_name = exchange,
                             .routing_key = key,
                             .durable = true,
                             .main_max_messages = 1,
                             .main_max_bytes = 2,
                             .retry_bucket_max_messages = 3,
                             .retry_bucket_max_bytes = 4,
                             .dead_letter_max_messages = 5,
                             .dead_letter_max_bytes = 6,
                             .retry_backoff_millis = 1000,
                             .max_retry_backoff_millis = 60000,
                             .concurrency = 1,
                             .prefetch_count = 10,
                             .delivery_execution_timeout_millis = 30000,
                             .settlement_timeout_millis = 5000,
                             .max_message_size_bytes = 1048576,
                             .given = (UINT64_C(1) << LQ_FIELD_COUNT) - 1};
}

/* orders.created with three retries, as documented. */
static inline struct lq_entry documented_entry(void)
{
    struct lq_entry entry =
        entry_of("orders.created", "orders", "orders.created");

    entry.retry_attempts = 3;
    return entry;
}

static inline struct lq_entry external_entry(void)
{
    struct lq_entry entry = entry_of("legacy", "legacy.in", "in");

    entry.topology_ownership = LQ_EXTERNAL;
    entry.dead_letter_exchange = "legacy.out";
    entry.dead_letter_routing_key = "out";
    return entry;
}

/* Plans entries, which must stay where they are. */
static inline void plan(struct fixture *fixture, const struct lq_entry *entries,
                        size_t count)
{
    assert_int_equal(
        lq_plan_build(entries, count, &fixture->diags, &fixture->topology),
        LQ_OK);
}

#endif
