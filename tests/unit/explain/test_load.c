/* Loads that can be worked out by hand. test_simulation.c has the others. */
#include "explain/load.h"

#include "../limit.h"
#include "../plan/plan_fixture.h"

#include <math.h>

static struct lq_load load_of(struct fixture *fixture,
                              const struct lq_entry *entry,
                              struct lq_load_case given)
{
    struct lq_load load;

    assert_int_equal(lq_load_build(plan(fixture, entry, 1)->logicals, &given,
                                   &fixture->arena, &load),
                     LQ_OK);
    return load;
}

static void assert_close(double got, double wanted)
{
    if (fabs(got - wanted) > 1e-6 * fmax(1, fabs(wanted))) {
        fail_msg("%.9g is not %.9g", got, wanted);
    }
}

static struct lq_entry thrice(void)
{
    struct lq_entry entry = entry_at(1, "q");

    entry.retry_attempts = 3;
    return entry;
}

static void holds_what_enters_in_a_delay(void **state)
{
    const struct lq_entry entry = thrice();
    const struct lq_load load = load_of(
        *state, &entry,
        (struct lq_load_case){.rate_per_second = 50, .failure_ratio = 0.1});

    assert_int_equal(load.level_count, 5);
    assert_close(load.levels[1].normal, 50 * 0.1 * 1);
    assert_close(load.levels[2].normal, 50 * 0.01 * 2);
    assert_close(load.levels[3].normal, 50 * 0.001 * 4);
    assert_close(load.levels[4].growth, 50 * 0.0001);
    assert_close(load.levels[1].most, 50);
    assert_close(load.levels[3].most, 200);
    assert_true(isinf(load.levels[1].peak_millis));
    assert_null(load.timeline.messages);
}

static void splits_an_attempt_among_its_delays(void **state)
{
    struct lq_entry entry = thrice();
    struct lq_load load;

    entry.max_retry_backoff_millis = 5000;
    entry.retry_jitter_ratio = 0.2;
    load = load_of(
        *state, &entry,
        (struct lq_load_case){.rate_per_second = 60, .failure_ratio = 0.5});
    /* 1000 1200, 1600 2000 2400, 3200 4000 4800 */
    assert_close(load.levels[1].normal, 60 * 0.5 * 1 / 2);
    assert_close(load.levels[2].normal, 60 * 0.5 * 1.2 / 2);
    assert_close(load.levels[3].normal, 60 * 0.25 * 1.6 / 3);
    assert_close(load.levels[8].normal, 60 * 0.125 * 4.8 / 3);
    assert_close(load.levels[8].most, 60 * 4.8 / 3);
}

static void fills_up_in_an_outage(void **state)
{
    struct lq_entry entry = thrice();
    struct lq_load load;

    entry.retry_bucket_max_messages = 150;
    entry.dead_letter_max_messages = 1000;
    load =
        load_of(*state, &entry, (struct lq_load_case){.rate_per_second = 50});
    /* what fails first is in the third bucket from 3 s on, at 50 a second */
    assert_true(isinf(load.levels[1].full_millis[LQ_BOUND_MESSAGES]));
    assert_true(isinf(load.levels[2].full_millis[LQ_BOUND_MESSAGES]));
    assert_close(load.levels[3].full_millis[LQ_BOUND_MESSAGES], 6000);
    assert_close(load.levels[4].full_millis[LQ_BOUND_MESSAGES], 7000 + 20000);
    assert_close(load.levels[0].full_millis[LQ_BOUND_MESSAGES], 100000 / 0.05);
}

static void counts_bytes_by_the_size_of_a_message(void **state)
{
    struct lq_entry entry = thrice();
    struct lq_load load;

    entry.max_message_size_bytes = 4000;
    entry.dead_letter_max_bytes = 200000;
    load = load_of(
        *state, &entry,
        (struct lq_load_case){.rate_per_second = 50, .message_bytes = 1000});
    assert_close(load.levels[4].full_millis[LQ_BOUND_LARGEST], 7000 + 1000);
    assert_close(load.levels[4].full_millis[LQ_BOUND_BYTES], 7000 + 4000);
    assert_ptr_equal(load.first.level, &load.levels[4]);
    assert_int_equal(load.first.bound, LQ_BOUND_BYTES);
    assert_close(load.first.millis, 11000);
}

static void fills_the_main_queue_once_a_hand_off_is_refused(void **state)
{
    struct lq_entry entry = thrice();
    struct lq_load load;

    entry.retry_bucket_max_messages = 150;
    entry.main_max_messages = 700;
    load = load_of(
        *state, &entry,
        (struct lq_load_case){.rate_per_second = 50, .message_bytes = 1});
    /* at 6 s the buckets hold 50, 100 and 150: all of it is back 4 s later */
    assert_close(load.first.millis, 6000);
    assert_close(load.first.main_millis, 6000 + (700 - 300) / 0.05);
}

static void never_breaks_what_is_large_enough(void **state)
{
    struct lq_entry entry = entry_at(1, "q");
    struct lq_load load;

    entry.retry_attempts = 1;
    load = load_of(
        *state, &entry,
        (struct lq_load_case){.rate_per_second = 1e-9, .message_bytes = 1});
    assert_true(load.first.millis > 1e15);
    entry.dead_letter_max_messages = 1;
    load = load_of(*state, &entry,
                   (struct lq_load_case){.rate_per_second = 50,
                                         .failure_ratio = 1,
                                         .message_bytes = 1});
    assert_close(load.first.millis, 20);
}

static void is_broken_at_once_when_normal_time_is_too_much(void **state)
{
    struct lq_entry entry = thrice();
    struct lq_load load;

    entry.retry_bucket_max_messages = 5;
    load = load_of(*state, &entry,
                   (struct lq_load_case){.rate_per_second = 50,
                                         .failure_ratio = 0.1,
                                         .message_bytes = 1});
    assert_ptr_equal(load.first.level, &load.levels[1]);
    assert_close(load.first.millis, 0);
}

static void tells_of_an_outage(void **state)
{
    const struct lq_entry entry = thrice();
    const struct lq_load load = load_of(
        *state, &entry,
        (struct lq_load_case){.rate_per_second = 50, .outage_millis = 5000});

    assert_close(load.levels[1].peak, 50);
    assert_close(load.levels[1].peak_millis, 1000);
    assert_close(load.levels[2].peak, 100);
    assert_close(load.levels[2].peak_millis, 3000);
    assert_close(load.levels[3].peak, 100);
    assert_close(load.levels[3].peak_millis, 5000);
    assert_close(load.peak, 250);
    assert_close(load.dead, 0);
}

static void tells_of_the_wave_with_and_without_jitter(void **state)
{
    struct lq_entry entry = thrice();
    const struct lq_load_case given = {
        .rate_per_second = 50, .outage_millis = 60000, .message_bytes = 1};
    struct lq_load load = load_of(*state, &entry, given);

    assert_close(load.waves[0].jitter_ratio, 0);
    assert_close(load.waves[0].messages, 350);
    assert_close(load.waves[0].peak_per_second, 150);
    assert_close(load.waves[0].half_millis, 1250);
    assert_close(load.waves[0].all_millis, 4000);
    assert_close(load.waves[1].jitter_ratio, 0.2);
    assert_close(load.waves[1].messages, 50 * (1.1 + 2 + 4));
    assert_close(load.waves[1].all_millis, 4800);
    entry.retry_jitter_ratio = 0.5;
    load = load_of(*state, &entry, given);
    assert_close(load.waves[0].jitter_ratio, 0.5);
    assert_close(load.waves[1].jitter_ratio, 0);
    assert_close(load.waves[1].messages, 350);
}

static void has_samples_from_before_to_after_the_outage(void **state)
{
    const struct lq_entry entry = thrice();
    const struct lq_load load = load_of(
        *state, &entry,
        (struct lq_load_case){
            .rate_per_second = 50, .outage_millis = 60000, .message_bytes = 1});
    const struct lq_timeline *const timeline = &load.timeline;
    const size_t last = timeline->count - 1;

    assert_true(timeline->first_millis < 0);
    assert_true(timeline->first_millis +
                    (int64_t)(timeline->step_millis * last) >=
                64000);
    assert_close(timeline->messages[timeline->count], 0);
    assert_close(timeline->messages[timeline->count + last / 2], 50);
    assert_close(timeline->messages[2 * timeline->count + last / 2], 100);
    assert_close(timeline->messages[timeline->count + last], 0);
    for (size_t k = 0; k < timeline->count; ++k) {
        assert_close(timeline->messages[k], 0); /* the main queue */
    }
    assert_close(timeline->messages[4 * timeline->count + last], 53 * 50);
}

static struct lq_load_case minute(void)
{
    return (struct lq_load_case){
        .rate_per_second = 50, .outage_millis = 60000, .message_bytes = 1};
}

static double sample_at(const struct lq_load *load, size_t level, size_t k)
{
    return load->timeline.messages[level * load->timeline.count + k];
}

static void stops_the_consumer_and_fills_the_main_queue(void **state)
{
    struct lq_entry entry = thrice();
    struct lq_load load;

    entry.retry_bucket_max_messages = 150;
    entry.main_max_messages = 700;
    load = load_of(*state, &entry, minute());
    /* as above; nothing enters a bucket after 6 s */
    assert_ptr_equal(load.course.level, &load.levels[3]);
    assert_int_equal(load.course.bound, LQ_BOUND_MESSAGES);
    assert_close(load.course.stop_millis, 6000);
    assert_close(load.course.main_millis, 14000);
    assert_int_equal(load.course.main_bound, LQ_BOUND_MESSAGES);
    assert_close(load.course.start_millis, 60000);
    assert_close(load.course.backlog, 700);
    assert_close(load.course.refused, 46 * 50);
    assert_close(load.course.surplus, 0);
    assert_close(load.course.drained_millis, 10000);
    assert_close(load.levels[0].peak, 700);
    assert_close(load.levels[3].peak, 150);
    assert_close(load.peak, 300);
    assert_close(load.dead, 0);
    assert_close(load.waves[0].messages, 0);
    assert_true(load.timeline.ends_early);
    for (size_t k = 0; k < load.timeline.count; ++k) {
        assert_true(sample_at(&load, 0, k) <= 700);
        assert_true(sample_at(&load, 3, k) <= 150);
    }
    assert_close(sample_at(&load, 0, load.timeline.count - 1), 700);
    assert_close(sample_at(&load, 3, load.timeline.count - 1), 0);
}

static void counts_what_comes_back_to_a_full_main_queue(void **state)
{
    struct lq_entry entry = thrice();
    struct lq_load load;

    entry.retry_bucket_max_messages = 150;
    entry.main_max_messages = 200;
    load = load_of(*state, &entry, minute());
    /* from 6 s on, 50 a second and as much from each of two buckets at a time:
       from the first for 1 s, from the second for 2 s, and from the third from
       7 s on, which took its first message at 3 s */
    assert_close(load.course.main_millis, 6000 + 4000.0 / 3);
    assert_close(load.course.surplus, 300 - 400.0 / 3);
    assert_close(load.course.refused, 50 * (54 - 4.0 / 3));
    assert_close(load.course.backlog, 200);
}

static void starts_the_consumer_again_with_a_backlog(void **state)
{
    struct lq_entry entry = thrice();
    struct lq_load load;

    entry.retry_bucket_max_messages = 150;
    load = load_of(*state, &entry,
                   (struct lq_load_case){.rate_per_second = 50,
                                         .outage_millis = 8000,
                                         .message_bytes = 1});
    assert_close(load.course.stop_millis, 6000);
    assert_true(isinf(load.course.main_millis));
    assert_close(load.course.start_millis, 8000);
    /* 50 and 100 are back from two buckets, and 50 from the third */
    assert_close(load.course.backlog, 2 * 50 + 50 + 100 + 50);
    assert_close(load.course.refused, 0);
    assert_close(load.waves[0].messages, 100);
    assert_close(load.waves[0].peak_per_second, 50);
    assert_close(load.waves[0].half_millis, 1000);
    assert_close(load.waves[0].all_millis, 2000);
    assert_close(sample_at(&load, 0, load.timeline.count - 1), 0);
    assert_false(load.timeline.ends_early);
}

static void stops_when_a_queue_is_full_after_the_outage(void **state)
{
    struct lq_entry entry = entry_at(1, "q");
    const struct lq_load_case given = {.rate_per_second = 50,
                                       .failure_ratio = 0.9,
                                       .outage_millis = 1000,
                                       .message_bytes = 1};
    struct lq_load load;

    entry.retry_attempts = 2;
    entry.retry_backoff_millis = 10000;
    /* the second bucket holds 810 in normal time, 4.5 more from 1 s on, and as
       much again from 11 s on: 10 % more failed in each second */
    entry.retry_bucket_max_messages = 820;
    load = load_of(*state, &entry, given);
    assert_null(load.course.level);
    assert_true(isinf(load.course.stop_millis));
    assert_close(load.levels[0].peak, 0);
    entry.retry_bucket_max_messages = 817;
    load = load_of(*state, &entry, given);
    assert_ptr_equal(load.course.level, &load.levels[2]);
    assert_close(load.course.stop_millis, 10000 + 2500 / 4.5);
    assert_true(isinf(load.course.start_millis));
    assert_close(load.levels[2].peak, 817);
    assert_close(load.course.drained_millis, load.course.stop_millis + 20000);
}

static void dead_letters_stay_in_their_bound(void **state)
{
    struct lq_entry entry = thrice();
    struct lq_load load;

    entry.dead_letter_max_messages = 1000;
    entry.dead_letter_max_bytes = 1000;
    load = load_of(*state, &entry, minute());
    assert_close(load.course.stop_millis, 27000);
    assert_close(load.dead, 1000);
    assert_close(load.levels[4].peak, 1000);
    assert_close(load.levels[4].peak_millis, 27000);
    assert_close(load.levels[4].full_millis[LQ_BOUND_MESSAGES], 27000);
    assert_close(load.course.backlog, 33 * 50 + 350);
}

static void does_without_retries(void **state)
{
    const struct lq_entry entry = entry_at(1, "q");
    const struct lq_load load = load_of(
        *state, &entry,
        (struct lq_load_case){
            .rate_per_second = 50, .outage_millis = 60000, .message_bytes = 1});

    assert_int_equal(load.level_count, 2);
    assert_close(load.dead, 3000);
    assert_close(load.waves[0].messages, 0);
    assert_close(load.waves[0].all_millis, 0);
    assert_close(load.levels[1].full_millis[LQ_BOUND_MESSAGES], 100000);
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = thrice();
    const struct lq_logical *const logical = plan(fixture, &entry, 1)->logicals;
    const struct lq_load_case given = {.rate_per_second = 1,
                                       .outage_millis = 1};
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status == LQ_NOMEM; ++limit) {
        struct lq_load load;
        struct lq_arena arena;

        lq_arena_init(&arena);
        limit_memory(&arena, limit);
        status = lq_load_build(logical, &given, &arena, &load);
        lq_arena_free(&arena);
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(holds_what_enters_in_a_delay),
        TEST(splits_an_attempt_among_its_delays),
        TEST(fills_up_in_an_outage),
        TEST(counts_bytes_by_the_size_of_a_message),
        TEST(fills_the_main_queue_once_a_hand_off_is_refused),
        TEST(never_breaks_what_is_large_enough),
        TEST(is_broken_at_once_when_normal_time_is_too_much),
        TEST(tells_of_an_outage),
        TEST(tells_of_the_wave_with_and_without_jitter),
        TEST(has_samples_from_before_to_after_the_outage),
        TEST(does_without_retries),
        TEST(stops_the_consumer_and_fills_the_main_queue),
        TEST(counts_what_comes_back_to_a_full_main_queue),
        TEST(starts_the_consumer_again_with_a_backlog),
        TEST(stops_when_a_queue_is_full_after_the_outage),
        TEST(dead_letters_stay_in_their_bound),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
