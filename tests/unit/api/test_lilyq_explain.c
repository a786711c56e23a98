#include "../limit.h"
#include "api_fixture.h"

#include <math.h>

#define EVENT "11111111-1111-4111-8111-111111111111"

static enum lilyq_status explain(struct lilyq *run, const char *queue,
                                 const struct lilyq_explain_options *options,
                                 enum lilyq_explain_format format,
                                 struct page *page)
{
    const struct lilyq_sink sink = sink_of(page);

    return lilyq_explain(run, queue, options, format, &sink);
}

static void explains_as_text_and_json(void **state)
{
    static struct page page;
    struct lilyq *const run = plan_orders();

    (void)state;
    assert_int_equal(
        explain(run, "orders.created", NULL, LILYQ_EXPLAIN_TEXT, &page),
        LILYQ_OK);
    assert_non_null(strstr(page.text, "after 7 s, when delivery 4 fails"));
    assert_int_equal(
        explain(run, "orders.created", NULL, LILYQ_EXPLAIN_JSON, &page),
        LILYQ_OK);
    assert_non_null(strstr(page.text, "\"format\": \"lilyq-explain\""));
    lilyq_free(run);
}

static void follows_one_event(void **state)
{
    static const struct lilyq_explain_options options = {.event_id = EVENT};
    static struct page page;
    struct lilyq *const run = plan_orders();

    (void)state;
    assert_int_equal(
        explain(run, "orders.created", &options, LILYQ_EXPLAIN_JSON, &page),
        LILYQ_OK);
    assert_non_null(strstr(page.text, "\"event_id\": \"" EVENT "\""));
    lilyq_free(run);
}

static void rejects_what_it_cannot_explain(void **state)
{
    static const struct {
        const char *queue;
        const char *event;
        enum lilyq_explain_format format;
        const char *message;
    } cases[] = {
        {"order.created", NULL, LILYQ_EXPLAIN_TEXT,
         "no entry is named 'order.created'; did you mean 'orders.created'?"},
        {"a\xff", NULL, LILYQ_EXPLAIN_TEXT, "no entry is named 'a\\xff'"},
        {"orders.created.dlq.v2", NULL, LILYQ_EXPLAIN_TEXT,
         "'orders.created.dlq.v2' is a queue of the entry 'orders.created'; "
         "did you mean 'orders.created'?"},
        {"orders.created", "ABC\n", LILYQ_EXPLAIN_TEXT,
         "an event id must be a UUID in lower case that is not all zeros, such "
         "as 11111111-1111-4111-8111-111111111111, not 'ABC\\x0a'"},
        {"orders.created", NULL, (enum lilyq_explain_format)9,
         "no format of an explanation has number 9"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        const struct lilyq_explain_options options = {.event_id =
                                                          cases[i].event};
        static struct page page;
        struct lilyq *const run = plan_orders();

        assert_int_equal(
            explain(run, cases[i].queue, &options, cases[i].format, &page),
            LILYQ_INVALID);
        assert_string_equal(message_at(run, 0), cases[i].message);
        assert_int_equal(page.length, 0);
        lilyq_free(run);
    }
}

static void tells_of_a_load(void **state)
{
    static const struct lilyq_explain_options options = {.messages_per_second =
                                                             50,
                                                         .failure_ratio = 0.1,
                                                         .outage_millis = 60000,
                                                         .message_bytes = 1000};
    static struct page page;
    struct lilyq *const run = plan_orders();

    (void)state;
    assert_int_equal(
        explain(run, "orders.created", &options, LILYQ_EXPLAIN_JSON, &page),
        LILYQ_OK);
    assert_non_null(strstr(page.text,
                           "\"load\": {\"rate_per_second\": 50, "
                           "\"failure_ratio\": 0.1, \"outage_millis\": 60000, "
                           "\"message_bytes\": 1000}"));
    assert_int_equal(
        explain(run, "orders.created", &options, LILYQ_EXPLAIN_TEXT, &page),
        LILYQ_OK);
    assert_non_null(strstr(page.text, "Load: 50 messages a second"));
    lilyq_free(run);
}

static void draws_an_outage(void **state)
{
    static const struct lilyq_explain_options options = {
        .messages_per_second = 50, .outage_millis = 60000};
    static const struct lilyq_explain_options no_outage = {
        .messages_per_second = 50};
    static struct page page;
    struct lilyq *const run = plan_orders();

    (void)state;
    assert_int_equal(
        explain(run, "orders.created", &options, LILYQ_EXPLAIN_SVG, &page),
        LILYQ_OK);
    assert_non_null(strstr(page.text, "<title>orders.created</title>"));
    assert_non_null(strstr(page.text, "</svg>\n"));
    assert_int_equal(
        explain(run, "orders.created", &no_outage, LILYQ_EXPLAIN_SVG, &page),
        LILYQ_INVALID);
    assert_string_equal(message_at(run, 0),
                        "a chart needs a rate and an outage");
    lilyq_free(run);
}

static void rejects_loads_that_make_no_sense(void **state)
{
    static const struct lilyq_explain_options bad[] = {
        {.messages_per_second = -1},
        {.messages_per_second = NAN},
        {.messages_per_second = INFINITY},
        {.messages_per_second = 1000001},
        {.messages_per_second = 1, .failure_ratio = 1.1},
        {.messages_per_second = 1, .failure_ratio = -0.1},
        {.messages_per_second = 1, .failure_ratio = NAN},
        {.messages_per_second = 1,
         .outage_millis = UINT64_C(365) * 86400000 + 1},
        {.failure_ratio = 0.1},
        {.outage_millis = 1},
        {.message_bytes = 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
        static struct page page;
        struct lilyq *const run = plan_orders();

        assert_int_equal(
            explain(run, "orders.created", &bad[i], LILYQ_EXPLAIN_TEXT, &page),
            LILYQ_INVALID);
        assert_string_equal(
            message_at(run, 0),
            "a load must be up to 1000000 messages a second, with a failure "
            "ratio from 0 to 1 and an outage of up to 365 days");
        lilyq_free(run);
    }
}

static void needs_a_plan(void **state)
{
    static struct page page;
    struct lilyq *const run = lilyq_new();

    (void)state;
    assert_int_equal(explain(run, "q", NULL, LILYQ_EXPLAIN_TEXT, &page),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, 0), "there is no plan to explain");
    lilyq_free(run);
}

static void tells_when_the_sink_refuses(void **state)
{
    static struct page page;
    struct lilyq *const run = plan_orders();
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    page.room = 10;
    assert_int_equal(
        lilyq_explain(run, "orders.created", NULL, LILYQ_EXPLAIN_TEXT, &sink),
        LILYQ_IO);
    assert_int_equal(
        lilyq_explain(run, "orders.created", NULL, LILYQ_EXPLAIN_JSON, &sink),
        LILYQ_IO);
    lilyq_free(run);
}

static void survives_any_failed_allocation(void **state)
{
    static const char *const queues[] = {"orders.created", "order.created",
                                         "orders.created.dlq.v2"};

    (void)state;
    for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); ++i) {
        enum lilyq_status status = LILYQ_NOMEM;
        size_t limit = 0;

        for (; status == LILYQ_NOMEM; ++limit) {
            static struct page page;
            struct lilyq *const run = plan_orders();

            limit_memory(&run->arena, limit);
            status = explain(run, queues[i], NULL, LILYQ_EXPLAIN_JSON, &page);
            lilyq_free(run);
        }
        assert_int_equal(status, i == 0 ? LILYQ_OK : LILYQ_INVALID);
        assert_true(limit > 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explains_as_text_and_json),
        cmocka_unit_test(follows_one_event),
        cmocka_unit_test(rejects_what_it_cannot_explain),
        cmocka_unit_test(tells_of_a_load),
        cmocka_unit_test(draws_an_outage),
        cmocka_unit_test(rejects_loads_that_make_no_sense),
        cmocka_unit_test(needs_a_plan),
        cmocka_unit_test(tells_when_the_sink_refuses),
        cmocka_unit_test(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests_name("lilyq_explain", tests, NULL, NULL);
}
