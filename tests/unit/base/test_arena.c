#include "../limit.h"
#include "base/arena.h"

#include <setjmp.h>
#include <stdalign.h>
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

static void gives_zeroed_memory(void **state)
{
    for (size_t size = 1; size < 5000; size += 7) {
        unsigned char *const bytes = lq_alloc(*state, size);

        assert_non_null(bytes);
        for (size_t i = 0; i < size; ++i) {
            assert_int_equal(bytes[i], 0);
        }
        memset(bytes, 0xff, size);
    }
}

static void aligns_memory_for_any_type(void **state)
{
    for (size_t size = 0; size < 100; ++size) {
        const uintptr_t address = (uintptr_t)lq_alloc(*state, size);

        assert_int_not_equal(address, 0);
        assert_int_equal(address % alignof(max_align_t), 0);
    }
}

static void keeps_allocations_apart(void **state)
{
    char *items[2000];

    for (size_t i = 0; i < 2000; ++i) {
        items[i] = lq_alloc(*state, 100);
        memset(items[i], (int)(i % 251), 100);
    }
    for (size_t i = 0; i < 2000; ++i) {
        for (size_t j = 0; j < 100; ++j) {
            assert_int_equal((unsigned char)items[i][j], i % 251);
        }
    }
}

static void goes_on_in_its_block_after_a_big_item(void **state)
{
    const char *const first = lq_alloc(*state, 16);
    char *const big = lq_alloc(*state, 1000000);
    const char *const second = lq_alloc(*state, 16);

    memset(big, 1, 1000000);
    assert_ptr_equal(second, first + 16);
}

static void takes_a_big_item_first(void **state)
{
    char *const big = lq_alloc(*state, 1000000);

    memset(big, 1, 1000000);
    assert_non_null(lq_alloc(*state, 16));
}

static void is_usable_again_once_freed(void **state)
{
    assert_non_null(lq_alloc(*state, 100));
    lq_arena_free(*state);
    assert_non_null(lq_alloc(*state, 100));
}

static void refuses_sizes_that_wrap(void **state)
{
    struct lq_arena *const arena = *state;

    assert_null(lq_alloc(arena, SIZE_MAX));
    assert_true(arena->failed);
    limit_memory(arena, SIZE_MAX);
    assert_null(lq_alloc(arena, SIZE_MAX - alignof(max_align_t)));
    limit_memory(arena, SIZE_MAX);
    assert_null(lq_alloc_array(arena, SIZE_MAX / 2, 3));
    assert_true(arena->failed);
    limit_memory(arena, SIZE_MAX);
    assert_null(lq_alloc_array(arena, 3, SIZE_MAX / 2));
    limit_memory(arena, SIZE_MAX);
    assert_null(lq_copy(arena, "", SIZE_MAX));
    assert_true(arena->failed);
    assert_string_equal(lq_strndup(arena, "", SIZE_MAX), "");
}

#ifndef __SANITIZE_ADDRESS__ /* which ends the program instead */
static void gives_null_when_the_system_has_no_memory(void **state)
{
    struct lq_arena *const arena = *state;

    assert_null(lq_alloc(arena, SIZE_MAX / 4));
    assert_true(arena->failed);
}

static void a_lack_of_memory_sticks(void **state)
{
    struct lq_arena *const arena = *state;
    const struct lq_arena_mark mark = lq_arena_mark(arena);

    assert_int_equal(lq_arena_status(arena, LQ_INVALID), LQ_INVALID);
    limit_memory(arena, 1);
    assert_string_equal(lq_strdup(arena, "a"), "a");
    assert_string_equal(lq_strdup(arena, "b"), "");
    arena->limit = SIZE_MAX;
    assert_null(lq_alloc(arena, 1));
    assert_string_equal(lq_format(arena, "%d", 1), "");
    lq_arena_release(arena, &mark);
    assert_int_equal(lq_arena_status(arena, LQ_INVALID), LQ_NOMEM);
    lq_arena_note(arena, LQ_OK);
    lq_arena_free(arena);
    assert_int_equal(lq_arena_status(arena, LQ_OK), LQ_NOMEM);
}

static void takes_over_a_lack_of_memory_elsewhere(void **state)
{
    struct lq_arena *const arena = *state;

    lq_arena_note(arena, LQ_LOST);
    assert_int_equal(lq_arena_status(arena, LQ_LOST), LQ_LOST);
    lq_arena_note(arena, LQ_NOMEM);
    assert_int_equal(lq_arena_status(arena, LQ_LOST), LQ_NOMEM);
}
#endif

static void gives_arrays_of_no_items(void **state)
{
    assert_non_null(lq_alloc_array(*state, 0, 8));
    assert_non_null(lq_alloc_array(*state, 8, 0));
}

static void stops_at_its_limit(void **state)
{
    struct lq_arena *const arena = *state;

    arena->limit = 2;
    assert_non_null(lq_alloc(arena, 1));
    assert_non_null(lq_alloc(arena, 1));
    assert_null(lq_alloc(arena, 1));
    assert_null(lq_alloc(arena, 1));
}

static void copies_strings(void **state)
{
    assert_string_equal(lq_strdup(*state, "orders"), "orders");
    assert_string_equal(lq_strdup(*state, ""), "");
    assert_string_equal(lq_strndup(*state, "orders", 3), "ord");
    assert_string_equal(lq_strndup(*state, NULL, 0), "");
    assert_memory_equal(lq_strndup(*state, "a\0b", 3), "a\0b", 4);
}

static void formats_text_of_any_length(void **state)
{
    static char text[70001];

    memset(text, 'x', sizeof(text) - 1);
    assert_string_equal(lq_format(*state, "%s-%d", "a", -7), "a--7");
    assert_string_equal(lq_format(*state, "%s", text), text);
}

static void fails_to_copy_without_memory(void **state)
{
    struct lq_arena *const arena = *state;

    limit_memory(arena, 0);
    assert_null(lq_copy(arena, "a", 1));
    limit_memory(arena, 0);
    assert_string_equal(lq_strdup(arena, "a"), "");
    limit_memory(arena, 0);
    assert_string_equal(lq_format(arena, "%d", 1), "");
    assert_true(arena->failed);
}

static void grows_arrays_and_keeps_their_items(void **state)
{
    struct lq_array array;

    lq_array_init(&array, sizeof(size_t));
    for (size_t i = 0; i < 1000; ++i) {
        size_t *const item = lq_array_push(&array, *state);

        assert_non_null(item);
        assert_int_equal(*item, 0);
        *item = i;
    }
    assert_int_equal(array.count, 1000);
    for (size_t i = 0; i < 1000; ++i) {
        assert_int_equal(((const size_t *)array.items)[i], i);
    }
}

static void leaves_an_array_as_it_was_without_memory(void **state)
{
    struct lq_arena *const arena = *state;
    struct lq_array array;

    lq_array_init(&array, sizeof(int));
    for (int i = 0; i < 16; ++i) {
        *(int *)lq_array_push(&array, arena) = i;
    }
    arena->limit = 0;
    assert_null(lq_array_push(&array, arena));
    assert_int_equal(array.count, 16);
    assert_int_equal(((const int *)array.items)[15], 15);
}

static void takes_back_what_came_after_a_mark(void **state)
{
    struct lq_arena *const arena = *state;
    static const size_t sizes[] = {100, 70000, 60000, 30000, 200000, 50};

    for (size_t before = 0; before < sizeof(sizes) / sizeof(sizes[0]);
         ++before) {
        char *const kept =
            before > 0 ? lq_alloc(arena, sizes[before - 1]) : NULL;
        const struct lq_arena_mark mark = lq_arena_mark(arena);
        char *next = NULL;

        if (kept) {
            memset(kept, 'k', sizes[before - 1]);
        }
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
            memset(lq_alloc(arena, sizes[i]), 'x', sizes[i]);
        }
        lq_arena_release(arena, &mark);
        assert_ptr_equal(arena->blocks, mark.block);
        next = lq_alloc(arena, 100);
        for (size_t i = 0; i < 100; ++i) {
            assert_int_equal(next[i], 0);
        }
        assert_true(!kept || kept[sizes[before - 1] - 1] == 'k');
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(gives_zeroed_memory),
        TEST(aligns_memory_for_any_type),
        TEST(keeps_allocations_apart),
        TEST(goes_on_in_its_block_after_a_big_item),
        TEST(takes_a_big_item_first),
        TEST(is_usable_again_once_freed),
        TEST(refuses_sizes_that_wrap),
#ifndef __SANITIZE_ADDRESS__
        TEST(gives_null_when_the_system_has_no_memory),
        TEST(a_lack_of_memory_sticks),
        TEST(takes_over_a_lack_of_memory_elsewhere),
#endif
        TEST(gives_arrays_of_no_items),
        TEST(stops_at_its_limit),
        TEST(copies_strings),
        TEST(formats_text_of_any_length),
        TEST(fails_to_copy_without_memory),
        TEST(grows_arrays_and_keeps_their_items),
        TEST(takes_back_what_came_after_a_mark),
        TEST(leaves_an_array_as_it_was_without_memory),
    };

    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
