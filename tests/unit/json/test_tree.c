#include "json/read.h"
#include "json/write.h"

#include "../plan/fixture.h"

/* Reads a text of a length, called "doc". */
static enum lq_status read_bytes(struct fixture *fixture, const char *text,
                                 size_t length, const struct lq_node **out)
{
    const struct lq_json_source source = {"doc", text, length};

    return lq_json_read(&source, NULL, &fixture->diags, out);
}

/* The text read and written again. */
static const char *again(struct fixture *fixture, const char *text)
{
    const struct lq_node *node = NULL;

    assert_int_equal(read_bytes(fixture, text, strlen(text), &node), LQ_OK);
    text = lq_node_compact(node, &fixture->arena);
    assert_non_null(text);
    return text;
}

static void assert_refused(struct fixture *fixture, const char *text,
                           size_t length, const char *line)
{
    const struct lq_node *node = NULL;

    restart(fixture, SIZE_MAX);
    assert_int_equal(read_bytes(fixture, text, length, &node), LQ_INVALID);
    assert_one_reported(fixture, line);
}

struct row {
    const char *text;
    const char *want;
};

static void assert_refusals(struct fixture *fixture, const struct row *rows,
                            size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        assert_refused(fixture, rows[i].text, strlen(rows[i].text),
                       rows[i].want);
    }
}

static void writes_values_without_blanks_and_with_keys_in_order(void **state)
{
    static const struct row rows[] = {
        {" null ", "null"},
        {"\"\"", "\"\""},
        {"[ ]", "[]"},
        {"{ }", "{}"},
        {"[1, -0.50e+3 ,true,false, null]", "[1,-0.50e+3,true,false,null]"},
        {"{\"b\": [{\"z\": 1, \"y\": {}}], \"a\": [[], 2]}",
         "{\"a\":[[],2],\"b\":[{\"y\":{},\"z\":1}]}"},
        {"\xef\xbb\xbf{}", "{}"},
    };

    for (size_t i = 0; i < COUNT(rows); ++i) {
        assert_string_equal(again(*state, rows[i].text), rows[i].want);
    }
}

static void undoes_escapes_and_writes_those_that_are_needed(void **state)
{
    static const struct row rows[] = {
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\""},
        {"\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"",
         "\"A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
        {"\"\\u0000\\u0001\\u001F\\u007f\"",
         "\"\\u0000\\u0001\\u001F\\u007F\""},
        {"\"\\u202e\\u00e9\xc2\x85\xf3\xa0\x80\x81\"",
         "\"\\u202E\xc3\xa9\\u0085\\uDB40\\uDC01\""},
        {"{\"\\u0061\\n\": 1}", "{\"a\\n\":1}"},
    };

    for (size_t i = 0; i < COUNT(rows); ++i) {
        assert_string_equal(again(*state, rows[i].text), rows[i].want);
    }
}

static void keeps_a_text_with_nul_apart_from_the_one_before_it(void **state)
{
    const struct lq_node *node = NULL;
    static const char text[] = "[\"a\\u0000b\"]";

    assert_int_equal(read_bytes(*state, text, strlen(text), &node), LQ_OK);
    assert_string_equal(lq_node_text(lq_node_first(node)), "a\xc0\x80"
                                                           "b");
}

static void loses_no_digit_of_a_number(void **state)
{
    static const char text[] = "[9223372036854775807,9223372036854775808,"
                               "-9223372036854775809,1E400,0.1]";

    assert_string_equal(again(*state, text), text);
}

static void finds_members_of_tables_only(void **state)
{
    const struct lq_node *node = NULL;
    static const char text[] = "{\"a\": {\"b\": 1}, \"c\": [2]}";

    assert_int_equal(read_bytes(*state, text, strlen(text), &node), LQ_OK);
    assert_string_equal(
        lq_node_text(lq_node_member(lq_node_member(node, "a"), "b")), "1");
    assert_null(lq_node_member(node, "b"));
    assert_null(lq_node_member(lq_node_member(node, "c"), "b"));
    assert_null(lq_node_member(lq_node_first(lq_node_member(node, "c")), "b"));
}

static void names_the_path_of_a_node(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_arena *const arena = &fixture->arena;
    const struct lq_node *node = NULL;
    static const char text[] = "{\"a\": [1, {\"b\\u001b\": [[2]]}]}";

    assert_int_equal(read_bytes(fixture, text, strlen(text), &node), LQ_OK);
    assert_string_equal(lq_node_path(node, arena), "");
    node = lq_node_member(node, "a");
    assert_string_equal(lq_node_path(node, arena), "a");
    node = lq_node_next(lq_node_first(node));
    assert_string_equal(lq_node_path(node, arena), "a[1]");
    node = lq_node_first(lq_node_first(lq_node_first(node)));
    assert_string_equal(lq_node_path(node, arena), "a[1].b\\x1b[0][0]");
}

static void refuses_what_is_no_json(void **state)
{
    static const struct row rows[] = {
        {"[1 2]", "doc:1:4: ']' expected near '2'"},
        {"{\"a\": 1,\n }", "doc:2:2: string or '}' expected near '}'"},
        {"<html>", "doc:1:1: invalid token near '<'"},
        {"[] []", "doc:1:4: end of document expected near '['"},
        {"[01]", "doc:1:2: invalid token near '01'"},
        {"\"\\ud800\"",
         "doc:1:1: invalid Unicode '\\uD800' near '\"\\ud800\"'"},
        {"{\"a\": [1,", "doc:1:10: ']' expected near end of file"},
        {"{\"a\": 1, \"a\": 2}", "doc:1:10: duplicate object key near '\"a\"'"},
        {" \n ", "doc: document must not be empty"},
    };

    assert_refusals(*state, rows, COUNT(rows));
}

static void refuses_bytes_that_are_not_text(void **state)
{
    assert_refused(*state, "[\"\xff\"]", 5, "doc:1:3: document must be UTF-8");
    assert_refused(*state, "[\0]", 3,
                   "doc:1:2: document must not contain a NUL byte");
}

static void reads_and_writes_two_thousand_levels(void **state)
{
    enum { DEPTH = 2000 };
    struct fixture *const fixture = *state;
    char *const text = lq_alloc(&fixture->arena, 2 * DEPTH + 1);
    const struct lq_node *node = NULL;

    memset(text, '[', DEPTH);
    memset(text + DEPTH, ']', DEPTH);
    assert_string_equal(again(fixture, text), text);
    assert_int_equal(read_bytes(fixture, text, strlen(text), &node), LQ_OK);
    while (lq_node_first(node)) {
        node = lq_node_first(node);
    }
    assert_int_equal(strlen(lq_node_path(node, &fixture->arena)),
                     3 * (DEPTH - 1));
}

static void refuses_a_hundred_thousand_levels(void **state)
{
    enum { DEPTH = 100000 };
    struct fixture *const fixture = *state;
    char *const text = lq_alloc(&fixture->arena, DEPTH + 1);
    const struct lq_node *node = NULL;

    memset(text, '[', DEPTH);
    assert_int_equal(read_bytes(fixture, text, DEPTH, &node), LQ_INVALID);
    assert_non_null(strstr(lq_diags_at(&fixture->diags, 0)->text,
                           "maximum parsing depth reached"));
}

/* Everything that allocates: read, path, text. */
static enum lq_status exercise(struct fixture *fixture)
{
    static const char text[] =
        "{\"a\": [1, \"\\n\", {\"c\": null}], \"b\": {\"x\": 1, \"y\": [[]]}, "
        "\"k1\":0,\"k2\":0,\"k3\":0,\"k4\":0,\"k5\":0,\"k6\":0,\"k7\":0,"
        "\"k8\":0,\"k9\":0,\"l1\":0,\"l2\":0,\"l3\":0,\"l4\":0,\"l5\":0,"
        "\"l6\":0}";
    const struct lq_node *node = NULL;
    const enum lq_status status =
        read_bytes(fixture, text, strlen(text), &node);

    if (status != LQ_OK) {
        return status;
    }
    (void)lq_node_compact(node, &fixture->arena);
    (void)lq_node_path(lq_node_first(lq_node_first(node)), &fixture->arena);
    return lq_arena_status(&fixture->arena, LQ_OK);
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status != LQ_OK && limit < 1000; ++limit) {
        restart(fixture, limit);
        status = exercise(fixture);
        assert_true(status == LQ_OK || status == LQ_NOMEM);
    }
    assert_in_range(limit, 10, 999);
}

static void reports_within_any_memory(void **state)
{
    static const char *const texts[] = {"[1 2]", "[\"\\x\"]", "[",
                                        "{\"a\":{\"b\":1,\"b\":2}}", ""};
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(texts); ++i) {
        enum lq_status status = LQ_NOMEM;

        for (size_t limit = 0; status == LQ_NOMEM && limit < 100; ++limit) {
            const struct lq_node *node = NULL;

            restart(fixture, limit);
            status = read_bytes(fixture, texts[i], strlen(texts[i]), &node);
            status = lq_arena_status(&fixture->arena, status);
        }
        assert_int_equal(status, LQ_INVALID);
        assert_int_equal(fixture->diags.error_count, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(writes_values_without_blanks_and_with_keys_in_order),
        TEST(undoes_escapes_and_writes_those_that_are_needed),
        TEST(keeps_a_text_with_nul_apart_from_the_one_before_it),
        TEST(loses_no_digit_of_a_number),
        TEST(finds_members_of_tables_only),
        TEST(names_the_path_of_a_node),
        TEST(refuses_what_is_no_json),
        TEST(refuses_bytes_that_are_not_text),
        TEST(reads_and_writes_two_thousand_levels),
        TEST(refuses_a_hundred_thousand_levels),
        TEST(survives_any_failed_allocation),
        TEST(reports_within_any_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
