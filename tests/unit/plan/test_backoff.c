#include "plan/backoff.h"

#include "fixture.h"

static struct lq_entry policy(uint64_t base, uint64_t cap, double ratio)
{
    struct lq_entry entry = entry_at(1, "orders");

    entry.retry_attempts = LQ_MAX_ATTEMPTS;
    entry.retry_backoff_millis = base;
    entry.max_retry_backoff_millis = cap;
    entry.retry_jitter_ratio = ratio;
    return entry;
}

static void assert_delays(const struct lq_entry *entry, uint64_t attempt,
                          struct lq_attempt expected)
{
    struct lq_attempt got;

    lq_backoff_attempt(entry, attempt, &got);
    assert_memory_equal(&got, &expected, sizeof(got));
}

static void doubles_up_to_the_cap(void **state)
{
    static const uint64_t nominal[] = {1000,  2000,  4000,  8000,
                                       16000, 32000, 60000, 60000};
    const struct lq_entry entry = policy(1000, 60000, 0.0);

    (void)state;
    for (size_t i = 0; i < COUNT(nominal); ++i) {
        assert_delays(&entry, i + 1, (struct lq_attempt){{nominal[i]}, 1});
    }
    assert_delays(&entry, LQ_MAX_ATTEMPTS, (struct lq_attempt){{60000}, 1});
}

static void spreads_around_the_nominal_delay(void **state)
{
    static const struct lq_attempt delays[] = {{{1000, 1200}, 2},
                                               {{1600, 2000, 2400}, 3},
                                               {{3200, 4000, 4800}, 3},
                                               {{4000, 5000}, 2}};
    const struct lq_entry entry = policy(1000, 5000, 0.2);

    (void)state;
    for (size_t i = 0; i < COUNT(delays); ++i) {
        assert_delays(&entry, i + 1, delays[i]);
    }
}

static void rounds_in_binary_and_halves_away_from_zero(void **state)
{
    static const struct {
        uint64_t base;
        double ratio;
        uint64_t spread;
    } cases[] = {
        {101, 0.5, 51},  /* exactly 50.5 */
        {103, 0.5, 52},  /* exactly 51.5 */
        {170, 0.35, 59}, /* 59.4999... in binary64, 59.5 in decimal */
        {100, 0.005, 1}, /* exactly 0.5 */
        {100, 5e-324, 0}, {100, -0.0, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const struct lq_entry entry =
            policy(cases[i].base, 900000, cases[i].ratio);
        struct lq_attempt got;

        lq_backoff_attempt(&entry, 1, &got);
        assert_int_equal(got.delays_millis[got.count - 1],
                         cases[i].base + cases[i].spread);
    }
}

static void never_leaves_base_and_cap(void **state)
{
    const struct lq_entry equal = policy(1000, 1000, 0.5);
    const struct lq_entry near = policy(1000, 1001, 0.5);

    (void)state;
    assert_delays(&equal, 1, (struct lq_attempt){{1000}, 1});
    assert_delays(&equal, 50, (struct lq_attempt){{1000}, 1});
    assert_delays(&near, 1, (struct lq_attempt){{1000, 1001}, 2});
    assert_delays(&near, 2, (struct lq_attempt){{1000, 1001}, 2});
}

static void saturates_instead_of_wrapping(void **state)
{
    const struct lq_entry huge = policy(UINT64_MAX / 2 + 1, UINT64_MAX, 0.0);
    const struct lq_entry doubled = policy(3, UINT64_MAX, 0.0);

    (void)state;
    assert_delays(&huge, 2, (struct lq_attempt){{UINT64_MAX}, 1});
    assert_delays(&doubled, 32, (struct lq_attempt){{UINT64_C(3) << 31}, 1});
    assert_delays(&doubled, 33, (struct lq_attempt){{UINT64_C(3) << 31}, 1});
}

static void hashes_the_event_and_the_attempt(void **state)
{
    (void)state;
    assert_int_equal(lq_backoff_hash("11111111-1111-4111-8111-111111111111", 2),
                     UINT64_C(0x97ef60b7b59d4439));
    assert_int_not_equal(lq_backoff_hash("a", 1), lq_backoff_hash("a", 256));
    assert_int_not_equal(lq_backoff_hash("a", 1), lq_backoff_hash("b", 1));
}

static void selects_one_of_the_attempts_delays(void **state)
{
    const char *const event = "11111111-1111-4111-8111-111111111111";
    const struct lq_entry entry = policy(1500, 60000, 0.5);

    (void)state;
    assert_int_equal(lq_backoff_select(&entry, event, 2), 3000);
}

static void selects_nothing_outside_the_policy(void **state)
{
    struct lq_entry entry = policy(1000, 60000, 0.0);

    (void)state;
    entry.retry_attempts = 3;
    assert_int_equal(lq_backoff_select(&entry, "a", 0), 0);
    assert_int_equal(lq_backoff_select(&entry, "a", 3), 4000);
    assert_int_equal(lq_backoff_select(&entry, "a", 4), 0);
    entry.retry_attempts = 0;
    assert_int_equal(lq_backoff_select(&entry, "a", 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(doubles_up_to_the_cap),
        TEST(spreads_around_the_nominal_delay),
        TEST(rounds_in_binary_and_halves_away_from_zero),
        TEST(never_leaves_base_and_cap),
        TEST(saturates_instead_of_wrapping),
        TEST(hashes_the_event_and_the_attempt),
        TEST(selects_one_of_the_attempts_delays),
        TEST(selects_nothing_outside_the_policy),
    };

    return cmocka_run_group_tests_name("backoff", tests, NULL, NULL);
}
