#include "json/read.h"

#include "../plan/fixture.h"
#include "judge.h"

#include <stdlib.h>

static enum lq_status read_text(struct fixture *fixture, const char *text,
                                const struct lq_node **out)
{
    const struct lq_json_source source = {"doc", text, strlen(text)};

    return lq_json_read(&source, NULL, &fixture->diags, out);
}

static void reads_what_jansson_reads(void **state)
{
    static const char *const texts[] = {
        "null",
        " \t\r\n[true ,false\t,null] ",
        "0",
        "-0",
        "[0.0,-1.50e+3,1E5,1e-400,18446744073709551616,12345678901234567890]",
        "\"\"",
        "\"plain \xc3\xa9 \xf0\x9f\x98\x80 \x7f\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\\uffff\\uDBFF\\uDFFF\"",
        "\"a\\u0000b\\u0001\"",
        "\"\\u0001\"",
        "[\"\\u00011\"]",
        "{}",
        "[]",
        "{\"\":{},\"a\":[],\"b\":[{\"c\":[[1]]}]}",
        "{\"\\u0061\\n\":1,\"a\":2}",
        "{\"a\":{\"a\":{\"a\":1}},\"b\":{\"a\":1}}",
        "[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]",
    };

    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(texts); ++i) {
        const struct lq_node *node = NULL;

        assert_int_equal(read_text(fixture, texts[i], &node), LQ_OK);
        if (!judge_agrees(texts[i], strlen(texts[i]), node, &fixture->arena)) {
            fail_msg("differs: %s", texts[i]);
        }
    }
}

static const char *const refused[] = {
    "",
    " ",
    "nul",
    "nulll",
    "True",
    "+1",
    "01",
    "1.",
    ".5",
    "-",
    "1e",
    "1e+",
    "0x1",
    "1 2",
    "[1]]",
    "{}{}",
    "[",
    "[1",
    "[1,",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1}",
    "{\"a\":1]",
    "{",
    "{\"a\"",
    "{\"a\":",
    "{\"a\":1",
    "{\"a\":1,",
    "{\"a\":1,}",
    "{,}",
    "{a:1}",
    "{1:1}",
    "{\"a\" 1}",
    "{\"a\":}",
    "{\"a\"::1}",
    "{\"a\":1 \"b\":2}",
    "{\"a\":1,\"a\":1}",
    "{\"a\":1,\"\\u0061\":2}",
    "{\"\\u0000\":1}",
    "\"",
    "\"a",
    "\"a\nb\"",
    "\"\x1f\"",
    "\"\\\"",
    "\"\\a\"",
    "\"\\u\"",
    "\"\\u12\"",
    "\"\\u123g\"",
    "\"\\ud800\"",
    "\"\\ud800x\"",
    "\"\\ud800\\n\"",
    "\"\\ud800\\u0041\"",
    "\"\\ud800\\ud800\"",
    "\"\\udc00\"",
    "\"\\ud83d\\ude0\"",
    "'a'",
    "[1,/**/2]",
    "]",
    "}",
    ":",
    ",",
};

static void takes_nothing_that_jansson_refuses(void **state)
{
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(refused); ++i) {
        const struct lq_node *node = NULL;

        restart(fixture, SIZE_MAX);
        if (read_text(fixture, refused[i], &node) != LQ_INVALID) {
            fail_msg("takes: %s", refused[i]);
        }
        assert_int_equal(fixture->diags.error_count, 1);
        if (!judge_agrees(refused[i], strlen(refused[i]), NULL,
                          &fixture->arena)) {
            fail_msg("jansson takes: %s", refused[i]);
        }
    }
}

/* So many times one text, then the value, then the other text. */
static const char *nested(struct fixture *fixture, size_t depth,
                          const char *value)
{
    char *const text = lq_alloc(&fixture->arena, 2 * depth + strlen(value) + 1);

    assert_non_null(text);
    memset(text, '[', depth);
    memcpy(text + depth, value, strlen(value));
    memset(text + depth + strlen(value), ']', depth);
    return text;
}

static void goes_two_thousand_levels_deep(void **state)
{
    struct fixture *const fixture = *state;
    const struct {
        const char *text;
        enum lq_status status;
    } rows[] = {
        {nested(fixture, LQ_JSON_DEPTH_MAX, ""), LQ_OK},
        {nested(fixture, LQ_JSON_DEPTH_MAX - 1, "1"), LQ_OK},
        {nested(fixture, LQ_JSON_DEPTH_MAX, "1"), LQ_INVALID},
        {nested(fixture, LQ_JSON_DEPTH_MAX + 1, ""), LQ_INVALID},
    };

    for (size_t i = 0; i < COUNT(rows); ++i) {
        const struct lq_node *node = NULL;
        const enum lq_status status = read_text(fixture, rows[i].text, &node);

        assert_int_equal(status, rows[i].status);
    }
}

/* A table of the members "0" to "count - 1", and one more at its end. */
static const char *table_of(struct fixture *fixture, int count,
                            const char *last)
{
    const char *text = "";

    for (int i = 0; i < count; ++i) {
        text = lq_format(&fixture->arena, "%s\"%d\":%d,", text, i, i);
    }
    return lq_format(&fixture->arena, "{%s\"%s\":{\"0\":0}}", text, last);
}

static void finds_a_key_that_comes_twice_among_many(void **state)
{
    struct fixture *const fixture = *state;

    for (int count = 1; count <= 40; ++count) {
        const struct lq_node *node = NULL;
        const char *const twice = lq_format(&fixture->arena, "%d", count - 1);

        assert_int_equal(
            read_text(fixture, table_of(fixture, count, "x"), &node), LQ_OK);
        assert_int_equal(lq_node_count(node), count + 1);
        assert_int_equal(
            read_text(fixture, table_of(fixture, count, "0"), &node),
            LQ_INVALID);
        assert_int_equal(
            read_text(fixture, table_of(fixture, count, twice), &node),
            LQ_INVALID);
    }
}

static void tells_tables_of_many_keys_apart(void **state)
{
    struct fixture *const fixture = *state;
    const char *const one = table_of(fixture, 30, "x");
    const struct lq_node *node = NULL;

    assert_int_equal(
        read_text(fixture,
                  lq_format(&fixture->arena, "[%s,%s,{\"a\":%s,\"b\":%s}]", one,
                            one, one, one),
                  &node),
        LQ_OK);
}

static enum lq_status read_wanted(struct fixture *fixture, const char *text,
                                  const char **out)
{
    static const char *const outer[] = {"a", "b", NULL};
    static const char *const inner[] = {"c", NULL};
    static const struct lq_json_wanted wanted = {outer, inner};
    const struct lq_json_source source = {"doc", text, strlen(text)};
    const struct lq_node *node = NULL;
    const enum lq_status status =
        lq_json_read(&source, &wanted, &fixture->diags, &node);

    *out = status == LQ_OK ? lq_node_compact(node, &fixture->arena) : NULL;
    return status;
}

static void keeps_what_is_wanted_only(void **state)
{
    static const struct {
        const char *text;
        const char *kept;
    } rows[] = {
        {"{\"a\":1,\"x\":2,\"b\":3}", "{\"a\":1,\"b\":3}"},
        {"{\"x\":[1,{\"a\":2}],\"a\":[]}", "{\"a\":[]}"},
        {"{\"x\":1}", "{}"},
        {"{\"a\":[{\"c\":{\"x\":[1]},\"a\":{}},{\"d\":[2]}],\"y\":{}}",
         "{\"a\":[{\"c\":{\"x\":[1]}},{}]}"},
        {"[{\"x\":[{\"c\":1}],\"a\":\"z\"},{\"b\":{\"c\":1,\"d\":2}},5]",
         "[{\"a\":\"z\"},{\"b\":{\"c\":1}},5]"},
        {"7", "7"},
    };

    for (size_t i = 0; i < COUNT(rows); ++i) {
        const char *kept = NULL;

        assert_int_equal(read_wanted(*state, rows[i].text, &kept), LQ_OK);
        assert_string_equal(kept, rows[i].kept);
    }
}

static void judges_what_is_not_wanted_too(void **state)
{
    static const char *const texts[] = {"{\"x\":[1,]}",
                                        "{\"x\":{\"y\":1,\"y\":2}}",
                                        "{\"x\":1,\"x\":2}", "{\"x\":\"\\q\"}"};

    for (size_t i = 0; i < COUNT(texts); ++i) {
        const char *kept = NULL;

        assert_int_equal(read_wanted(*state, texts[i], &kept), LQ_INVALID);
    }
}

static void refuses_what_is_too_long_unread(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_json_source source = {"doc", "1", LQ_JSON_MAX_BYTES + 1};
    const struct lq_node *node = NULL;

    assert_int_equal(lq_json_read(&source, NULL, &fixture->diags, &node),
                     LQ_INVALID);
    assert_one_reported(fixture, "doc: document must be at most 256 MiB");
}

static void quotes_nothing_where_a_login_is_hidden(void **state)
{
    static const struct lq_login login = {"someone", "true-word"};
    struct fixture *const fixture = *state;
    const struct lq_node *node = NULL;

    lq_diags_hide(&fixture->diags, &login);
    assert_int_equal(read_text(fixture, "[tru]", &node), LQ_INVALID);
    assert_one_reported(fixture, "doc:1:2: invalid token");
}

static void keeps_nothing_of_the_text(void **state)
{
    char text[] = "{\"a\":[\"b\",1]}";
    const struct lq_node *node = NULL;

    assert_int_equal(read_text(*state, text, &node), LQ_OK);
    memset(text, 'x', sizeof(text) - 1);
    node = lq_node_member(node, "a");
    assert_non_null(node);
    node = lq_node_first(node);
    assert_string_equal(lq_node_text(node), "b");
    assert_string_equal(lq_node_text(lq_node_next(node)), "1");
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    char *const text =
        strdup(table_of(fixture, 20, "x")); /* a set of keys, too */
    const struct lq_node *node = NULL;
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    assert_non_null(text);
    for (; status == LQ_NOMEM; ++limit) {
        restart(fixture, limit);
        status = read_text(fixture, text, &node);
    }
    assert_int_equal(status, LQ_OK);
    assert_int_equal(limit, 4);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads_what_jansson_reads),
        TEST(takes_nothing_that_jansson_refuses),
        TEST(goes_two_thousand_levels_deep),
        TEST(finds_a_key_that_comes_twice_among_many),
        TEST(tells_tables_of_many_keys_apart),
        TEST(keeps_what_is_wanted_only),
        TEST(judges_what_is_not_wanted_too),
        TEST(refuses_what_is_too_long_unread),
        TEST(quotes_nothing_where_a_login_is_hidden),
        TEST(keeps_nothing_of_the_text),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
