#include "config/json_source.h"

#include "fixture.h"

#include <locale.h>

#define QUEUES(queue) "{\"queues\":[" queue "]}"
#define WITH(fields) QUEUES("{" JSON_FIELDS "," fields "}")

static void assert_refusals(struct fixture *fixture, const struct refusal *rows,
                            size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        assert_refused(fixture, "f.json", &rows[i]);
    }
}

#define ASSERT_REFUSALS(state, rows)                                           \
    assert_refusals((state), (rows), sizeof(rows) / sizeof((rows)[0]))

static const struct lq_entry *only_entry(struct fixture *fixture,
                                         const char *text)
{
    start_again(fixture);
    assert_int_equal(load_json(fixture, text), LQ_OK);
    assert_string_equal(problems(fixture), "");
    assert_int_equal(entry_count(fixture), 1);
    return entry_at(fixture, 0);
}

static void reads_every_field_of_a_queue(void **state)
{
    const struct lq_entry *const entry = only_entry(
        *state, WITH("\"exchange_kind\":\"direct\","
                     "\"queue_type\":\"quorum\","
                     "\"topology_ownership\":\"external\","
                     "\"durable\":false,\"auto_delete\":true,"
                     "\"exclusive\":true,\"single_active_consumer\":true,"
                     "\"max_priority\":9,\"message_ttl_ms\":10,"
                     "\"dead_letter_exchange\":\"dx\","
                     "\"dead_letter_routing_key\":\"dk\","
                     "\"retry_attempts\":11,\"retry_backoff_millis\":1200,"
                     "\"max_retry_backoff_millis\":13000,"
                     "\"retry_jitter_ratio\":0.25,\"concurrency\":14,"
                     "\"prefetch_count\":15,\"delivery_buffer_capacity\":16,"
                     "\"delivery_execution_timeout_millis\":17000,"
                     "\"settlement_timeout_millis\":18,"
                     "\"max_message_size_bytes\":19,"
                     "\"transactional_inbox\":{\"any\":[1.5,null]}"));

    assert_string_equal(entry->name, "q");
    assert_string_equal(entry->exchange_name, "x");
    assert_string_equal(entry->routing_key, "k");
    assert_int_equal(entry->queue_type, LQ_QUORUM);
    assert_int_equal(entry->topology_ownership, LQ_EXTERNAL);
    assert_true(!entry->durable && entry->auto_delete && entry->exclusive);
    assert_true(entry->single_active_consumer);
    assert_int_equal(entry->max_priority, 9);
    assert_int_equal(entry->message_ttl_ms, 10);
    assert_string_equal(entry->dead_letter_exchange, "dx");
    assert_string_equal(entry->dead_letter_routing_key, "dk");
    assert_int_equal(entry->main_max_messages, 1);
    assert_int_equal(entry->main_max_bytes, 2);
    assert_int_equal(entry->retry_bucket_max_messages, 3);
    assert_int_equal(entry->retry_bucket_max_bytes, 4);
    assert_int_equal(entry->dead_letter_max_messages, 5);
    assert_int_equal(entry->dead_letter_max_bytes, 6);
    assert_int_equal(entry->retry_attempts, 11);
    assert_int_equal(entry->retry_backoff_millis, 1200);
    assert_int_equal(entry->max_retry_backoff_millis, 13000);
    assert_true(entry->retry_jitter_ratio == 0.25);
    assert_int_equal(entry->concurrency, 14);
    assert_int_equal(entry->prefetch_count, 15);
    assert_int_equal(entry->delivery_buffer_capacity, 16);
    assert_int_equal(entry->delivery_execution_timeout_millis, 17000);
    assert_int_equal(entry->settlement_timeout_millis, 18);
    assert_int_equal(entry->max_message_size_bytes, 19);
    assert_int_equal(entry->given, lq_field_bit(LQ_FIELD_COUNT) - 1);
    assert_int_equal(entry->broken, 0);
}

static void names_entries_by_their_path(void **state)
{
    struct fixture *const fixture = *state;

    assert_int_equal(load_json(fixture, "{\"queues\":[{" JSON_FIELDS
                                        "},{" JSON_FIELDS "}]}"),
                     LQ_OK);
    assert_string_equal(entry_at(fixture, 1)->place.file, "f.json");
    assert_string_equal(entry_at(fixture, 1)->place.path, "queues[1]");
    assert_int_equal(entry_at(fixture, 1)->place.line, 0);
}

static void finds_queues_deep_in_a_document_that_is_not_ours(void **state)
{
    const struct lq_entry *const entry =
        only_entry(*state, "{\"app\":{\"queues\":1},\"rabbitmq\":{\"pool\":"
                           "null,\"topology\":{\"queues\":[{" JSON_FIELDS
                           "}]}},\"big\":1e999}");

    assert_string_equal(entry->place.path, "rabbitmq.topology.queues[0]");
}

static void leaves_the_rest_of_the_document_alone(void **state)
{
    (void)only_entry(*state, "{\"queues\":[{" JSON_FIELDS
                             "}],\"rabbitmq\":5,\"x\":99999999999999999999}");
    (void)only_entry(*state, "{\"queues\":[{" JSON_FIELDS
                             "}],\"rabbitmq\":{\"topology\":{}}}");
}

static void skips_a_byte_order_mark(void **state)
{
    (void)only_entry(*state, "\xef\xbb\xbf" QUEUES("{" JSON_FIELDS "}"));
}

static void takes_no_queues_at_all(void **state)
{
    struct fixture *const fixture = *state;

    assert_int_equal(load_json(fixture, "{\"queues\":[]}"), LQ_OK);
    assert_int_equal(entry_count(fixture), 0);
}

static void takes_an_integer_for_the_ratio(void **state)
{
    assert_true(only_entry(*state, WITH("\"retry_jitter_ratio\":0"))->broken ==
                0);
}

static void decodes_strings(void **state)
{
    const struct lq_entry *const entry = only_entry(
        *state,
        WITH("\"dead_letter_exchange\":\"a\\\"\\u00e9\\ud83d\\ude00\""));

    assert_string_equal(entry->dead_letter_exchange,
                        "a\"\xc3\xa9\xf0\x9f\x98\x80");
}

static void reads_ratios_whatever_the_locale(void **state)
{
    const struct lq_entry *entry = NULL;

    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    entry = only_entry(*state, WITH("\"retry_jitter_ratio\":0.25"));
    assert_non_null(setlocale(LC_ALL, "C"));
    assert_true(entry->retry_jitter_ratio == 0.25);
}

#define AT(field) "f.json: queues[0]." field ": [queue:q] "

static void takes_no_float_or_string_for_an_integer(void **state)
{
    static const struct refusal rows[] = {
        {WITH("\"retry_attempts\":3.0"),
         AT("retry_attempts") "'retry_attempts' must be an integer from 0 to "
                              "100, not 3.0\n"},
        {WITH("\"retry_attempts\":1e1"),
         AT("retry_attempts") "'retry_attempts' must be an integer from 0 to "
                              "100, not 1e1\n"},
        {WITH("\"retry_attempts\":\"3\""),
         AT("retry_attempts") "'retry_attempts' must be an integer from 0 to "
                              "100, not the string '3'\n"},
        {WITH("\"retry_attempts\":null"),
         AT("retry_attempts") "'retry_attempts' must be an integer from 0 to "
                              "100, not null\n"},
        {WITH("\"concurrency\":[1]"),
         AT("concurrency") "'concurrency' must be an integer from 1 to 1024, "
                           "not an array\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void reports_numbers_beyond_64_bits_by_their_field(void **state)
{
    static const struct refusal rows[] = {
        {WITH("\"message_ttl_ms\":18446744073709551615"),
         AT("message_ttl_ms") "'message_ttl_ms' must be an integer from 1 to "
                              "4294967295, not 18446744073709551615\n"},
        {WITH("\"message_ttl_ms\":-99999999999999999999"),
         AT("message_ttl_ms") "'message_ttl_ms' must be an integer from 1 to "
                              "4294967295, not -99999999999999999999\n"},
        {WITH("\"retry_jitter_ratio\":1e400"),
         AT("retry_jitter_ratio") "'retry_jitter_ratio' must be a number from "
                                  "0.0 to 0.5, not 1e400\n"},
        {QUEUES("{" JSON_NAMES ",\"retention\":{\"main_max_messages\":1,"
                "\"main_max_bytes\":9223372036854775808,"
                "\"retry_bucket_max_messages\":3,\"retry_bucket_max_bytes\":4,"
                "\"dead_letter_max_messages\":5,"
                "\"dead_letter_max_bytes\":6}}"),
         AT("retention.main_max_bytes") "'retention.main_max_bytes' must be an "
                                        "integer from 1 to "
                                        "9223372036854775807, not "
                                        "9223372036854775808\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void takes_enums_and_booleans_exactly(void **state)
{
    static const struct refusal rows[] = {
        {WITH("\"queue_type\":\"Quorum\""),
         AT("queue_type") "'queue_type' must be 'classic' or 'quorum', not "
                          "'Quorum'; did you mean 'quorum'?\n"},
        {WITH("\"queue_type\":true"),
         AT("queue_type") "'queue_type' must be 'classic' or 'quorum', not "
                          "true\n"},
        {WITH("\"exchange_kind\":\"fanout\""),
         AT("exchange_kind") "'exchange_kind' must be 'direct', not "
                             "'fanout'\n"},
        {WITH("\"durable\":1"),
         AT("durable") "'durable' must be true or false, not 1\n"},
        {WITH("\"durable\":\"true\""),
         AT("durable") "'durable' must be true or false, not the string "
                       "'true'\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void refuses_what_is_no_identity(void **state)
{
    static const struct refusal rows[] = {
        {WITH("\"dead_letter_exchange\":5"),
         AT("dead_letter_exchange") "'dead_letter_exchange' must be a string, "
                                    "not 5\n"},
        {WITH("\"dead_letter_exchange\":\"a\\u0000b\""),
         AT("dead_letter_exchange") "'dead_letter_exchange' must not contain "
                                    "control characters, but is "
                                    "'a\\x00b'\n"},
        {WITH("\"dead_letter_exchange\":\"\\u00017\""),
         AT("dead_letter_exchange") "'dead_letter_exchange' must not contain "
                                    "control characters, but is '\\x017'\n"},
        {WITH("\"dead_letter_exchange\":\"\\u0001\\u0001\""),
         AT("dead_letter_exchange") "'dead_letter_exchange' must not contain "
                                    "control characters, but is "
                                    "'\\x01\\x01'\n"},
        {WITH("\"dead_letter_exchange\":\"\""),
         AT("dead_letter_exchange") "'dead_letter_exchange' must be 1 to 200 "
                                    "bytes, not empty\n"},
        {QUEUES("{\"name\":\"a\\u0000\",\"exchange_name\":\"x\","
                "\"routing_key\":7," JSON_RETENTION "}"),
         "f.json: queues[0].name: [queue:a\\x00] 'name' must not contain "
         "control characters, but is 'a\\x00'\n"
         "f.json: queues[0].routing_key: [queue:a\\x00] 'routing_key' must be "
         "a string, not 7\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void names_the_queue_also_when_its_name_comes_last(void **state)
{
    static const struct refusal row = {
        QUEUES("{\"durable\":0,\"exchange_name\":\"x\",\"routing_key\":"
               "\"k\"," JSON_RETENTION ",\"name\":\"late\"}"),
        "f.json: queues[0].durable: [queue:late] 'durable' must be true or "
        "false, not 0\n"};

    assert_refused(*state, "f.json", &row);
}

static void asks_for_required_fields(void **state)
{
    static const struct refusal rows[] = {
        {QUEUES("{}"),
         "f.json: queues[0]: [queue:] 'name' is required\n"
         "f.json: queues[0]: [queue:] 'exchange_name' is required\n"
         "f.json: queues[0]: [queue:] 'routing_key' is required\n"
         "f.json: queues[0]: [queue:] 'retention' is required: "
         "main_max_messages, main_max_bytes, retry_bucket_max_messages, "
         "retry_bucket_max_bytes, dead_letter_max_messages and "
         "dead_letter_max_bytes\n"},
        {QUEUES("{" JSON_NAMES ",\"retention\":{\"main_max_messages\":1,"
                "\"main_max_bytes\":2,\"retry_bucket_max_messages\":3,"
                "\"retry_bucket_max_bytes\":4}}"),
         "f.json: queues[0]: [queue:q] 'retention.dead_letter_max_messages' is "
         "required\n"
         "f.json: queues[0]: [queue:q] 'retention.dead_letter_max_bytes' is "
         "required\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void refuses_unknown_fields(void **state)
{
    static const struct refusal rows[] = {
        {WITH("\"colour\":1"), AT("colour") "unknown field 'colour'; "
                                            "lilyq.ini(5) lists them\n"},
        {WITH("\"co\\nlour\":1"),
         AT("co\\x0alour") "unknown field 'co\\x0alour'; lilyq.ini(5) lists "
                           "them\n"},
        {WITH("\"retry_atempts\":1"),
         AT("retry_atempts") "unknown field 'retry_atempts'; did you mean "
                             "'retry_attempts'?\n"},
        {QUEUES("{\"name\":\"q\",\"exchnage_name\":\"x\",\"routing_key\":"
                "\"k\"," JSON_RETENTION "}"),
         AT("exchnage_name") "unknown field 'exchnage_name'; did you mean "
                             "'exchange_name'?\n"},
        {QUEUES("{" JSON_NAMES ",\"retenton\":{}}"),
         AT("retenton") "unknown field 'retenton'; did you mean "
                        "'retention'?\n"},
        {WITH("\"transactional_inbx\":{}"),
         AT("transactional_inbx") "unknown field 'transactional_inbx'; did you "
                                  "mean 'transactional_inbox'?\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void refuses_unknown_fields_of_retention(void **state)
{
    static const struct refusal row = {
        QUEUES("{" JSON_NAMES ",\"retention\":{\"main_max_message\":1,"
               "\"main_max_bytes\":2,\"retry_bucket_max_messages\":3,"
               "\"retry_bucket_max_bytes\":4,\"dead_letter_max_messages\":5,"
               "\"dead_letter_max_bytes\":6,\"durable\":true}}"),
        AT("retention.main_max_message") "unknown field 'main_max_message'; "
                                         "did you mean "
                                         "'main_max_messages'?\n" AT(
                                             "retention.durable") "unknown "
                                                                  "field "
                                                                  "'durable'; "
                                                                  "lilyq.ini(5)"
                                                                  " lists "
                                                                  "them\n"};

    assert_refused(*state, "f.json", &row);
}

static void says_where_a_misplaced_field_belongs(void **state)
{
    static const struct refusal rows[] = {
        {WITH("\"main_max_bytes\":1"),
         AT("main_max_bytes") "'main_max_bytes' must stand in the object "
                              "'retention'\n"},
        {WITH("\"retention.main_max_bytes\":1"),
         AT("retention.main_max_bytes") "'retention.main_max_bytes' must stand "
                                        "in the object 'retention'\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void refuses_other_types_where_objects_belong(void **state)
{
    static const struct refusal rows[] = {
        {QUEUES("{" JSON_NAMES ",\"retention\":[]}"),
         AT("retention") "'retention' must be an object, not an array\n"},
        {WITH("\"transactional_inbox\":true"),
         AT("transactional_inbox") "'transactional_inbox' must be an object, "
                                   "not true\n"},
        {QUEUES("{" JSON_FIELDS "},7"), "f.json: queues[1]: must be an object, "
                                        "not 7\n"},
        {"{\"queues\":{}}",
         "f.json: queues: must be an array of objects, not an object\n"},
        {"{\"rabbitmq\":{\"topology\":\"x\"}}",
         "f.json: rabbitmq.topology: must be an object, not the string 'x'\n"},
        {"[]", "f.json: must be an object with 'queues' or "
               "'rabbitmq.topology.queues', not an array\n"},
        {"5", "f.json: must be an object with 'queues' or "
              "'rabbitmq.topology.queues', not 5\n"},
        {"false", "f.json: must be an object with 'queues' or "
                  "'rabbitmq.topology.queues', not false\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void wants_the_queues_in_one_place(void **state)
{
    static const struct refusal rows[] = {
        {"{\"queue\":[]}", "f.json: 'queues' is required, at the top or in "
                           "'rabbitmq.topology'\n"},
        {"{\"queues\":[],\"rabbitmq\":{\"topology\":{\"queues\":[]}}}",
         "f.json: 'queues' and 'rabbitmq.topology.queues' must not both be "
         "given\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void lets_nothing_but_queues_stand_in_the_topology(void **state)
{
    static const struct refusal rows[] = {
        {"{\"rabbitmq\":{\"topology\":{\"queue\":[]}}}",
         "f.json: rabbitmq.topology: unknown field 'queue'; did you mean "
         "'queues'?\n"},
        {"{\"rabbitmq\":{\"topology\":{\"queues\":[3],\"x\\u0009\":1}}}",
         "f.json: rabbitmq.topology: unknown field 'x\\x09'; only 'queues' may "
         "stand here\n"
         "f.json: rabbitmq.topology.queues[0]: must be an object, not 3\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void places_syntax_errors_at_the_token(void **state)
{
    static const struct refusal rows[] = {
        {"{\"queues\":\n  [1.5 2.25]}", "f.json:2:8: ']' expected near "
                                        "'2.25'\n"},
        {"{\"queues\": [tru]}", "f.json:1:13: invalid token near 'tru'\n"},
        {"{\"a\": 01}", "f.json:1:7: invalid token near '01'\n"},
        {"{\"a\": 1.}", "f.json:1:7: invalid token near '1.'\n"},
        {"{1: 2}", "f.json:1:2: string or '}' expected near '1'\n"},
        {"{18446744073709551616: 2}",
         "f.json:1:2: too big integer near '18446744073709551616'\n"},
        {"{\"a\": 1,}", "f.json:1:9: string or '}' expected near '}'\n"},
        {"{\"a\" 1}", "f.json:1:6: ':' expected near '1'\n"},
        {"{\"a\": 1]", "f.json:1:8: '}' expected near ']'\n"},
        {"{\"\xc3\xa9\": \xc3\xa9}", "f.json:1:8: invalid token near "
                                     "'\xc3\xa9'\n"},
        {"}", "f.json:1:1: unexpected token near '}'\n"},
        {"{\"a\": \"\\x\"}", "f.json:1:7: invalid escape near '\"\\x\"'\n"},
        {"{\"a\": \"b\nc\"}", "f.json:1:7: unexpected newline near '\"b'\n"},
        {"{\"a\": \"b\tc\"}", "f.json:1:7: control character 0x9 near "
                              "'\"b'\n"},
        {"{\"a\": \"\\ud800\"}",
         "f.json:1:7: invalid Unicode '\\uD800' near '\"\\ud800\"'\n"},
        {"{\"a\\u0000\": 1}", "f.json:1:2: NUL byte in object key not "
                              "supported near '\"a\\u0000\"'\n"},
        {"{\"a\": aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}",
         "f.json:1:7: invalid token\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void places_an_early_end_behind_the_last_byte(void **state)
{
    static const struct refusal rows[] = {
        {"{\"a\": 1", "f.json:1:8: '}' expected near end of file\n"},
        {"{\"a\":\n", "f.json:2:1: unexpected token near end of file\n"},
        {"{", "f.json:1:2: string or '}' expected near end of file\n"},
        {"{\"a\": \"bc", "f.json:1:7: premature end of input near '\"bc'\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void refuses_a_second_value(void **state)
{
    static const struct refusal rows[] = {
        {"{\"queues\":[]} {}", "f.json:1:15: end of document expected near "
                               "'{'\n"},
        {"{\"queues\":[]}]", "f.json:1:14: end of document expected near "
                             "']'\n"},
        {"{\"queues\":[]},", "f.json:1:14: end of document expected near "
                             "','\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void refuses_a_document_without_a_value(void **state)
{
    static const struct refusal rows[] = {
        {"", "f.json: document must not be empty\n"},
        {"\xef\xbb\xbf \n", "f.json: document must not be empty\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void refuses_a_key_that_comes_twice(void **state)
{
    static const struct refusal rows[] = {
        {"{\"queues\":[],\n\"queues\":[]}",
         "f.json:2:1: duplicate object key near '\"queues\"'\n"},
        {"{\"x\":{\"a\":1,\"a\":2},\"queues\":[]}",
         "f.json:1:13: duplicate object key near '\"a\"'\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void refuses_bytes_that_are_not_UTF_8(void **state)
{
    static const struct refusal row = {"{\"queues\":\n[\"\xff\"]}",
                                       "f.json:2:3: document must be UTF-8\n"};

    assert_refused(*state, "f.json", &row);
}

static void refuses_a_NUL_byte(void **state)
{
    static const char text[] = "{\"queues\":\0[]}";
    struct fixture *const fixture = *state;

    assert_int_equal(load_bytes(fixture, "f.json", text, sizeof(text) - 1),
                     LQ_INVALID);
    assert_string_equal(problems(fixture),
                        "f.json:1:11: document must not contain a NUL byte\n");
}

static void refuses_what_is_nested_too_deeply(void **state)
{
    struct fixture *const fixture = *state;
    char text[4000];

    memset(text, '[', sizeof(text));
    assert_int_equal(load_bytes(fixture, "f.json", text, sizeof(text)),
                     LQ_INVALID);
    assert_string_equal(
        problems(fixture),
        "f.json:1:2048: maximum parsing depth reached near '['\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads_every_field_of_a_queue),
        TEST(names_entries_by_their_path),
        TEST(finds_queues_deep_in_a_document_that_is_not_ours),
        TEST(leaves_the_rest_of_the_document_alone),
        TEST(skips_a_byte_order_mark),
        TEST(takes_no_queues_at_all),
        TEST(takes_an_integer_for_the_ratio),
        TEST(decodes_strings),
        TEST(reads_ratios_whatever_the_locale),
        TEST(takes_no_float_or_string_for_an_integer),
        TEST(reports_numbers_beyond_64_bits_by_their_field),
        TEST(takes_enums_and_booleans_exactly),
        TEST(refuses_what_is_no_identity),
        TEST(names_the_queue_also_when_its_name_comes_last),
        TEST(asks_for_required_fields),
        TEST(refuses_unknown_fields),
        TEST(refuses_unknown_fields_of_retention),
        TEST(says_where_a_misplaced_field_belongs),
        TEST(refuses_other_types_where_objects_belong),
        TEST(wants_the_queues_in_one_place),
        TEST(lets_nothing_but_queues_stand_in_the_topology),
        TEST(places_syntax_errors_at_the_token),
        TEST(places_an_early_end_behind_the_last_byte),
        TEST(refuses_a_second_value),
        TEST(refuses_a_document_without_a_value),
        TEST(refuses_a_key_that_comes_twice),
        TEST(refuses_bytes_that_are_not_UTF_8),
        TEST(refuses_a_NUL_byte),
        TEST(refuses_what_is_nested_too_deeply),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
