#include "broker/amqp/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(items) (sizeof(items) / sizeof((items)[0]))
#define BYTES(text)                                                            \
    {                                                                          \
        (const uint8_t *)(text), sizeof(text) - 1                              \
    }

/* queue.bind-ok on channel 7 */
static const char bound[] = "\x01\x00\x07\x00\x00\x00\x04\x00\x32\x00\x15\xce";
static const char heartbeat[] = "\x08\x00\x00\x00\x00\x00\x00\xce";
static const char hello[] = "\x00\x09"
                            "\x00\x00\x00\x03\x01X\x01"
                            "\x00\x00\x00\x0e"
                            "AMQPLAIN PLAIN"
                            "\x00\x00\x00\x05"
                            "en_US";

static struct lq_bytes bytes_of(const char *text, size_t length)
{
    return (struct lq_bytes){(const uint8_t *)text, length};
}

static enum lq_cut cut(struct lq_bytes bytes, size_t limit)
{
    struct lq_frame frame;
    size_t size = 0;

    return lq_frame_cut(bytes, limit, &frame, &size);
}

static void takes_a_method_frame_apart(void **state)
{
    struct lq_frame frame;
    size_t size = 0;

    (void)state;
    assert_int_equal(lq_frame_cut(bytes_of(bound, sizeof(bound) - 1),
                                  LQ_FRAME_MIN, &frame, &size),
                     LQ_CUT_FRAME);
    assert_int_equal(size, 12);
    assert_int_equal(frame.type, LQ_FRAME_METHOD);
    assert_int_equal(frame.channel, 7);
    assert_int_equal(frame.method, 0x00320015);
    assert_int_equal(frame.arguments.length, 0);
}

static void takes_a_heartbeat(void **state)
{
    struct lq_frame frame;
    size_t size = 0;

    (void)state;
    assert_int_equal(
        lq_frame_cut(bytes_of(heartbeat, 8), LQ_FRAME_MIN, &frame, &size),
        LQ_CUT_FRAME);
    assert_int_equal(size, 8);
    assert_int_equal(frame.type, LQ_FRAME_HEARTBEAT);
    assert_int_equal(frame.method, 0);
}

static void waits_for_the_rest_of_a_frame(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof(bound) - 1; ++length) {
        /* a buffer of just that size, so that reading on would be found */
        char *const copy = malloc(length + 1);

        assert_non_null(copy);
        memcpy(copy, bound, length);
        assert_int_equal(cut(bytes_of(copy, length), LQ_FRAME_MIN),
                         LQ_CUT_MORE);
        free(copy);
    }
}

static void refuses_what_is_no_frame(void **state)
{
    static const struct lq_bytes bad[] = {
        BYTES("HTTP"),
        BYTES("AMQP\x00\x01\x00\x00"),
        BYTES("\x00"),
        BYTES("\x02\x00\x01"), /* the header of a message */
        BYTES("\x03\x00\x01"), /* a part of one */
        BYTES("\x01\x00\x00\x00\x00\x00\x04\x00\x32\x00\x15\xcd"), /* its end */
        BYTES("\x01\x00\x00\x00\x00\x00\x03\x00\x32\x00\xce"),
        BYTES("\x01\x00\x00\xff\xff\xff\xff"),
        BYTES("\x01\x00\x00\x7f\xff\xff\xf0"),
        BYTES("\x08\x00\x00\x00\x00\x0f\xf9"), /* a byte more than the limit */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(bad); ++i) {
        assert_int_equal(cut(bad[i], LQ_FRAME_MIN), LQ_CUT_BAD);
    }
}

static void takes_a_frame_that_just_fits(void **state)
{
    char bytes[LQ_FRAME_MIN] = "\x01\x00\x00\x00\x00\x0f\xf8\x00\x32\x00\x15";

    (void)state;
    bytes[LQ_FRAME_MIN - 1] = (char)0xce;
    assert_int_equal(cut(bytes_of(bytes, sizeof(bytes)), LQ_FRAME_MIN),
                     LQ_CUT_FRAME);
    assert_int_equal(cut(bytes_of(bytes, sizeof(bytes)), LQ_FRAME_MIN - 1),
                     LQ_CUT_BAD);
}

static void no_frame_fits_into_no_limit(void **state)
{
    (void)state;
    for (size_t limit = 0; limit < 8; ++limit) {
        assert_int_equal(cut(bytes_of(heartbeat, 8), limit), LQ_CUT_BAD);
    }
}

static void guesses_who_is_there(void **state)
{
    static const struct lq_bytes unknown[] = {BYTES(""), BYTES("A"),
                                              BYTES("\x15"), BYTES("220 smtp")};

    (void)state;
    assert_string_equal(lq_wire_guess(bytes_of("HTTP/1.1 400", 12)), "HTTP");
    assert_string_equal(lq_wire_guess(bytes_of("\x15\x03\x03\0\2\2\x50", 7)),
                        "TLS");
    assert_string_equal(lq_wire_guess(bytes_of("AMQP\x03\1\0\0", 8)),
                        "another version of AMQP");
    for (size_t i = 0; i < COUNT(unknown); ++i) {
        assert_null(lq_wire_guess(unknown[i]));
    }
}

static void reads_the_greeting(void **state)
{
    struct lq_greeting greeting;

    (void)state;
    assert_true(
        lq_greeting_read(bytes_of(hello, sizeof(hello) - 1), &greeting));
    assert_int_equal(greeting.major, 0);
    assert_int_equal(greeting.minor, 9);
    assert_int_equal(greeting.mechanisms.length, 14);
}

static void a_greeting_may_end_behind_its_mechanisms_only(void **state)
{
    struct lq_greeting greeting;
    const size_t mechanisms_end = sizeof(hello) - 1 - 9;

    (void)state;
    for (size_t length = 0; length < mechanisms_end; ++length) {
        char *const copy = malloc(length + 1);

        assert_non_null(copy);
        memcpy(copy, hello, length);
        assert_false(lq_greeting_read(bytes_of(copy, length), &greeting));
        free(copy);
    }
}

static void a_length_in_the_greeting_may_lie(void **state)
{
    static const struct lq_bytes lies[] = {
        BYTES("\0\x09\xff\xff\xff\xff"),
        BYTES("\0\x09\0\0\0\0\xff\xff\xff\xff PLAIN"),
        BYTES("\0\x09\0\0\0\0\0\0\0\x07PLAIN "),
    };
    struct lq_greeting greeting;

    (void)state;
    for (size_t i = 0; i < COUNT(lies); ++i) {
        assert_false(lq_greeting_read(lies[i], &greeting));
    }
}

static void finds_whole_mechanisms_only(void **state)
{
    static const struct {
        struct lq_bytes offered;
        bool plain;
    } cases[] = {
        {BYTES("PLAIN"), true},
        {BYTES("AMQPLAIN PLAIN"), true},
        {BYTES("PLAIN AMQPLAIN"), true},
        {BYTES("  PLAIN  "), true},
        {BYTES("AMQPLAIN"), false},
        {BYTES("PLAINER"), false},
        {BYTES(""), false},
        {BYTES("  "), false},
        {BYTES("plain EXTERNAL"), false},
        {BYTES("PLAI N"), false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const struct lq_greeting greeting = {.mechanisms = cases[i].offered};

        assert_int_equal(lq_greeting_offers(&greeting, "PLAIN"),
                         cases[i].plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_a_method_frame_apart),
        cmocka_unit_test(takes_a_heartbeat),
        cmocka_unit_test(waits_for_the_rest_of_a_frame),
        cmocka_unit_test(refuses_what_is_no_frame),
        cmocka_unit_test(takes_a_frame_that_just_fits),
        cmocka_unit_test(no_frame_fits_into_no_limit),
        cmocka_unit_test(guesses_who_is_there),
        cmocka_unit_test(reads_the_greeting),
        cmocka_unit_test(a_greeting_may_end_behind_its_mechanisms_only),
        cmocka_unit_test(a_length_in_the_greeting_may_lie),
        cmocka_unit_test(finds_whole_mechanisms_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
