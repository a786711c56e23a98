#ifndef FIXTURE_H
#define FIXTURE_H

#include "../limit.h"
#include "base/diag.h"
#include "model/entry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(items) (sizeof(items) / sizeof((items)[0]))

/* 200 and 50 bytes of a name. */
#define BYTES_50 "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"
#define BYTES_200 BYTES_50 BYTES_50 BYTES_50 BYTES_50

/* A test's memory and problems. */
struct fixture {
    struct lq_arena arena;
    struct lq_diags diags;
};

static inline int set_up(void **state)
{
    static struct fixture fixture;

    lq_arena_init(&fixture.arena);
    lq_diags_init(&fixture.diags, &fixture.arena);
    *state = &fixture;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *const fixture = *state;

    lq_arena_free(&fixture->arena);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* Starts again with memory for `limit` allocations. */
static inline void restart(struct fixture *fixture, size_t limit)
{
    lq_arena_free(&fixture->arena);
    limit_memory(&fixture->arena, limit);
    lq_diags_init(&fixture->diags, &fixture->arena);
}

/* An entry of lilyq.ini at a line, all else as the defaults have it. */
static inline struct lq_entry entry_at(unsigned line, const char *name)
{
    return (struct lq_entry){
        .name = name,
        .exchange_name = "orders",
        .routing_key = name,
        .durable = true,
        .main_max_messages = 100000,
        .main_max_bytes = 1073741824,
        .retry_bucket_max_messages = 10000,
        .retry_bucket_max_bytes = 268435456,
        .dead_letter_max_messages = 5000,
        .dead_letter_max_bytes = 134217728,
        .retry_backoff_millis = 1000,
        .max_retry_backoff_millis = 60000,
        .concurrency = 1,
        .prefetch_count = 10,
        .delivery_execution_timeout_millis = 30000,
        .settlement_timeout_millis = 5000,
        .max_message_size_bytes = 1048576,
        .place = {.file = "lilyq.ini", .line = line},
    };
}

/* Has the field given on a line of its own. */
static inline void give(struct lq_entry *entry, enum lq_field field,
                        unsigned line)
{
    entry->given |= lq_field_bit(field);
    entry->lines[field] = line;
}

/* Fails unless these lines, and no other, were reported, in this order. */
static inline void assert_reported(struct fixture *fixture,
                                   const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count && i < fixture->diags.items.count; ++i) {
        assert_string_equal(
            lq_diag_line(&fixture->arena, lq_diags_at(&fixture->diags, i)),
            lines[i]);
    }
    assert_int_equal(fixture->diags.items.count, count);
}

static inline void assert_one_reported(struct fixture *fixture,
                                       const char *line)
{
    assert_reported(fixture, &line, 1);
}

#endif
