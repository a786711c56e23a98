#include "json/lexer.h"

#include "../plan/fixture.h"

/* One token as "kind text", kinds written s, n, g for signs, o; upper case when
 * whole. All of a text, joined by blanks. */
static const char *tokens(struct fixture *fixture, const char *text)
{
    struct lq_json_lexer lexer = {text, strlen(text), 0};
    struct lq_json_token token;
    const char *all = "";

    while (lq_json_next(&lexer, &token)) {
        const char kind = (token.whole ? "SN" : "sngo")[token.kind];

        all =
            lq_format(&fixture->arena, "%s%s%c%.*s", all, *all ? " " : "", kind,
                      (int)(token.end - token.start), text + token.start);
        assert_non_null(all);
    }
    return all;
}

struct row {
    const char *text;
    const char *tokens;
};

static void assert_rows(struct fixture *fixture, const struct row *rows,
                        size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        assert_string_equal(tokens(fixture, rows[i].text), rows[i].tokens);
    }
}

#define ASSERT_ROWS(state, rows)                                               \
    assert_rows((state), (rows), sizeof(rows) / sizeof((rows)[0]))

static void reads_strings(void **state)
{
    static const struct row rows[] = {
        {"\"\"", "S\"\""},
        {"\"a b\" \"c\"", "S\"a b\" S\"c\""},
        {"\"a\\\"b\"", "S\"a\\\"b\""},
        {"\"a\\\\\" 1", "S\"a\\\\\" N1"},
        {"\"\xc3\xa9\"", "S\"\xc3\xa9\""},
    };

    ASSERT_ROWS(*state, rows);
}

static void ends_an_open_string_at_a_control_character_or_the_end(void **state)
{
    static const struct row rows[] = {
        {"\"a\n\"", "s\"a s\""},
        {"\"a", "s\"a"},
        {"\"a\\", "s\"a\\"},
        {"\"a\\\"", "s\"a\\\""},
    };

    ASSERT_ROWS(*state, rows);
}

static void reads_numbers(void **state)
{
    static const struct row rows[] = {
        {"0", "N0"},
        {"-0", "N-0"},
        {"10", "N10"},
        {"1.50", "N1.50"},
        {"-0.5e+10", "N-0.5e+10"},
        {"1E400", "N1E400"},
        {"1e-2", "N1e-2"},
        {"18446744073709551616", "N18446744073709551616"},
    };

    ASSERT_ROWS(*state, rows);
}

static void tells_malformed_numbers(void **state)
{
    static const struct row rows[] = {
        {"01", "n01"},           {"-", "n-"},           {"-a", "n- oa"},
        {"1.", "n1."},           {"1.e5", "n1. oe N5"}, {"1e", "n1e"},
        {"1e+", "n1e+"},         {"+1", "o+ N1"},       {".5", "o. N5"},
        {"1.5.5", "N1.5 o. N5"},
    };

    ASSERT_ROWS(*state, rows);
}

static void reads_words_signs_and_strays(void **state)
{
    static const struct row rows[] = {
        {"true,null", "otrue g, onull"},
        {"[ ]{:}", "g[ g] g{ g: g}"},
        {"\xc3\xa9'", "o\xc3\xa9 o'"},
        {" \t\r\n", ""},
    };

    ASSERT_ROWS(*state, rows);
}

/* What is wrong with a text that is a string token, or begins with one. */
static void says_what_is_wrong_with_a_string(void **state)
{
    static const struct row rows[] = {
        {"\"a", "premature end of input"},
        {"\"a\\", "invalid escape"},
        {"\"a\nb\"", "unexpected newline"},
        {"\"a\x1f\"", "control character 0x1f"},
        {"\"\\\n\"", "invalid escape"},
        {"\"\\u12x4\"", "invalid escape"},
        {"\"\\q\n\"", "invalid escape"},
        {"\"\\ud800\n\"", "unexpected newline"},
        {"\"\\n\\ud800\"", "invalid Unicode '\\uD800'"},
        {"\"\\ud800\\n\"", "invalid Unicode '\\uD800'"},
        {"\"\\udc00\\ud800\"", "invalid Unicode '\\uDC00'"},
        {"\"\\ud800\\udc00\\udbff\\u0041\"",
         "invalid Unicode '\\uDBFF\\u0041'"},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(rows); ++i) {
        assert_string_equal(lq_json_string_fault(rows[i].text,
                                                 strlen(rows[i].text),
                                                 &fixture->arena),
                            rows[i].tokens);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads_strings),
        TEST(ends_an_open_string_at_a_control_character_or_the_end),
        TEST(reads_numbers),
        TEST(tells_malformed_numbers),
        TEST(reads_words_signs_and_strays),
        TEST(says_what_is_wrong_with_a_string),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
