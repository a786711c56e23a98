#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

static void goes_forward(void **state)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    const uint64_t before = lq_now_millis();

    (void)state;
    assert_int_equal(nanosleep(&pause, NULL), 0);
    assert_in_range(lq_now_millis() - before, 20, 60000);
}

static void counts_down_to_a_moment(void **state)
{
    (void)state;
    assert_in_range(lq_millis_until(lq_now_millis() + 100000), 40000, 100000);
}

static void has_no_time_left_once_it_passed(void **state)
{
    (void)state;
    assert_int_equal(lq_millis_until(0), 0);
    assert_int_equal(lq_millis_until(lq_now_millis()), 0);
}

static void never_gets_near_never(void **state)
{
    (void)state;
    assert_true(lq_millis_until(LQ_NEVER) == LQ_NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_forward),
        cmocka_unit_test(counts_down_to_a_moment),
        cmocka_unit_test(has_no_time_left_once_it_passed),
        cmocka_unit_test(never_gets_near_never),
    };

    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
