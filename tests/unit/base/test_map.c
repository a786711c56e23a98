#include "../limit.h"
#include "base/map.h"
#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static struct lq_arena arena;

static int set_up(void **state)
{
    static struct lq_map map;

    lq_arena_init(&arena);
    lq_map_init(&map, &arena);
    *state = &map;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lq_arena_free(&arena);
    return 0;
}

static void finds_nothing_in_an_empty_map(void **state)
{
    assert_null(lq_map_get(*state, "a"));
    assert_null(lq_map_get(*state, ""));
}

static void finds_what_was_added(void **state)
{
    int one = 1;
    int two = 2;
    void *held = NULL;

    assert_int_equal(lq_map_add(*state, "one", &one, &held), LQ_OK);
    assert_ptr_equal(held, &one);
    assert_int_equal(lq_map_add(*state, "", &two, &held), LQ_OK);
    assert_ptr_equal(held, &two);
    assert_ptr_equal(lq_map_get(*state, "one"), &one);
    assert_ptr_equal(lq_map_get(*state, ""), &two);
    assert_null(lq_map_get(*state, "on"));
    assert_null(lq_map_get(*state, "ones"));
}

static void keeps_the_first_value_of_a_key(void **state)
{
    const struct lq_map *const map = *state;
    int one = 1;
    int two = 2;
    char same[] = "key";
    void *held = NULL;

    assert_int_equal(lq_map_add(*state, "key", &one, &held), LQ_OK);
    assert_int_equal(lq_map_add(*state, same, &two, &held), LQ_OK);
    assert_ptr_equal(held, &one);
    assert_ptr_equal(lq_map_get(map, "key"), &one);
    assert_int_equal(map->count, 1);
}

static void add_numbers(struct lq_map *map, char **keys, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        void *held = NULL;

        char text[32];

        (void)snprintf(text, sizeof(text), "key-%zu", i);
        keys[i] = lq_copy(&arena, text, strlen(text));
        assert_non_null(keys[i]);
        assert_int_equal(lq_map_add(map, keys[i], keys[i], &held), LQ_OK);
        assert_ptr_equal(held, keys[i]);
    }
}

static void holds_thousands_of_keys(void **state)
{
    static char *keys[20000];

    add_numbers(*state, keys, 20000);
    for (size_t i = 0; i < 20000; ++i) {
        assert_ptr_equal(lq_map_get(*state, keys[i]), keys[i]);
    }
    assert_null(lq_map_get(*state, "key-20000"));
}

static void keeps_keys_when_room_is_made(void **state)
{
    static char *keys[100];

    add_numbers(*state, keys, 100);
    assert_int_equal(lq_map_reserve(*state, 1000), LQ_OK);
    for (size_t i = 0; i < 100; ++i) {
        assert_ptr_equal(lq_map_get(*state, keys[i]), keys[i]);
    }
}

static void allocates_nothing_within_the_room_made(void **state)
{
    struct lq_map *const map = *state;
    static char *keys[1000];
    struct lq_map_slot *slots = NULL;

    assert_int_equal(lq_map_reserve(map, 1000), LQ_OK);
    slots = map->slots;
    add_numbers(map, keys, 1000);
    assert_ptr_equal(map->slots, slots);
}

static void makes_no_room_that_is_there(void **state)
{
    struct lq_map *const map = *state;

    assert_int_equal(lq_map_reserve(map, 100), LQ_OK);
    limit_memory(&arena, 0);
    assert_int_equal(lq_map_reserve(map, 100), LQ_OK);
    assert_int_equal(lq_map_reserve(map, 0), LQ_OK);
}

static void reports_a_lack_of_memory(void **state)
{
    void *held = NULL;
    int one = 1;

    assert_int_equal(lq_map_reserve(*state, SIZE_MAX), LQ_NOMEM);
    limit_memory(&arena, 0);
    assert_int_equal(lq_map_add(*state, "a", &one, &held), LQ_NOMEM);
    assert_int_equal(lq_map_reserve(*state, 1), LQ_NOMEM);
    assert_null(lq_map_get(*state, "a"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(finds_nothing_in_an_empty_map),
        TEST(finds_what_was_added),
        TEST(keeps_the_first_value_of_a_key),
        TEST(holds_thousands_of_keys),
        TEST(keeps_keys_when_room_is_made),
        TEST(allocates_nothing_within_the_room_made),
        TEST(makes_no_room_that_is_there),
        TEST(reports_a_lack_of_memory),
    };

    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
