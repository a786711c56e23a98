#include "policy/native_retry.h"

#include "../limit.h"
#include "../plan/plan_fixture.h"

static const struct lq_argument *key_of(const struct lq_own_policy *policy,
                                        const char *key)
{
    for (size_t i = 0; i < policy->key_count; ++i) {
        if (strcmp(policy->keys[i].key, key) == 0) {
            return &policy->keys[i];
        }
    }
    return NULL;
}

static void assert_number(const struct lq_own_policy *policy, const char *key,
                          int64_t number)
{
    const struct lq_argument *const held = key_of(policy, key);

    assert_non_null(held);
    assert_int_equal(held->type, LQ_INT64);
    assert_true(held->number == number);
}

static void assert_text(const struct lq_own_policy *policy, const char *key,
                        const char *text)
{
    const struct lq_argument *const held = key_of(policy, key);

    assert_non_null(held);
    assert_int_equal(held->type, LQ_LONGSTR);
    assert_string_equal(held->text, text);
}

static struct lq_native_retries
build(struct fixture *fixture, const struct lq_entry *entries, size_t count)
{
    const struct lq_policy_wants wants = {.priority = 3};
    struct lq_native_retries retries;

    assert_int_equal(lq_native_retries_build(plan(fixture, entries, count),
                                             &wants, &fixture->diags, &retries),
                     LQ_OK);
    return retries;
}

static void puts_the_whole_entry_into_a_policy(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = retrying_at(1, "a.b");
    struct lq_native_retries retries;
    const struct lq_own_policy *policy = NULL;

    entry.dead_letter_routing_key = "dead";
    entry.message_ttl_ms = 86400000;
    retries = build(fixture, &entry, 1);
    assert_int_equal(retries.count, 1);
    assert_string_equal(retries.list[0].queue, "a.b.native");
    policy = &retries.list[0].policy;
    assert_string_equal(policy->name, "lilyq-native-a.b");
    assert_string_equal(policy->pattern, "^(a\\.b\\.native)\\z");
    assert_int_equal(policy->priority, 3);
    assert_int_equal(policy->kind, LQ_POLICY_NATIVE_RETRY);
    assert_int_equal(policy->key_count, 11);
    assert_text(policy, "delayed-retry-type", "all");
    assert_number(policy, "delayed-retry-min", 1000);
    assert_number(policy, "delayed-retry-max", 60000);
    assert_number(policy, "delivery-limit", 2);
    assert_text(policy, "dead-letter-exchange", "orders.dlx.v2");
    assert_text(policy, "dead-letter-routing-key", "dead");
    assert_text(policy, "dead-letter-strategy", "at-least-once");
    assert_text(policy, "overflow", "reject-publish");
    assert_number(policy, "max-length", 100000);
    assert_number(policy, "max-length-bytes", 1073741824);
    assert_number(policy, "message-ttl", 86400000);
}

static void has_no_ttl_that_the_entry_has_not(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = retrying_at(1, "q");
    const struct lq_native_retries retries = build(fixture, &entry, 1);

    assert_int_equal(retries.list[0].policy.key_count, 10);
    assert_null(key_of(&retries.list[0].policy, "message-ttl"));
}

static void is_for_managed_entries_with_retries(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entries[] = {entry_at(1, "none"), external_at(2, "x"),
                                 retrying_at(3, "q")};
    struct lq_native_retries retries;

    entries[1].retry_attempts = 2;
    retries = build(fixture, entries, 3);
    assert_int_equal(retries.count, 1);
    assert_string_equal(retries.list[0].queue, "q.native");
}

static void never_matches_a_queue_of_v2(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entries[] = {retrying_at(1, "q"),
                                       entry_at(2, "q.native")};
    const struct lq_policy_wants wants = {0};
    struct lq_native_retries retries;

    assert_int_equal(lq_native_retries_build(plan(fixture, entries, 2), &wants,
                                             &fixture->diags, &retries),
                     LQ_INVALID);
    assert_one_reported(fixture,
                        "lilyq.ini:1: [queue:q] native retry needs the name "
                        "'q.native', which a v2 queue has");
}

static void needs_a_broker_that_has_it(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = retrying_at(1, "q");
    struct lq_policy_wants wants = {.broker = {true, 4, 2}};
    struct lq_native_retries retries;
    const struct lq_topology *const topology = plan(fixture, &entry, 1);

    assert_int_equal(
        lq_native_retries_build(topology, &wants, &fixture->diags, &retries),
        LQ_INVALID);
    assert_one_reported(fixture,
                        "native retry needs RabbitMQ 4.3 or later, not 4.2");
    assert_int_equal(retries.count, 0);
    wants.broker.minor = 3;
    assert_int_equal(
        lq_native_retries_build(topology, &wants, &fixture->diags, &retries),
        LQ_OK);
}

static void carries_the_name_of_the_policies(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = retrying_at(1, "q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_policy_wants wants = {.name = "shop"};
    struct lq_native_retries retries;

    assert_int_equal(
        lq_native_retries_build(topology, &wants, &fixture->diags, &retries),
        LQ_OK);
    assert_string_equal(retries.list[0].policy.name, "lilyq-shop-native-q");
    wants.name = "";
    assert_int_equal(
        lq_native_retries_build(topology, &wants, &fixture->diags, &retries),
        LQ_INVALID);
}

/* 400 and 1500 over six attempts were measured on RabbitMQ 4.3.6. */
static void grows_by_the_same_step_up_to_the_cap(void **state)
{
    static const uint64_t delays[] = {400, 800, 1200, 1500, 1500};
    struct fixture *const fixture = *state;
    struct lq_entry entry = retrying_at(1, "q");
    struct lq_native_retries retries;

    entry.retry_attempts = 5;
    entry.retry_backoff_millis = 400;
    entry.max_retry_backoff_millis = 1500;
    retries = build(fixture, &entry, 1);
    for (size_t i = 0; i < COUNT(delays); ++i) {
        assert_int_equal(lq_native_delay(retries.list[0].logical, i + 1),
                         delays[i]);
    }
    assert_int_equal(lq_native_wait(retries.list[0].logical), 5400);
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = retrying_at(1, "q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    const struct lq_policy_wants wants = {.name = "n"};
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_native_retries retries;
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status == LQ_NOMEM; ++limit) {
        lq_arena_init(&arena);
        limit_memory(&arena, limit);
        lq_diags_init(&diags, &arena);
        status = lq_native_retries_build(topology, &wants, &diags, &retries);
        lq_arena_free(&arena);
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(puts_the_whole_entry_into_a_policy),
        TEST(has_no_ttl_that_the_entry_has_not),
        TEST(is_for_managed_entries_with_retries),
        TEST(never_matches_a_queue_of_v2),
        TEST(needs_a_broker_that_has_it),
        TEST(carries_the_name_of_the_policies),
        TEST(grows_by_the_same_step_up_to_the_cap),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
