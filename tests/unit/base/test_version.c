#include "base/version.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void reads_versions_as_brokers_have_them(void **state)
{
    static const struct {
        const char *text;
        unsigned major;
        unsigned minor;
    } cases[] = {
        {"4", 4, 0},          {"4.0", 4, 0},
        {"3.10.8", 3, 10},    {"4.3.0-rc.1", 4, 3},
        {"4.1.0+beta", 4, 1}, {"3.13-x", 3, 13},
        {"0.0", 0, 0},        {"9999.9999", 9999, 9999},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        struct lq_version version;

        assert_true(lq_version_read(cases[i].text, &version));
        assert_true(version.known);
        assert_int_equal(version.major, cases[i].major);
        assert_int_equal(version.minor, cases[i].minor);
    }
}

static void rejects_everything_else(void **state)
{
    static const char *const cases[] = {
        "",    "four", "v4.0", " 4",    "4 ",       "4.",    "4.x",
        ".10", "-4",   "4,0",  "10000", "4.100000", "4.0 x", "%VSN%"};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        struct lq_version version = {true, 1, 1};

        assert_false(lq_version_read(cases[i], &version));
        assert_false(version.known);
    }
}

static void compares_major_then_minor(void **state)
{
    const struct lq_version version = {true, 4, 1};

    (void)state;
    assert_true(lq_version_is_before(version, 4, 2));
    assert_true(lq_version_is_before(version, 5, 0));
    assert_false(lq_version_is_before(version, 4, 1));
    assert_false(lq_version_is_before(version, 3, 13));
    assert_true(lq_version_is_from(version, 4, 1));
    assert_true(lq_version_is_from(version, 3, 13));
    assert_false(lq_version_is_from(version, 4, 2));
}

static void takes_nothing_for_granted_of_an_unknown_one(void **state)
{
    const struct lq_version unknown = {0};

    (void)state;
    assert_false(lq_version_is_before(unknown, 4, 0));
    assert_false(lq_version_is_from(unknown, 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_versions_as_brokers_have_them),
        cmocka_unit_test(rejects_everything_else),
        cmocka_unit_test(compares_major_then_minor),
        cmocka_unit_test(takes_nothing_for_granted_of_an_unknown_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
