#ifndef API_FIXTURE_H
#define API_FIXTURE_H

#include "api/session.h"
#include "lilyq.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* One entry, three retries: 3 exchanges, 5 queues, 5 bindings. */
#define ORDERS                                                                 \
    "[queue:orders.created]\n"                                                 \
    "exchange_name = orders\n"                                                 \
    "routing_key = orders.created\n"                                           \
    "retention.main_max_messages = 100000\n"                                   \
    "retention.main_max_bytes = 1073741824\n"                                  \
    "retention.retry_bucket_max_messages = 10000\n"                            \
    "retention.retry_bucket_max_bytes = 268435456\n"                           \
    "retention.dead_letter_max_messages = 10000\n"                             \
    "retention.dead_letter_max_bytes = 268435456\n"                            \
    "retry_attempts = 3\n"

static inline enum lilyq_status load_ini(struct lilyq *run, const char *name,
                                         const char *text)
{
    return lilyq_load_text(run, name, text, strlen(text), LILYQ_INPUT_INI);
}

/* A run with the entry planned. */
static inline struct lilyq *plan_orders(void)
{
    struct lilyq *const run = lilyq_new();

    assert_non_null(run);
    assert_int_equal(load_ini(run, "orders.ini", ORDERS), LILYQ_OK);
    assert_int_equal(lilyq_plan(run), LILYQ_OK);
    return run;
}

/* Keeps what is written; refuses what would fill it beyond `room`. */
struct page {
    char text[65536];
    size_t length;
    size_t room;
};

static inline int write_page(void *data, const char *bytes, size_t length)
{
    struct page *const page = data;

    if (length > page->room - page->length) {
        return -1;
    }
    memcpy(page->text + page->length, bytes, length);
    page->length += length;
    page->text[page->length] = '\0';
    return 0;
}

static inline struct lilyq_sink sink_of(struct page *page)
{
    page->length = 0;
    page->room = sizeof(page->text) - 1;
    page->text[0] = '\0';
    return (struct lilyq_sink){write_page, page};
}

static inline const char *message_at(const struct lilyq *run, size_t index)
{
    const struct lilyq_problem *const problem = lilyq_problem_at(run, index);

    assert_non_null(problem);
    return problem->message;
}

#endif
