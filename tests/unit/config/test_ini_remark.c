#include "fixture.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* The comments that are kept, of which there must be so many. */
static const struct lq_remark *load(struct fixture *fixture, const char *text,
                                    size_t want)
{
    assert_int_not_equal(load_ini(fixture, text), LQ_NOMEM);
    assert_int_equal(fixture->config.remarks.count, want);
    return fixture->config.remarks.items;
}

static void keeps_a_comment_with_the_line_below_it(void **state)
{
    const struct lq_remark *const remarks = load(*state,
                                                 "; lilyq:ignore LQ001 why\n"
                                                 "# lilyq:ignore LQ002 too\n"
                                                 "\n"
                                                 "; something else\n"
                                                 "  [queue:q]\n",
                                                 2);

    assert_string_equal(remarks[0].text, " LQ001 why");
    assert_string_equal(remarks[0].place.file, "f.ini");
    assert_int_equal(remarks[0].place.line, 1);
    assert_int_equal(remarks[0].line, 5);
    assert_false(remarks[0].for_file);
    assert_string_equal(remarks[1].text, " LQ002 too");
    assert_int_equal(remarks[1].line, 5);
}

static void keeps_one_behind_a_header_or_value(void **state)
{
    const struct lq_remark *const remarks =
        load(*state,
             "[queue:a ;lilyq:ignore x] #lilyq:ignore A\n"
             "durable = false ;; lilyq:ignore\tB\n"
             "routing_key = a # lilyq:ignore no\n"
             "exchange_name = a;lilyq:ignore no\n"
             "[queue:b ; lilyq:ignore no\n",
             2);

    assert_string_equal(remarks[0].text, " A");
    assert_int_equal(remarks[0].line, 1);
    assert_string_equal(remarks[1].text, " B");
    assert_int_equal(remarks[1].line, 2);
}

static void tells_the_header_of_defaults_apart(void **state)
{
    const struct lq_remark *const remarks = load(*state,
                                                 "; lilyq:ignore A\n"
                                                 "[defaults] ; lilyq:ignore B\n"
                                                 "; lilyq:ignore C\n",
                                                 3);

    assert_true(remarks[0].for_file);
    assert_true(remarks[1].for_file);
    assert_false(remarks[2].for_file);
    assert_int_equal(remarks[2].line, 0);
}

static void takes_other_comments_for_what_they_are(void **state)
{
    (void)load(*state,
               "; lilyq:ignored\n"
               "; see lilyq:ignore\n"
               "; lilyq: ignore\n"
               "; LILYQ:IGNORE\n"
               ";\n"
               "; lilyq:ignor\n",
               0);
}

static void shows_a_text_safely(void **state)
{
    const struct lq_remark *const remarks =
        load(*state, ";lilyq:ignore\v\x1b[31m\n", 1);

    assert_string_equal(remarks[0].text, " \\x1b[31m");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keeps_a_comment_with_the_line_below_it),
        TEST(keeps_one_behind_a_header_or_value),
        TEST(tells_the_header_of_defaults_apart),
        TEST(takes_other_comments_for_what_they_are),
        TEST(shows_a_text_safely),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
