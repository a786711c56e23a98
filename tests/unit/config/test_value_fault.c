/* What is said of single values that are wrong. */
#include "config/value.h"

#include "../limit.h"
#include "fixture.h"

struct fault {
    enum lq_field field;
    enum lq_value_kind kind;
    const char *text;
    const char *message;
};

static void assert_fault(struct fixture *fixture, const struct lq_key *key,
                         const struct lq_value *value, const char *message)
{
    static const struct lq_entry untouched;
    struct lq_entry entry = untouched; /* larger than the broker's settings */

    assert_int_equal(lq_value_store(key, value, &fixture->arena, &entry),
                     LQ_INVALID);
    assert_memory_equal(&entry, &untouched, sizeof(untouched));
    assert_string_equal(lq_value_fault(key, value, &fixture->arena), message);
}

static void assert_faults(struct fixture *fixture, const struct fault *faults,
                          size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const struct lq_value value = {faults[i].kind, faults[i].text,
                                       strlen(faults[i].text)};

        assert_fault(fixture, lq_key_of(faults[i].field), &value,
                     faults[i].message);
    }
}

#define ASSERT_FAULTS(state, faults)                                           \
    assert_faults((state), (faults), sizeof(faults) / sizeof((faults)[0]))

static void refuses_integers_out_of_range(void **state)
{
    static const struct fault faults[] = {
        {LQ_RETRY_ATTEMPTS, LQ_VALUE_PLAIN, "101",
         "'retry_attempts' must be an integer from 0 to 100, not '101'"},
        {LQ_RETRY_ATTEMPTS, LQ_VALUE_NUMBER, "-1",
         "'retry_attempts' must be an integer from 0 to 100, not -1"},
        {LQ_MAX_PRIORITY, LQ_VALUE_PLAIN, "0",
         "'max_priority' must be an integer from 1 to 16, not '0'"},
        {LQ_MESSAGE_TTL_MS, LQ_VALUE_NUMBER, "4294967296",
         "'message_ttl_ms' must be an integer from 1 to 4294967295, not "
         "4294967296"},
        {LQ_MAIN_MAX_BYTES, LQ_VALUE_PLAIN, "9223372036854775808",
         "'retention.main_max_bytes' must be an integer from 1 to "
         "9223372036854775807, not '9223372036854775808'"},
        {LQ_MAIN_MAX_BYTES, LQ_VALUE_PLAIN, "99999999999999999999999",
         "'retention.main_max_bytes' must be an integer from 1 to "
         "9223372036854775807, not '99999999999999999999999'"},
    };

    ASSERT_FAULTS(*state, faults);
}

static void refuses_what_is_no_integer(void **state)
{
    static const struct fault faults[] = {
        {LQ_RETRY_ATTEMPTS, LQ_VALUE_PLAIN, "soon",
         "'retry_attempts' must be an integer from 0 to 100, not 'soon'"},
        {LQ_RETRY_ATTEMPTS, LQ_VALUE_PLAIN, "",
         "'retry_attempts' must be an integer from 0 to 100, not empty"},
        {LQ_RETRY_ATTEMPTS, LQ_VALUE_PLAIN, "3 # three",
         "'retry_attempts' must be an integer from 0 to 100, not '3 # three'; "
         "'#' starts no comment after a value, ' ;' does"},
        {LQ_RETRY_ATTEMPTS, LQ_VALUE_PLAIN, "+3",
         "'retry_attempts' must be an integer from 0 to 100, not '+3'"},
        {LQ_RETRY_ATTEMPTS, LQ_VALUE_NUMBER, "3.0",
         "'retry_attempts' must be an integer from 0 to 100, not 3.0"},
        {LQ_RETRY_ATTEMPTS, LQ_VALUE_STRING, "3",
         "'retry_attempts' must be an integer from 0 to 100, not the string "
         "'3'"},
        {LQ_RETRY_ATTEMPTS, LQ_VALUE_STRING, "3#",
         "'retry_attempts' must be an integer from 0 to 100, not the string "
         "'3#'"},
        {LQ_RETRY_ATTEMPTS, LQ_VALUE_BOOL, "true",
         "'retry_attempts' must be an integer from 0 to 100, not true"},
        {LQ_RETRY_ATTEMPTS, LQ_VALUE_OTHER, "null",
         "'retry_attempts' must be an integer from 0 to 100, not null"},
        {LQ_RETRY_ATTEMPTS, LQ_VALUE_OTHER, "an array",
         "'retry_attempts' must be an integer from 0 to 100, not an array"},
    };

    ASSERT_FAULTS(*state, faults);
}

static void refuses_other_ratios(void **state)
{
    static const struct fault faults[] = {
        {LQ_RETRY_JITTER_RATIO, LQ_VALUE_PLAIN, "0.51",
         "'retry_jitter_ratio' must be a number from 0.0 to 0.5, not '0.51'"},
        {LQ_RETRY_JITTER_RATIO, LQ_VALUE_PLAIN, "0,5",
         "'retry_jitter_ratio' must be a number from 0.0 to 0.5, not '0,5'"},
        {LQ_RETRY_JITTER_RATIO, LQ_VALUE_PLAIN, "nan",
         "'retry_jitter_ratio' must be a number from 0.0 to 0.5, not 'nan'"},
        {LQ_RETRY_JITTER_RATIO, LQ_VALUE_NUMBER, "-0.1",
         "'retry_jitter_ratio' must be a number from 0.0 to 0.5, not -0.1"},
        {LQ_RETRY_JITTER_RATIO, LQ_VALUE_NUMBER, "1e400",
         "'retry_jitter_ratio' must be a number from 0.0 to 0.5, not 1e400"},
        {LQ_RETRY_JITTER_RATIO, LQ_VALUE_STRING, "0.1",
         "'retry_jitter_ratio' must be a number from 0.0 to 0.5, not the "
         "string '0.1'"},
    };

    ASSERT_FAULTS(*state, faults);
}

static void refuses_other_booleans(void **state)
{
    static const struct fault faults[] = {
        {LQ_DURABLE, LQ_VALUE_PLAIN, "yes",
         "'durable' must be true or false, not 'yes'"},
        {LQ_DURABLE, LQ_VALUE_PLAIN, "True",
         "'durable' must be true or false, not 'True'; did you mean 'true'?"},
        {LQ_DURABLE, LQ_VALUE_PLAIN, "true # always",
         "'durable' must be true or false, not 'true # always'; '#' starts no "
         "comment after a value, ' ;' does"},
        {LQ_DURABLE, LQ_VALUE_NUMBER, "1",
         "'durable' must be true or false, not 1"},
        {LQ_DURABLE, LQ_VALUE_STRING, "true",
         "'durable' must be true or false, not the string 'true'"},
    };

    ASSERT_FAULTS(*state, faults);
}

static void refuses_other_choices(void **state)
{
    static const struct fault faults[] = {
        {LQ_QUEUE_TYPE, LQ_VALUE_PLAIN, "qourum",
         "'queue_type' must be 'classic' or 'quorum', not 'qourum'; did you "
         "mean 'quorum'?"},
        {LQ_QUEUE_TYPE, LQ_VALUE_STRING, "Quorum",
         "'queue_type' must be 'classic' or 'quorum', not 'Quorum'; did you "
         "mean 'quorum'?"},
        {LQ_QUEUE_TYPE, LQ_VALUE_PLAIN, "stream",
         "'queue_type' must be 'classic' or 'quorum', not 'stream'"},
        {LQ_QUEUE_TYPE, LQ_VALUE_PLAIN, "",
         "'queue_type' must be 'classic' or 'quorum', not empty"},
        {LQ_QUEUE_TYPE, LQ_VALUE_NUMBER, "1",
         "'queue_type' must be 'classic' or 'quorum', not 1"},
        {LQ_EXCHANGE_KIND, LQ_VALUE_PLAIN, "topic",
         "'exchange_kind' must be 'direct', not 'topic'"},
    };

    ASSERT_FAULTS(*state, faults);
}

static void refuses_a_choice_with_a_NUL_byte_behind_it(void **state)
{
    const struct lq_value value = {LQ_VALUE_STRING, "quorum\0x", 8};

    assert_fault(*state, lq_key_of(LQ_QUEUE_TYPE), &value,
                 "'queue_type' must be 'classic' or 'quorum', not "
                 "'quorum\\x00x'; did you mean 'quorum'?");
}

static void refuses_what_is_no_identity(void **state)
{
    static const struct fault faults[] = {
        {LQ_ROUTING_KEY, LQ_VALUE_PLAIN, "",
         "'routing_key' must be 1 to 200 bytes, not empty"},
        {LQ_ROUTING_KEY, LQ_VALUE_PLAIN, "\xff",
         "'routing_key' must be UTF-8, not '\\xff'"},
        {LQ_ROUTING_KEY, LQ_VALUE_STRING, " k",
         "'routing_key' must not begin or end with white space, but is ' k'"},
        {LQ_ROUTING_KEY, LQ_VALUE_STRING, "a\nb",
         "'routing_key' must not contain control characters, but is "
         "'a\\x0ab'"},
        {LQ_ROUTING_KEY, LQ_VALUE_PLAIN, "${secret:a}",
         "'routing_key' must not be a ${secret:...} or ${file:...} reference, "
         "but is '${secret:a}'"},
        {LQ_ROUTING_KEY, LQ_VALUE_NUMBER, "5",
         "'routing_key' must be a string, not 5"},
        {LQ_ROUTING_KEY, LQ_VALUE_OTHER, "null",
         "'routing_key' must be a string, not null"},
    };

    ASSERT_FAULTS(*state, faults);
}

static void refuses_an_identity_with_a_NUL_byte(void **state)
{
    const struct lq_value value = {LQ_VALUE_STRING, "a\0b", 3};

    assert_fault(*state, lq_key_of(LQ_NAME), &value,
                 "'name' must not contain control characters, but is "
                 "'a\\x00b'");
}

static void refuses_an_identity_of_201_bytes(void **state)
{
    char text[202] = "";
    const struct lq_value value = {LQ_VALUE_PLAIN, text, 201};

    memset(text, 'n', 201);
    assert_fault(*state, lq_key_of(LQ_NAME), &value,
                 "'name' must be 1 to 200 bytes, not 201");
}

static void refuses_broker_settings_without_quoting_them(void **state)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"", "'url' must not be empty"},
        {"amqp://u:${env:PASSWORD}@h",
         "'url' must be plain text or, as a whole, ${env:NAME} or "
         "${file:/path}"},
        {"${env:}", "'url' must be plain text or, as a whole, ${env:NAME} or "
                    "${file:/path}"},
        {"amqp://\x1b", "'url' must not contain control characters"},
        {"a\x7f", "'url' must not contain control characters"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        const struct lq_value value = {LQ_VALUE_PLAIN, rows[i].text,
                                       strlen(rows[i].text)};

        assert_fault(*state, lq_key_find(LQ_SECTION_BROKER, "url"), &value,
                     rows[i].message);
    }
}

static void says_when_memory_runs_out(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_value value = {LQ_VALUE_PLAIN, "qourum", 6};
    const struct lq_key *const key = lq_key_of(LQ_QUEUE_TYPE);
    size_t limit = 0;

    do {
        limit_memory(&fixture->arena, limit++);
        (void)lq_value_fault(key, &value, &fixture->arena);
    } while (fixture->arena.failed);
    assert_int_equal(limit, 7);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(refuses_integers_out_of_range),
        TEST(refuses_what_is_no_integer),
        TEST(refuses_other_ratios),
        TEST(refuses_other_booleans),
        TEST(refuses_other_choices),
        TEST(refuses_a_choice_with_a_NUL_byte_behind_it),
        TEST(refuses_what_is_no_identity),
        TEST(refuses_an_identity_with_a_NUL_byte),
        TEST(refuses_an_identity_of_201_bytes),
        TEST(refuses_broker_settings_without_quoting_them),
        TEST(says_when_memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
