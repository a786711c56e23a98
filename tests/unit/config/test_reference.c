#include "config/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void assert_reference(const char *value, enum lq_reference_kind kind,
                             const char *name)
{
    const struct lq_reference reference = lq_reference_read(value);

    assert_int_equal(reference.kind, kind);
    if (name) {
        assert_int_equal(reference.length, strlen(name));
        assert_memory_equal(reference.name, name, reference.length);
    } else {
        assert_null(reference.name);
    }
}

static void takes_text_without_a_dollar_brace_as_it_is(void **state)
{
    (void)state;
    assert_reference("amqp://u:p@h/%2F", LQ_REFERENCE_NONE, NULL);
    assert_reference("", LQ_REFERENCE_NONE, NULL);
    assert_reference("$HOME {env:A}", LQ_REFERENCE_NONE, NULL);
}

static void reads_the_name_of_a_variable(void **state)
{
    (void)state;
    assert_reference("${env:A}", LQ_REFERENCE_ENV, "A");
    assert_reference("${env:_rabbit_URL_2}", LQ_REFERENCE_ENV, "_rabbit_URL_2");
}

static void reads_the_path_of_a_file(void **state)
{
    (void)state;
    assert_reference("${file:/run/secrets/a b}", LQ_REFERENCE_FILE,
                     "/run/secrets/a b");
    assert_reference("${file:x}", LQ_REFERENCE_FILE, "x");
}

static void refuses_every_other_use_of_a_dollar_brace(void **state)
{
    static const char *const values[] = {
        "${",
        "${}",
        "${env:}",
        "${env:1A}",
        "${env:A B}",
        "${env:A-B}",
        "${env:A",
        "${env:A}x",
        "x${env:A}",
        "${env:A}}",
        "${file:}",
        "${file:/a}b",
        "${file:/a",
        "${ENV:A}",
        "${secret:A}",
        "${env: A}",
        "${env:A}${env:B}",
        "a${b",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); ++i) {
        assert_reference(values[i], LQ_REFERENCE_BAD, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_text_without_a_dollar_brace_as_it_is),
        cmocka_unit_test(reads_the_name_of_a_variable),
        cmocka_unit_test(reads_the_path_of_a_file),
        cmocka_unit_test(refuses_every_other_use_of_a_dollar_brace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
