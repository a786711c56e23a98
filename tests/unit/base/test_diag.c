#include "../limit.h"
#include "base/diag.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define COUNT(items) (sizeof(items) / sizeof((items)[0]))

static struct lq_arena arena;

static int set_up(void **state)
{
    static struct lq_diags diags;

    lq_arena_init(&arena);
    lq_diags_init(&diags, &arena);
    *state = &diags;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lq_arena_free(&arena);
    return 0;
}

static void keeps_problems_in_the_order_found(void **state)
{
    struct lq_diags *const diags = *state;
    const struct lq_place place = {.file = "a.ini", .line = 3};

    assert_int_equal(lq_error(diags, &place, "'%s' is wrong", "x"), LQ_INVALID);
    lq_warning(diags, NULL, "odd");
    assert_int_equal(diags->items.count, 2);
    assert_int_equal(lq_diags_at(diags, 0)->severity, LQ_ERROR);
    assert_string_equal(lq_diags_at(diags, 0)->text, "'x' is wrong");
    assert_int_equal(lq_diags_at(diags, 0)->place.line, 3);
    assert_int_equal(lq_diags_at(diags, 1)->severity, LQ_WARNING);
    assert_null(lq_diags_at(diags, 1)->place.file);
}

static void counts_errors_but_no_warnings(void **state)
{
    struct lq_diags *const diags = *state;

    assert_int_equal(lq_error(diags, NULL, "a"), LQ_INVALID);
    lq_warning(diags, NULL, "b");
    assert_int_equal(lq_error(diags, NULL, "c"), LQ_INVALID);
    assert_int_equal(diags->error_count, 2);
}

static void names_places(void **state)
{
    static const struct {
        struct lq_place place;
        const char *text;
    } cases[] = {
        {{.file = NULL}, ""},
        {{.file = NULL, .line = 3}, ""},
        {{.file = "a.ini"}, "a.ini"},
        {{.file = "a.ini", .line = 3}, "a.ini:3"},
        {{.file = "a.json", .line = 3, .column = 9}, "a.json:3:9"},
        {{.file = "a.json", .path = "queues[3].name"},
         "a.json: queues[3].name"},
        {{.file = "a.json", .line = 1, .path = "queues[3]"},
         "a.json: queues[3]"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        assert_string_equal(lq_place_text(&arena, &cases[i].place),
                            cases[i].text);
    }
}

static void begins_a_line_with_the_place(void **state)
{
    const struct lq_diag error = {{.file = "a.ini", .line = 3}, LQ_ERROR, "x"};
    const struct lq_diag warning = {{.file = "a.ini"}, LQ_WARNING, "x"};
    const struct lq_diag nowhere = {{.file = NULL}, LQ_ERROR, "x"};
    const struct lq_diag general = {{.file = NULL}, LQ_WARNING, "x"};

    (void)state;
    assert_string_equal(lq_diag_line(&arena, &error), "a.ini:3: x");
    assert_string_equal(lq_diag_line(&arena, &warning), "a.ini: warning: x");
    assert_string_equal(lq_diag_line(&arena, &nowhere), "x");
    assert_string_equal(lq_diag_line(&arena, &general), "warning: x");
}

static void sorts_by_file_then_line(void **state)
{
    static const struct {
        const char *file;
        unsigned line;
        const char *text;
    } cases[] = {
        {"b", 9, "second"}, {"a", 2, "fifth"},   {NULL, 0, "sixth"},
        {"b", 0, "third"},  {"b", 1, "first"},   {"a", 1, "fourth"},
        {"b", 0, "third!"}, {NULL, 0, "sixth!"},
    };
    static const char *const sorted[] = {"first",  "second", "third", "third!",
                                         "fourth", "fifth",  "sixth", "sixth!"};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        const struct lq_place place = {.file = cases[i].file,
                                       .line = cases[i].line};
        assert_int_equal(lq_error(*state, &place, "%s", cases[i].text),
                         LQ_INVALID);
    }
    lq_diags_sort(*state);
    for (size_t i = 0; i < sizeof(sorted) / sizeof(sorted[0]); ++i) {
        assert_string_equal(lq_diags_at(*state, i)->text, sorted[i]);
    }
}

static void keeps_the_order_of_equal_places(void **state)
{
    const struct lq_place place = {.file = "a.ini", .line = 3};

    for (int i = 0; i < 500; ++i) {
        lq_warning(*state, &place, "%d", i);
    }
    lq_diags_sort(*state);
    for (size_t i = 0; i < 500; ++i) {
        assert_string_equal(lq_diags_at(*state, i)->text,
                            lq_format(&arena, "%zu", i));
    }
}

static void keeps_the_first_hundred_errors_and_counts_all(void **state)
{
    struct lq_diags *const diags = *state;

    for (int i = 0; i < 107; ++i) {
        assert_int_equal(lq_error(diags, NULL, "%d", i), LQ_INVALID);
    }
    assert_int_equal(diags->items.count, 100);
    assert_int_equal(diags->error_count, 107);
    assert_string_equal(lq_diags_at(diags, 99)->text, "99");
    lq_diags_sum_up(diags);
    lq_diags_sum_up(diags);
    assert_int_equal(diags->items.count, 101);
    assert_string_equal(lq_diags_at(diags, 100)->text,
                        "\u2026 and 7 more problems");
    lq_diags_count(diags, 1);
    lq_diags_sum_up(diags);
    assert_string_equal(lq_diags_at(diags, 101)->text,
                        "\u2026 and 1 more problem");
    assert_int_equal(diags->error_count, 108);
}

static void gives_back_the_memory_of_errors_that_are_not_kept(void **state)
{
    struct lq_diags *const diags = *state;
    const void *first = NULL;

    for (int i = 0; i < 1000; ++i) {
        const struct lq_trial trial = lq_trial_begin(diags);
        const void *const text = lq_format(&arena, "%d", i);

        assert_int_equal(lq_error(diags, NULL, "x"), LQ_INVALID);
        lq_trial_end(&trial, diags);
        if (i == 100) {
            first = text;
        }
        assert_true(i <= 100 || text == first);
    }
}

static void sorts_noted_files_as_they_were_noted(void **state)
{
    static const char *const noted[] = {"z", "m", "z", "a"};
    static const char *const met[] = {"x", "a", "z", "y", "m"};
    static const char *const sorted[] = {"z", "m", "a", "x", "y"};

    for (size_t i = 0; i < COUNT(noted); ++i) {
        lq_diags_add_file(*state, noted[i]);
    }
    for (size_t i = 0; i < COUNT(met); ++i) {
        const struct lq_place place = {.file = met[i]};

        assert_int_equal(lq_error(*state, &place, "x"), LQ_INVALID);
    }
    lq_diags_sort(*state);
    for (size_t i = 0; i < COUNT(sorted); ++i) {
        assert_string_equal(lq_diags_at(*state, i)->place.file, sorted[i]);
    }
}

static void sorts_nothing_and_one(void **state)
{
    lq_diags_sort(*state);
    assert_int_equal(lq_error(*state, NULL, "a"), LQ_INVALID);
    lq_diags_sort(*state);
    assert_string_equal(lq_diags_at(*state, 0)->text, "a");
}

static enum lq_status report_and_sort(struct lq_diags *diags)
{
    const struct lq_place place = {.file = "a.ini", .line = 3};

    lq_diags_add_file(diags, "a.ini");
    assert_int_equal(lq_error(diags, &place, "%d", 1), LQ_INVALID);
    lq_warning(diags, &place, "%d", 2);
    lq_diags_sort(diags);
    if (diags->items.count > 0) {
        assert_non_null(lq_diag_line(diags->arena, lq_diags_at(diags, 0)));
    }
    return lq_arena_status(diags->arena, LQ_OK);
}

static void survives_any_failed_allocation(void **state)
{
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status != LQ_OK; ++limit) {
        lq_arena_free(&arena);
        limit_memory(&arena, limit);
        lq_diags_init(*state, &arena);
        status = report_and_sort(*state);
    }
    assert_in_range(limit, 9, 20);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keeps_problems_in_the_order_found),
        TEST(counts_errors_but_no_warnings),
        TEST(names_places),
        TEST(begins_a_line_with_the_place),
        TEST(sorts_by_file_then_line),
        TEST(keeps_the_order_of_equal_places),
        TEST(keeps_the_first_hundred_errors_and_counts_all),
        TEST(gives_back_the_memory_of_errors_that_are_not_kept),
        TEST(sorts_noted_files_as_they_were_noted),
        TEST(sorts_nothing_and_one),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
