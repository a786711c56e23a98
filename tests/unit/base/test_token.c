#include "base/pattern.h"

#include "../plan/fixture.h"

static void takes_words_numbers_and_signs_for_pieces(void **state)
{
    static const struct {
        const char *text;
        size_t words;
        size_t characters;
    } cases[] = {
        {"", 0, 0},
        {"orders", 6, 1},
        {"orders.created", 6, 1},
        {".created", 1, 1},
        {"..", 1, 1},
        {"1000ms", 4, 1},
        {"ms1000", 2, 1},
        {"Az", 2, 1},
        {"-9", 1, 1},
        {"größe-x", 7, 1},
        {"ößx", 5, 2},
        {"🐇🐇.", 8, 4},
        {"9\xc3\xa9", 1, 1},
        {"\xc3\xa9"
         "9",
         2, 2},
        {"{a}", 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_int_equal(lq_token_length(cases[i].text, LQ_GRAIN_WORDS),
                         cases[i].words);
        assert_int_equal(lq_token_length(cases[i].text, LQ_GRAIN_CHARACTERS),
                         cases[i].characters);
    }
}

static void shares_whole_pieces_only(void **state)
{
    static const struct {
        const char *a;
        const char *b;
        size_t words;
        size_t characters;
    } cases[] =
        {
            {"", "", 0, 0},         {"a", "", 0, 0},
            {"ab", "ac", 0, 1},     {"ab", "ab", 2, 2},
            {"ab", "abc", 0, 2},    {"ab", "ab.c", 2, 2},
            {"ab.c", "ab.d", 3, 3}, {"ab.1", "ab.10", 3, 4},
            {"ab1", "ab2", 2, 2},   {"a..", "a.b", 2, 2},
            {"è", "é", 0, 0}, /* the first byte is the same */
            {".è", ".é", 1, 1},     {"aè", "aé", 0, 1},
        };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const char *const a = cases[i].a;
        const char *const b = cases[i].b;

        assert_int_equal(lq_token_common(a, b, LQ_GRAIN_WORDS), cases[i].words);
        assert_int_equal(lq_token_common(b, a, LQ_GRAIN_WORDS), cases[i].words);
        assert_int_equal(lq_token_common(a, b, LQ_GRAIN_CHARACTERS),
                         cases[i].characters);
    }
}

static void assert_sorted(const char *const *want, size_t count,
                          enum lq_grain grain)
{
    const char *names[16];

    for (size_t shift = 0; shift < count; ++shift) {
        for (size_t i = 0; i < count; ++i) {
            names[i] = want[(i * 7 + shift) % count];
        }
        lq_token_sort(names, count, grain);
        for (size_t i = 0; i < count; ++i) {
            assert_string_equal(names[i], want[i]);
        }
    }
}

static void sorts_piece_by_piece(void **state)
{
    /* as bytes, "a.b" would part "a" from "a{", which begins with it as well */
    static const char *const words[] = {"9",   "10", "10.b", "010", "a",
                                        "a.b", "a1", "a{",   "ab",  "é"};
    static const char *const characters[] = {"010", "10", "10.b", "9", "a",
                                             "a.b", "a1", "ab",   "a{"};

    (void)state;
    assert_sorted(words, COUNT(words), LQ_GRAIN_WORDS);
    assert_sorted(characters, COUNT(characters), LQ_GRAIN_CHARACTERS);
    lq_token_sort(NULL, 0, LQ_GRAIN_WORDS);
}

static void escapes_all_that_means_something(void **state)
{
    struct fixture *const fixture = *state;
    const char *const text = "a\\b^c$d.e[f]g|h(i)j?k*l+m{n}-/#'\" \xc3\xa9~";
    struct lq_buffer buffer;

    lq_buffer_init(&buffer, &fixture->arena);
    lq_token_escape(&buffer, text, strlen(text));
    assert_string_equal(lq_buffer_text(&buffer),
                        "a\\\\b\\^c\\$d\\.e\\[f\\]g\\|h\\(i\\)j\\?k\\*l\\+m\\{n"
                        "\\}-/#'\" \\xC3\\xA9~");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(takes_words_numbers_and_signs_for_pieces),
        TEST(shares_whole_pieces_only),
        TEST(sorts_piece_by_piece),
        TEST(escapes_all_that_means_something),
    };

    return cmocka_run_group_tests_name("token", tests, NULL, NULL);
}
