#include "model/identity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void takes_a_uuid_in_lower_case(void **state)
{
    static const char *const good[] = {
        "11111111-1111-4111-8111-111111111111",
        "01234567-89ab-cdef-0123-456789abcdef",
        "00000000-0000-0000-0000-000000000001",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); ++i) {
        assert_true(lq_event_id_valid(good[i], strlen(good[i])));
    }
}

static void takes_nothing_else(void **state)
{
    static const char *const bad[] = {
        "",
        "00000000-0000-0000-0000-000000000000",
        "11111111-1111-4111-8111-11111111111A",
        "11111111-1111-4111-8111-11111111111g",
        "11111111-1111-4111-8111-1111111111111",
        "11111111-1111-4111-8111-11111111111",
        "11111111111141118111111111111111",
        "111111111-111-4111-8111-111111111111",
        "{1111111-1111-4111-8111-11111111111}",
        "11111111-1111-4111-8111-11111111111 ",
        "11111111 1111-4111-8111-111111111111",
        "1111111\xc3\xa9-1111-4111-8111-11111111111",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
        assert_false(lq_event_id_valid(bad[i], strlen(bad[i])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_a_uuid_in_lower_case),
        cmocka_unit_test(takes_nothing_else),
    };

    return cmocka_run_group_tests_name("event id", tests, NULL, NULL);
}
