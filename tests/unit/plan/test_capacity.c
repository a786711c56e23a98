#include "plan/plan.h"

#include "fixture.h"

static struct lq_entry bounds(uint64_t main, uint64_t bucket, uint64_t dead)
{
    struct lq_entry entry = entry_at(3, "orders");

    entry.main_max_messages = main;
    entry.retry_bucket_max_messages = bucket;
    entry.dead_letter_max_messages = dead;
    entry.main_max_bytes = main;
    entry.retry_bucket_max_bytes = bucket;
    entry.dead_letter_max_bytes = dead;
    return entry;
}

static void sums_main_buckets_and_dead_letters(void **state)
{
    const struct lq_entry entry = entry_at(3, "orders");
    const struct lq_capacity got = lq_capacity_of(&entry, 3);

    (void)state;
    assert_true(got.messages.known);
    assert_int_equal(got.messages.value, 100000 + 3 * 10000 + 5000);
    assert_true(got.bytes.known);
    assert_int_equal(got.bytes.value, UINT64_C(1073741824) +
                                          UINT64_C(3) * 268435456 + 134217728);
}

static void leaves_buckets_out_without_retries(void **state)
{
    const struct lq_entry entry = entry_at(3, "orders");

    (void)state;
    assert_int_equal(lq_capacity_of(&entry, 0).messages.value, 105000);
}

static void knows_sums_up_to_an_int64(void **state)
{
    static const struct {
        uint64_t main;
        uint64_t bucket;
        uint64_t dead;
        size_t count;
        bool known;
    } cases[] = {
        {INT64_MAX - 1, INT64_MAX, 1, 0, true},
        {INT64_MAX, 1, 1, 0, false},
        {1, 1, INT64_MAX, 0, false},
        {1, (INT64_MAX - 2) / 7, 1, 7, true},
        {1, INT64_MAX / 7, 1, 7, false},
        {1, INT64_MAX, 1, 2, false},
        {1, INT64_MAX, 1, 32, false},
        {INT64_MAX, INT64_MAX, INT64_MAX, 1, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const struct lq_entry entry =
            bounds(cases[i].main, cases[i].bucket, cases[i].dead);
        const struct lq_capacity got = lq_capacity_of(&entry, cases[i].count);

        assert_int_equal(got.messages.known, cases[i].known);
        assert_int_equal(got.bytes.known, cases[i].known);
        assert_true(got.messages.known || got.messages.value == 0);
    }
}

static void sums_up_all_queues(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = entry_at(3, "orders");
    const struct lq_capacity one = lq_capacity_of(&entry, 0);
    const struct lq_logical logicals[] = {{.entry = &entry, .capacity = one},
                                          {.entry = &entry, .capacity = one}};
    const struct lq_capacity total =
        lq_capacity_total(logicals, 2, &fixture->diags);

    assert_true(total.messages.known);
    assert_int_equal(total.messages.value, 210000);
    assert_true(total.bytes.known);
    assert_int_equal(total.bytes.value, 2 * UINT64_C(1207959552));
    assert_int_equal(fixture->diags.items.count, 0);
}

static void sums_up_no_queues_to_nothing(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_capacity total =
        lq_capacity_total(NULL, 0, &fixture->diags);

    assert_true(total.messages.known && total.bytes.known);
    assert_int_equal(total.messages.value, 0);
    assert_int_equal(total.bytes.value, 0);
}

static void warns_of_a_total_that_does_not_fit(void **state)
{
    static const char *const lines[] = {
        "warning: the topology may hold more than 9223372036854775807 messages "
        "at worst: the sum is not known",
        "warning: the topology may hold more than 9223372036854775807 bytes at "
        "worst: the sum is not known",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = bounds(INT64_MAX - 2, 1, 1);
    const struct lq_capacity one = lq_capacity_of(&entry, 0);
    const struct lq_logical logicals[] = {{.entry = &entry, .capacity = one},
                                          {.entry = &entry, .capacity = one}};
    const struct lq_capacity total =
        lq_capacity_total(logicals, 2, &fixture->diags);

    assert_false(total.messages.known);
    assert_false(total.bytes.known);
    assert_reported(fixture, lines, COUNT(lines));
    assert_int_equal(fixture->diags.error_count, 0);
}

static struct lq_logical unknown_bytes(struct lq_entry *entry)
{
    *entry = entry_at(3, "orders");
    entry->main_max_bytes = INT64_MAX;
    return (struct lq_logical){.entry = entry,
                               .capacity = lq_capacity_of(entry, 0)};
}

static void warns_of_a_queue_that_does_not_fit(void **state)
{
    static const char *const lines[] = {
        "lilyq.ini:3: warning: [queue:orders] may hold more than "
        "9223372036854775807 bytes at worst: the sum is not known",
        "warning: the topology may hold more than 9223372036854775807 bytes at "
        "worst: the sum is not known",
    };
    struct fixture *const fixture = *state;
    struct lq_entry entry;
    const struct lq_logical logical = unknown_bytes(&entry);
    const struct lq_capacity total =
        lq_capacity_total(&logical, 1, &fixture->diags);

    assert_true(total.messages.known);
    assert_false(total.bytes.known);
    assert_reported(fixture, lines, COUNT(lines));
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry;
    const struct lq_logical logical = unknown_bytes(&entry);
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status == LQ_NOMEM; ++limit) {
        restart(fixture, limit);
        (void)lq_capacity_total(&logical, 1, &fixture->diags);
        status = lq_arena_status(&fixture->arena, LQ_OK);
    }
    assert_int_equal(status, LQ_OK);
    assert_in_range(limit, 5, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sums_main_buckets_and_dead_letters),
        TEST(leaves_buckets_out_without_retries),
        TEST(knows_sums_up_to_an_int64),
        TEST(sums_up_all_queues),
        TEST(sums_up_no_queues_to_nothing),
        TEST(warns_of_a_total_that_does_not_fit),
        TEST(warns_of_a_queue_that_does_not_fit),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests_name("capacity", tests, NULL, NULL);
}
