/* What is said of fields that are wrong. */
#include "config/load.h"

#include "fixture.h"

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

    ASSERT_REFUSED(*state, "f.json", rows);
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

    ASSERT_REFUSED(*state, "f.json", rows);
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

    ASSERT_REFUSED(*state, "f.json", rows);
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

    ASSERT_REFUSED(*state, "f.json", rows);
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

    ASSERT_REFUSED(*state, "f.json", rows);
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

    ASSERT_REFUSED(*state, "f.json", rows);
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
         AT("main_max_bytes") "'main_max_bytes' must be in the object "
                              "'retention'\n"},
        {WITH("\"retention.main_max_bytes\":1"),
         AT("retention.main_max_bytes") "'retention.main_max_bytes' must be "
                                        "in the object 'retention'\n"},
    };

    ASSERT_REFUSED(*state, "f.json", rows);
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

    ASSERT_REFUSED(*state, "f.json", rows);
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

    ASSERT_REFUSED(*state, "f.json", rows);
}

static void lets_nothing_but_queues_stand_in_the_topology(void **state)
{
    static const struct refusal rows[] = {
        {"{\"rabbitmq\":{\"topology\":{\"queue\":[]}}}",
         "f.json: rabbitmq.topology: unknown field 'queue'; did you mean "
         "'queues'?\n"},
        {"{\"rabbitmq\":{\"topology\":{\"queues\":[3],\"x\\u0009\":1}}}",
         "f.json: rabbitmq.topology: unknown field 'x\\x09'; only 'queues' is "
         "allowed here\n"
         "f.json: rabbitmq.topology.queues[0]: must be an object, not 3\n"},
    };

    ASSERT_REFUSED(*state, "f.json", rows);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
