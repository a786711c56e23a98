#include "plan/draft.h"

#include "fixture.h"

/* Expands an entry that has nothing wrong. */
static struct lq_logical expand(struct fixture *fixture,
                                const struct lq_entry *entry)
{
    struct lq_logical logical;

    assert_int_equal(lq_expand_entry(entry, &fixture->diags, &logical), LQ_OK);
    assert_int_equal(fixture->diags.items.count, 0);
    assert_ptr_equal(logical.entry, entry);
    return logical;
}

static struct lq_entry retrying(uint64_t attempts, double ratio)
{
    struct lq_entry entry = entry_at(3, "orders.created");

    entry.retry_attempts = attempts;
    entry.retry_jitter_ratio = ratio;
    give(&entry, LQ_RETRY_ATTEMPTS, 8);
    return entry;
}

static void derives_names_from_the_entry(void **state)
{
    const struct lq_entry entry = retrying(1, 0.0);
    const struct lq_logical logical = expand(*state, &entry);

    assert_string_equal(logical.retry_exchange, "orders.retry.v2");
    assert_string_equal(logical.dead_letter_exchange, "orders.dlx.v2");
    assert_string_equal(logical.dead_letter_queue, "orders.created.dlq.v2");
    assert_string_equal(logical.dead_letter_routing_key, "orders.created");
    assert_int_equal(logical.bucket_count, 1);
    assert_int_equal(logical.buckets[0].delay_millis, 1000);
    assert_string_equal(logical.buckets[0].queue_name,
                        "orders.created.retry.v2.1000ms");
    assert_string_equal(logical.buckets[0].routing_key,
                        "orders.created.retry.1000ms");
}

static void has_no_retry_exchange_without_retries(void **state)
{
    const struct lq_entry entry = entry_at(3, "orders.created");
    const struct lq_logical logical = expand(*state, &entry);

    assert_null(logical.retry_exchange);
    assert_int_equal(logical.bucket_count, 0);
    assert_int_equal(logical.attempt_count, 0);
    assert_int_equal(logical.min_wait_millis, 0);
    assert_int_equal(logical.max_wait_millis, 0);
}

static void takes_the_dead_letter_target_given(void **state)
{
    struct lq_entry entry = entry_at(3, "orders.created");
    struct lq_logical logical;

    entry.dead_letter_exchange = "graveyard";
    entry.dead_letter_routing_key = "dead";
    logical = expand(*state, &entry);
    assert_string_equal(logical.dead_letter_exchange, "graveyard");
    assert_string_equal(logical.dead_letter_routing_key, "dead");
    assert_string_equal(logical.dead_letter_queue, "orders.created.dlq.v2");
}

static void derives_no_target_for_an_external_entry(void **state)
{
    struct lq_entry entry = entry_at(3, "orders.created");

    entry.topology_ownership = LQ_EXTERNAL;
    assert_null(expand(*state, &entry).dead_letter_exchange);
}

static void keeps_the_delays_of_every_attempt(void **state)
{
    struct lq_entry entry = retrying(4, 0.2);
    struct lq_logical logical;

    entry.max_retry_backoff_millis = 5000;
    logical = expand(*state, &entry);
    assert_int_equal(logical.attempt_count, 4);
    assert_int_equal(logical.attempts[0].count, 2);
    assert_int_equal(logical.attempts[1].count, 3);
    assert_int_equal(logical.attempts[3].delays_millis[1], 5000);
    assert_int_equal(logical.min_wait_millis, 1000 + 1600 + 3200 + 4000);
    assert_int_equal(logical.max_wait_millis, 1200 + 2400 + 4800 + 5000);
}

static void sorts_distinct_delays_into_buckets(void **state)
{
    static const uint64_t delays[] = {1000, 1200, 1600, 2000, 2400,
                                      3200, 4000, 4800, 5000};
    struct lq_entry entry = retrying(4, 0.2);
    struct lq_logical logical;

    entry.max_retry_backoff_millis = 5000;
    logical = expand(*state, &entry);
    assert_int_equal(logical.bucket_count, COUNT(delays));
    for (size_t i = 0; i < COUNT(delays); ++i) {
        assert_int_equal(logical.buckets[i].delay_millis, delays[i]);
    }
}

static void orders_delays_that_overlap(void **state)
{
    struct lq_entry entry = retrying(5, 0.5);
    struct lq_logical logical;

    entry.retry_backoff_millis = 101;
    logical = expand(*state, &entry);
    for (size_t i = 1; i < logical.bucket_count; ++i) {
        assert_true(logical.buckets[i - 1].delay_millis <
                    logical.buckets[i].delay_millis);
    }
    assert_int_equal(logical.buckets[0].delay_millis, 101);
}

static void shares_the_bucket_of_the_cap(void **state)
{
    struct lq_entry entry = retrying(100, 0.0);
    struct lq_logical logical;

    entry.max_retry_backoff_millis = 2000;
    logical = expand(*state, &entry);
    assert_int_equal(logical.bucket_count, 2);
    assert_int_equal(logical.attempt_count, 100);
    assert_int_equal(logical.max_wait_millis, 1000 + 99 * 2000);
}

static struct lq_entry many_buckets(double ratio)
{
    struct lq_entry entry = retrying(100, ratio);

    entry.retry_backoff_millis = 100;
    entry.max_retry_backoff_millis = 900000;
    return entry;
}

static void accepts_32_buckets(void **state)
{
    const struct lq_entry entry = many_buckets(0.0001);

    assert_int_equal(expand(*state, &entry).bucket_count, 32);
}

static void refuses_34_buckets(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = many_buckets(0.0002);
    struct lq_logical logical;

    assert_int_equal(lq_expand_entry(&entry, &fixture->diags, &logical),
                     LQ_INVALID);
    assert_one_reported(
        fixture,
        "lilyq.ini:8: [queue:orders.created] needs 34 retry buckets, over the "
        "limit of 32: lower retry_attempts, retry_jitter_ratio or "
        "max_retry_backoff_millis");
    assert_int_equal(logical.bucket_count, 0);
    assert_string_equal(logical.retry_exchange, "orders.retry.v2");
}

/* An entry whose name has so many bytes. */
static struct lq_entry long_name(struct fixture *fixture, size_t length)
{
    struct lq_entry entry =
        entry_at(3, lq_strndup(&fixture->arena, BYTES_200, length));

    entry.routing_key = "k";
    return entry;
}

static void assert_refused(struct fixture *fixture,
                           const struct lq_entry *entry, const char *text)
{
    struct lq_logical logical;

    assert_int_equal(lq_expand_entry(entry, &fixture->diags, &logical),
                     LQ_INVALID);
    assert_one_reported(fixture,
                        lq_format(&fixture->arena, "lilyq.ini:3: [queue:%s] %s",
                                  entry->name, text));
}

static void accepts_dead_letter_queues_of_200_bytes(void **state)
{
    const struct lq_entry entry = long_name(*state, 193);

    assert_int_equal(strlen(expand(*state, &entry).dead_letter_queue), 200);
}

static void refuses_dead_letter_queues_of_201_bytes(void **state)
{
    const struct lq_entry entry = long_name(*state, 194);

    assert_refused(*state, &entry,
                   "'name' is too long: with '.dlq.v2' the name of the "
                   "dead-letter queue has 201 bytes, over the limit of 200; "
                   "shorten 'name' to 193 bytes");
}

static void accepts_buckets_of_200_bytes(void **state)
{
    struct lq_entry entry = long_name(*state, 184);

    entry.retry_attempts = 1;
    assert_int_equal(strlen(expand(*state, &entry).buckets[0].queue_name), 200);
}

static void refuses_buckets_of_201_bytes(void **state)
{
    struct lq_entry entry = long_name(*state, 185);

    entry.retry_attempts = 5;
    assert_refused(*state, &entry,
                   "'name' is too long: with '.retry.v2.16000ms' the name of "
                   "the retry bucket has 202 bytes, over the limit of 200; "
                   "shorten 'name' to 183 bytes");
}

static struct lq_entry long_exchange(struct fixture *fixture, size_t length)
{
    struct lq_entry entry = entry_at(3, "orders");

    entry.exchange_name = lq_strndup(&fixture->arena, BYTES_200, length);
    return entry;
}

static void accepts_retry_exchanges_of_200_bytes(void **state)
{
    struct lq_entry entry = long_exchange(*state, 191);

    entry.retry_attempts = 1;
    assert_int_equal(strlen(expand(*state, &entry).retry_exchange), 200);
}

static void refuses_retry_exchanges_of_201_bytes(void **state)
{
    struct lq_entry entry = long_exchange(*state, 192);

    /* even without retries, and with no derived dead-letter exchange */
    entry.dead_letter_exchange = "dlx";
    assert_refused(*state, &entry,
                   "'exchange_name' is too long: with '.retry.v2' the name of "
                   "the retry exchange has 201 bytes, over the limit of 200; "
                   "shorten 'exchange_name' to 191 bytes");
}

static void expands_what_broken_fields_leave(void **state)
{
    struct lq_entry entry = retrying(3, 0.0);
    struct lq_logical logical;

    entry.broken = lq_field_bit(LQ_NAME);
    logical = expand(*state, &entry);
    assert_string_equal(logical.retry_exchange, "orders.retry.v2");
    assert_null(logical.dead_letter_queue);
    assert_int_equal(logical.bucket_count, 0);

    entry.broken = lq_field_bit(LQ_EXCHANGE_NAME);
    logical = expand(*state, &entry);
    assert_null(logical.retry_exchange);
    assert_null(logical.dead_letter_exchange);
    assert_int_equal(logical.bucket_count, 3);

    entry.broken = lq_field_bit(LQ_DEAD_LETTER_EXCHANGE);
    logical = expand(*state, &entry);
    assert_null(logical.dead_letter_exchange);

    entry.broken = lq_field_bit(LQ_RETRY_ATTEMPTS);
    logical = expand(*state, &entry);
    assert_null(logical.retry_exchange);
    assert_int_equal(logical.bucket_count, 0);

    entry.broken = lq_field_bit(LQ_RETRY_JITTER_RATIO);
    logical = expand(*state, &entry);
    assert_int_equal(logical.bucket_count, 0);
}

static void leaves_delays_unknown_under_a_low_cap(void **state)
{
    struct lq_entry entry = retrying(3, 0.0);

    entry.max_retry_backoff_millis = 999;
    assert_int_equal(expand(*state, &entry).bucket_count, 0);
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = retrying(3, 0.1);
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status == LQ_NOMEM; ++limit) {
        struct lq_logical logical;

        restart(fixture, limit);
        status = lq_expand_entry(&entry, &fixture->diags, &logical);
        status = lq_arena_status(&fixture->arena, status);
    }
    assert_int_equal(status, LQ_OK);
    assert_in_range(limit, 15, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(derives_names_from_the_entry),
        TEST(has_no_retry_exchange_without_retries),
        TEST(takes_the_dead_letter_target_given),
        TEST(derives_no_target_for_an_external_entry),
        TEST(keeps_the_delays_of_every_attempt),
        TEST(sorts_distinct_delays_into_buckets),
        TEST(orders_delays_that_overlap),
        TEST(shares_the_bucket_of_the_cap),
        TEST(accepts_32_buckets),
        TEST(refuses_34_buckets),
        TEST(accepts_dead_letter_queues_of_200_bytes),
        TEST(refuses_dead_letter_queues_of_201_bytes),
        TEST(accepts_buckets_of_200_bytes),
        TEST(refuses_buckets_of_201_bytes),
        TEST(accepts_retry_exchanges_of_200_bytes),
        TEST(refuses_retry_exchanges_of_201_bytes),
        TEST(expands_what_broken_fields_leave),
        TEST(leaves_delays_unknown_under_a_low_cap),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests_name("expand", tests, NULL, NULL);
}
