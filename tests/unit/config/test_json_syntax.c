/* What is said of documents that are no JSON. */
#include "config/load.h"

#include "fixture.h"

static void places_syntax_errors_at_the_token(void **state)
{
    static const struct refusal rows[] = {
        {"{\"queues\":\n  [1.5 2.25]}", "f.json:2:8: ']' expected near "
                                        "'2.25'\n"},
        {"{\"queues\": [tru]}", "f.json:1:13: invalid token near 'tru'\n"},
        {"{\"a\": 01}", "f.json:1:7: invalid token near '01'\n"},
        {"{\"a\": 1.}", "f.json:1:7: invalid token near '1.'\n"},
        {"{1: 2}", "f.json:1:2: string or '}' expected near '1'\n"},
        {"{18446744073709551616: 2}",
         "f.json:1:2: string or '}' expected near '18446744073709551616'\n"},
        {"{\"a\": 1,}", "f.json:1:9: string or '}' expected near '}'\n"},
        {"{\"a\" 1}", "f.json:1:6: ':' expected near '1'\n"},
        {"{\"a\": 1]", "f.json:1:8: '}' expected near ']'\n"},
        {"{\"\xc3\xa9\": \xc3\xa9}", "f.json:1:8: invalid token near "
                                     "'\xc3\xa9'\n"},
        {"}", "f.json:1:1: unexpected token near '}'\n"},
        {"{\"a\": \"\\x\"}", "f.json:1:7: invalid escape near '\"\\x\"'\n"},
        {"{\"a\": \"b\nc\"}", "f.json:1:7: unexpected newline near '\"b'\n"},
        {"{\"a\": \"b\tc\"}", "f.json:1:7: control character 0x9 near "
                              "'\"b'\n"},
        {"{\"a\": \"\\ud800\"}",
         "f.json:1:7: invalid Unicode '\\uD800' near '\"\\ud800\"'\n"},
        {"{\"a\\u0000\": 1}", "f.json:1:2: NUL byte in object key not "
                              "supported near '\"a\\u0000\"'\n"},
        {"{\"a\": aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}",
         "f.json:1:7: invalid token\n"},
    };

    ASSERT_REFUSED(*state, "f.json", rows);
}

static void places_an_early_end_behind_the_last_byte(void **state)
{
    static const struct refusal rows[] = {
        {"{\"a\": 1", "f.json:1:8: '}' expected near end of file\n"},
        {"{\"a\":\n", "f.json:2:1: unexpected token near end of file\n"},
        {"{", "f.json:1:2: string or '}' expected near end of file\n"},
        {"{\"a\": \"bc", "f.json:1:7: premature end of input near '\"bc'\n"},
    };

    ASSERT_REFUSED(*state, "f.json", rows);
}

static void refuses_a_second_value(void **state)
{
    static const struct refusal rows[] = {
        {"{\"queues\":[]} {}", "f.json:1:15: end of document expected near "
                               "'{'\n"},
        {"{\"queues\":[]}]", "f.json:1:14: end of document expected near "
                             "']'\n"},
        {"{\"queues\":[]},", "f.json:1:14: end of document expected near "
                             "','\n"},
    };

    ASSERT_REFUSED(*state, "f.json", rows);
}

static void refuses_a_document_without_a_value(void **state)
{
    static const struct refusal rows[] = {
        {"", "f.json: document must not be empty\n"},
        {"\xef\xbb\xbf \n", "f.json: document must not be empty\n"},
    };

    ASSERT_REFUSED(*state, "f.json", rows);
}

static void refuses_a_key_that_comes_twice(void **state)
{
    static const struct refusal rows[] = {
        {"{\"queues\":[],\n\"queues\":[]}",
         "f.json:2:1: duplicate object key near '\"queues\"'\n"},
        {"{\"x\":{\"a\":1,\"a\":2},\"queues\":[]}",
         "f.json:1:13: duplicate object key near '\"a\"'\n"},
    };

    ASSERT_REFUSED(*state, "f.json", rows);
}

static void refuses_bytes_that_are_not_UTF_8(void **state)
{
    static const struct refusal row = {"{\"queues\":\n[\"\xff\"]}",
                                       "f.json:2:3: document must be UTF-8\n"};

    assert_refused(*state, "f.json", &row);
}

static void refuses_a_NUL_byte(void **state)
{
    static const char text[] = "{\"queues\":\0[]}";
    struct fixture *const fixture = *state;

    assert_int_equal(load_bytes(fixture, "f.json", text, sizeof(text) - 1),
                     LQ_INVALID);
    assert_string_equal(problems(fixture),
                        "f.json:1:11: document must not contain a NUL byte\n");
}

static void refuses_what_is_nested_too_deeply(void **state)
{
    struct fixture *const fixture = *state;
    char text[4000];

    memset(text, '[', sizeof(text));
    assert_int_equal(load_bytes(fixture, "f.json", text, sizeof(text)),
                     LQ_INVALID);
    assert_string_equal(
        problems(fixture),
        "f.json:1:2048: maximum parsing depth reached near '['\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(places_syntax_errors_at_the_token),
        TEST(places_an_early_end_behind_the_last_byte),
        TEST(refuses_a_second_value),
        TEST(refuses_a_document_without_a_value),
        TEST(refuses_a_key_that_comes_twice),
        TEST(refuses_bytes_that_are_not_UTF_8),
        TEST(refuses_a_NUL_byte),
        TEST(refuses_what_is_nested_too_deeply),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
