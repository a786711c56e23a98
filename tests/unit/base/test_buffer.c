#include "../limit.h"
#include "base/buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
    static struct lq_arena arena;

    lq_arena_init(&arena);
    *state = &arena;
    return 0;
}

static int tear_down(void **state)
{
    lq_arena_free(*state);
    return 0;
}

static void starts_empty(void **state)
{
    struct lq_buffer buffer;

    lq_buffer_init(&buffer, *state);
    assert_string_equal(lq_buffer_text(&buffer), "");
    assert_int_equal(buffer.length, 0);
}

static void joins_what_is_added(void **state)
{
    struct lq_buffer buffer;

    lq_buffer_init(&buffer, *state);
    lq_buffer_add(&buffer, "");
    assert_string_equal(lq_buffer_text(&buffer), "");
    lq_buffer_add(&buffer, "orders");
    lq_buffer_add_bytes(&buffer, ".created", 2);
    assert_string_equal(lq_buffer_text(&buffer), "orders.c");
    assert_int_equal(buffer.length, 8);
}

static void grows_by_any_step(void **state)
{
    static char long_text[5000];
    static const size_t steps[] = {1, 63, 64, 65, 4999};

    memset(long_text, 'x', sizeof(long_text) - 1);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); ++i) {
        struct lq_buffer buffer;

        lq_buffer_init(&buffer, *state);
        for (size_t n = 1; n <= 100; ++n) {
            lq_buffer_add_bytes(&buffer, long_text, steps[i]);
            assert_int_equal(strlen(lq_buffer_text(&buffer)), n * steps[i]);
            assert_int_equal(buffer.length, n * steps[i]);
        }
    }
}

static void keeps_a_failure(void **state)
{
    struct lq_arena *const arena = *state;
    struct lq_buffer buffer;

    lq_buffer_init(&buffer, arena);
    limit_memory(arena, 0);
    lq_buffer_add(&buffer, "a");
    assert_string_equal(lq_buffer_text(&buffer), "");
    assert_true(arena->failed);
    limit_memory(arena, SIZE_MAX);
    lq_buffer_add(&buffer, "a");
    assert_string_equal(lq_buffer_text(&buffer), "");
    assert_int_equal(buffer.length, 0);
}

static void fails_rather_than_wrap(void **state)
{
    struct lq_buffer buffer;

    lq_buffer_init(&buffer, *state);
    lq_buffer_add(&buffer, "a");
    lq_buffer_add_bytes(&buffer, "a", SIZE_MAX - 1);
    assert_string_equal(lq_buffer_text(&buffer), "");
    assert_true(((struct lq_arena *)*state)->failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(starts_empty, set_up, tear_down),
        cmocka_unit_test_setup_teardown(joins_what_is_added, set_up, tear_down),
        cmocka_unit_test_setup_teardown(grows_by_any_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keeps_a_failure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fails_rather_than_wrap, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests_name("buffer", tests, NULL, NULL);
}
