#include "api_fixture.h"

/* A run with the entry planned, of quorum queues. */
static struct lilyq *plan_quorum(void)
{
    struct lilyq *const run = lilyq_new();

    assert_non_null(run);
    assert_int_equal(
        load_ini(run, "orders.ini", ORDERS "queue_type = quorum\n"), LILYQ_OK);
    assert_int_equal(lilyq_plan(run), LILYQ_OK);
    return run;
}

static enum lilyq_status render(struct lilyq *run, const char *vhost,
                                const struct lilyq_policy_options *options,
                                struct page *page)
{
    const struct lilyq_sink sink = sink_of(page);

    return lilyq_render_policies(run, LILYQ_POLICIES_RABBITMQCTL, vhost,
                                 options, &sink);
}

static void renders_the_defaults(void **state)
{
    static struct page page;
    struct lilyq *const run = plan_quorum();

    (void)state;
    assert_int_equal(render(run, NULL, NULL, &page), LILYQ_OK);
    assert_non_null(strstr(page.text, "set_policy -p / --apply-to queues "
                                      "--priority 0 \\\n    "
                                      "lilyq-at-least-once "));
    assert_null(strstr(page.text, "lilyq-dlq"));
    lilyq_free(run);
}

static void renders_what_it_is_told(void **state)
{
    static struct page page;
    const struct lilyq_policy_options options = {
        .name = "shop",
        .broker_version = "4.0.5",
        .priority = 9,
        .dlq_delivery_limit = 100,
        .dlq_retention_seconds = 3600,
    };
    struct lilyq *const run = plan_quorum();

    (void)state;
    assert_int_equal(render(run, "v", &options, &page), LILYQ_OK);
    assert_non_null(strstr(page.text, "set_policy -p v --apply-to queues "
                                      "--priority 9 \\\n    lilyq-shop-dlq "));
    assert_non_null(strstr(page.text, "'{\"delivery-limit\": 100, "
                                      "\"message-ttl\": 3600000}'"));
    lilyq_free(run);
}

static void renders_each_form(void **state)
{
    static const struct {
        enum lilyq_policies_format format;
        const char *start;
    } cases[] = {
        {LILYQ_POLICIES_JSON, "{\n  \"format\": \"lilyq-policies\","},
        {LILYQ_POLICIES_RABBITMQCTL, "# keeps a message"},
        {LILYQ_POLICIES_TEXT, "lilyq-at-least-once (priority 0): "},
    };
    static struct page page;
    struct lilyq *const run = plan_quorum();

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        const struct lilyq_sink sink = sink_of(&page);

        assert_int_equal(
            lilyq_render_policies(run, cases[i].format, NULL, NULL, &sink),
            LILYQ_OK);
        assert_ptr_equal(strstr(page.text, cases[i].start), page.text);
    }
    lilyq_free(run);
}

static void rejects_what_makes_no_policy(void **state)
{
    static const struct {
        const char *vhost;
        struct lilyq_policy_options options;
        const char *message;
    } cases[] = {
        {"\xff", {0}, "vhost must be at most 255 bytes of UTF-8, not '\\xff'"},
        {NULL,
         {.name = "a b"},
         "the name of policies must be 1 to 100 letters, digits, '.', '_' and "
         "'-', not 'a b'"},
        {NULL,
         {.broker_version = "new"},
         "the broker's version must be like 3.10 or 4.0.5, not 'new'"},
        {NULL,
         {.dlq_retention_seconds = 4294968},
         "DLQs cannot keep messages for 4294968 s: 4294967 s are the most"},
        {NULL,
         {.native_retry = true, .broker_version = "4.2"},
         "native retry needs RabbitMQ 4.3 or later, not 4.2"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        static struct page page;
        struct lilyq *const run = plan_quorum();

        assert_int_equal(render(run, cases[i].vhost, &cases[i].options, &page),
                         LILYQ_INVALID);
        assert_int_equal(page.length, 0);
        assert_int_equal(lilyq_problem_count(run), 1);
        assert_string_equal(message_at(run, 0), cases[i].message);
        lilyq_free(run);
    }
}

static void rejects_a_format_that_does_not_exist(void **state)
{
    static struct page page;
    struct lilyq *const run = plan_quorum();
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    assert_int_equal(lilyq_render_policies(run, (enum lilyq_policies_format)9,
                                           NULL, NULL, &sink),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, 0),
                        "no format of policies has number 9");
    lilyq_free(run);
}

static void has_nothing_to_render_without_a_plan(void **state)
{
    static struct page page;
    struct lilyq *const run = lilyq_new();
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    assert_int_equal(render(run, NULL, NULL, &page), LILYQ_INVALID);
    assert_int_equal(lilyq_render_definitions(run, NULL, NULL, &sink),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, 0), "there is no plan to render");
    lilyq_free(run);
}

static void puts_policies_before_the_queues_of_definitions(void **state)
{
    static struct page page;
    static struct page plain;
    struct lilyq *const run = plan_quorum();
    struct lilyq_sink sink = sink_of(&page);

    (void)state;
    assert_int_equal(lilyq_render_definitions(run, "v", NULL, &sink), LILYQ_OK);
    assert_ptr_equal(strstr(page.text, "{\n  \"policies\": [\n"
                                       "    {\"vhost\": \"v\", \"name\": "
                                       "\"lilyq-at-least-once\", "),
                     page.text);
    sink = sink_of(&plain);
    assert_int_equal(lilyq_render(run, LILYQ_FORMAT_DEFINITIONS, "v", &sink),
                     LILYQ_OK);
    assert_string_equal(strstr(page.text, "  \"exchanges\": "),
                        strstr(plain.text, "  \"exchanges\": "));
    lilyq_free(run);
}

static void never_puts_native_retry_beside_v2(void **state)
{
    static struct page page;
    const struct lilyq_policy_options options = {.native_retry = true};
    struct lilyq *const run = plan_quorum();
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    assert_int_equal(lilyq_render_definitions(run, NULL, &options, &sink),
                     LILYQ_INVALID);
    assert_int_equal(page.length, 0);
    assert_string_equal(message_at(run, 0),
                        "native retry cannot be combined with v2 definitions");
    lilyq_free(run);
}

static void tells_when_the_sink_refuses(void **state)
{
    static struct page page;
    struct lilyq *const run = plan_quorum();
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    page.room = 0;
    assert_int_equal(
        lilyq_render_policies(run, LILYQ_POLICIES_JSON, NULL, NULL, &sink),
        LILYQ_IO);
    assert_int_equal(lilyq_render_definitions(run, NULL, NULL, &sink),
                     LILYQ_IO);
    lilyq_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renders_the_defaults),
        cmocka_unit_test(renders_what_it_is_told),
        cmocka_unit_test(renders_each_form),
        cmocka_unit_test(rejects_what_makes_no_policy),
        cmocka_unit_test(rejects_a_format_that_does_not_exist),
        cmocka_unit_test(has_nothing_to_render_without_a_plan),
        cmocka_unit_test(puts_policies_before_the_queues_of_definitions),
        cmocka_unit_test(never_puts_native_retry_beside_v2),
        cmocka_unit_test(tells_when_the_sink_refuses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
