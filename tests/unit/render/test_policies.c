#include "render/policies.h"

#include "fixture.h"

static const struct lq_queue queues[] = {{.name = "it's"},
                                         {.name = "\xc3\xa9"}};
static const struct lq_queue *const both[] = {&queues[0], &queues[1]};

static const struct lq_argument keys[] = {
    {.key = "dead-letter-exchange", .type = LQ_LONGSTR, .text = "a'\"\\b"},
    {.key = "delivery-limit", .type = LQ_INT64, .number = -1},
};

static const struct lq_own_policy list[] = {
    {LQ_POLICY_AT_LEAST_ONCE, "lilyq-at-least-once", "^(it's|\\xC3\\xA9)$", 0,
     keys, 2, both, 2},
    {LQ_POLICY_DLQ, "lilyq-dlq", "^(a)$", 12, keys + 1, 1, both, 1},
};

static struct lq_policy_set set_in(const char *vhost)
{
    return (struct lq_policy_set){.vhost = vhost, .own = {NULL, list, 2}};
}

static void writes_bodies_for_the_api(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_policy_set set = set_in("/");

    assert_int_equal(lq_policies_json_render(&set, &fixture->sheet.sink),
                     LQ_OK);
    assert_string_equal(
        fixture->sheet.text,
        "{\n"
        "  \"format\": \"lilyq-policies\",\n"
        "  \"format_version\": 1,\n"
        "  \"topology_version\": \"v2\",\n"
        "  \"policies\": [\n"
        "    {\"vhost\": \"/\", \"name\": \"lilyq-at-least-once\", "
        "\"pattern\": \"^(it's|\\\\xC3\\\\xA9)$\", \"apply-to\": \"queues\", "
        "\"priority\": 0, \"definition\": {\"dead-letter-exchange\": "
        "\"a'\\\"\\\\b\", \"delivery-limit\": -1}},\n"
        "    {\"vhost\": \"/\", \"name\": \"lilyq-dlq\", \"pattern\": "
        "\"^(a)$\", \"apply-to\": \"queues\", \"priority\": 12, "
        "\"definition\": {\"delivery-limit\": -1}}\n"
        "  ]\n"
        "}\n");
}

static void quotes_for_the_shell(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_policy_set set = set_in("-it's");

    assert_int_equal(lq_policies_shell_render(&set, &fixture->sheet.sink),
                     LQ_OK);
    assert_string_equal(
        fixture->sheet.text,
        "# keeps a message until its dead-letter target has it\n"
        "rabbitmqctl set_policy --vhost='-it'\\''s' --apply-to queues "
        "--priority 0 \\\n"
        "    lilyq-at-least-once \\\n"
        "    '^(it'\\''s|\\xC3\\xA9)$' \\\n"
        "    '{\"dead-letter-exchange\": \"a'\\''\\\"\\\\b\", "
        "\"delivery-limit\": -1}'\n"
        "\n"
        "# says when quorum DLQs drop a message, if ever\n"
        "rabbitmqctl set_policy --vhost='-it'\\''s' --apply-to queues "
        "--priority 12 \\\n"
        "    lilyq-dlq \\\n"
        "    '^(a)$' \\\n"
        "    '{\"delivery-limit\": -1}'\n");
}

static void tells_people_which_queues_it_is_for(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_policy_set set = set_in("/");

    assert_int_equal(lq_policies_text_render(&set, &fixture->sheet.sink),
                     LQ_OK);
    assert_string_equal(
        fixture->sheet.text,
        "lilyq-at-least-once (priority 0): keeps a message until its "
        "dead-letter target has it\n"
        "  dead-letter-exchange = a'\"\\b\n"
        "  delivery-limit = -1\n"
        "  pattern ^(it's|\\xC3\\xA9)$\n"
        "  for 2 queues:\n"
        "    it's\n"
        "    \xc3\xa9\n"
        "\n"
        "lilyq-dlq (priority 12): says when quorum DLQs drop a message, if "
        "ever\n"
        "  delivery-limit = -1\n"
        "  pattern ^(a)$\n"
        "  for 1 queue:\n"
        "    it's\n");
}

static struct lq_policy_set native_set(struct fixture *fixture)
{
    static struct lq_entry entry;
    const struct lq_policy_wants wants = {0};
    struct lq_policy_set set = {.vhost = "/", .is_native = true};

    entry = documented_entry();
    entry.retry_jitter_ratio = 0.2;
    plan(fixture, &entry, 1);
    assert_int_equal(lq_native_retries_build(fixture->topology, &wants,
                                             &fixture->diags, &set.native),
                     LQ_OK);
    return set;
}

static void compares_both_ways_of_retrying(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_policy_set set = native_set(fixture);

    assert_int_equal(lq_policies_text_render(&set, &fixture->sheet.sink),
                     LQ_OK);
    assert_non_null(strstr(fixture->sheet.text,
                           "lilyq-native-orders.created (priority 0): retries "
                           "by the broker itself\n"
                           "  delayed-retry-type = all\n"
                           "  delayed-retry-min = 1000\n"));
    assert_non_null(
        strstr(fixture->sheet.text,
               "  the queue 'orders.created.native' in place of "
               "'orders.created':\n"
               "    bind it to 'orders' with key 'orders.created'\n"
               "    declare it as durable, with these arguments and no other:\n"
               "      x-queue-type = quorum\n"
               "  attempt   v2, ms               broker, ms\n"
               "  1         1000 to 1200         1000\n"
               "  2         1600 to 2400         2000\n"
               "  3         3200 to 4800         3000\n"
               "  all       5800 to 8400         6000\n"
               "\n"
               "lost: "));
    assert_non_null(strstr(fixture->sheet.text, "\ngained: "));
}

static void native_retry_keeps_a_single_active_consumer(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = documented_entry();
    const struct lq_policy_wants wants = {0};
    struct lq_policy_set set = {.vhost = "/", .is_native = true};

    entry.single_active_consumer = true;
    entry.max_priority = 5;
    plan(fixture, &entry, 1);
    assert_int_equal(lq_native_retries_build(fixture->topology, &wants,
                                             &fixture->diags, &set.native),
                     LQ_OK);
    assert_int_equal(lq_policies_text_render(&set, &fixture->sheet.sink),
                     LQ_OK);
    assert_non_null(strstr(fixture->sheet.text,
                           "      x-queue-type = quorum\n"
                           "      x-single-active-consumer = true\n"
                           "    max_priority is lost: no argument or policy of "
                           "a quorum queue has it\n"));
}

static void keeps_the_comparison_out_of_commands(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_policy_set set = native_set(fixture);
    char *line = NULL;

    assert_int_equal(lq_policies_shell_render(&set, &fixture->sheet.sink),
                     LQ_OK);
    assert_non_null(strstr(fixture->sheet.text,
                           "# all       5800 to 8400         6000\n"
                           "rabbitmqctl set_policy -p / --apply-to queues "
                           "--priority 0 \\\n"
                           "    lilyq-native-orders.created \\\n"));
    for (line = strtok(fixture->sheet.text, "\n"); line;
         line = strtok(NULL, "\n")) {
        assert_true(line[0] == '#' ||
                    strncmp(line, "rabbitmqctl", strlen("rabbitmqctl")) == 0 ||
                    strncmp(line, "    ", 4) == 0);
    }
}

static void writes_both_curves_as_json(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_policy_set set = native_set(fixture);

    assert_int_equal(lq_policies_json_render(&set, &fixture->sheet.sink),
                     LQ_OK);
    assert_non_null(strstr(
        fixture->sheet.text,
        "  \"native_retry\": [\n"
        "    {\"logical_queue\": \"orders.created\", \"queue\": "
        "\"orders.created.native\", \"arguments\": "
        "{\"x-queue-type\": \"quorum\"}, \"exchange\": \"orders\", "
        "\"routing_key\": \"orders.created\", \"policy\": "
        "\"lilyq-native-orders.created\", \"attempts\": ["
        "{\"attempt\": 1, \"v2_millis\": [1000, 1200], \"native_millis\": "
        "1000}, "
        "{\"attempt\": 2, \"v2_millis\": [1600, 2000, 2400], "
        "\"native_millis\": 2000}, "
        "{\"attempt\": 3, \"v2_millis\": [3200, 4000, 4800], "
        "\"native_millis\": 3000}], \"v2_min_wait_millis\": 5800, "
        "\"v2_max_wait_millis\": 8400, \"native_wait_millis\": 6000}\n"
        "  ]\n"));
}

static void writes_nothing_about_no_policies(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_policy_set sets[] = {{.vhost = "/"},
                                         {.vhost = "/", .is_native = true}};

    for (size_t i = 0; i < 2; ++i) {
        assert_int_equal(
            lq_policies_shell_render(&sets[i], &fixture->sheet.sink), LQ_OK);
        assert_int_equal(
            lq_policies_text_render(&sets[i], &fixture->sheet.sink), LQ_OK);
    }
    assert_int_equal(fixture->sheet.length, 0);
}

static void tells_when_the_sink_refuses(void **state)
{
    const struct lq_policy_set set = set_in("/");
    struct sheet full;

    (void)state;
    sheet_init(&full, 0);
    assert_int_equal(lq_policies_json_render(&set, &full.sink), LQ_IO);
    assert_int_equal(lq_policies_shell_render(&set, &full.sink), LQ_IO);
    assert_int_equal(lq_policies_text_render(&set, &full.sink), LQ_IO);
    sheet_free(&full);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(writes_bodies_for_the_api),
        TEST(quotes_for_the_shell),
        TEST(tells_people_which_queues_it_is_for),
        TEST(compares_both_ways_of_retrying),
        TEST(native_retry_keeps_a_single_active_consumer),
        TEST(keeps_the_comparison_out_of_commands),
        TEST(writes_both_curves_as_json),
        TEST(writes_nothing_about_no_policies),
        TEST(tells_when_the_sink_refuses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
