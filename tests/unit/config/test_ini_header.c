#include "config/ini_lines.h"

#include "../limit.h"
#include "fixture.h"

static struct lq_header read_header(const char *text)
{
    const struct lq_line line = {.text = text, .length = strlen(text)};
    struct lq_header header;

    lq_header_read(&line, &header);
    return header;
}

static void assert_slice(const struct lq_slice *slice, const char *expected)
{
    assert_int_equal(slice->length, strlen(expected));
    if (*expected) {
        assert_memory_equal(slice->text, expected, slice->length);
    }
}

static void assert_queue(const char *text, const char *name)
{
    const struct lq_header header = read_header(text);

    assert_int_equal(header.kind, LQ_HEADER_QUEUE);
    assert_true(header.closed);
    assert_slice(&header.name, name);
    assert_slice(&header.junk, "");
}

static void knows_the_sections(void **state)
{
    (void)state;
    assert_int_equal(read_header("[broker]").kind, LQ_HEADER_BROKER);
    assert_int_equal(read_header("[defaults]").kind, LQ_HEADER_DEFAULTS);
    assert_queue("[queue:orders.created]", "orders.created");
}

static void knows_no_others(void **state)
{
    static const char *const texts[] = {
        "[]",      "[Broker]",  "[brokers]",  "[ broker]", "[broker ]",
        "[queue]", "[Queue:a]", "[queues:a]", "[queue a]", "[orders]",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        assert_int_equal(read_header(texts[i]).kind, LQ_HEADER_UNKNOWN);
    }
}

static void takes_the_rest_of_the_title_for_the_name(void **state)
{
    (void)state;
    assert_queue("[queue:]", "");
    assert_queue("[queue: a ]", " a ");
    assert_queue("[queue:a:b = c]", "a:b = c");
    assert_queue("[queue:\xc3\xa9#;]", "\xc3\xa9#;");
    assert_queue("[queue:a ;b]", "a ;b");
}

static void keeps_brackets_inside_a_name(void **state)
{
    (void)state;
    assert_queue("[queue:a]b]", "a]b");
    assert_queue("[queue:a[0]]", "a[0]");
    assert_queue("[queue:]]", "]");
    assert_queue("[queue:a] b]", "a] b");
    assert_queue("[queue:a];b]", "a];b");
}

static void lets_a_comment_follow_behind_a_blank(void **state)
{
    (void)state;
    assert_queue("[queue:a] ; it's [x]", "a");
    assert_queue("[queue:a]\t# comment ]", "a");
}

static void finds_junk_behind_the_bracket(void **state)
{
    static const struct {
        const char *text;
        const char *name;
        const char *junk;
    } rows[] = {
        {"[queue:a] junk", "a", "junk"},
        {"[queue:a]junk", "a", "junk"},
        {"[queue:a];no comment", "a", ";no comment"},
        {"[queue:a]b] \t c ; d", "a]b", "c ; d"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        const struct lq_header header = read_header(rows[i].text);

        assert_true(header.closed);
        assert_slice(&header.name, rows[i].name);
        assert_slice(&header.junk, rows[i].junk);
    }
}

static void notices_that_the_bracket_is_missing(void **state)
{
    const struct lq_header header = read_header("[queue:a ; b");

    (void)state;
    assert_false(header.closed);
    assert_slice(&header.title, "queue:a ; b");
    assert_slice(&header.junk, "");
    assert_false(read_header("[").closed);
}

static void assert_suggestion(struct fixture *fixture, const char *text,
                              const char *expected)
{
    const struct lq_header header = read_header(text);
    const char *const meant = lq_header_suggest(&header, &fixture->arena);

    if (expected) {
        assert_non_null(meant);
        assert_string_equal(meant, expected);
    } else {
        assert_null(meant);
    }
}

static void suggests_the_section_that_is_meant(void **state)
{
    assert_suggestion(*state, "[default]", "defaults");
    assert_suggestion(*state, "[DEFAULTS]", "defaults");
    assert_suggestion(*state, "[ brokr ]", "broker");
    assert_suggestion(*state, "[queue]", "queue:NAME");
    assert_suggestion(*state, "[queue:", "queue:NAME");
    assert_suggestion(*state, "[queues:a.b]", "queue:a.b");
    assert_suggestion(*state, "[Queue \"a b\"]", "queue:a b");
    assert_suggestion(*state, "[queue.a\x01]", "queue:a\\x01");
}

static void suggests_nothing_for_what_is_far_off(void **state)
{
    assert_suggestion(*state, "[]", NULL);
    assert_suggestion(*state, "[orders.created]", NULL);
}

static void says_when_memory_runs_out(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_header header = read_header("[queues:a]");

    for (size_t limit = 0; limit < 3; ++limit) {
        limit_memory(&fixture->arena, limit);
        (void)lq_header_suggest(&header, &fixture->arena);
        assert_true(fixture->arena.failed);
    }
    limit_memory(&fixture->arena, 3);
    assert_string_equal(lq_header_suggest(&header, &fixture->arena), "queue:a");
    assert_false(fixture->arena.failed);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(knows_the_sections),
        TEST(knows_no_others),
        TEST(takes_the_rest_of_the_title_for_the_name),
        TEST(keeps_brackets_inside_a_name),
        TEST(lets_a_comment_follow_behind_a_blank),
        TEST(finds_junk_behind_the_bracket),
        TEST(notices_that_the_bracket_is_missing),
        TEST(suggests_the_section_that_is_meant),
        TEST(suggests_nothing_for_what_is_far_off),
        TEST(says_when_memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
