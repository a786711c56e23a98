#include "base/quantity.h"
#include "explain/figure.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(items) (sizeof(items) / sizeof((items)[0]))

static void reads_rates(void **state)
{
    static const struct {
        const char *text;
        double per_second;
    } cases[] = {
        {"50/s", 50},          {"3000/m", 50}, {"0.5/s", 0.5},
        {"1.5/h", 1.5 / 3600}, {"86400/d", 1}, {"1000000/s", 1000000},
        {"007/s", 7},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        double got = 0;

        assert_true(lq_parse_rate(cases[i].text, &got));
        assert_true(got > cases[i].per_second * 0.999999999);
        assert_true(got < cases[i].per_second * 1.000000001);
    }
}

static void reads_no_other_rates(void **state)
{
    static const char *const bad[] = {
        "",       "50",
        "/s",     "50/",
        "50/ms",  "50/S",
        "50 /s",  " 50/s",
        "50/s ",  "-50/s",
        "+5/s",   "0/s",
        "0.0/d",  "1e3/s",
        "1,5/s",  "1.5.5/s",
        ".5/s",   "5./s",
        "nan/s",  "inf/s",
        "0x5/s",  "50//s",
        "50/sec", "1000001/s",
        "50s",    "11111111111111111111111111111111111/d",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(bad); ++i) {
        double got = 0;

        assert_false(lq_parse_rate(bad[i], &got));
    }
}

static void reads_spans(void **state)
{
    static const struct {
        const char *text;
        uint64_t millis;
    } cases[] = {
        {"250ms", 250},  {"90s", 90000},        {"15m", 900000},
        {"2h", 7200000}, {"365d", LQ_MAX_SPAN}, {"1ms", 1},
        {"0001s", 1000}, {"2w", 1209600000},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        uint64_t got = 0;

        assert_true(lq_parse_span(cases[i].text, LQ_MAX_SPAN, &got));
        assert_int_equal(got, cases[i].millis);
    }
}

static void reads_no_other_spans(void **state)
{
    static const char *const bad[] = {
        "",
        "90",
        "s",
        "90S",
        "90 s",
        " 90s",
        "90s ",
        "-90s",
        "+1s",
        "1.5h",
        "1h30m",
        "0s",
        "0ms",
        "90sec",
        "366d",
        "8761h",
        "1e3s",
        "90min",
        "99999999999999999999ms",
        "18446744073709551616s",
        "000000000000000000000000000000000000001s",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(bad); ++i) {
        uint64_t got = 0;

        assert_false(lq_parse_span(bad[i], LQ_MAX_SPAN, &got));
    }
}

static void reads_spans_up_to_the_most_that_may_be(void **state)
{
    uint64_t got = 0;

    (void)state;
    assert_true(lq_parse_span("2s", 2000, &got));
    assert_false(lq_parse_span("2001ms", 2000, &got));
    assert_false(lq_parse_span("3s", 2000, &got));
    assert_false(lq_parse_span("1m", 2000, &got));
}

static void reads_bytes(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {
        {"1", 1},
        {"4096", 4096},
        {"64K", 65536},
        {"50G", UINT64_C(53687091200)},
        {"1T", UINT64_C(1099511627776)},
        {"9223372036854775807", INT64_MAX},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        uint64_t got = 0;

        assert_true(lq_parse_bytes(cases[i].text, &got));
        assert_int_equal(got, cases[i].bytes);
    }
}

static void reads_no_other_bytes(void **state)
{
    static const char *const bad[] = {
        "",
        "0",
        "0K",
        "K",
        "1k",
        "1KB",
        "1 K",
        "-1",
        "+1",
        "1.5G",
        "0x10",
        "1P",
        "8388608T",
        "9223372036854775808",
        "1K ",
        "99999999999999999999",
        "9223372036854775807K",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(bad); ++i) {
        uint64_t got = 0;

        assert_false(lq_parse_bytes(bad[i], &got));
    }
}

static void reads_ratios(void **state)
{
    double got = 0;

    (void)state;
    assert_true(lq_parse_ratio("0", &got) && got == 0);
    assert_true(lq_parse_ratio("1", &got) && got == 1);
    assert_true(lq_parse_ratio("0.25", &got) && got == 0.25);
    assert_false(lq_parse_ratio("1.01", &got));
    assert_false(lq_parse_ratio("-0.1", &got));
    assert_false(lq_parse_ratio("0,5", &got));
    assert_false(lq_parse_ratio("50%", &got));
    assert_false(lq_parse_ratio("", &got));
}

static void writes_decimals_without_noise(void **state)
{
    static const struct {
        double number;
        unsigned decimals;
        const char *text;
    } cases[] = {
        {0.1, 3, "0.1"},
        {0.1 + 0.2, 3, "0.3"},
        {0, 3, "0"},
        {-1e-17, 3, "0"},
        {1000, 3, "1000"},
        {1200.0004, 3, "1200"},
        {99.9996, 3, "100"},
        {0.0005, 3, "0.001"},
        {1.0 / 60, 6, "0.016667"},
        {12.5, 0, "13"},
        {1e12 + 0.5, 3, "1000000000000.5"},
        {10, 1, "10"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_string_equal(
            lq_decimal_of(cases[i].number, cases[i].decimals).text,
            cases[i].text);
    }
    assert_string_equal(lq_decimal_about(99.994).text, "99.99");
    assert_string_equal(lq_decimal_about(99.996).text, "100");
    assert_string_equal(lq_decimal_about(1234.56).text, "1235");
    assert_string_equal(lq_decimal_of(1e20, 3).text, "100000000000000000000");
}

static void minds_no_locale(void **state)
{
    double got = 0;

    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        skip();
    }
    assert_true(lq_parse_rate("0.5/s", &got) && got == 0.5);
    assert_false(lq_parse_rate("0,5/s", &got));
    assert_string_equal(lq_decimal_of(0.5, 3).text, "0.5");
    (void)setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_rates),
        cmocka_unit_test(reads_no_other_rates),
        cmocka_unit_test(reads_spans),
        cmocka_unit_test(reads_no_other_spans),
        cmocka_unit_test(reads_spans_up_to_the_most_that_may_be),
        cmocka_unit_test(reads_bytes),
        cmocka_unit_test(reads_no_other_bytes),
        cmocka_unit_test(reads_ratios),
        cmocka_unit_test(writes_decimals_without_noise),
        cmocka_unit_test(minds_no_locale),
    };

    return cmocka_run_group_tests_name("quantity", tests, NULL, NULL);
}
