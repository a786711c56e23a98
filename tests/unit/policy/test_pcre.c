#include "policy/pcre.h"

#include "../plan/fixture.h"

#include <stdlib.h>

/* Whether a pattern matches a name; it must be one that can be matched. */
static enum lq_match match(struct fixture *fixture, const char *pattern,
                           const char *name)
{
    struct lq_pcre *pcre = NULL;
    struct lq_matcher matcher;
    enum lq_match found = LQ_MATCH_UNKNOWN;
    void *ready = NULL;

    assert_int_equal(lq_pcre_open(&fixture->arena, &pcre), LQ_OK);
    matcher = lq_pcre_matcher(pcre);
    assert_int_equal(matcher.compile(matcher.context, pattern, &ready), LQ_OK);
    assert_non_null(ready);
    assert_int_equal(matcher.match(matcher.context, ready, name, &found),
                     LQ_OK);
    lq_pcre_close(pcre);
    return found;
}

struct example {
    const char *pattern;
    const char *name;
    enum lq_match found;
};

static void assert_examples(struct fixture *fixture,
                            const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (match(fixture, examples[i].pattern, examples[i].name) !=
            examples[i].found) {
            fail_msg("'%s' and '%s'", examples[i].pattern, examples[i].name);
        }
    }
}

static void matches_anywhere_in_a_name(void **state)
{
    static const struct example examples[] = {
        {"", "q", LQ_MATCH_YES},
        {"retry", "q.retry.v2.1000ms", LQ_MATCH_YES},
        {"^q", "q.retry.v2.1000ms", LQ_MATCH_YES},
        {"^retry", "q.retry.v2.1000ms", LQ_MATCH_NO},
        {"v2$", "q.dlq.v2", LQ_MATCH_YES},
        {"^(?!amq\\.).*", "amq.direct", LQ_MATCH_NO},
        {"^(?!amq\\.).*", "q", LQ_MATCH_YES},
        {"Q", "q", LQ_MATCH_NO},
        {"(?i)Q", "q", LQ_MATCH_YES},
    };

    assert_examples(*state, examples, COUNT(examples));
}

static void takes_names_for_bytes(void **state)
{
    static const struct example examples[] = {
        {"^.$", "\xC3\xA9", LQ_MATCH_NO},
        {"^..$", "\xC3\xA9", LQ_MATCH_YES},
        {"^\xC3\xA9$", "\xC3\xA9", LQ_MATCH_YES},
        {"^[\xC3\xA9]$", "\xC3\xA9", LQ_MATCH_NO},
        {"\\xe9", "\xC3\xA9", LQ_MATCH_NO},
        {"(*UTF)^.$", "\xC3\xA9", LQ_MATCH_YES},
        /* the second byte, NEL in Latin-1, ends a line for \R alone */
        {"^..$", "\xC3\x85", LQ_MATCH_YES},
        {"\\xC3\\R", "\xC3\x85", LQ_MATCH_YES},
    };

    assert_examples(*state, examples, COUNT(examples));
}

/* To some brokers those are letters of Latin-1, to others they are none. */
static void knows_not_of_what_class_other_bytes_are(void **state)
{
    static const struct example examples[] = {
        {"^\\w+$", "caf\xC3\xA9", LQ_MATCH_NO}, /* A9 is a sign in both */
        {"^\\w", "\xC3\xA9", LQ_MATCH_UNKNOWN},
        {"\\bx", "\xC3\xA9x", LQ_MATCH_YES},
        {"\\bx", "\xC3\x83x", LQ_MATCH_YES},
        {"\\bx", "\xC3\xAAx", LQ_MATCH_UNKNOWN},
        {"[[:punct:]]", "\xC3\xA9", LQ_MATCH_UNKNOWN},
        {"[[:upper:]]", "\xC3\xA9", LQ_MATCH_UNKNOWN},
        {"(?i)^\xC3\x89$", "\xE3\x89", LQ_MATCH_UNKNOWN},
        {"\\s|\\d|[[:xdigit:]]", "\xC3\xA9\xC2\xA0", LQ_MATCH_NO},
        {"\\w", "x\xC3\xA9", LQ_MATCH_YES},
    };

    assert_examples(*state, examples, COUNT(examples));
}

/* Whether a byte is in one of the ranges "FIRST-LAST FIRST-LAST ...". */
static bool is_in(unsigned byte, const char *ranges)
{
    for (const char *at = ranges; *at;) {
        char *end = NULL;
        const unsigned long first = strtoul(at, &end, 10);
        const unsigned long last = strtoul(end + 1, &end, 10);

        if (byte >= first && byte <= last) {
            return true;
        }
        at = *end ? end + 1 : end;
    }
    return false;
}

/* A class, and the bytes that are in it on some brokers only. */
struct byte_class {
    const char *pattern;
    const char *ranges;
};

static void assert_class(struct fixture *fixture,
                         const struct byte_class *class)
{
    for (unsigned byte = 0x80; byte <= 0xFF; ++byte) {
        const char name[] = {(char)byte, '\0'};
        const enum lq_match wanted =
            is_in(byte, class->ranges) ? LQ_MATCH_UNKNOWN : LQ_MATCH_NO;

        if (match(fixture, class->pattern, name) != wanted) {
            fail_msg("'%s' and %u", class->pattern, byte);
        }
    }
}

/* What RabbitMQ 3.10.8 on Erlang 25 said of each; 4.3.6 on 29 has none. */
static void knows_the_classes_that_brokers_gave(void **state)
{
    static const struct byte_class classes[] = {
        {"\\w", "170-170 181-181 186-186 192-214 216-246 248-255"},
        {"[[:alpha:]]", "170-170 181-181 186-186 192-214 216-246 248-255"},
        {"[[:alnum:]]", "170-170 181-181 186-186 192-214 216-246 248-255"},
        {"[[:upper:]]", "192-214 216-222"},
        {"[[:lower:]]", "170-170 181-181 186-186 223-246 248-255"},
        {"[[:punct:]]", "160-169 171-180 182-185 187-191 215-215 247-247"},
        {"[[:cntrl:]]", "128-159"},
        {"[[:print:]]", "160-255"},
        {"[[:graph:]]", "160-255"},
        {"\\s|\\d|[[:space:]]|[[:xdigit:]]", ""},
        {"(?=[\xE0-\xFE])(?i)[\xC0-\xD6\xD8-\xDE]", "224-246 248-254"},
    };

    for (size_t i = 0; i < COUNT(classes); ++i) {
        assert_class(*state, &classes[i]);
    }
}

static void knows_not_what_an_invalid_pattern_matches(void **state)
{
    static const char *const patterns[] = {"(",      "a\\", "[",         "*",
                                           "a{2,1}", "\\i", "a\xC0\x80z"};
    struct fixture *const fixture = *state;
    struct lq_pcre *pcre = NULL;
    struct lq_matcher matcher;
    void *ready = NULL;

    assert_int_equal(lq_pcre_open(&fixture->arena, &pcre), LQ_OK);
    matcher = lq_pcre_matcher(pcre);
    for (size_t i = 0; i < COUNT(patterns); ++i) {
        assert_int_equal(matcher.compile(matcher.context, patterns[i], &ready),
                         LQ_OK);
        assert_null(ready);
    }
    lq_pcre_close(pcre);
}

static void knows_not_what_too_long_a_pattern_matches(void **state)
{
    static const size_t lengths[] = {16000, 70000};
    struct fixture *const fixture = *state;
    struct lq_pcre *pcre = NULL;
    struct lq_matcher matcher;

    assert_int_equal(lq_pcre_open(&fixture->arena, &pcre), LQ_OK);
    matcher = lq_pcre_matcher(pcre);
    for (size_t i = 0; i < COUNT(lengths); ++i) {
        char *const text = lq_alloc(&fixture->arena, lengths[i] + 1);
        void *ready = NULL;

        assert_non_null(text);
        memset(text, 'a', lengths[i]);
        assert_int_equal(matcher.compile(matcher.context, text, &ready), LQ_OK);
        assert_true(!ready == (i > 0));
    }
    lq_pcre_close(pcre);
}

/* Thousands of names must not take thousands of times as long. */
static void gives_a_pattern_up_that_took_too_many_steps(void **state)
{
    static const char *const names[] = {"a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
                                        "a"};
    static const enum lq_match wanted[] = {LQ_MATCH_YES, LQ_MATCH_UNKNOWN,
                                           LQ_MATCH_UNKNOWN};
    struct fixture *const fixture = *state;
    struct lq_pcre *pcre = NULL;
    struct lq_matcher matcher;
    void *ready = NULL;

    assert_int_equal(lq_pcre_open(&fixture->arena, &pcre), LQ_OK);
    matcher = lq_pcre_matcher(pcre);
    assert_int_equal(matcher.compile(matcher.context, "^(a|a?)+$", &ready),
                     LQ_OK);
    for (size_t i = 0; i < COUNT(names); ++i) {
        enum lq_match found = LQ_MATCH_NO;

        assert_int_equal(
            matcher.match(matcher.context, ready, names[i], &found), LQ_OK);
        assert_int_equal(found, wanted[i]);
    }
    lq_pcre_close(pcre);
}

static void closes_what_was_never_opened_or_used(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_pcre *pcre = NULL;

    lq_pcre_close(NULL);
    assert_int_equal(lq_pcre_open(&fixture->arena, &pcre), LQ_OK);
    lq_pcre_close(pcre);
}

static void survives_any_failed_allocation_of_the_arena(void **state)
{
    struct fixture *const fixture = *state;

    for (size_t limit = 0; limit < 3; ++limit) {
        struct lq_pcre *pcre = NULL;
        enum lq_status status = LQ_OK;
        void *ready = NULL;

        restart(fixture, limit);
        status = lq_pcre_open(&fixture->arena, &pcre);
        if (status == LQ_OK) {
            struct lq_matcher matcher = lq_pcre_matcher(pcre);

            status = matcher.compile(matcher.context, "a", &ready);
        }
        assert_int_equal(status, LQ_NOMEM);
        lq_pcre_close(pcre);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(matches_anywhere_in_a_name),
        TEST(takes_names_for_bytes),
        TEST(knows_not_of_what_class_other_bytes_are),
        TEST(knows_not_what_an_invalid_pattern_matches),
        TEST(knows_not_what_too_long_a_pattern_matches),
        TEST(knows_the_classes_that_brokers_gave),
        TEST(gives_a_pattern_up_that_took_too_many_steps),
        TEST(closes_what_was_never_opened_or_used),
        TEST(survives_any_failed_allocation_of_the_arena),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
