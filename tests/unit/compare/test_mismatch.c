#include "../limit.h"
#include "compare/answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(items) (sizeof(items) / sizeof((items)[0]))

static int set_up(void **state)
{
    static struct lq_arena arena;

    lq_arena_init(&arena);
    *state = &arena;
    return 0;
}

static int tear_down(void **state)
{
    lq_arena_free(*state);
    return 0;
}

static void is_text(const char *got, const char *want)
{
    if (got && want) {
        assert_string_equal(got, want);
    } else {
        assert_ptr_equal(got, want);
    }
}

static void is_side(const struct lq_side *got, const struct lq_side *want)
{
    assert_int_equal(got->known, want->known);
    is_text(got->value, want->value);
    is_text(got->type, want->type);
}

#define SAID(text)                                                             \
    {                                                                          \
        true, text, NULL                                                       \
    }
#define TYPED(text, name)                                                      \
    {                                                                          \
        true, text, name                                                       \
    }
#define NONE                                                                   \
    {                                                                          \
        true, NULL, NULL                                                       \
    }
#define UNKNOWN                                                                \
    {                                                                          \
        false, NULL, NULL                                                      \
    }

struct reading {
    const char *text; /* behind PRECONDITION_FAILED - inequivalent arg */
    const char *name;
    const char *field;
    struct lq_side planned;
    struct lq_side there;
};

static void reads(struct lq_arena *arena, const struct reading *want)
{
    struct lq_mismatch got;
    const char *const text = lq_format(
        arena, "PRECONDITION_FAILED - inequivalent arg %s", want->text);

    assert_int_equal(lq_mismatch_parse(text, want->name, arena, &got), LQ_OK);
    assert_string_equal(got.field, want->field);
    is_side(&got.planned, &want->planned);
    is_side(&got.there, &want->there);
}

static void reads_what_differs(void **state)
{
    static const struct reading cases[] = {
        {"'x-message-ttl' for queue 'f2' in vhost '/': received '2000' but "
         "current is '1000'",
         "f2", "x-message-ttl", SAID("2000"), SAID("1000")},
        {"'durable' for queue 'f2' in vhost '/': received 'true' but current "
         "is 'false'",
         "f2", "durable", SAID("true"), SAID("false")},
        {"'type' for exchange 'f2x' in vhost '/': received 'direct' but "
         "current is 'topic'",
         "f2x", "type", SAID("direct"), SAID("topic")},
        {"'x-queue-type' for queue 'f2' in vhost '/': received 'quorum' but "
         "current is 'classic'",
         "f2", "x-queue-type", SAID("quorum"), SAID("classic")},
    };

    for (size_t i = 0; i < COUNT(cases); ++i) {
        reads(*state, &cases[i]);
    }
}

static void reads_what_one_side_does_not_set(void **state)
{
    static const struct reading cases[] = {
        {"'x-message-ttl' for queue 'f2' in vhost '/': received none but "
         "current is the value '1000' of type 'signedint'",
         "f2", "x-message-ttl", NONE, TYPED("1000", "signedint")},
        {"'x-message-ttl' for queue 'f2' in vhost '/': received the value "
         "'1000' of type 'signedint' but current is none",
         "f2", "x-message-ttl", TYPED("1000", "signedint"), NONE},
        {"'x-queue-type' for queue 'f2' in vhost '/': received none but "
         "current is the value 'quorum' of type 'longstr'",
         "f2", "x-queue-type", NONE, TYPED("quorum", "longstr")},
    };

    for (size_t i = 0; i < COUNT(cases); ++i) {
        reads(*state, &cases[i]);
    }
}

static void is_not_misled_by_names(void **state)
{
    static const struct reading cases[] = {
        {"'x-message-ttl' for queue 'it's' in vhost 'o'er': received '1' but "
         "current is '2'",
         "it's", "x-message-ttl", SAID("1"), SAID("2")},
        {"'x-message-ttl' for queue 'a' in vhost 'b': received 'c' in vhost "
         "'/': received '1' but current is '2'",
         "a' in vhost 'b': received 'c", "x-message-ttl", SAID("1"), SAID("2")},
        {"'x-dead-letter-exchange' for queue 'q' in vhost '/': received 'a' "
         "but current is 'b c'",
         "q", "x-dead-letter-exchange", SAID("a"), SAID("b c")},
        {"'x-dead-letter-exchange' for queue 'q' in vhost '/': received none "
         "but current is the value 'x of type y' of type 'longstr'",
         "q", "x-dead-letter-exchange", NONE, TYPED("x of type y", "longstr")},
        {"'x-message-ttl' for queue '' in vhost '': received '' but current "
         "is ''",
         "", "x-message-ttl", SAID(""), SAID("")},
    };

    for (size_t i = 0; i < COUNT(cases); ++i) {
        reads(*state, &cases[i]);
    }
}

static void knows_the_field_of_a_text_that_was_cut(void **state)
{
    static const struct reading cases[] = {
        {"'x-max-length' for queue 'abcdefg...", "abcdefghi", "x-max-length",
         UNKNOWN, UNKNOWN},
        {"'x-max-length' for queue 'q' in vhost '/ver...", "q", "x-max-length",
         UNKNOWN, UNKNOWN},
        {"'x-max-length' for queue 'q' in vhost '/': receiv...", "q",
         "x-max-length", UNKNOWN, UNKNOWN},
        {"'x-max-length' for queue 'q' in vhost '/': received '10...", "q",
         "x-max-length", UNKNOWN, UNKNOWN},
        {"'x-max-length' for queue 'q' in vhost '/': received '10' but "
         "current is '1...",
         "q", "x-max-length", SAID("10"), UNKNOWN},
        {"'x-max-length' for queue 'other' in vhost '/': received '1' but "
         "current is '2'",
         "q", "x-max-length", UNKNOWN, UNKNOWN},
        {"'x-max-length' for queue 'q' in vhost '/': received 1 but current "
         "is two",
         "q", "x-max-length", UNKNOWN, UNKNOWN},
        {"'x-max-length' for queue 'q' in vhost '/': received the value '1' "
         "but current is the value '2' of type",
         "q", "x-max-length", UNKNOWN, UNKNOWN},
    };

    for (size_t i = 0; i < COUNT(cases); ++i) {
        reads(*state, &cases[i]);
    }
}

static void leaves_other_texts_alone(void **state)
{
    static const char *const texts[] = {
        "",
        "PRECONDITION_FAILED - ",
        "PRECONDITION_FAILED - cannot declare queue 'q' in vhost '/': queue "
        "limit in vhost '/' (3) is reached",
        "PRECONDITION_FAILED - invalid property 'non-durable' for queue 'q' "
        "in vhost '/'",
        "PRECONDITION_FAILED - inequivalent arg",
        "PRECONDITION_FAILED - inequivalent arg 'x-max-le...",
    };

    for (size_t i = 0; i < COUNT(texts); ++i) {
        struct lq_mismatch got;

        assert_int_equal(lq_mismatch_parse(texts[i], "q", *state, &got),
                         LQ_INVALID);
    }
}

static void reads_who_lacks_which_permission(void **state)
{
    static const struct {
        const char *text;
        struct lq_refusal want;
    } cases[] = {
        {"ACCESS_REFUSED - access to queue 'f2-no' in vhost '/' refused for "
         "user 'limited'",
         {false, "f2-no", "/", "limited", NULL}},
        {"ACCESS_REFUSED - configure access to queue 'f2-no' in vhost '/' "
         "refused for user 'limited'",
         {false, "f2-no", "/", "limited", "configure"}},
        {"ACCESS_REFUSED - write access to exchange 'dlx' in vhost 'v' "
         "refused for user 'u'",
         {true, "dlx", "v", "u", "write"}},
        {"ACCESS_REFUSED - read access to exchange 'it's' in vhost 'v'' "
         "refused for user 'o'u'",
         {true, "it's", "v'", "o'u", "read"}},
    };

    for (size_t i = 0; i < COUNT(cases); ++i) {
        const struct lq_refusal *const want = &cases[i].want;
        struct lq_refusal got;

        assert_int_equal(lq_refusal_parse(cases[i].text, *state, &got), LQ_OK);
        assert_int_equal(got.exchange, want->exchange);
        assert_string_equal(got.name, want->name);
        assert_string_equal(got.vhost, want->vhost);
        assert_string_equal(got.user, want->user);
        is_text(got.permission, want->permission);
    }
}

static void leaves_other_refusals_alone(void **state)
{
    static const char *const texts[] = {
        "",
        "ACCESS_REFUSED - ",
        "ACCESS_REFUSED - exchange name 'amq.x' contains reserved prefix "
        "'amq.*'",
        "ACCESS_REFUSED - access to topic 'x' in exchange 'y' refused",
        "ACCESS_REFUSED - access to queue 'abc...",
        "ACCESS_REFUSED - access to queue 'q' in vhost '/' refused for us...",
        "ACCESS_REFUSED - access to queue 'q' in vhost '/' refused for user "
        "'li...",
        "ACCESS_REFUSED - access to queue 'q' in vhost '/' refused for user "
        "'",
        "ACCESS_REFUSED - access to queue 'q' in vhost ' refused for user 'u'",
    };

    for (size_t i = 0; i < COUNT(texts); ++i) {
        struct lq_refusal got;

        assert_int_equal(lq_refusal_parse(texts[i], *state, &got), LQ_INVALID);
    }
}

static void tells_what_is_missing_from_what_is_out_of_reach(void **state)
{
    (void)state;
    assert_true(lq_is_missing("NOT_FOUND - no queue 'q' in vhost '/'"));
    assert_true(lq_is_missing("NOT_FOUND - no exchange 'x' in vhost '/'"));
    assert_false(lq_is_missing("NOT_FOUND - home node 'a@b' of durable queue "
                               "'q' in vhost '/' is down or inaccessible"));
    assert_false(lq_is_missing("NOT_FOUND - failed to perform operation on "
                               "queue 'q' in vhost '/' due to timeout"));
    assert_false(lq_is_missing("NOT_FOUND"));
    assert_false(lq_is_missing(""));
}

static void survives_any_failed_allocation(void **state)
{
    static const char differs[] =
        "inequivalent arg 'a' for queue 'q' in vhost '/': received '1' but "
        "current is the value '2' of type 'long'";
    static const char refused[] =
        "access to queue 'q' in vhost '/' refused for user 'u'";

    /* the field, a copy of each side, and what they have in quotes */
    const size_t parts = 6;

    (void)state;
    for (size_t limit = 0; limit < 12; ++limit) {
        struct lq_arena arena;
        struct lq_mismatch mismatch;
        struct lq_refusal refusal;
        enum lq_status status = LQ_OK;

        lq_arena_init(&arena);
        limit_memory(&arena, limit);
        status = lq_mismatch_parse(differs, "q", &arena, &mismatch);
        status = lq_arena_status(&arena, status);
        assert_int_equal(status, limit < parts ? LQ_NOMEM : LQ_OK);
        limit_memory(&arena, limit);
        status = lq_refusal_parse(refused, &arena, &refusal);
        status = lq_arena_status(&arena, status);
        assert_int_equal(status, limit < 3 ? LQ_NOMEM : LQ_OK);
        lq_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_what_differs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_what_one_side_does_not_set,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(is_not_misled_by_names, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(knows_the_field_of_a_text_that_was_cut,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_other_texts_alone, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(reads_who_lacks_which_permission,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_other_refusals_alone, set_up,
                                        tear_down),
        cmocka_unit_test(tells_what_is_missing_from_what_is_out_of_reach),
        cmocka_unit_test(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
