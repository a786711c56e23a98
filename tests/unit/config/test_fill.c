#include "config/fill.h"

#include "../limit.h"
#include "fixture.h"

static struct lq_entry blank(struct fixture *fixture)
{
    struct lq_entry entry;

    assert_int_equal(lq_fill_defaults(&entry, &fixture->arena), LQ_OK);
    return entry;
}

static enum lq_status set(struct fixture *fixture, struct lq_entry *entry,
                          enum lq_field field, const char *text)
{
    const struct lq_value value = {LQ_VALUE_PLAIN, text, strlen(text)};

    return lq_fill_set(entry, lq_key_of(field), &value, &fixture->arena);
}

static bool is_in(uint64_t fields, enum lq_field field)
{
    return (fields & lq_field_bit(field)) != 0;
}

static void starts_with_the_defaults_of_the_contract(void **state)
{
    const struct lq_entry entry = blank(*state);

    assert_null(entry.name);
    assert_int_equal(entry.queue_type, LQ_CLASSIC);
    assert_int_equal(entry.topology_ownership, LQ_FRAMEWORK_MANAGED);
    assert_true(entry.durable);
    assert_false(entry.auto_delete || entry.exclusive);
    assert_false(entry.single_active_consumer);
    assert_int_equal(entry.max_priority, 0);
    assert_int_equal(entry.message_ttl_ms, 0);
    assert_int_equal(entry.main_max_messages, 0);
    assert_int_equal(entry.retry_attempts, 0);
    assert_int_equal(entry.retry_backoff_millis, 1000);
    assert_int_equal(entry.max_retry_backoff_millis, 60000);
    assert_true(entry.retry_jitter_ratio == 0.0);
    assert_int_equal(entry.concurrency, 1);
    assert_int_equal(entry.prefetch_count, 10);
    assert_int_equal(entry.delivery_buffer_capacity, 0);
    assert_int_equal(entry.delivery_execution_timeout_millis, 30000);
    assert_int_equal(entry.settlement_timeout_millis, 5000);
    assert_int_equal(entry.max_message_size_bytes, 1048576);
    assert_int_equal(entry.given | entry.broken, 0);
}

static void notes_what_is_given(void **state)
{
    struct lq_entry entry = blank(*state);

    assert_int_equal(set(*state, &entry, LQ_RETRY_ATTEMPTS, "3"), LQ_OK);
    assert_int_equal(entry.retry_attempts, 3);
    assert_int_equal(entry.given, lq_field_bit(LQ_RETRY_ATTEMPTS));
    assert_int_equal(entry.broken, 0);
}

static void notes_what_is_broken(void **state)
{
    struct lq_entry entry = blank(*state);

    assert_int_equal(set(*state, &entry, LQ_RETRY_ATTEMPTS, "soon"),
                     LQ_INVALID);
    assert_int_equal(entry.given, lq_field_bit(LQ_RETRY_ATTEMPTS));
    assert_int_equal(entry.broken, lq_field_bit(LQ_RETRY_ATTEMPTS));
}

static void keeps_a_broken_name_to_be_shown(void **state)
{
    struct lq_entry entry = blank(*state);

    assert_int_equal(set(*state, &entry, LQ_NAME, "a\x01"), LQ_INVALID);
    assert_string_equal(entry.name, "a\\x01");
    assert_true(is_in(entry.broken, LQ_NAME));
}

static void spoils_only_what_is_not_given(void **state)
{
    struct lq_entry entry = blank(*state);

    assert_int_equal(set(*state, &entry, LQ_ROUTING_KEY, "k"), LQ_OK);
    lq_fill_spoil(&entry, LQ_ROUTING_KEY);
    lq_fill_spoil(&entry, LQ_EXCHANGE_NAME);
    assert_false(is_in(entry.broken, LQ_ROUTING_KEY));
    assert_true(is_in(entry.broken, LQ_EXCHANGE_NAME));
    assert_false(is_in(entry.given, LQ_EXCHANGE_NAME));
}

static void mends_a_spoilt_field_that_is_given_later(void **state)
{
    struct lq_entry entry = blank(*state);

    lq_fill_spoil(&entry, LQ_ROUTING_KEY);
    assert_int_equal(set(*state, &entry, LQ_ROUTING_KEY, "k"), LQ_OK);
    assert_int_equal(entry.broken, 0);
}

static void inherits_what_is_not_given(void **state)
{
    struct lq_entry entry = blank(*state);
    struct lq_entry defaults = blank(*state);

    assert_int_equal(set(*state, &defaults, LQ_RETRY_ATTEMPTS, "3"), LQ_OK);
    assert_int_equal(set(*state, &defaults, LQ_CONCURRENCY, "9"), LQ_OK);
    assert_int_equal(set(*state, &entry, LQ_CONCURRENCY, "2"), LQ_OK);
    defaults.lines[LQ_RETRY_ATTEMPTS] = 7;
    lq_fill_inherit(&entry, &defaults);
    assert_int_equal(entry.retry_attempts, 3);
    assert_int_equal(entry.lines[LQ_RETRY_ATTEMPTS], 7);
    assert_true(is_in(entry.given, LQ_RETRY_ATTEMPTS));
    assert_int_equal(entry.concurrency, 2);
    assert_int_equal(entry.prefetch_count, 10);
}

static void inherits_a_field_that_is_broken(void **state)
{
    struct lq_entry entry = blank(*state);
    struct lq_entry defaults = blank(*state);

    assert_int_equal(set(*state, &defaults, LQ_MAIN_MAX_BYTES, "0"),
                     LQ_INVALID);
    lq_fill_spoil(&defaults, LQ_EXCHANGE_NAME);
    lq_fill_inherit(&entry, &defaults);
    assert_true(is_in(entry.broken, LQ_MAIN_MAX_BYTES));
    assert_true(is_in(entry.broken, LQ_EXCHANGE_NAME));
    assert_false(is_in(entry.given, LQ_EXCHANGE_NAME));
}

static void inherits_nothing_for_a_spoilt_field(void **state)
{
    struct lq_entry entry = blank(*state);
    struct lq_entry defaults = blank(*state);

    assert_int_equal(set(*state, &defaults, LQ_RETRY_ATTEMPTS, "3"), LQ_OK);
    lq_fill_spoil(&entry, LQ_RETRY_ATTEMPTS);
    lq_fill_inherit(&entry, &defaults);
    assert_int_equal(entry.retry_attempts, 0);
    assert_true(is_in(entry.broken, LQ_RETRY_ATTEMPTS));
}

static void asks_for_every_required_field_once(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = blank(fixture);

    entry.place = (struct lq_place){.file = "f.ini", .line = 2};
    assert_int_equal(set(fixture, &entry, LQ_NAME, "q"), LQ_OK);
    assert_int_equal(set(fixture, &entry, LQ_MAIN_MAX_BYTES, "1"), LQ_OK);
    assert_int_equal(lq_fill_require(&entry, &fixture->diags), LQ_INVALID);
    assert_int_equal(lq_fill_require(&entry, &fixture->diags), LQ_OK);
    assert_string_equal(
        problems(fixture),
        "f.ini:2: [queue:q] 'exchange_name' is required\n"
        "f.ini:2: [queue:q] 'routing_key' is required\n"
        "f.ini:2: [queue:q] 'retention.main_max_messages' is required\n"
        "f.ini:2: [queue:q] 'retention.retry_bucket_max_messages' is "
        "required\n"
        "f.ini:2: [queue:q] 'retention.retry_bucket_max_bytes' is required\n"
        "f.ini:2: [queue:q] 'retention.dead_letter_max_messages' is required\n"
        "f.ini:2: [queue:q] 'retention.dead_letter_max_bytes' is required\n");
}

static void asks_once_for_a_retention_that_is_missing_as_a_whole(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = blank(fixture);

    lq_fill_spoil(&entry, LQ_NAME);
    lq_fill_spoil(&entry, LQ_EXCHANGE_NAME);
    lq_fill_spoil(&entry, LQ_ROUTING_KEY);
    assert_int_equal(lq_fill_require(&entry, &fixture->diags), LQ_INVALID);
    assert_string_equal(
        problems(fixture),
        "[queue:] 'retention' is required: main_max_messages, main_max_bytes, "
        "retry_bucket_max_messages, retry_bucket_max_bytes, "
        "dead_letter_max_messages and dead_letter_max_bytes\n");
}

static void says_when_memory_runs_out(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = blank(fixture);

    limit_memory(&fixture->arena, 0);
    (void)set(fixture, &entry, LQ_NAME, "q");
    assert_true(fixture->arena.failed);
    limit_memory(&fixture->arena, 0);
    (void)set(fixture, &entry, LQ_NAME, " q");
    assert_true(fixture->arena.failed);
    limit_memory(&fixture->arena, 0);
    assert_int_not_equal(lq_fill_require(&entry, &fixture->diags), LQ_OK);
    assert_true(fixture->arena.failed);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(starts_with_the_defaults_of_the_contract),
        TEST(notes_what_is_given),
        TEST(notes_what_is_broken),
        TEST(keeps_a_broken_name_to_be_shown),
        TEST(spoils_only_what_is_not_given),
        TEST(mends_a_spoilt_field_that_is_given_later),
        TEST(inherits_what_is_not_given),
        TEST(inherits_a_field_that_is_broken),
        TEST(inherits_nothing_for_a_spoilt_field),
        TEST(asks_for_every_required_field_once),
        TEST(asks_once_for_a_retention_that_is_missing_as_a_whole),
        TEST(says_when_memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
