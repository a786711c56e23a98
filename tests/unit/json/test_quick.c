#include "json/quick.h"

#include "../topology/fixture.h"
#include "same_tree.h"

static enum lq_status quick(struct fixture *fixture, const char *text,
                            const struct lq_node **out)
{
    return lq_json_quick(text, strlen(text), &fixture->arena, out);
}

static enum lq_status judge(struct fixture *fixture, const char *text,
                            const struct lq_node **out)
{
    const struct lq_json_source source = {"doc", text, strlen(text)};

    return lq_json_tree_of_jansson(&source, &fixture->diags, out);
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

    for (size_t i = 0; i < COUNT(texts); ++i) {
        const struct lq_node *mine = NULL;
        const struct lq_node *jansson = NULL;

        assert_int_equal(quick(*state, texts[i], &mine), LQ_OK);
        assert_int_equal(judge(*state, texts[i], &jansson), LQ_OK);
        if (!is_same_tree(mine, jansson)) {
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
    for (size_t i = 0; i < COUNT(refused); ++i) {
        const struct lq_node *node = NULL;

        if (quick(*state, refused[i], &node) != LQ_INVALID) {
            fail_msg("takes: %s", refused[i]);
        }
        restart(*state, SIZE_MAX);
        if (judge(*state, refused[i], &node) != LQ_INVALID) {
            fail_msg("jansson takes: %s", refused[i]);
        }
    }
}

/* So many times one text, then the other. */
static char *nested(struct fixture *fixture, size_t depth, const char *open,
                    const char *close)
{
    char *text = lq_strdup(&fixture->arena, "1");

    for (size_t i = 0; i < depth; ++i) {
        text = lq_format(&fixture->arena, "%s%s%s", open, text, close);
    }
    return text;
}

static void leaves_what_is_very_deep_to_jansson(void **state)
{
    const struct lq_node *node = NULL;

    assert_int_equal(quick(*state, nested(*state, 64, "[", "]"), &node), LQ_OK);
    assert_int_equal(quick(*state, nested(*state, 64, "{\"a\":", "}"), &node),
                     LQ_OK);
    assert_int_equal(quick(*state, nested(*state, 65, "[", "]"), &node),
                     LQ_INVALID);
    assert_int_equal(judge(*state, nested(*state, 65, "[", "]"), &node), LQ_OK);
}

static void leaves_tables_of_many_members_to_jansson(void **state)
{
    struct fixture *const fixture = *state;
    const char *members = "\"0\":0";
    const struct lq_node *node = NULL;

    for (int i = 1; i <= 64; ++i) {
        const enum lq_status wanted = i < 64 ? LQ_OK : LQ_INVALID;

        members = lq_format(&fixture->arena, "%s,\"%d\":%d", members, i, i);
        assert_int_equal(
            quick(fixture, lq_format(&fixture->arena, "{%s}", members), &node),
            wanted);
    }
    assert_int_equal(lq_json_tree(
                         &(struct lq_json_source){
                             "doc", lq_format(&fixture->arena, "{%s}", members),
                             strlen(members) + 2},
                         &fixture->diags, &node),
                     LQ_OK);
    assert_string_equal(lq_node_member(node, "64")->text, "64");
}

static void keeps_nothing_of_the_text(void **state)
{
    char text[] = "{\"a\":[\"b\",1]}";
    const struct lq_node *node = NULL;

    assert_int_equal(quick(*state, text, &node), LQ_OK);
    memset(text, 'x', sizeof(text) - 1);
    node = lq_node_member(node, "a");
    assert_non_null(node);
    assert_string_equal(node->first->text, "b");
    assert_string_equal(node->first->next->text, "1");
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_node *node = NULL;
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status == LQ_NOMEM; ++limit) {
        restart(fixture, limit);
        status = quick(fixture, "{\"a\":[1,\"b\",{}],\"c\":null}", &node);
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads_what_jansson_reads),
        TEST(takes_nothing_that_jansson_refuses),
        TEST(leaves_what_is_very_deep_to_jansson),
        TEST(leaves_tables_of_many_members_to_jansson),
        TEST(keeps_nothing_of_the_text),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
