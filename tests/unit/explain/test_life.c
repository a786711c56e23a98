#include "explain/life.h"

#include "../limit.h"
#include "../plan/plan_fixture.h"

#define EVENT "11111111-1111-4111-8111-111111111111"

static struct lq_entry jittered(void)
{
    struct lq_entry entry = entry_at(1, "orders");

    entry.retry_attempts = 4;
    entry.max_retry_backoff_millis = 5000;
    entry.retry_jitter_ratio = 0.2;
    return entry;
}

static struct lq_life live(struct fixture *fixture,
                           const struct lq_entry *entry, const char *event)
{
    struct lq_life life;

    assert_int_equal(lq_life_build(&plan(fixture, entry, 1)->logicals[0], event,
                                   &fixture->arena, &life),
                     LQ_OK);
    return life;
}

static void names_each_delay_by_its_place(void **state)
{
    static const enum lq_spread spreads[][3] = {
        {LQ_SPREAD_NOMINAL, LQ_SPREAD_UPPER},
        {LQ_SPREAD_LOWER, LQ_SPREAD_NOMINAL, LQ_SPREAD_UPPER},
        {LQ_SPREAD_LOWER, LQ_SPREAD_NOMINAL, LQ_SPREAD_UPPER},
        {LQ_SPREAD_LOWER, LQ_SPREAD_NOMINAL},
    };
    static const size_t counts[] = {2, 3, 3, 2};
    const struct lq_entry entry = jittered();
    const struct lq_life life = live(*state, &entry, NULL);

    assert_int_equal(life.retry_count, COUNT(counts));
    for (size_t i = 0; i < COUNT(counts); ++i) {
        assert_int_equal(life.retries[i].number, i + 1);
        assert_int_equal(life.retries[i].stop_count, counts[i]);
        for (size_t j = 0; j < counts[i]; ++j) {
            assert_int_equal(life.retries[i].stops[j].spread, spreads[i][j]);
            assert_true(life.retries[i].stops[j].taken);
        }
    }
}

static void leads_through_the_buckets_of_the_plan(void **state)
{
    const struct lq_entry entry = jittered();
    const struct lq_life life = live(*state, &entry, NULL);
    const struct lq_bucket *const last = life.retries[3].stops[1].bucket;

    assert_string_equal(last->queue_name, "orders.retry.v2.5000ms");
    assert_string_equal(last->routing_key, "orders.retry.5000ms");
    assert_ptr_equal(last, &life.logical->buckets[8]);
}

static void adds_up_the_shortest_and_the_longest_waits(void **state)
{
    static const uint64_t least[] = {1000, 2600, 5800, 9800};
    static const uint64_t most[] = {1200, 3600, 8400, 13400};
    const struct lq_entry entry = jittered();
    const struct lq_life life = live(*state, &entry, NULL);

    for (size_t i = 0; i < COUNT(least); ++i) {
        assert_int_equal(life.retries[i].min_elapsed_millis, least[i]);
        assert_int_equal(life.retries[i].max_elapsed_millis, most[i]);
    }
    assert_int_equal(life.min_elapsed_millis, life.logical->min_wait_millis);
    assert_int_equal(life.max_elapsed_millis, life.logical->max_wait_millis);
}

static void takes_one_bucket_at_a_time_with_an_event(void **state)
{
    struct lq_entry entry = jittered();
    struct lq_life life;

    entry.retry_backoff_millis = 1500;
    entry.max_retry_backoff_millis = 60000;
    entry.retry_jitter_ratio = 0.5;
    life = live(*state, &entry, EVENT);
    for (size_t i = 0; i < life.retry_count; ++i) {
        size_t taken = 0;

        for (size_t j = 0; j < life.retries[i].stop_count; ++j) {
            taken += life.retries[i].stops[j].taken;
        }
        assert_int_equal(taken, 1);
        assert_int_equal(life.retries[i].min_elapsed_millis,
                         life.retries[i].max_elapsed_millis);
    }
    /* hash 97ef60b7b59d4439 mod 3 */
    assert_true(life.retries[1].stops[1].taken);
}

static void ends_at_once_without_retries(void **state)
{
    const struct lq_entry entry = entry_at(1, "orders");
    const struct lq_life life = live(*state, &entry, EVENT);

    assert_int_equal(life.retry_count, 0);
    assert_int_equal(life.max_elapsed_millis, 0);
}

static void fails_without_memory(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = jittered();
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_life life;
    struct lq_arena arena;

    lq_arena_init(&arena);
    limit_memory(&arena, 0);
    assert_int_equal(lq_life_build(topology->logicals, NULL, &arena, &life),
                     LQ_NOMEM);
    lq_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names_each_delay_by_its_place),
        TEST(leads_through_the_buckets_of_the_plan),
        TEST(adds_up_the_shortest_and_the_longest_waits),
        TEST(takes_one_bucket_at_a_time_with_an_event),
        TEST(ends_at_once_without_retries),
        TEST(fails_without_memory),
    };

    return cmocka_run_group_tests_name("life", tests, NULL, NULL);
}
