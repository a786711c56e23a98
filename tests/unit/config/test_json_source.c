#include "config/load.h"

#include "fixture.h"

#include <locale.h>

static void reads_every_field_of_a_queue(void **state)
{
    const struct lq_entry *const entry =
        only_entry(*state, "f.json",
                   WITH("\"exchange_kind\":\"direct\","
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
    const struct lq_entry *const entry = only_entry(
        *state, "f.json",
        "{\"app\":{\"queues\":1},\"rabbitmq\":{\"pool\":"
        "null,\"topology\":{\"queues\":[{" JSON_FIELDS "}]}},\"big\":1e999}");

    assert_string_equal(entry->place.path, "rabbitmq.topology.queues[0]");
}

static void leaves_the_rest_of_the_document_alone(void **state)
{
    (void)only_entry(*state, "f.json",
                     "{\"queues\":[{" JSON_FIELDS
                     "}],\"rabbitmq\":5,\"x\":99999999999999999999}");
    (void)only_entry(*state, "f.json",
                     "{\"queues\":[{" JSON_FIELDS
                     "}],\"rabbitmq\":{\"topology\":{}}}");
}

static void skips_a_byte_order_mark(void **state)
{
    (void)only_entry(*state, "f.json",
                     "\xef\xbb\xbf" QUEUES("{" JSON_FIELDS "}"));
}

static void takes_no_queues_at_all(void **state)
{
    struct fixture *const fixture = *state;

    assert_int_equal(load_json(fixture, "{\"queues\":[]}"), LQ_OK);
    assert_int_equal(entry_count(fixture), 0);
}

static void takes_an_integer_for_the_ratio(void **state)
{
    assert_true(only_entry(*state, "f.json", WITH("\"retry_jitter_ratio\":0"))
                    ->broken == 0);
}

static void decodes_strings(void **state)
{
    const struct lq_entry *const entry = only_entry(
        *state, "f.json",
        WITH("\"dead_letter_exchange\":\"a\\\"\\u00e9\\ud83d\\ude00\""));

    assert_string_equal(entry->dead_letter_exchange,
                        "a\"\xc3\xa9\xf0\x9f\x98\x80");
}

static void reads_ratios_whatever_the_locale(void **state)
{
    const struct lq_entry *entry = NULL;

    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    entry = only_entry(*state, "f.json", WITH("\"retry_jitter_ratio\":0.25"));
    assert_non_null(setlocale(LC_ALL, "C"));
    assert_true(entry->retry_jitter_ratio == 0.25);
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
