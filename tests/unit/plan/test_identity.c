#include "model/identity.h"

#include "fixture.h"

#define BYTES_199 BYTES_50 BYTES_50 BYTES_50 BYTES_49
#define BYTES_49 "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"

static enum lq_identity check(const char *text)
{
    return lq_identity_check(text, strlen(text));
}

static void accepts_what_brokers_call_names(void **state)
{
    static const char *const texts[] = {
        "a",
        "orders.created",
        "inner space",
        "inner\xc2\xa0space",
        "sla/sh%20#*",
        "gr\xc3\xbc\xc3\x9f",
        "\xf0\x9f\x90\x87",
        "\xe2\x80\x8b", /* U+200B is no white space */
        "\xef\xbb\xbf.x",
        "x\xe2\x81\xa0",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); ++i) {
        assert_int_equal(check(texts[i]), LQ_IDENTITY_OK);
    }
}

static void rejects_an_empty_name(void **state)
{
    (void)state;
    assert_int_equal(check(""), LQ_IDENTITY_EMPTY);
}

static void accepts_a_name_of_200_bytes(void **state)
{
    (void)state;
    assert_int_equal(check(BYTES_200), LQ_IDENTITY_OK);
    assert_int_equal(check(BYTES_199 "x"), LQ_IDENTITY_OK);
}

static void rejects_a_name_of_201_bytes(void **state)
{
    (void)state;
    assert_int_equal(check(BYTES_200 "x"), LQ_IDENTITY_LONG);
    assert_int_equal(check(BYTES_199 "\xc3\xbc"), LQ_IDENTITY_LONG);
}

static void rejects_what_is_no_utf8(void **state)
{
    (void)state;
    assert_int_equal(check("a\xff"), LQ_IDENTITY_ENCODING);
    assert_int_equal(check("\xe2\x82"), LQ_IDENTITY_ENCODING);
    assert_int_equal(check("\x80"), LQ_IDENTITY_ENCODING);
}

static void rejects_white_space_at_either_end(void **state)
{
    static const char *const spaces[] = {
        "\t",           "\n",           "\v",
        "\f",           "\r",           " ",
        "\xc2\x85",     "\xc2\xa0",     "\xe1\x9a\x80",
        "\xe2\x80\x80", "\xe2\x80\x8a", "\xe2\x80\xa8",
        "\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\x9f",
        "\xe3\x80\x80"};
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(spaces); ++i) {
        assert_int_equal(check(spaces[i]), LQ_IDENTITY_PADDED);
        assert_int_equal(check(lq_format(&fixture->arena, "%sa", spaces[i])),
                         LQ_IDENTITY_PADDED);
        assert_int_equal(check(lq_format(&fixture->arena, "a%s", spaces[i])),
                         LQ_IDENTITY_PADDED);
    }
}

static void rejects_control_characters(void **state)
{
    (void)state;
    assert_int_equal(check("a\tb"), LQ_IDENTITY_CONTROL);
    assert_int_equal(check("\x1b[m"), LQ_IDENTITY_CONTROL);
    assert_int_equal(check("a\x7f"), LQ_IDENTITY_CONTROL);
    assert_int_equal(check("\xc2\x80"), LQ_IDENTITY_CONTROL);
    assert_int_equal(check("\xc2\x9f"), LQ_IDENTITY_CONTROL);
    assert_int_equal(lq_identity_check("a\0b", 3), LQ_IDENTITY_CONTROL);
}

static void rejects_protected_references(void **state)
{
    static const char *const texts[] = {
        "${secret:KEY}", "${file:/run/x}",         "${secret:a b}",
        "${file:}}",     "${secret:\xe2\x80\x8b}",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); ++i) {
        assert_int_equal(check(texts[i]), LQ_IDENTITY_REFERENCE);
    }
}

static void accepts_what_only_resembles_a_reference(void **state)
{
    static const char *const texts[] = {
        "${secret:}",          "${secret: a}", "${secret:a }",
        "${file:\xc2\xa0x}",   "${env:A}",     "${SECRET:a}",
        "x${secret:a}",        "${secret:a}x", "$secret:a",
        "${secret:a",          "${file:",      "${}",
        "${secret:a\xc2\xa0}", "${secre:a}",   "$",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); ++i) {
        assert_int_equal(check(texts[i]), LQ_IDENTITY_OK);
    }
}

static void says_what_is_wanted(void **state)
{
    static const struct {
        enum lq_identity fault;
        const char *rule;
    } cases[] = {
        {LQ_IDENTITY_OK, "be an identity"},
        {LQ_IDENTITY_EMPTY, "be 1 to 200 bytes"},
        {LQ_IDENTITY_LONG, "be 1 to 200 bytes"},
        {LQ_IDENTITY_ENCODING, "be UTF-8"},
        {LQ_IDENTITY_PADDED, "not begin or end with white space"},
        {LQ_IDENTITY_CONTROL, "not contain control characters"},
        {LQ_IDENTITY_REFERENCE,
         "not be a ${secret:...} or ${file:...} reference"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_string_equal(lq_identity_rule(cases[i].fault), cases[i].rule);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(accepts_what_brokers_call_names),
        TEST(rejects_an_empty_name),
        TEST(accepts_a_name_of_200_bytes),
        TEST(rejects_a_name_of_201_bytes),
        TEST(rejects_what_is_no_utf8),
        TEST(rejects_white_space_at_either_end),
        TEST(rejects_control_characters),
        TEST(rejects_protected_references),
        TEST(accepts_what_only_resembles_a_reference),
        TEST(says_what_is_wanted),
    };

    return cmocka_run_group_tests_name("identity", tests, NULL, NULL);
}
