#include "explain/curve.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static struct lq_arena arena;

static struct lq_curve curve_of(double start, const struct lq_jump *jumps,
                                size_t count)
{
    struct lq_curve curve;

    assert_int_equal(lq_curve_init(&curve, LQ_TALLY_JUMPS, &arena), LQ_OK);
    lq_curve_set(&curve, start);
    for (size_t i = 0; i < count; ++i) {
        lq_curve_push(&curve, jumps[i]);
    }
    return curve;
}

static void assert_close(double got, double wanted)
{
    assert_true(fabs(got - wanted) <= 1e-9 * fmax(1, fabs(wanted)));
}

static void ramps_up_and_down(void **state)
{
    /* 2 a milli from 10 to 20, then -1 up to 30 */
    static const struct lq_jump jumps[] = {{10, 2}, {20, -3}, {30, 1}};
    const struct lq_curve slope = curve_of(0, jumps, 3);
    const struct lq_peak peak = lq_ramp_peak(&slope, 5);

    (void)state;
    assert_close(lq_ramp_at(&slope, 5, -1), 5);
    assert_close(lq_ramp_at(&slope, 5, 10), 5);
    assert_close(lq_ramp_at(&slope, 5, 15), 15);
    assert_close(lq_ramp_at(&slope, 5, 25), 20);
    assert_close(lq_ramp_at(&slope, 5, 1000), 15);
    assert_close(peak.level, 25);
    assert_close(peak.time, 20);
}

static void tells_when_a_level_is_reached(void **state)
{
    static const struct lq_jump jumps[] = {{10, 2}, {20, -2}};
    const struct lq_curve slope = curve_of(0, jumps, 2);
    const struct lq_curve endless = curve_of(0.5, NULL, 0);

    (void)state;
    assert_close(lq_ramp_reach(&slope, 5, 5), 0);
    assert_close(lq_ramp_reach(&slope, 5, 3), 0);
    assert_close(lq_ramp_reach(&slope, 5, 15), 15);
    assert_close(lq_ramp_reach(&slope, 5, 25), 20);
    assert_true(isinf(lq_ramp_reach(&slope, 5, 25.1)));
    assert_close(lq_ramp_reach(&endless, 0, 100), 200);
}

static void takes_the_noise_of_a_sum_for_nothing(void **state)
{
    static const struct lq_jump jumps[] = {
        {0, 0.1}, {1, 0.2}, {2, -0.3 + 1e-16}};
    const struct lq_curve slope = curve_of(0, jumps, 3);

    (void)state;
    assert_true(isinf(lq_ramp_reach(&slope, 0, 1)));
}

static void makes_one_jump_of_those_at_one_time(void **state)
{
    static const struct lq_jump jumps[] = {{5, 3}, {5, -1}, {6, 0}, {7, 1}};
    const struct lq_curve curve = curve_of(1, jumps, 4);
    const struct lq_peak peak = lq_curve_peak(&curve);

    (void)state;
    assert_int_equal(curve.count, 2);
    assert_close(curve.jumps[0].by, 2);
    assert_close(peak.level, 4);
    assert_close(peak.time, 7);
}

static void raises_and_shifts(void **state)
{
    static const struct lq_jump jumps[] = {{5, 3}};
    const struct lq_curve curve = curve_of(1, jumps, 1);
    struct lq_curve out = curve_of(0, NULL, 0);

    (void)state;
    lq_curve_raise(&curve, 2, -4, &out);
    assert_close(out.start, 3);
    assert_close(out.jumps[0].time, 1);
    assert_close(out.jumps[0].by, 3);
}

static void puts_jumps_of_two_stretches_in_order(void **state)
{
    static const double times[] = {0, 3, 8, 10, 11, 18};
    struct lq_curve out = curve_of(0, NULL, 0);
    struct lq_jump_tally tally;

    (void)state;
    assert_int_equal(lq_tally_init(&tally, &arena), LQ_OK);
    lq_tally_clear(&tally, (double[]){0, 8, INFINITY}, 10);
    lq_tally_note(&tally, 1, (struct lq_jump){10, -1});
    lq_tally_note(&tally, 0, (struct lq_jump){10, 2});
    lq_tally_note(&tally, 0, (struct lq_jump){0, 1});
    lq_tally_note(&tally, 1, (struct lq_jump){3, 1});
    lq_tally_note(&tally, 1, (struct lq_jump){0, 4});
    lq_tally_note(&tally, 0, (struct lq_jump){3, 1});
    lq_tally_note(&tally, 0, (struct lq_jump){3, 1});
    lq_tally_curve(&tally, &out);
    assert_int_equal(out.count, sizeof(times) / sizeof(times[0]));
    for (size_t i = 0; i < out.count; ++i) {
        assert_close(out.jumps[i].time, times[i]);
    }
    assert_close(out.jumps[1].by, 2);
}

static void keeps_the_area_below_jumps_that_are_too_many(void **state)
{
    const double span = 1000;
    struct lq_curve out = curve_of(0, NULL, 0);
    struct lq_jump_tally tally;
    double level = 0;

    (void)state;
    assert_int_equal(lq_tally_init(&tally, &arena), LQ_OK);
    lq_tally_clear(&tally, (double[]){0, INFINITY, INFINITY}, span);
    for (int i = 0; i <= 100000; ++i) {
        const double time = span * fmod(i * 0.618034, 1);

        lq_tally_note(&tally, 0, (struct lq_jump){time, 1 + i % 3});
        lq_tally_note(&tally, 0, (struct lq_jump){span - time, -1});
        level += (1 + i % 3) * (2000 - time) - (2000 - span + time);
    }
    lq_tally_curve(&tally, &out);
    assert_true(out.count <= LQ_TALLY_JUMPS);
    assert_close(lq_ramp_at(&out, 0, 2000), level);
}

static void fails_without_memory(void **state)
{
    struct lq_arena none;
    struct lq_curve curve;
    struct lq_jump_tally tally;

    (void)state;
    lq_arena_init(&none);
    none.limit = 0;
    assert_int_equal(lq_curve_init(&curve, 1, &none), LQ_NOMEM);
    assert_int_equal(lq_tally_init(&tally, &none), LQ_NOMEM);
    lq_arena_free(&none);
}

static int set_up(void **state)
{
    (void)state;
    lq_arena_init(&arena);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lq_arena_free(&arena);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(ramps_up_and_down),
        TEST(tells_when_a_level_is_reached),
        TEST(takes_the_noise_of_a_sum_for_nothing),
        TEST(makes_one_jump_of_those_at_one_time),
        TEST(raises_and_shifts),
        TEST(puts_jumps_of_two_stretches_in_order),
        TEST(keeps_the_area_below_jumps_that_are_too_many),
        TEST(fails_without_memory),
    };

    return cmocka_run_group_tests_name("curve", tests, NULL, NULL);
}
