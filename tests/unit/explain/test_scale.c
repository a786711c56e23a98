#include "explain/figure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(items) (sizeof(items) / sizeof((items)[0]))

static void steps_are_round(void **state)
{
    static const struct {
        double span;
        unsigned most;
        double step;
    } cases[] = {
        {200, 8, 50},   {43400, 8, 10000}, {8, 8, 1},   {0, 8, 1},
        {0.3, 8, 0.05}, {1, 1, 1},         {81, 8, 20}, {1e12, 8, 2e11},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const double got = lq_scale_step(cases[i].span, cases[i].most);

        assert_true(got > cases[i].step * 0.999999);
        assert_true(got < cases[i].step * 1.000001);
    }
}

static void times_are_round_in_their_own_way(void **state)
{
    static const struct {
        uint64_t span;
        uint64_t step;
    } cases[] = {
        {0, 1},
        {35000, 5000},
        {100000, 15000},
        {2200000, 300000},
        {36000000, 7200000},
        {31536000000, 2592000000},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_int_equal(lq_scale_millis(cases[i].span, 8), cases[i].step);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_round),
        cmocka_unit_test(times_are_round_in_their_own_way),
    };

    return cmocka_run_group_tests_name("scale", tests, NULL, NULL);
}
