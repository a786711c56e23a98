#include "json/scan.h"

#include "../topology/fixture.h"

static struct lq_json_text prepare(struct fixture *fixture, const char *text)
{
    struct lq_json_text prepared;

    assert_int_equal(
        lq_json_prepare(text, strlen(text), &fixture->arena, &prepared), LQ_OK);
    return prepared;
}

/* What became of the text itself, without the wrapping. */
static const char *body(struct fixture *fixture, const char *text)
{
    const struct lq_json_text prepared = prepare(fixture, text);
    const char *const copy =
        lq_strndup(&fixture->arena, prepared.bytes + prepared.body,
                   prepared.length - prepared.body);

    assert_non_null(copy);
    return copy;
}

static void wraps_a_value_behind_a_longer_string(void **state)
{
    const struct lq_json_text prepared = prepare(*state, "{\"abc\": true}");

    assert_int_equal(prepared.fill, 7);
    assert_int_equal(prepared.length, strlen("[\"xxxxxxx\",{\"abc\": true}]"));
    assert_memory_equal(prepared.bytes, "[\"xxxxxxx\",{\"abc\": true}]",
                        prepared.length);
    assert_int_equal(prepared.count, 5);
    assert_false(prepared.trailed);
}

static void never_fills_up_to_a_power_of_two(void **state)
{
    char text[200] = "";

    for (size_t length = 1; length < sizeof(text) - 1; ++length) {
        struct lq_json_text prepared;
        size_t token = 0;

        text[length - 1] = 't';
        prepared = prepare(*state, text);
        token = prepared.fill + 2;
        assert_true(token > length + 1);
        assert_true((token & (token - 1)) != 0);
    }
}

static void turns_numbers_into_marked_strings(void **state)
{
    assert_string_equal(body(*state, "[1, -2.5e3 ,18446744073709551616]"),
                        "[\"\\u00011\", \"\\u0001-2.5e3\" "
                        ",\"\\u000118446744073709551616\"]]");
    assert_string_equal(body(*state, "7"), "\"\\u00017\"]");
}

static void leaves_keys_and_malformed_numbers_alone(void **state)
{
    assert_string_equal(body(*state, "{1: 01, \"\\u0001\": 1.}"),
                        "{1: 01, \"\\u0001\": 1.}]");
}

static void doubles_a_mark_that_the_user_wrote(void **state)
{
    assert_string_equal(body(*state, "[\"\\u0001\",\"\\u00011\",\"a\\u0001\"]"),
                        "[\"\\u0001\\u0001\",\"\\u0001\\u00011\","
                        "\"a\\u0001\"]]");
}

static void leaves_an_unfinished_value_open(void **state)
{
    assert_string_equal(body(*state, "{\"a\": [1"), "{\"a\": [\"\\u00011\"");
    assert_string_equal(body(*state, "[\"\\u0001"), "[\"\\u0001");
    assert_string_equal(body(*state, " "), " ");
}

static void leaves_out_what_follows_the_value(void **state)
{
    struct lq_json_text prepared = prepare(*state, "{} \n x y");

    assert_string_equal(body(*state, "{} \n x y"), "{}]");
    assert_true(prepared.trailed);
    assert_int_equal(prepared.trail.start, 5);
    assert_int_equal(prepared.trail.end, 6);
}

static void finds_a_token_by_its_place_in_the_prepared_text(void **state)
{
    static const char text[] = "{\"a\": 1.5, \"b\" 2}";
    const struct lq_json_text prepared = prepare(*state, text);
    const char *const last = strstr(body(*state, text), "\"\\u00012\"");
    const size_t position = prepared.length - strlen(last) + strlen("\"");
    const struct lq_json_token token =
        lq_json_locate(text, strlen(text), &prepared, position);
    const struct lq_json_token end =
        lq_json_locate(text, strlen(text), &prepared, prepared.length + 1);

    assert_int_equal(token.start, 15);
    assert_int_equal(token.end, 16);
    assert_int_equal(end.start, strlen(text));
    assert_int_equal(end.end, strlen(text));
}

static void says_when_memory_runs_out(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_json_text prepared;

    fixture->arena.limit = 0;
    assert_int_equal(lq_json_prepare("1", 1, &fixture->arena, &prepared),
                     LQ_NOMEM);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(wraps_a_value_behind_a_longer_string),
        TEST(never_fills_up_to_a_power_of_two),
        TEST(turns_numbers_into_marked_strings),
        TEST(leaves_keys_and_malformed_numbers_alone),
        TEST(doubles_a_mark_that_the_user_wrote),
        TEST(leaves_an_unfinished_value_open),
        TEST(leaves_out_what_follows_the_value),
        TEST(finds_a_token_by_its_place_in_the_prepared_text),
        TEST(says_when_memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
