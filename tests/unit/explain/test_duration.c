#include "explain/figure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(items) (sizeof(items) / sizeof((items)[0]))

struct example {
    uint64_t millis;
    const char *text;
};

static void is_exact(void **state)
{
    static const struct example cases[] = {
        {0, "0 s"},
        {1, "1 ms"},
        {999, "999 ms"},
        {1000, "1 s"},
        {1200, "1.2 s"},
        {1050, "1.05 s"},
        {59999, "59.999 s"},
        {60000, "1 min"},
        {61001, "1 min 1.001 s"},
        {60500, "1 min 0.5 s"},
        {3600000, "1 h"},
        {90000000, "1 d 1 h"},
        {90000001, "1 d 1 h 0.001 s"},
        {UINT64_MAX, "213503982334 d 14 h 25 min 51.615 s"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_string_equal(lq_duration_of(cases[i].millis).text,
                            cases[i].text);
    }
}

static void is_rounded_to_what_matters(void **state)
{
    static const struct example cases[] = {
        {0, "0 s"},
        {1234, "1.23 s"},
        {9994, "9.99 s"},
        {9996, "10 s"},
        {12345, "12.3 s"},
        {59960, "1 min"},
        {754321, "12 min 34 s"},
        {3599999, "1 h"},
        {7229999, "2 h"},
        {7230000, "2 h 1 min"},
        {90000001, "1 d 1 h"},
        {UINT64_C(86400000) * 365 + 1, "365 d"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_string_equal(lq_duration_about(cases[i].millis).text,
                            cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_exact),
        cmocka_unit_test(is_rounded_to_what_matters),
    };

    return cmocka_run_group_tests_name("duration", tests, NULL, NULL);
}
