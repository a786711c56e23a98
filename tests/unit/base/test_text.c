#include "../limit.h"
#include "base/text.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(items) (sizeof(items) / sizeof((items)[0]))

static void reads_whole_numbers(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {
        {"0", 0},
        {"7", 7},
        {"007", 7},
        {"4294967296", UINT64_C(4294967296)},
        {"18446744073709551615", UINT64_MAX},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        uint64_t value = 99;

        assert_int_equal(lq_parse_u64(cases[i].text, &value), LQ_NUMBER_OK);
        assert_int_equal(value, cases[i].value);
    }
}

static void rejects_what_is_no_whole_number(void **state)
{
    static const char *const texts[] = {
        "",    " ",   "-1",  "+1",  "1 ",   " 1",    "1.0",
        "1e3", "0x1", "one", "1_0", "1\n2", "1,000", "99999999999999999999x",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); ++i) {
        uint64_t value = 99;

        assert_int_equal(lq_parse_u64(texts[i], &value), LQ_NUMBER_SYNTAX);
        assert_int_equal(value, 99);
    }
}

static void tells_numbers_over_64_bits_apart(void **state)
{
    static const char *const texts[] = {
        "18446744073709551616",
        "18446744073709551620",
        "99999999999999999999",
        "184467440737095516150",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); ++i) {
        uint64_t value = 99;

        assert_int_equal(lq_parse_u64(texts[i], &value), LQ_NUMBER_RANGE);
        assert_int_equal(value, 99);
    }
}

static void reads_fractions(void **state)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0.0},         {"1", 1.0},      {"0.25", 0.25},   {"-0.5", -0.5},
        {"2e-1", 2e-1},     {"2E+1", 20.0},  {"1.5e2", 150.0}, {"0.35", 0.35},
        {"5e-324", 5e-324}, {"1e-999", 0.0}, {"00.5", 0.5},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        double value = 99.0;

        assert_int_equal(lq_parse_double(cases[i].text, &value), LQ_NUMBER_OK);
        assert_memory_equal(&value, &cases[i].value, sizeof(value));
    }
}

static void rejects_what_is_no_fraction(void **state)
{
    static const char *const texts[] = {
        "",    " 1",  "1 ",  ".5",  "1.",   "+1",  "--1",   "1e",
        "1e+", "0x1", "inf", "nan", "-inf", "0,5", "1.2.3", "1e2.5",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); ++i) {
        double value = 99.0;

        assert_int_equal(lq_parse_double(texts[i], &value), LQ_NUMBER_SYNTAX);
        assert_true(value == 99.0);
    }
}

static void rejects_fractions_beyond_a_double(void **state)
{
    double value = 99.0;

    (void)state;
    assert_int_equal(lq_parse_double("1e999", &value), LQ_NUMBER_RANGE);
    assert_int_equal(lq_parse_double("-1e999", &value), LQ_NUMBER_RANGE);
    assert_true(value == 99.0);
}

static void reads_fractions_in_a_comma_locale(void **state)
{
    double value = 0.0;

    (void)state;
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    assert_string_equal(localeconv()->decimal_point, ",");
    assert_int_equal(lq_parse_double("0.25", &value), LQ_NUMBER_OK);
    assert_true(value == 0.25);
    assert_string_equal(localeconv()->decimal_point, ",");
    assert_non_null(setlocale(LC_ALL, "C"));
}

static void decodes_utf8(void **state)
{
    static const struct {
        const char *text;
        uint32_t code;
    } cases[] = {
        {"a", 'a'},
        {"\x7f", 0x7f},
        {"\xc2\x80", 0x80},
        {"\xdf\xbf", 0x7ff},
        {"\xe0\xa0\x80", 0x800},
        {"\xed\x9f\xbf", 0xd7ff},
        {"\xee\x80\x80", 0xe000},
        {"\xef\xbf\xbf", 0xffff},
        {"\xf0\x90\x80\x80", 0x10000},
        {"\xf4\x8f\xbf\xbf", 0x10ffff},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const size_t length = strlen(cases[i].text);
        uint32_t code = 0;

        assert_int_equal(lq_utf8_decode(cases[i].text, length, &code), length);
        assert_int_equal(code, cases[i].code);
        assert_true(lq_utf8_valid(cases[i].text, length));
    }
}

static void rejects_what_is_no_utf8(void **state)
{
    static const char *const texts[] = {
        "\x80", /* continuation without a lead */
        "\xc2", /* cut short */
        "\xe2\x82",
        "\xf0\x9f\x98",
        "\xc2(", /* lead without a continuation */
        "\xe2\x82(",
        "\xc0\x80", /* overlong */
        "\xc1\xbf",
        "\xe0\x80\x80",
        "\xe0\x9f\xbf",
        "\xf0\x80\x80\x80",
        "\xf0\x8f\xbf\xbf",
        "\xed\xa0\x80", /* surrogates */
        "\xed\xbf\xbf",
        "\xf4\x90\x80\x80", /* beyond U+10FFFF */
        "\xf5\x80\x80\x80",
        "\xff",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); ++i) {
        uint32_t code = 0;

        assert_int_equal(lq_utf8_decode(texts[i], strlen(texts[i]), &code), 0);
        assert_false(lq_utf8_valid(texts[i], strlen(texts[i])));
    }
}

static void takes_empty_text_as_utf8(void **state)
{
    (void)state;
    assert_true(lq_utf8_valid("", 0));
    assert_true(lq_utf8_valid("a\0b", 3));
    assert_false(lq_utf8_valid("ab\xff", 3));
}

static void tells_control_characters(void **state)
{
    static const uint32_t controls[] = {0, 0x1f, 0x7f, 0x80, 0x9f};
    static const uint32_t others[] = {0x20, 0x7e, 0xa0, 0x200b, 0x10ffff};

    (void)state;
    for (size_t i = 0; i < COUNT(controls); ++i) {
        assert_true(lq_is_control(controls[i]));
        assert_false(lq_is_control(others[i]));
    }
}

static void shows_no_character_that_changes_others(void **state)
{
    static const uint32_t hidden[] = {
        0x00,    0x1b,    0x7f,    0x9b,    0xad,    0x34f,   0x61c,  0x115f,
        0x17b4,  0x180e,  0x200b,  0x200c,  0x200d,  0x200e,  0x200f, 0x2028,
        0x2029,  0x202a,  0x202e,  0x2060,  0x2065,  0x2066,  0x2069, 0x206a,
        0x3164,  0xfdd0,  0xfe0f,  0xfeff,  0xffa0,  0xfff9,  0xfffe, 0xffff,
        0x1bca0, 0x1d173, 0xe0001, 0xe01ef, 0x1fffe, 0x10ffff};
    static const uint32_t shown[] = {
        0x20,    0x7e,    0xa0,    0xac,    0xae,    0x34e,   0x61b,   0x61d,
        0x1161,  0x180a,  0x2010,  0x2027,  0x202f,  0x205f,  0x2070,  0x3163,
        0xfdcf,  0xfdf0,  0xfe10,  0xfefe,  0xff00,  0xffef,  0xfffc,  0xfffd,
        0x10000, 0x1f600, 0x1d172, 0x1d17b, 0xdfffd, 0xe1000, 0x10fffd};

    (void)state;
    for (size_t i = 0; i < COUNT(hidden); ++i) {
        assert_false(lq_is_shown(hidden[i]));
    }
    for (size_t i = 0; i < COUNT(shown); ++i) {
        assert_true(lq_is_shown(shown[i]));
    }
}

static void escapes_a_character_for_json(void **state)
{
    static const struct {
        uint32_t code;
        const char *want;
    } cases[] = {
        {0, "\\u0000"},
        {0x9b, "\\u009B"},
        {0x202e, "\\u202E"},
        {0xffff, "\\uFFFF"},
        {0x10000, "\\uD800\\uDC00"},
        {0xe0001, "\\uDB40\\uDC01"},
        {0x10ffff, "\\uDBFF\\uDFFF"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        char out[13] = {0};

        assert_int_equal(lq_json_escape(cases[i].code, out),
                         strlen(cases[i].want));
        assert_string_equal(out, cases[i].want);
    }
}

static void shows_text_safely(void **state)
{
    static const struct {
        const char *text;
        const char *shown;
    } cases[] = {
        {"", ""},
        {"orders.created", "orders.created"},
        {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
        {"a\tb\x1b[31m", "a\\x09b\\x1b[31m"},
        {"\x7f", "\\x7f"},
        {"\xc2\x9b", "\\xc2\\x9b"},
        {"a\xff(", "a\\xff("},
        {"\xe2\x82", "\\xe2\\x82"},
        {"back\\slash", "back\\slash"},
        {"a\xe2\x80\xae"
         "b\xe2\x80\xac",
         "a\\xe2\\x80\\xae"
         "b\\xe2\\x80\\xac"},
        {"\xe2\x80\xa8", "\\xe2\\x80\\xa8"},
        {"\xef\xbb\xbf"
         "a",
         "\\xef\\xbb\\xbf"
         "a"},
        {"a\xe2\x80\x8b"
         "b",
         "a\\xe2\\x80\\x8b"
         "b"},
    };
    struct lq_arena arena;

    (void)state;
    lq_arena_init(&arena);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_string_equal(
            lq_printable(&arena, cases[i].text, strlen(cases[i].text)),
            cases[i].shown);
    }
    assert_string_equal(lq_printable(&arena, "a\0b", 3), "a\\x00b");
    lq_arena_free(&arena);
}

static void shows_nothing_without_memory(void **state)
{
    struct lq_arena arena;

    (void)state;
    lq_arena_init(&arena);
    assert_string_equal(lq_printable(&arena, "a", SIZE_MAX - 1), "");
    assert_true(arena.failed);
    limit_memory(&arena, 0);
    assert_string_equal(lq_printable(&arena, "a", 1), "");
    assert_true(arena.failed);
    lq_arena_free(&arena);
}

static void suggests_the_nearest_word(void **state)
{
    static const char *const words[] = {"durable", "auto_delete", "exclusive",
                                        "retry_attempts", "url"};
    static const char *const cases[][2] = {
        {"durabel", "durable"},
        {"autodelete", "auto_delete"},
        {"exclusiv", "exclusive"},
        {"retry_attempt", "retry_attempts"},
        {"retry_atempts", "retry_attempts"},
        {"ur", "url"},
        {"ulr", "url"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_string_equal(lq_suggest(cases[i][0], words, COUNT(words)),
                            cases[i][1]);
    }
}

static void suggests_nothing_far_off(void **state)
{
    static const char long_word[] =
        "a-word-of-more-than-64-bytes-is-never-suggested-whatever-was-typed-in";
    static const char *const words[] = {"durable", "exclusive", long_word};
    static const char *const cases[] = {
        "", "x", "colour", "duration_of_it",
        "a-word-of-more-than-64-bytes-is-never-suggested-whatever-was-typed-i"};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_null(lq_suggest(cases[i], words, COUNT(words)));
    }
    assert_null(lq_suggest("durable", words, 0));
}

static void compares_strings(void **state)
{
    (void)state;
    assert_true(lq_str_equal("a", "a"));
    assert_false(lq_str_equal("a", "ab"));
    assert_false(lq_str_equal("a", "A"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_whole_numbers),
        cmocka_unit_test(rejects_what_is_no_whole_number),
        cmocka_unit_test(tells_numbers_over_64_bits_apart),
        cmocka_unit_test(reads_fractions),
        cmocka_unit_test(rejects_what_is_no_fraction),
        cmocka_unit_test(rejects_fractions_beyond_a_double),
        cmocka_unit_test(reads_fractions_in_a_comma_locale),
        cmocka_unit_test(decodes_utf8),
        cmocka_unit_test(rejects_what_is_no_utf8),
        cmocka_unit_test(takes_empty_text_as_utf8),
        cmocka_unit_test(tells_control_characters),
        cmocka_unit_test(shows_no_character_that_changes_others),
        cmocka_unit_test(escapes_a_character_for_json),
        cmocka_unit_test(shows_text_safely),
        cmocka_unit_test(shows_nothing_without_memory),
        cmocka_unit_test(suggests_the_nearest_word),
        cmocka_unit_test(suggests_nothing_far_off),
        cmocka_unit_test(compares_strings),
    };

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
