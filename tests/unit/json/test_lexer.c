#include "json/lexer.h"

#include "../topology/fixture.h"

/* One token as "kind text", kinds written s, n, o; upper case when whole, with
 * a k in front when it is a key. All of a text, joined by blanks. */
static const char *tokens(struct fixture *fixture, const char *text)
{
    struct lq_json_lexer lexer;
    struct lq_json_token token;
    const char *all = "";

    lq_json_lexer_init(&lexer, text, strlen(text));
    while (lq_json_next(&lexer, &token)) {
        const char kind = (token.whole ? "SNO" : "sno")[token.kind];

        all = lq_format(&fixture->arena, "%s%s%s%c%.*s", all, *all ? " " : "",
                        token.key ? "k" : "", kind,
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
        {"true,null", "otrue o, onull"},
        {"[ ]", "o[ o]"},
        {"\xc3\xa9'", "o\xc3\xa9 o'"},
        {" \t\r\n", ""},
    };

    ASSERT_ROWS(*state, rows);
}

static void knows_where_keys_stand(void **state)
{
    static const struct row rows[] = {
        {"{\"a\":1,\"b\":[\"c\",\"d\"],\"e\":{\"f\":\"g\"},\"h\":2}",
         "o{ kS\"a\" o: N1 o, kS\"b\" o: o[ S\"c\" o, S\"d\" o] o, kS\"e\" o: "
         "o{ kS\"f\" o: S\"g\" o} o, kS\"h\" o: N2 o}"},
        {"{1:2}", "o{ kN1 o: N2 o}"},
        {"{}", "o{ ko}"},
    };

    ASSERT_ROWS(*state, rows);
}

/* How many tokens make up the first value. */
static size_t tokens_of_value(const char *text)
{
    struct lq_json_lexer lexer;
    struct lq_json_token token;
    size_t count = 0;

    lq_json_lexer_init(&lexer, text, strlen(text));
    while (!lexer.ended && lq_json_next(&lexer, &token)) {
        ++count;
    }
    return lexer.ended ? count : 0;
}

static void knows_where_the_value_ends(void **state)
{
    (void)state;
    assert_int_equal(tokens_of_value("{} x"), 2);
    assert_int_equal(tokens_of_value("[[], {}] 1"), 7);
    assert_int_equal(tokens_of_value("5 6"), 1);
    assert_int_equal(tokens_of_value("} {"), 1);
    assert_int_equal(tokens_of_value("{\"a\": ["), 0);
    assert_int_equal(tokens_of_value(""), 0);
}

static void stands_any_depth(void **state)
{
    char text[5000];
    struct lq_json_lexer lexer;
    struct lq_json_token token;

    (void)state;
    memset(text, '[', sizeof(text));
    lq_json_lexer_init(&lexer, text, sizeof(text));
    while (lq_json_next(&lexer, &token)) {
        assert_false(lexer.ended);
    }
    assert_int_equal(lexer.depth, LQ_JSON_DEPTH_MAX);
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
        TEST(knows_where_keys_stand),
        TEST(knows_where_the_value_ends),
        TEST(stands_any_depth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
