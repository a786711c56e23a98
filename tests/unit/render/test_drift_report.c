#include "drift_fixture.h"

static void differ(struct lq_finding *finding, const char *field,
                   const char *planned, const char *actual)
{
    finding->field = field;
    finding->planned =
        (struct lq_side_value){planned, planned ? "integer" : NULL};
    finding->actual = (struct lq_side_value){actual, actual ? "integer" : NULL};
}

/* The text but for what to do. */
static const char *text(struct report *report)
{
    struct sheet *const sheet = &report->fixture->sheet;
    char *end = NULL;

    assert_int_equal(lq_drift_text_render(&report->drift, &report->style,
                                          &report->fixture->arena,
                                          &sheet->sink),
                     LQ_OK);
    end = sheet->text ? strstr(sheet->text, "\nWhat to do\n") : NULL;
    if (end) {
        *end = '\0';
    }
    return sheet->text;
}

static void without_a_finding_there_is_no_text(void **state)
{
    struct report *const report = report_of(state);

    assert_null(text(report));
}

static void three_that_are_alike_have_lines_and_four_share_one(void **state)
{
    struct report *const report = report_of(state);

    for (size_t i = 1; i < 4; ++i) {
        add(report, LQ_QUEUE_MISSING, i);
    }
    for (size_t i = 0; i < 4; ++i) {
        differ(add(report, LQ_QUEUE_ARGUMENT_DIFFERENT, i), "x-max-length", "1",
               "2");
    }
    differ(add(report, LQ_QUEUE_ARGUMENT_DIFFERENT, 4), "x-max-length", "1",
           "3");
    assert_string_equal(
        text(report),
        "orders.created\n"
        "  + queue 'orders.created.retry.v2.1000ms'\n"
        "  + queue 'orders.created.retry.v2.2000ms'\n"
        "  + queue 'orders.created.retry.v2.4000ms'\n"
        "  ~ 4 queues 'orders.created', 'orders.created.retry.v2.1000ms' and 2 "
        "more: x-max-length is 2, plan says 1\n"
        "  ~ queue 'orders.created.dlq.v2': x-max-length is 3, plan says 1\n");
}

static void all_of_them_have_lines_when_told_so(void **state)
{
    struct report *const report = report_of(state);

    report->style.whole = true;
    for (size_t i = 0; i < 4; ++i) {
        add(report, LQ_QUEUE_MISSING, i);
    }
    assert_string_equal(text(report),
                        "orders.created\n"
                        "  + queue 'orders.created'\n"
                        "  + queue 'orders.created.retry.v2.1000ms'\n"
                        "  + queue 'orders.created.retry.v2.2000ms'\n"
                        "  + queue 'orders.created.retry.v2.4000ms'\n");
}

static void each_kind_has_words_of_its_own(void **state)
{
    struct report *const report = report_of(state);
    struct lq_finding *finding = NULL;

    differ(add(report, LQ_QUEUE_ARGUMENT_DIFFERENT, 0), "a", "1", NULL);
    differ(add(report, LQ_QUEUE_ARGUMENT_EXTRA, 0), "b", NULL, "2");
    finding = add(report, LQ_QUEUE_ORPHANED, 1);
    finding->counted = true;
    finding->messages = 1;
    add(report, LQ_QUEUE_ORPHANED, 2);
    finding = add(report, LQ_BUCKET_CONSUMED, 3);
    finding->counted = true;
    finding->consumers = 1;
    finding = add(report, LQ_QUEUE_NEAR_BOUND, 4);
    finding->counted = true;
    finding->messages = 90;
    differ(finding, "x-max-length", "100", "100");
    differ(add(report, LQ_PROPERTY_NOT_SEEN, 4), "c", "1", NULL);
    differ(add(report, LQ_PROPERTY_NOT_SEEN, 4), "arguments", NULL, NULL);
    add(report, LQ_EXTERNAL_QUEUE_MISSING, 5);
    add(report, LQ_QUEUE_NOT_SEEN, 6);
    assert_string_equal(
        text(report),
        "orders.created\n"
        "  ~ queue 'orders.created': a is not set, plan says 1\n"
        "  ~ queue 'orders.created': b is 2, plan does not set it\n"
        "  - queue 'orders.created.retry.v2.1000ms': orphaned; 1 message, "
        "0 consumers\n"
        "  - queue 'orders.created.retry.v2.2000ms': orphaned\n"
        "  * queue 'orders.created.retry.v2.4000ms': 0 messages, 1 consumer\n"
        "  * queue 'orders.created.dlq.v2': 90 messages, 0 consumers; "
        "x-max-length is 100\n"
        "  ? queue 'orders.created.dlq.v2': c is not shown, plan says 1\n"
        "  ? queue 'orders.created.dlq.v2': arguments are not shown\n"
        "\n"
        "legacy\n"
        "  + queue 'legacy': external\n"
        "  ? queue 'legacy.dlq.v2': not shown\n");
}

static void policies_are_named_with_what_they_do(void **state)
{
    static const enum lq_finding_code codes[] = {
        LQ_QUEUE_SHADOWED, LQ_POLICY_DOUBTFUL, LQ_POLICY_TIED};
    const struct lq_live_policy policy = {.name = "p\n", .pattern = ""};
    struct report *const report = report_of(state);

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); ++i) {
        struct lq_finding *const finding = add(report, codes[i], 0);

        finding->policy = &policy;
        finding->by_operator = i == 1;
        if (codes[i] == LQ_QUEUE_SHADOWED) {
            differ(finding, "max-length", "2", "1");
        }
    }
    assert_string_equal(text(report),
                        "orders.created\n"
                        "  ! queue 'orders.created': max-length is 1 by policy "
                        "'p\\x0a', plan says 2\n"
                        "  ? queue 'orders.created': operator policy 'p\\x0a' "
                        "may be in force\n"
                        "  ? queue 'orders.created': policy 'p\\x0a' is as "
                        "good as the one in force\n");
}

static void changes_are_told_as_what_was_and_what_becomes(void **state)
{
    struct report *const report = report_of(state);

    differ(add(report, LQ_QUEUE_ARGUMENT_CHANGED, 0), "x-max-length", "2", "1");
    differ(add(report, LQ_QUEUE_ARGUMENT_CHANGED, 1), "x-expires", NULL, "1");
    differ(add(report, LQ_QUEUE_ARGUMENT_CHANGED, 2), "x-expires", "1", NULL);
    assert_string_equal(text(report),
                        "orders.created\n"
                        "  ~ queue 'orders.created': x-max-length was 1, "
                        "becomes 2\n"
                        "  ~ queue 'orders.created.retry.v2.1000ms': x-expires "
                        "was 1, is no longer set\n"
                        "  ~ queue 'orders.created.retry.v2.2000ms': x-expires "
                        "was not set, becomes 1\n");
}

static void policies_that_are_not_shown_are_told_of_by_kind(void **state)
{
    static const enum lq_finding_code codes[] = {LQ_POLICIES_NOT_SEEN,
                                                 LQ_OPERATOR_POLICIES_NOT_SEEN};
    struct report *const report = report_of(state);

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); ++i) {
        struct lq_finding *const finding = add(report, codes[i], 0);

        finding->resource = LQ_VHOST;
        finding->logical = NULL;
    }
    assert_string_equal(text(report), "virtual host 'sh\\x09p'\n"
                                      "  ? policies are not shown\n"
                                      "  ? operator policies are not shown\n");
}

static void types_are_told_when_it_is_they_that_differ(void **state)
{
    struct report *const report = report_of(state);
    struct lq_finding *const finding =
        add(report, LQ_QUEUE_ARGUMENT_DIFFERENT, 0);

    finding->field = "x-max-length";
    finding->planned = (struct lq_side_value){"1", "integer"};
    finding->actual = (struct lq_side_value){"1", "string"};
    assert_string_equal(text(report),
                        "orders.created\n"
                        "  ~ queue 'orders.created': x-max-length is '1' "
                        "(string), plan says 1 (integer)\n");
}

static void what_is_of_no_entry_is_the_virtual_host_s(void **state)
{
    struct report *const report = report_of(state);
    struct lq_finding *const finding = add(report, LQ_EXTRAS_NOT_SEEN, 0);

    finding->resource = LQ_VHOST;
    finding->name = "sh\tp";
    finding->logical = NULL;
    assert_string_equal(text(report), "virtual host 'sh\\x09p'\n"
                                      "  ? what is there beyond "
                                      "the plan is not shown\n");
}

static void a_binding_has_its_ends_and_any_arguments(void **state)
{
    struct report *const report = report_of(state);
    const struct lq_binding binding = {
        .source = "a\x1b", .destination = "b", .routing_key = "k"};
    struct lq_finding *const finding = add(report, LQ_MAIN_KEY_SHARED, 0);

    finding->resource = LQ_BINDING;
    finding->name = binding.destination;
    finding->binding = &binding;
    finding->to_exchange = true;
    finding->field = "arguments";
    finding->actual = (struct lq_side_value){"{\"x\":1}", "table"};
    assert_string_equal(text(report),
                        "orders.created\n"
                        "  - binding from exchange 'a\\x1b' to exchange 'b' "
                        "with key 'k': gets what the main queue gets; with "
                        "arguments {\"x\":1}\n");
}

static void advice_is_given_once_for_all_that_want_the_same(void **state)
{
    struct report *const report = report_of(state);

    report->style.colour = true;
    add(report, LQ_QUEUE_MISSING, 0);
    add(report, LQ_EXTERNAL_QUEUE_MISSING, 5);
    add(report, LQ_BINDING_MISSING, 1);
    assert_non_null(strstr(text(report),
                           "\n\033[1mWhat to do\033[0m\n"
                           "  \033[32m+\033[0m 2: apply declares it\n"
                           "  \033[32m+\033[0m 1: it is external: have its "
                           "owner declare it\n"));
}

static void cases_are_all_logical_queues_and_the_rest(void **state)
{
    struct report *const report = report_of(state);
    struct lq_finding *const finding = add(report, LQ_EXTRAS_NOT_SEEN, 0);
    struct sheet *const sheet = &report->fixture->sheet;

    finding->resource = LQ_VHOST;
    finding->name = "sh\tp";
    finding->logical = NULL;
    assert_int_equal(lq_drift_junit_render(&report->drift, &report->style,
                                           &report->fixture->arena,
                                           &sheet->sink),
                     LQ_OK);
    assert_non_null(strstr(
        sheet->text,
        " tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"1\">\n"
        "  <testcase classname=\"lilyq.diff\" name=\"orders.created\" "
        "file=\"lilyq.ini\" line=\"12\"/>\n"
        "  <testcase classname=\"lilyq.diff\" name=\"legacy\"/>\n"
        "  <testcase classname=\"lilyq.diff\" name=\"virtual host "
        "'sh&#9;p'\">\n"
        "    <skipped message=\"extras unverified\">extras-unverified: virtual "
        "host 'sh\\x09p': what is there beyond the plan is not shown\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(without_a_finding_there_is_no_text),
        TEST(three_that_are_alike_have_lines_and_four_share_one),
        TEST(all_of_them_have_lines_when_told_so),
        TEST(each_kind_has_words_of_its_own),
        TEST(policies_are_named_with_what_they_do),
        TEST(changes_are_told_as_what_was_and_what_becomes),
        TEST(policies_that_are_not_shown_are_told_of_by_kind),
        TEST(types_are_told_when_it_is_they_that_differ),
        TEST(what_is_of_no_entry_is_the_virtual_host_s),
        TEST(a_binding_has_its_ends_and_any_arguments),
        TEST(advice_is_given_once_for_all_that_want_the_same),
        TEST(cases_are_all_logical_queues_and_the_rest),
    };

    return cmocka_run_group_tests_name("drift_report", tests, NULL, NULL);
}
