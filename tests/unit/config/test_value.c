#include "config/value.h"

#include "../limit.h"
#include "fixture.h"

/* What storing one value in a fresh entry or in fresh settings came to. */
struct outcome {
    enum lq_status status;
    struct lq_entry entry;
    struct lq_broker_settings settings;
};

static struct outcome store(struct fixture *fixture, const struct lq_key *key,
                            const struct lq_value *value)
{
    struct outcome outcome = {.status = LQ_OK};

    outcome.status = lq_value_store(key, value, &fixture->arena,
                                    key->section == LQ_SECTION_BROKER
                                        ? (void *)&outcome.settings
                                        : (void *)&outcome.entry);
    return outcome;
}

static struct lq_value plain(const char *text)
{
    return (struct lq_value){LQ_VALUE_PLAIN, text, strlen(text)};
}

static struct lq_value typed(enum lq_value_kind kind, const char *text)
{
    return (struct lq_value){kind, text, strlen(text)};
}

/* A value that each type of row takes. */
static const char *good_text(const struct lq_key *key)
{
    switch (key->type) {
    case LQ_KEY_INTEGER:
        return "100";
    case LQ_KEY_RATIO:
        return "0.25";
    case LQ_KEY_BOOL:
        return "true";
    case LQ_KEY_CHOICE:
        return key->choices[0];
    case LQ_KEY_IDENTITY:
    case LQ_KEY_TEXT:
        break;
    }
    return "text";
}

static void stores_integers_within_their_range(void **state)
{
    const struct lq_value least = plain("1");
    const struct lq_value most = typed(LQ_VALUE_NUMBER, "9223372036854775807");
    const struct lq_key *const key = lq_key_of(LQ_MAIN_MAX_BYTES);

    assert_int_equal(store(*state, key, &least).entry.main_max_bytes, 1);
    assert_int_equal(store(*state, key, &most).entry.main_max_bytes, INT64_MAX);
}

static void stores_ratios_from_0_to_a_half(void **state)
{
    const struct lq_value most = plain("0.5");
    const struct lq_value whole = typed(LQ_VALUE_NUMBER, "0");
    const struct lq_value tiny = typed(LQ_VALUE_NUMBER, "1e-400");
    const struct lq_key *const key = lq_key_of(LQ_RETRY_JITTER_RATIO);

    assert_true(store(*state, key, &most).entry.retry_jitter_ratio == 0.5);
    assert_int_equal(store(*state, key, &whole).status, LQ_OK);
    assert_int_equal(store(*state, key, &tiny).status, LQ_OK);
}

static void stores_booleans(void **state)
{
    const struct lq_value yes = plain("true");
    const struct lq_value no = typed(LQ_VALUE_BOOL, "false");
    const struct lq_key *const key = lq_key_of(LQ_DURABLE);
    const struct outcome outcome = store(*state, key, &no);

    assert_true(store(*state, key, &yes).entry.durable);
    assert_int_equal(outcome.status, LQ_OK);
    assert_false(outcome.entry.durable);
}

static void stores_choices_by_their_index(void **state)
{
    const struct lq_value quorum = plain("quorum");
    const struct lq_value external = typed(LQ_VALUE_STRING, "external");

    assert_int_equal(
        store(*state, lq_key_of(LQ_QUEUE_TYPE), &quorum).entry.queue_type,
        LQ_QUORUM);
    assert_int_equal(store(*state, lq_key_of(LQ_TOPOLOGY_OWNERSHIP), &external)
                         .entry.topology_ownership,
                     LQ_EXTERNAL);
}

static void takes_the_only_choice_there_is(void **state)
{
    const struct lq_value direct = plain("direct");
    const struct lq_value fanout = plain("fanout");
    const struct lq_key *const key = lq_key_of(LQ_EXCHANGE_KIND);
    const struct outcome outcome = store(*state, key, &direct);

    assert_int_equal(outcome.status, LQ_OK);
    assert_int_equal(outcome.entry.exchange_kind, 0);
    assert_int_equal(store(*state, key, &fanout).status, LQ_INVALID);
}

static void stores_a_copy_of_an_identity(void **state)
{
    char text[] = "orders";
    const struct lq_value value = plain(text);
    const struct outcome outcome =
        store(*state, lq_key_of(LQ_EXCHANGE_NAME), &value);

    text[0] = 'X';
    assert_int_equal(outcome.status, LQ_OK);
    assert_string_equal(outcome.entry.exchange_name, "orders");
}

static void takes_an_identity_of_200_bytes(void **state)
{
    char text[201] = "";
    const struct lq_value value = {LQ_VALUE_PLAIN, text, 200};
    struct outcome outcome;

    memset(text, 'n', 200);
    outcome = store(*state, lq_key_of(LQ_NAME), &value);
    assert_int_equal(outcome.status, LQ_OK);
    assert_string_equal(outcome.entry.name, text);
}

static void stores_broker_settings_as_written(void **state)
{
    static const char *const values[] = {"amqp://h/%2F", "${env:A}",
                                         "${file:/run/url}", "a # b"};
    const struct lq_key *const key = lq_key_find(LQ_SECTION_BROKER, "url");

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); ++i) {
        const struct lq_value value = plain(values[i]);
        const struct outcome outcome = store(*state, key, &value);

        assert_int_equal(outcome.status, LQ_OK);
        assert_string_equal(outcome.settings.url, values[i]);
    }
}

static void copies_each_field_and_nothing_else(void **state)
{
    for (unsigned field = 0; field < LQ_FIELD_COUNT; ++field) {
        const struct lq_key *const key = lq_key_of((enum lq_field)field);
        const struct lq_value value =
            plain(field == LQ_MAX_PRIORITY ? "16" : good_text(key));
        const struct outcome outcome = store(*state, key, &value);
        struct lq_entry copy = {.name = NULL};

        assert_int_equal(outcome.status, LQ_OK);
        lq_value_copy(key, &outcome.entry, &copy);
        assert_memory_equal(&copy, &outcome.entry, sizeof(copy));
    }
}

static void says_when_memory_runs_out(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_value value = plain("a");

    limit_memory(&fixture->arena, 0);
    (void)store(fixture, lq_key_of(LQ_NAME), &value);
    assert_true(fixture->arena.failed);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(stores_integers_within_their_range),
        TEST(stores_ratios_from_0_to_a_half),
        TEST(stores_booleans),
        TEST(stores_choices_by_their_index),
        TEST(takes_the_only_choice_there_is),
        TEST(stores_a_copy_of_an_identity),
        TEST(takes_an_identity_of_200_bytes),
        TEST(stores_broker_settings_as_written),
        TEST(copies_each_field_and_nothing_else),
        TEST(says_when_memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
