#include "base/diag.h"
#include "base/redact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct example {
    const char *username;
    const char *password;
    const char *said;
    const char *shown;
};

static void assert_shown(const struct example *examples, size_t count)
{
    struct lq_arena arena;

    lq_arena_init(&arena);
    for (size_t i = 0; i < count; ++i) {
        const struct lq_login login = {examples[i].username,
                                       examples[i].password};

        assert_string_equal(lq_redact(&arena, &login, examples[i].said,
                                      strlen(examples[i].said)),
                            examples[i].shown);
    }
    lq_arena_free(&arena);
}

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void hides_the_password_in_any_form(void **state)
{
    static const struct example examples[] = {
        {"u", "pa/s s", "is pa/s s wrong?", "is *** wrong?"},
        {"u", "pa/s s", "x=pa%2fs%20s&pa%2Fs%20s", "x=***&***"},
        {"u", "pa/s s", "%70%61/s%20s", "***"},
        {"u", "100%25", "100%25 and 100%2525", "*** and ***"},
        {"u", "pa s+s", "x=pa+s%2Bs", "x=***"},
        {"u", "p\033\xe2\x80\xae\"",
         "p\\x1b\\xe2\\x80\\xae\" p%1B\xe2\x80\xae%22", "*** ***"},
        {"u", "a\\x1b\033", "a\\x1b\033 a\\x1b\\x1b a%5Cx1b%1b", "*** *** ***"},
        {"u", "long-one", "xlong-onex", "x***x"},
        {"user", "secret", "Basic dXNlcjpzZWNyZXQ=", "Basic ***="},
        {"a", "bcde", "YTpiY2Rl YTpiY2Rl", "*** ***"},
        {NULL, "alone", "alone", "***"},
    };

    (void)state;
    assert_shown(examples, COUNT(examples));
}

static void hides_the_user_part_of_urls(void **state)
{
    static const struct example examples[] = {
        {NULL, NULL, "at 'http://u:p@h/x'", "at 'http://***@h/x'"},
        {NULL, NULL, "amqp://u:p@x@h and http://h/",
         "amqp://***@h and http://h/"},
        {NULL, NULL, "mail me@example.com", "mail me@example.com"},
    };

    (void)state;
    assert_shown(examples, COUNT(examples));
}

static void leaves_what_only_looks_like_it(void **state)
{
    static const struct example examples[] = {
        {"u", "ab", "about ab, cab and ab", "about ***, cab and ***"},
        {"guest", "guest", "user 'guest'", "user 'guest'"},
        {"u", "", "nothing", "nothing"},
        {"u", "secret", "secre", "secre"},
        {"u", "secret", "\\x73 %73 \\x %", "\\x73 %73 \\x %"},
        {"u", "a%zz", "a%zz a%", "*** a%"},
        {"u", "x", "\033[1m", "\\x1b[1m"},
    };

    (void)state;
    assert_shown(examples, COUNT(examples));
}

static void problems_tell_no_login_that_is_hidden(void **state)
{
    static const struct lq_login one = {"u", "first-one"};
    static const struct lq_login other = {"u", "second-one"};
    static const struct lq_login odd = {"u", "th\033ird\xff\xe2\x80\xaeone"};
    struct lq_arena arena;
    struct lq_diags diags;

    (void)state;
    lq_arena_init(&arena);
    lq_diags_init(&diags, &arena);
    lq_diags_hide(&diags, &one);
    lq_diags_hide(&diags, &other);
    lq_diags_hide(&diags, &one);
    assert_int_equal(diags.logins.count, 2);
    assert_int_equal(
        lq_error(&diags, NULL, "%s, %s\033", "first-one", "second-one"),
        LQ_INVALID);
    assert_string_equal(lq_diags_at(&diags, 0)->text, "***, ***\\x1b");
    lq_diags_hide(&diags, &odd);
    assert_int_equal(lq_error(&diags, NULL, "not '%s'", odd.password),
                     LQ_INVALID);
    assert_string_equal(lq_diags_at(&diags, 1)->text, "not '***'");
    lq_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hides_the_password_in_any_form),
        cmocka_unit_test(hides_the_user_part_of_urls),
        cmocka_unit_test(leaves_what_only_looks_like_it),
        cmocka_unit_test(problems_tell_no_login_that_is_hidden),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
