#include "compare/answer.h"

#include "../plan/fixture.h"

static const struct {
    struct lq_mismatch difference;
    const char *text;
} cases[] = {
    {{"x-max-length", {true, "2000", "integer"}, {true, "1000", NULL}},
     "x-max-length is 1000 there, plan says 2000"},
    {{"x-max-length", {true, "2000", "integer"}, {true, "1000", "integer"}},
     "x-max-length is 1000 there, plan says 2000"},
    {{"x-max-length", {true, "2000", "integer"}, {true, "2000", NULL}},
     "x-max-length is 2000 (of another type) there, plan says 2000 (integer)"},
    {{"x-max-length", {true, "2000", "integer"}, {true, "soon", NULL}},
     "x-max-length is 'soon' (of another type) there, plan says 2000 "
     "(integer)"},
    {{"x-max-length", {true, "2000", "integer"}, {true, "", NULL}},
     "x-max-length is '' (of another type) there, plan says 2000 (integer)"},
    {{"x-max-length", {true, "2000", "integer"}, {true, "-1", NULL}},
     "x-max-length is -1 there, plan says 2000"},
    {{"x-max-length", {true, "2000", "integer"}, {true, "2000", "string"}},
     "x-max-length is '2000' (string) there, plan says 2000 (integer)"},
    {{"x-max-length", {true, "2000", "integer"}, {true, "1.5", "number"}},
     "x-max-length is '1.5' (number) there, plan says 2000 (integer)"},
    {{"x-single", {true, "true", "boolean"}, {true, "1", NULL}},
     "x-single is 1 (of another type) there, plan says true (boolean)"},
    {{"x-single", {true, "true", "boolean"}, {true, "false", NULL}},
     "x-single is false there, plan says true"},
    {{"x-single", {true, "true", "boolean"}, {true, "true", "string"}},
     "x-single is 'true' (string) there, plan says true (boolean)"},
    {{"x-key", {true, "a", "string"}, {true, "7", NULL}},
     "x-key is 7 there, plan says 'a'"},
    {{"x-key", {true, "7", "string"}, {true, "7", "integer"}},
     "x-key is 7 (integer) there, plan says '7' (string)"},
    {{"x-key", {true, NULL, NULL}, {true, "\x1b[2J", NULL}},
     "x-key is '\\x1b[2J' there, plan does not set it"},
    {{"x-key", {true, "a", "string"}, {true, NULL, NULL}},
     "x-key is not set there, plan says 'a'"},
    {{"x-\x1b", {true, "a", "string"}, {false, NULL, NULL}},
     "x-\\x1b differs there, plan says 'a'"},
};

static void says_what_differs_and_the_types_that_do(void **state)
{
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_string_equal(
            lq_difference_text(&cases[i].difference, &fixture->arena),
            cases[i].text);
    }
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;

    const char *text = NULL;
    size_t limit = 0;

    do {
        assert_true(limit < 20);
        restart(fixture, limit++);
        text = lq_difference_text(&cases[2].difference, &fixture->arena);
    } while (fixture->arena.failed);
    assert_true(limit > 5);
    assert_string_equal(text, cases[2].text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(says_what_differs_and_the_types_that_do),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
