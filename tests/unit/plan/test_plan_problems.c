#include "plan_fixture.h"

static void reports_both_places_of_a_duplicate(void **state)
{
    struct lq_entry entries[] = {entry_at(3, "a"), entry_at(9, "b"),
                                 retrying_at(30, "a")};

    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(
        *state, "lilyq.ini:30: [queue:a] is already defined at lilyq.ini:3");
}

static void reports_a_duplicate_without_a_file(void **state)
{
    struct lq_entry entries[] = {entry_at(0, "a"), entry_at(0, "a")};

    entries[0].place = (struct lq_place){.file = NULL};
    entries[1].place = entries[0].place;
    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(*state, "[queue:a] is already defined");
}

static void reports_the_collision_of_a_main_queue(void **state)
{
    const struct lq_entry entries[] = {entry_at(3, "a"),
                                       entry_at(9, "a.dlq.v2")};

    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(*state,
                        "lilyq.ini:9: [queue:a.dlq.v2] main queue 'a.dlq.v2' "
                        "has the name of the dead-letter queue of [queue:a] at "
                        "lilyq.ini:3");
}

static void reports_the_collision_of_a_bucket(void **state)
{
    struct lq_entry entries[] = {entry_at(0, "a.retry.v2.2000ms"),
                                 retrying_at(0, "a")};

    entries[0].place = (struct lq_place){.file = "a.json", .path = "queues[0]"};
    entries[1].place = (struct lq_place){.file = "a.json", .path = "queues[1]"};
    give(&entries[0], LQ_NAME, 0);
    give(&entries[1], LQ_NAME, 0);
    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(*state,
                        "a.json: queues[1].name: [queue:a] retry bucket "
                        "'a.retry.v2.2000ms' has the name of the main queue of "
                        "[queue:a.retry.v2.2000ms] at a.json: queues[0].name");
}

static void reports_the_collision_of_two_derived_queues(void **state)
{
    struct lq_entry entries[] = {retrying_at(3, "a"),
                                 retrying_at(9, "a.retry.v2.1000ms")};

    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(*state,
                        "lilyq.ini:9: [queue:a.retry.v2.1000ms] main queue "
                        "'a.retry.v2.1000ms' has the name of the retry bucket "
                        "of [queue:a] at lilyq.ini:3");
}

static void reports_two_ownerships_of_a_main_exchange(void **state)
{
    struct lq_entry entries[] = {entry_at(3, "a"), external_at(30, "b")};

    entries[1].exchange_name = "orders";
    give(&entries[0], LQ_EXCHANGE_NAME, 4);
    give(&entries[1], LQ_EXCHANGE_NAME, 31);
    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(
        *state, "lilyq.ini:31: [queue:b] main exchange 'orders' cannot be "
                "external: it is framework_managed as the main exchange of "
                "[queue:a] at lilyq.ini:4");
}

static void reports_two_ownerships_of_a_dead_letter_exchange(void **state)
{
    struct lq_entry entries[] = {external_at(3, "a"), entry_at(30, "b")};

    entries[1].dead_letter_exchange = "outer.dlx";
    give(&entries[0], LQ_DEAD_LETTER_EXCHANGE, 5);
    give(&entries[1], LQ_DEAD_LETTER_EXCHANGE, 32);
    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(
        *state, "lilyq.ini:32: [queue:b] dead-letter exchange 'outer.dlx' "
                "cannot be framework_managed: it is external as the "
                "dead-letter exchange of [queue:a] at lilyq.ini:5");
}

static void reports_two_ownerships_of_a_retry_exchange(void **state)
{
    struct lq_entry entries[] = {retrying_at(3, "a"), external_at(30, "b")};

    entries[1].exchange_name = "orders.retry.v2";
    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(
        *state, "lilyq.ini:30: [queue:b] main exchange 'orders.retry.v2' "
                "cannot be external: it is framework_managed as the retry "
                "exchange of [queue:a] at lilyq.ini:3");
}

static void reports_two_ownerships_without_a_file(void **state)
{
    struct lq_entry entries[] = {entry_at(0, "a"), external_at(0, "b")};

    entries[0].place = (struct lq_place){.file = NULL};
    entries[1].place = entries[0].place;
    entries[1].exchange_name = "orders";
    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(
        *state, "[queue:b] main exchange 'orders' cannot be external: it is "
                "framework_managed as the main exchange of [queue:a]");
}

static void refuses_4097_buckets(void **state)
{
    struct lq_entry *const entries = many(*state, 200, 128);

    entries[150].retry_attempts = 1;
    entries[160].retry_attempts = 2;
    give(&entries[150], LQ_RETRY_ATTEMPTS, 999);
    assert_invalid(*state, entries, 200);
    assert_one_reported(
        *state, "lilyq.ini:999: [queue:queue-150] brings the topology to 4097 "
                "retry buckets (of 4099 in all), over the limit of 4096: lower "
                "retry_attempts or retry_jitter_ratio, or split the topology");
}

static void plans_nothing_while_a_field_is_broken(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entries[] = {entry_at(3, "a"), entry_at(9, "b")};

    entries[1].broken = lq_field_bit(LQ_CONCURRENCY);
    assert_invalid(fixture, entries, COUNT(entries));
    assert_int_equal(fixture->diags.items.count, 0);
}

static void claims_nothing_for_broken_names(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entries[] = {entry_at(3, "a"), entry_at(9, "a"),
                                 external_at(12, "b")};

    entries[1].broken = lq_field_bit(LQ_NAME);
    entries[2].exchange_name = "orders";
    entries[2].broken = lq_field_bit(LQ_EXCHANGE_NAME);
    assert_invalid(fixture, entries, COUNT(entries));
    assert_int_equal(fixture->diags.items.count, 0);
    entries[2].broken = lq_field_bit(LQ_TOPOLOGY_OWNERSHIP);
    assert_invalid(fixture, entries, COUNT(entries));
    assert_int_equal(fixture->diags.items.count, 0);
}

/* One of each: duplicate, collision, conflict, rule, limit, long name. */
static size_t all_wrong(struct lq_entry *entries)
{
    entries[0] = entry_at(10, "a");
    entries[1] = entry_at(20, "a");
    entries[2] = entry_at(30, "a.dlq.v2");
    entries[3] = external_at(40, "b");
    entries[3].exchange_name = "orders";
    entries[4] = entry_at(50, "c");
    entries[4].exclusive = true;
    entries[5] = entry_at(60, "d");
    entries[5].retry_attempts = 100;
    entries[5].retry_backoff_millis = 100;
    entries[5].max_retry_backoff_millis = 900000;
    entries[5].retry_jitter_ratio = 0.2;
    entries[6] = entry_at(70, BYTES_200);
    return 7;
}

static void reports_every_problem_of_every_entry(void **state)
{
    static const unsigned lines[] = {20, 30, 40, 50, 60, 70};
    struct fixture *const fixture = *state;
    struct lq_entry entries[7];
    const size_t count = all_wrong(entries);

    assert_invalid(fixture, entries, count);
    lq_diags_sort(&fixture->diags);
    assert_int_equal(fixture->diags.error_count, COUNT(lines));
    for (size_t i = 0; i < COUNT(lines); ++i) {
        assert_int_equal(lq_diags_at(&fixture->diags, i)->place.line, lines[i]);
    }
}

static void survives_any_failed_allocation_of_a_report(void **state)
{
    struct lq_entry entries[7];
    const size_t count = all_wrong(entries);
    size_t allocations = 0;

    assert_int_equal(sweep(*state, entries, count, &allocations), LQ_INVALID);
    assert_in_range(allocations, 50, 200);
    for (size_t i = 0; i < count; ++i) {
        entries[i].place = (struct lq_place){.file = "a.json", .path = "q[0]"};
        give(&entries[i], LQ_NAME, 0);
    }
    assert_int_equal(sweep(*state, entries, count, &allocations), LQ_INVALID);
    assert_in_range(allocations, 50, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reports_both_places_of_a_duplicate),
        TEST(reports_a_duplicate_without_a_file),
        TEST(reports_the_collision_of_a_main_queue),
        TEST(reports_the_collision_of_a_bucket),
        TEST(reports_the_collision_of_two_derived_queues),
        TEST(reports_two_ownerships_of_a_main_exchange),
        TEST(reports_two_ownerships_of_a_dead_letter_exchange),
        TEST(reports_two_ownerships_of_a_retry_exchange),
        TEST(reports_two_ownerships_without_a_file),
        TEST(refuses_4097_buckets),
        TEST(plans_nothing_while_a_field_is_broken),
        TEST(claims_nothing_for_broken_names),
        TEST(reports_every_problem_of_every_entry),
        TEST(survives_any_failed_allocation_of_a_report),
    };

    return cmocka_run_group_tests_name("plan problems", tests, NULL, NULL);
}
