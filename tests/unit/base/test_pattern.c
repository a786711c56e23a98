#include "base/pattern.h"

#include "../posix_pattern.h"

#include "../plan/fixture.h"

#include <regex.h>

static const char *write_plain(struct fixture *fixture, const char **names,
                               size_t count)
{
    return lq_pattern_of(names, count, LQ_PATTERN_PLAIN, &fixture->arena).text;
}

static const char *write_short(struct fixture *fixture, const char **names,
                               size_t count)
{
    return lq_pattern_of(names, count, LQ_PATTERN_SHORT, &fixture->arena).text;
}

static void writes_common_parts_once(void **state)
{
    struct fixture *const fixture = *state;
    const char *documented[] = {"orders",
                                "orders.retry.v2",
                                "orders.dlx.v2",
                                "orders.created",
                                "orders.created.retry.v2.4000ms",
                                "orders.created.retry.v2.2000ms",
                                "orders.created.retry.v2.1000ms",
                                "orders.created.dlq.v2"};
    const char *alike[] = {"a.paid",        "a.made.dlq.v2", "a.made",
                           "a.paid.dlq.v2", "a.sent",        "b.sent"};

    assert_string_equal(
        write_plain(fixture, documented, COUNT(documented)),
        "^(orders(\\.(created(\\.(dlq\\.v2|retry\\.v2\\.(1000|2000|4000)ms))?|"
        "(dlx|retry)\\.v2))?)\\z");
    assert_string_equal(
        write_short(fixture, documented, COUNT(documented)),
        "^(orders(\\.(created(\\.(dlq\\.v2|retry\\.v2\\.([124]000)ms))?|"
        "(dlx|retry)\\.v2))?)\\z");
    assert_string_equal(write_plain(fixture, alike, COUNT(alike)),
                        "^(a\\.((made|paid)(\\.dlq\\.v2)?|sent)|b\\.sent)\\z");
}

static void writes_each_form(void **state)
{
    static const struct {
        const char *names[8];
        const char *plain;
        const char *brief;
    } cases[] = {
        {{NULL}, "^\\z", "^\\z"},
        {{"a"}, "^(a)\\z", "^(a)\\z"},
        {{"a", "a"}, "^(a)\\z", "^(a)\\z"},
        {{"a", "b"}, "^([ab])\\z", "^([ab])\\z"},
        {{"aa", "b"}, "^(aa|b)\\z", "^(aa|b)\\z"},
        {{"a", "a.b"}, "^(a(\\.b)?)\\z", "^(a(\\.b)?)\\z"},
        {{"a.x", "b.x"}, "^([ab]\\.x)\\z", "^([ab]\\.x)\\z"},
        {{"ab.x", "ac.x"}, "^((ab|ac)\\.x)\\z", "^((a[bc])\\.x)\\z"},
        {{"ab", "ac", "ad", "af"}, "^(ab|ac|ad|af)\\z", "^(a[b-df])\\z"},
        {{"x1y", "x2y", "x4y", "x5y", "x6y"},
         "^(x[124-6]y)\\z",
         "^(x[124-6]y)\\z"},
        {{"x.9", "x.10", "x.11"}, "^(x\\.(9|10|11))\\z", "^(x\\.(1[01]|9))\\z"},
        {{".", "-", "+"}, "^(\\+|-|\\.)\\z", "^(\\+|-|\\.)\\z"},
        {{"é", "è"},
         "^(\\xC3\\xA8|\\xC3\\xA9)\\z",
         "^(\\xC3\\xA8|\\xC3\\xA9)\\z"},
        {{"a", "ab", "abc"}, "^(a|ab|abc)\\z", "^(a(b(c)?)?)\\z"},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(cases); ++i) {
        const char *names[COUNT(cases[i].names)];
        size_t count = 0;

        memcpy(names, cases[i].names, sizeof(names));
        while (count < COUNT(names) && names[count]) {
            ++count;
        }
        assert_string_equal(write_plain(fixture, names, count), cases[i].plain);
        assert_string_equal(write_short(fixture, names, count), cases[i].brief);
    }
}

static void measures_what_the_engine_makes_of_it(void **state)
{
    static const struct {
        const char *names[4];
        size_t bytes;
    } cases[] = {
        {{"a"}, 17 + 2},       {{"ab.c"}, 17 + 8},
        {{"é"}, 17 + 4},       {{"aa", "b"}, 17 + 4 + 3 + 2},
        {{"a", "b"}, 17 + 33}, {{"a", "a.b"}, 17 + 2 + 8 + 4 + 1},
    };
    struct fixture *const fixture = *state;

    assert_int_equal(
        lq_pattern_of(NULL, 0, LQ_PATTERN_PLAIN, &fixture->arena).length, 3);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const char *names[COUNT(cases[i].names)];
        struct lq_pattern pattern;

        memcpy(names, cases[i].names, sizeof(names));
        pattern = lq_pattern_of(names, names[1] ? 2 : 1, LQ_PATTERN_PLAIN,
                                &fixture->arena);
        assert_int_equal(pattern.compiled_bytes, cases[i].bytes);
        assert_int_equal(pattern.length, strlen(pattern.text));
    }
}

static void is_the_same_in_any_order(void **state)
{
    struct fixture *const fixture = *state;
    const char *forth[] = {"a", "a.b", "a.c", "b1", "b10", "b9", "c-d"};
    const char *back[] = {"c-d", "b9", "b10", "b1", "a.c", "a.b", "a"};

    assert_string_equal(write_plain(fixture, forth, COUNT(forth)),
                        write_plain(fixture, back, COUNT(back)));
    assert_string_equal(write_short(fixture, forth, COUNT(forth)),
                        write_short(fixture, back, COUNT(back)));
}

#define SIGNS "aB1.(|$"
#define LONGEST 3
#define WORDS (7 + 7 * 7 + 7 * 7 * 7)

/* Every text of up to three of the signs. */
static void make_words(char words[WORDS][LONGEST + 1])
{
    const char *stem = "";
    size_t count = 0;
    size_t next = 0;

    while (count < WORDS) {
        for (size_t i = 0; SIGNS[i]; ++i, ++count) {
            const size_t length = strlen(stem);

            memcpy(words[count], stem, length);
            words[count][length] = SIGNS[i];
            words[count][length + 1] = '\0';
        }
        stem = words[next++];
    }
}

static void assert_matches_just(const char *pattern, const bool *chosen,
                                char words[WORDS][LONGEST + 1])
{
    regex_t compiled;

    assert_int_equal(compile_pattern(&compiled, pattern), 0);
    for (size_t i = 0; i < WORDS; ++i) {
        const bool matches = regexec(&compiled, words[i], 0, NULL, 0) == 0;

        if (matches != chosen[i]) {
            fail_msg("%s and %s", pattern, words[i]);
        }
    }
    regfree(&compiled);
}

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1103515245U + 12345U;
    return *seed >> 16;
}

static void matches_its_names_and_no_other(void **state)
{
    static char words[WORDS][LONGEST + 1];
    struct fixture *const fixture = *state;
    unsigned seed = 1;

    make_words(words);
    for (size_t round = 0; round < 120; ++round) {
        const size_t most = 1 + next_random(&seed) % (round < 60 ? 8 : WORDS);
        bool chosen[WORDS] = {false};
        const char *names[WORDS];
        size_t count = 0;

        while (count < most) {
            const size_t pick = next_random(&seed) % WORDS;

            chosen[pick] = true;
            names[count++] = words[pick];
        }
        assert_matches_just(write_plain(fixture, names, count), chosen, words);
        assert_matches_just(write_short(fixture, names, count), chosen, words);
        restart(fixture, SIZE_MAX);
    }
}

static void bears_the_deepest_nesting(void **state)
{
    struct fixture *const fixture = *state;
    const char *names[200];
    regex_t compiled;
    const char *pattern = NULL;

    for (size_t i = 0; i < COUNT(names); ++i) {
        names[i] = lq_strndup(&fixture->arena, BYTES_200, i + 1);
    }
    pattern = write_short(fixture, names, COUNT(names));
    assert_int_equal(compile_pattern(&compiled, pattern), 0);
    assert_int_equal(regexec(&compiled, BYTES_200, 0, NULL, 0), 0);
    assert_int_equal(regexec(&compiled, BYTES_200 "q", 0, NULL, 0),
                     REG_NOMATCH);
    regfree(&compiled);
}

/* Fails every allocation in turn. */
static void sweep(struct fixture *fixture, const char *const *all, size_t count,
                  enum lq_pattern_style style)
{
    size_t limit = 0;

    do {
        const char *names[32];

        memcpy(names, all, count * sizeof(*names));
        restart(fixture, limit++);
        (void)lq_pattern_of(names, count, style, &fixture->arena);
    } while (fixture->arena.failed);
    assert_true(limit > 20);
}

static void survives_any_failed_allocation(void **state)
{
    static const char *const wide[] = {"a.b", "a.c1", "a.c2", "a",
                                       "b.c", "b.d",  "x12",  "x13"};
    static const char *const text = ".n.n.n.n.n.n.n.n.n.n.n.n.n.n.n.n.n.n.n.n";
    struct fixture *const fixture = *state;
    const char *deep[20];

    for (size_t i = 0; i < COUNT(deep); ++i) {
        deep[i] = text + 2 * i;
    }
    sweep(fixture, wide, COUNT(wide), LQ_PATTERN_PLAIN);
    sweep(fixture, wide, COUNT(wide), LQ_PATTERN_SHORT);
    sweep(fixture, deep, COUNT(deep), LQ_PATTERN_PLAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(writes_common_parts_once),
        TEST(writes_each_form),
        TEST(measures_what_the_engine_makes_of_it),
        TEST(is_the_same_in_any_order),
        TEST(matches_its_names_and_no_other),
        TEST(bears_the_deepest_nesting),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
