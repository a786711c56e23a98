#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static int64_t parsed(const char *text)
{
    int64_t millis = -1;

    assert_true(lq_time_parse(text, &millis));
    return millis;
}

static void a_time_is_written_in_utc(void **state)
{
    static const struct {
        int64_t millis;
        const char *text;
    } cases[] = {
        {0, "1970-01-01T00:00:00Z"},
        {250, "1970-01-01T00:00:00.250Z"},
        {-1, "1969-12-31T23:59:59.999Z"},
        {1796108940000, "2026-12-01T07:09:00Z"},
        {1709164800000, "2024-02-29T00:00:00Z"},
        {951868799000, "2000-02-29T23:59:59Z"},
        {253402300799999, "9999-12-31T23:59:59.999Z"},
        {-62167219200000, "0000-01-01T00:00:00Z"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        char text[LQ_TIME_TEXT];

        assert_true(lq_time_text(cases[i].millis, text));
        assert_string_equal(text, cases[i].text);
        assert_int_equal(parsed(cases[i].text), cases[i].millis);
    }
}

static void a_time_agrees_with_the_system(void **state)
{
    (void)state;
    for (int64_t day = -140000; day < 400000; day += 61) {
        const time_t seconds = (time_t)(day * 86400 + 3723);
        struct tm parts;
        char mine[LQ_TIME_TEXT];
        char system[64];

        assert_non_null(gmtime_r(&seconds, &parts));
        assert_true(lq_time_text((int64_t)seconds * 1000, mine));
        assert_true(
            strftime(system, sizeof(system), "%Y-%m-%dT%H:%M:%SZ", &parts) > 0);
        assert_string_equal(mine, system);
        assert_int_equal(parsed(mine), (int64_t)seconds * 1000);
    }
}

static void a_time_out_of_four_digit_years_has_no_text(void **state)
{
    char text[LQ_TIME_TEXT];

    (void)state;
    assert_false(lq_time_text(253402300800000, text));
    assert_false(lq_time_text(-62167219200001, text));
    assert_false(lq_time_text(INT64_MAX, text));
    assert_false(lq_time_text(INT64_MIN, text));
}

static void offsets_dates_and_fractions_are_read(void **state)
{
    (void)state;
    assert_int_equal(parsed("2026-12-01"), parsed("2026-12-01T00:00:00Z"));
    assert_int_equal(parsed("2026-12-01t08:09:00+01:00"), 1796108940000);
    assert_int_equal(parsed("2026-12-01 01:39:00-05:30"), 1796108940000);
    assert_int_equal(parsed("1970-01-01T00:00:00.1239Z"), 123);
    assert_int_equal(parsed("1970-01-01T00:00:00.5z"), 500);
    assert_int_equal(parsed("1972-06-30T23:59:60Z"),
                     parsed("1972-07-01T00:00:00Z"));
}

static void what_is_no_time_is_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "yesterday",
        "2026",
        "2026-13-01",
        "2026-00-01",
        "2026-02-29",
        "2026-12-00",
        "2026-12-01T",
        "2026-12-01T07:09",
        "2026-12-01T07:09:00",
        "2026-12-01T24:00:00Z",
        "2026-12-01T07:60:00Z",
        "2026-12-01T07:09:61Z",
        "2026-12-01T07:09:00.Z",
        "2026-12-01T07:09:00Z ",
        "2026-12-01T07:09:00+1:00",
        "2026-12-01T07:09:00+24:00",
        " 2026-12-01",
        "2026-12-1",
        "-026-12-01",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        int64_t millis = 0;

        assert_false(lq_time_parse(texts[i], &millis));
    }
}

static void the_clock_of_people_and_that_of_waiting_go_forward(void **state)
{
    const uint64_t before = lq_now_millis();

    (void)state;
    assert_true(lq_unix_millis() > 1600000000000);
    assert_true(lq_now_millis() >= before);
    assert_int_equal(lq_millis_until(LQ_NEVER), LQ_NEVER);
    assert_int_equal(lq_millis_until(0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_time_is_written_in_utc),
        cmocka_unit_test(a_time_agrees_with_the_system),
        cmocka_unit_test(a_time_out_of_four_digit_years_has_no_text),
        cmocka_unit_test(offsets_dates_and_fractions_are_read),
        cmocka_unit_test(what_is_no_time_is_refused),
        cmocka_unit_test(the_clock_of_people_and_that_of_waiting_go_forward),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
