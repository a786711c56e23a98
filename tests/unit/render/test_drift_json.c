#include "drift_fixture.h"

static const char *json(struct report *report)
{
    struct sheet *const sheet = &report->fixture->sheet;

    sheet->length = 0;
    assert_int_equal(lq_drift_json_render(&report->drift, &report->style,
                                          &report->fixture->arena,
                                          &sheet->sink),
                     LQ_OK);
    return sheet->text;
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("no '%s' in %s", part, text);
    }
}

static void json_has_texts_that_no_json_can_hold(void **state)
{
    struct report *const report = report_of(state);
    struct lq_finding *const finding = add(report, LQ_QUEUE_ORPHANED, 0);

    finding->name = "a\xc0\x80";
    assert_has(json(report), "\"name\": \"a\\\\xc0\\\\x80\", ");
    assert_has(json(report), "\"vhost\": \"sh\\tp\", ");
}

static void each_source_has_its_word(void **state)
{
    static const char *const words[] = {
        [LILYQ_SOURCE_MANAGEMENT] = "{\"kind\": \"management\", ",
        [LILYQ_SOURCE_DEFINITIONS] = "{\"kind\": \"definitions\", ",
        [LILYQ_SOURCE_AMQP] = "{\"kind\": \"amqp\", ",
        [LILYQ_SOURCE_EARLIER] = "{\"kind\": \"plan\", ",
    };
    struct report *const report = report_of(state);

    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); ++i) {
        report->drift.kind = (enum lilyq_source_kind)i;
        assert_has(json(report), words[i]);
    }
    report->drift.vhost = NULL;
    assert_has(json(report), "\"vhost\": null, \"broker_version\": null}");
}

static void drift_is_what_counts_only(void **state)
{
    struct report *const report = report_of(state);

    assert_has(json(report), "\"drift\": false,");
    add(report, LQ_QUEUE_ORPHANED, 0);
    assert_has(json(report), "\"drift\": true,");
    report->style.fail_on = 1U << LILYQ_MISSING;
    assert_has(json(report), "\"drift\": false,");
}

static void values_have_the_types_that_json_has_for_them(void **state)
{
    static const struct {
        struct lq_side_value planned;
        struct lq_side_value actual;
        const char *text;
    } cases[] = {
        {{"true", "boolean"},
         {"false", "boolean"},
         "\"planned\": {\"type\": \"boolean\", \"value\": true}, "
         "\"actual\": {\"type\": \"boolean\", \"value\": false}"},
        {{"9223372036854775807", "integer"},
         {"-1", "integer"},
         "\"planned\": {\"type\": \"integer\", \"value\": "
         "9223372036854775807}, \"actual\": {\"type\": \"integer\", "
         "\"value\": -1}"},
        {{NULL, NULL},
         {"1.5", "number"},
         "\"planned\": null, \"actual\": {\"type\": \"number\", "
         "\"value\": \"1.5\"}"},
    };
    struct report *const report = report_of(state);
    struct lq_finding *const finding =
        add(report, LQ_QUEUE_ARGUMENT_DIFFERENT, 0);

    finding->field = "x";
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        finding->planned = cases[i].planned;
        finding->actual = cases[i].actual;
        assert_has(json(report), cases[i].text);
    }
}

static void a_priority_is_a_number_if_it_is_whole(void **state)
{
    static const struct {
        double priority;
        const char *text;
    } cases[] = {
        {-3, "\"priority\": -3}"},
        {0.5, "\"priority\": \"0.5\"}"},
        {1e15, "\"priority\": \"1000000000000000\"}"},
        {-1e300, "\"priority\": \"-1.0000000000000001e+300\"}"},
    };
    struct report *const report = report_of(state);
    struct lq_finding *const finding = add(report, LQ_QUEUE_SHADOWED, 0);
    struct lq_live_policy policy = {.name = "p", .pattern = "^\"a\""};

    finding->policy = &policy;
    finding->by_operator = true;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        policy.priority = cases[i].priority;
        assert_has(json(report), cases[i].text);
    }
    assert_has(json(report), "\"policy\": {\"name\": \"p\", \"operator\": "
                             "true, \"pattern\": \"^\\\"a\\\"\", ");
}

static void what_is_of_no_entry_has_no_logical_queue(void **state)
{
    struct report *const report = report_of(state);
    struct lq_finding *const finding = add(report, LQ_EXTRAS_NOT_SEEN, 0);

    finding->resource = LQ_VHOST;
    finding->name = "/";
    finding->logical = NULL;
    assert_has(json(report), "\"resource\": \"vhost\", \"name\": \"/\", "
                             "\"logical_queue\": null, ");
}

static void bindings_have_ends_and_queues_their_figures(void **state)
{
    const struct lq_binding binding = {
        .source = "a", .destination = "b", .routing_key = "k"};
    struct report *const report = report_of(state);
    struct lq_finding *finding = add(report, LQ_MAIN_KEY_SHARED, 0);

    finding->resource = LQ_BINDING;
    finding->binding = &binding;
    finding->to_exchange = true;
    finding = add(report, LQ_BUCKET_CONSUMED, 1);
    finding->counted = true;
    finding->messages = 7;
    finding->consumers = 1;
    assert_has(json(report),
               "\"source\": \"a\", \"destination\": \"b\", "
               "\"destination_type\": \"exchange\", \"routing_key\": \"k\", ");
    assert_has(json(report), "\"messages\": 7, \"consumers\": 1, ");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(json_has_texts_that_no_json_can_hold),
        TEST(each_source_has_its_word),
        TEST(drift_is_what_counts_only),
        TEST(values_have_the_types_that_json_has_for_them),
        TEST(a_priority_is_a_number_if_it_is_whole),
        TEST(what_is_of_no_entry_has_no_logical_queue),
        TEST(bindings_have_ends_and_queues_their_figures),
    };

    return cmocka_run_group_tests_name("drift_json", tests, NULL, NULL);
}
