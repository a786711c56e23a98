#include "render/suite.h"

#include "fixture.h"

static const struct lq_row missing = {
    .code = "queue-missing", .title = "queue missing", .text = "queue 'a'"};
static const struct lq_row different = {
    .code = "queue-different", .title = "queue different", .text = "queue 'b'"};
static const struct lq_row unseen = {.level = LQ_ROW_NOTICE,
                                     .verdict = LQ_ROW_UNKNOWN,
                                     .code = "unseen",
                                     .title = "not seen",
                                     .text = "bindings"};
static const struct lq_row passing = {.level = LQ_ROW_WARNING,
                                      .verdict = LQ_ROW_PASSES,
                                      .code = "odd",
                                      .title = "odd",
                                      .text = "it is odd"};

static const char *junit(struct fixture *fixture, const struct lq_case *cases,
                         size_t count)
{
    const struct lq_suite suite = {"lilyq diff", "lilyq.diff", cases, count};

    assert_int_equal(lq_junit_render(&suite, &fixture->sheet.sink), LQ_OK);
    return fixture->sheet.text;
}

static const char *github(struct fixture *fixture, const struct lq_row *rows,
                          size_t count)
{
    const struct lq_case item = {"orders", "lilyq.ini", 12, rows, count};
    const struct lq_suite suite = {"lilyq diff", "lilyq.diff", &item, 1};

    assert_int_equal(lq_github_render(&suite, &fixture->sheet.sink), LQ_OK);
    return fixture->sheet.text;
}

static void a_case_is_a_test_with_one_outcome(void **state)
{
    struct lq_row all[] = {missing, unseen, passing, different};
    struct lq_row undecided[] = {unseen, passing};
    const struct lq_case cases[] = {{"good", "lilyq.ini", 3, NULL, 0},
                                    {"bad", "lilyq.ini", 9, all, 4},
                                    {"dark", "a.json", 0, undecided, 2},
                                    {"odd", NULL, 7, &passing, 1}};

    assert_string_equal(
        junit(*state, cases, 4),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuite name=\"lilyq diff\" tests=\"4\" failures=\"1\" "
        "errors=\"0\" skipped=\"1\">\n"
        "  <testcase classname=\"lilyq.diff\" name=\"good\" "
        "file=\"lilyq.ini\" line=\"3\"/>\n"
        "  <testcase classname=\"lilyq.diff\" name=\"bad\" "
        "file=\"lilyq.ini\" line=\"9\">\n"
        "    <failure message=\"queue missing\" type=\"queue-missing\">"
        "queue-missing: queue 'a'\n"
        "queue-different: queue 'b'</failure>\n"
        "    <system-out>unseen: bindings\n"
        "odd: it is odd</system-out>\n"
        "  </testcase>\n"
        "  <testcase classname=\"lilyq.diff\" name=\"dark\" file=\"a.json\">\n"
        "    <skipped message=\"not seen\">unseen: bindings</skipped>\n"
        "    <system-out>odd: it is odd</system-out>\n"
        "  </testcase>\n"
        "  <testcase classname=\"lilyq.diff\" name=\"odd\">\n"
        "    <system-out>odd: it is odd</system-out>\n"
        "  </testcase>\n"
        "</testsuite>\n");
}

static void junit_is_xml_whatever_the_texts_hold(void **state)
{
    const struct lq_row row = {.code = "c",
                               .title = "\"<&>'",
                               .text = "\x01\t\n\r\x1b\x7f\xc2\x85"
                                       "]]>\xef\xbf\xbf\xff\xed\xa0\x80\xc3"};
    const struct lq_case item = {"\xc3\xa9\x02\n\t", NULL, 0, &row, 1};

    assert_non_null(strstr(junit(*state, &item, 1),
                           "name=\"\xc3\xa9\\x02&#10;&#9;\">\n"
                           "    <failure message=\"&quot;&lt;&amp;&gt;'\" "
                           "type=\"c\">c: \\x01\t\n\\x0d\\x1b\\x7f"
                           "\\xc2\\x85]]&gt;\\xef\\xbf\\xbf\\xff\\xed\\xa0\\x80"
                           "\\xc3</failure>"));
}

static void neighbours_alike_share_an_annotation(void **state)
{
    struct lq_row rows[] = {missing, missing, different, missing, unseen};

    rows[1].text = "queue 'z'";
    rows[2].line = 14;
    assert_string_equal(
        github(*state, rows, 5),
        "::error file=lilyq.ini,line=12,title=orders%3A queue missing::"
        "queue 'a'%0Aqueue 'z'\n"
        "::error file=lilyq.ini,line=14,title=orders%3A queue different::"
        "queue 'b'\n"
        "::error file=lilyq.ini,line=12,title=orders%3A queue missing::"
        "queue 'a'\n"
        "::notice file=lilyq.ini,line=12,title=orders%3A not seen::bindings\n");
}

static void a_row_of_another_file_has_its_own_line_or_none(void **state)
{
    struct lq_row rows[] = {passing, passing};

    rows[0].file = "b.json";
    rows[1].file = "c.ini";
    rows[1].line = 4;
    assert_string_equal(github(*state, rows, 2),
                        "::warning file=b.json,title=orders%3A odd::"
                        "it is odd\n"
                        "::warning file=c.ini,line=4,title=orders%3A odd::"
                        "it is odd\n");
}

static void annotations_escape_what_ends_them(void **state)
{
    const struct lq_row row = {.code = "c",
                               .title = "a:b,c%\r\n",
                               .text = "50%\r\n::error::a,b\x1b\xff",
                               .file = "a,b:c.ini"};

    assert_string_equal(github(*state, &row, 1),
                        "::error file=a%2Cb%3Ac.ini,title=orders%3A "
                        "a%3Ab%2Cc%25%0D%0A::50%25%0D%0A::error::a,b\\x1b\\xff"
                        "\n");
}

static void a_case_without_a_place_has_an_annotation_without(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_case item = {"orders", NULL, 0, &missing, 1};
    const struct lq_suite suite = {"lilyq diff", "lilyq.diff", &item, 1};

    assert_int_equal(lq_github_render(&suite, &fixture->sheet.sink), LQ_OK);
    assert_string_equal(fixture->sheet.text,
                        "::error title=orders%3A queue missing::queue 'a'\n");
}

static void tells_a_sink_that_refuses(void **state)
{
    const struct lq_case item = {"orders", NULL, 0, &missing, 1};
    const struct lq_suite suite = {"lilyq diff", "lilyq.diff", &item, 1};
    struct sheet sheet;

    (void)state;
    sheet_init(&sheet, 0);
    assert_int_equal(lq_junit_render(&suite, &sheet.sink), LQ_IO);
    assert_int_equal(lq_github_render(&suite, &sheet.sink), LQ_IO);
    sheet_free(&sheet);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(a_case_is_a_test_with_one_outcome),
        TEST(junit_is_xml_whatever_the_texts_hold),
        TEST(neighbours_alike_share_an_annotation),
        TEST(a_row_of_another_file_has_its_own_line_or_none),
        TEST(annotations_escape_what_ends_them),
        TEST(a_case_without_a_place_has_an_annotation_without),
        TEST(tells_a_sink_that_refuses),
    };

    return cmocka_run_group_tests_name("suite", tests, NULL, NULL);
}
