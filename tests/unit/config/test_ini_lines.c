#include "config/ini_lines.h"

#include "fixture.h"

/* Fills `out` with a line of a text; fails when it has fewer. */
static void read_line(const char *text, size_t length, unsigned number,
                      struct lq_line *out)
{
    struct lq_lines lines;

    lq_lines_init(&lines, text, length);
    do {
        assert_true(lq_lines_next(&lines, out));
    } while (out->number < number);
}

static void assert_line(const char *text, unsigned number, const char *expected)
{
    struct lq_line line;

    read_line(text, strlen(text), number, &line);
    assert_int_equal(line.fault, LQ_LINE_OK);
    assert_int_equal(line.length, strlen(expected));
    assert_memory_equal(line.text, expected, line.length);
}

static size_t count_lines(const char *text)
{
    struct lq_lines lines;
    struct lq_line line;

    lq_lines_init(&lines, text, strlen(text));
    while (lq_lines_next(&lines, &line)) {
        assert_int_equal(line.number, lines.number);
    }
    return lines.number;
}

static void splits_at_line_feeds(void **state)
{
    (void)state;
    assert_line("a\nb\n", 1, "a");
    assert_line("a\nb\n", 2, "b");
    assert_int_equal(count_lines("a\nb\n"), 2);
    assert_int_equal(count_lines("a\nb"), 2);
    assert_int_equal(count_lines("\n\n"), 2);
    assert_int_equal(count_lines(""), 0);
}

static void takes_CR_LF_for_a_line_end(void **state)
{
    (void)state;
    assert_line("a\r\nb\r\n", 1, "a");
    assert_line("a\r\nb\r\n", 2, "b");
    assert_line("\r\nb", 1, "");
}

static void trims_blanks_at_both_ends(void **state)
{
    (void)state;
    assert_line(" \t\v\fa b\f\v\t \n", 1, "a b");
    assert_line(" \t \r\n", 1, "");
}

static void leaves_other_white_space_alone(void **state)
{
    (void)state;
    assert_line("\xc2\xa0"
                "a\xe3\x80\x80",
                1,
                "\xc2\xa0"
                "a\xe3\x80\x80");
}

static void skips_a_byte_order_mark_in_front_only(void **state)
{
    (void)state;
    assert_line("\xef\xbb\xbf"
                "a\nb",
                1, "a");
    assert_line("a\n\xef\xbb\xbf"
                "b",
                2,
                "\xef\xbb\xbf"
                "b");
    assert_line("\xef\xbb\xbf\xef\xbb\xbf"
                "a",
                1,
                "\xef\xbb\xbf"
                "a");
    assert_int_equal(count_lines("\xef\xbb\xbf"), 0);
}

static void finds_what_may_not_stand_in_a_line(void **state)
{
    static const struct {
        const char *text;
        size_t length;
        enum lq_line_fault fault;
        unsigned column;
        const char *message;
    } rows[] = {
        {"  a\0b\n", 6, LQ_LINE_NUL, 4, "line must not contain a NUL byte"},
        {"a\rb\n", 4, LQ_LINE_CR, 2,
         "line must end in LF or CR LF, not in CR alone"},
        {"a\r\r\n", 4, LQ_LINE_CR, 2,
         "line must end in LF or CR LF, not in CR alone"},
        {"ab\r", 3, LQ_LINE_CR, 3,
         "line must end in LF or CR LF, not in CR alone"},
        {"a\xff", 2, LQ_LINE_ENCODING, 2, "line must be UTF-8"},
        {"\xc3", 1, LQ_LINE_ENCODING, 1, "line must be UTF-8"},
        {"\xed\xa0\x80", 3, LQ_LINE_ENCODING, 1, "line must be UTF-8"},
        {"# \xc0\xaf", 4, LQ_LINE_ENCODING, 3, "line must be UTF-8"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        struct fixture *const fixture = *state;
        struct lq_line line;

        read_line(rows[i].text, rows[i].length, 1, &line);
        assert_int_equal(line.fault, rows[i].fault);
        assert_int_equal(line.column, rows[i].column);
        assert_string_equal(lq_line_fault_text(&fixture->arena, &line),
                            rows[i].message);
    }
}

static void goes_on_behind_a_faulty_line(void **state)
{
    (void)state;
    assert_line("\xff\nb", 2, "b");
}

static void takes_lines_of_4096_bytes_and_no_more(void **state)
{
    struct fixture *const fixture = *state;
    char text[4096 + 4];
    struct lq_line line;

    memset(text, 'a', sizeof(text));
    text[4096] = '\r';
    text[4097] = '\n';
    read_line(text, 4096 + 2, 1, &line);
    assert_int_equal(line.fault, LQ_LINE_OK);
    assert_int_equal(line.length, 4096);
    text[4096] = ' ';
    text[4097] = '\r';
    text[4098] = '\n';
    read_line(text, 4096 + 3, 1, &line);
    assert_int_equal(line.fault, LQ_LINE_LONG);
    assert_int_equal(line.column, 0);
    assert_string_equal(lq_line_fault_text(&fixture->arena, &line),
                        "line must be at most 4096 bytes, not 4097");
}

static void says_nothing_of_a_good_line(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_line line;

    read_line("a", 1, 1, &line);
    assert_string_equal(lq_line_fault_text(&fixture->arena, &line), "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(splits_at_line_feeds),
        TEST(takes_CR_LF_for_a_line_end),
        TEST(trims_blanks_at_both_ends),
        TEST(leaves_other_white_space_alone),
        TEST(skips_a_byte_order_mark_in_front_only),
        TEST(finds_what_may_not_stand_in_a_line),
        TEST(goes_on_behind_a_faulty_line),
        TEST(takes_lines_of_4096_bytes_and_no_more),
        TEST(says_nothing_of_a_good_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
