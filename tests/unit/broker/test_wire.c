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

/* The header of a message on channel 1, and a body of one byte. */
static const char header[] = "\x02\x00\x01\x00\x00\x00\x0e"
                             "\x00\x3c\x00\x00\x00\x00\x00\x00\x00\x00"
                             "\x00\x01\x00\x00\xce";
static const char body[] = "\x03\x00\x01\x00\x00\x00\x01x\xce";

static void cuts_messages_only_where_they_may_come(void **state)
{
    struct lq_frame frame;
    size_t size = 0;

    (void)state;
    assert_int_equal(cut(bytes_of(header, 1), LQ_FRAME_MIN), LQ_CUT_BAD);
    assert_int_equal(cut(bytes_of(body, 1), LQ_FRAME_MIN), LQ_CUT_BAD);
    for (size_t i = 0; i < sizeof(header) - 1; ++i) {
        assert_int_equal(
            lq_frame_cut_any(bytes_of(header, i), LQ_FRAME_MIN, &frame, &size),
            LQ_CUT_MORE);
    }
    assert_int_equal(lq_frame_cut_any(bytes_of(header, sizeof(header) - 1),
                                      LQ_FRAME_MIN, &frame, &size),
                     LQ_CUT_FRAME);
    assert_int_equal(size, sizeof(header) - 1);
    assert_int_equal(frame.type, LQ_FRAME_HEADER);
    assert_int_equal(frame.method, 0);
    assert_int_equal(frame.arguments.length, 14);
    assert_int_equal(lq_frame_cut_any(bytes_of(body, sizeof(body) - 1),
                                      LQ_FRAME_MIN, &frame, &size),
                     LQ_CUT_FRAME);
    assert_int_equal(frame.type, LQ_FRAME_BODY);
    assert_int_equal(frame.channel, 1);
    assert_int_equal(*frame.arguments.at, 'x');
    for (unsigned type = 0; type < 256; ++type) {
        const uint8_t byte = (uint8_t)type;
        const bool good = type == 1 || type == 2 || type == 3 || type == 8;

        assert_int_equal(lq_frame_cut_any((struct lq_bytes){&byte, 1},
                                          LQ_FRAME_MIN, &frame, &size),
                         good ? LQ_CUT_MORE : LQ_CUT_BAD);
    }
}

static void reads_the_header_of_a_message(void **state)
{
    struct lq_content content;

    (void)state;
    assert_true(lq_content_read(
        bytes_of("\0\x3c\0\0\0\0\0\0\x20\0\0\0\x10\0\2", 15), &content));
    assert_int_equal(content.body_length, LQ_BODY_MAX);
    assert_int_equal(content.properties.length, 3);
    assert_false(lq_content_read(
        bytes_of("\0\x3c\0\0\0\0\0\0\x20\0\0\1\x10\0\2", 15), &content));
    assert_false(lq_content_read(bytes_of("\0\x3d\0\0\0\0\0\0\0\0\0\1\0\0", 14),
                                 &content));
    for (size_t i = 0; i < 14; ++i) {
        assert_false(lq_content_read(
            bytes_of("\0\x3c\0\0\0\0\0\0\0\0\0\1\0\0", i), &content));
    }
}

static void reads_the_methods_that_carry_messages(void **state)
{
    static const char delivered[] = "\1t\1\2\3\4\5\6\7\x08\1\2ex\3key";
    static const char returned[] = "\1\x38\2no\2ex\3key";
    static const char settled[] = "\0\0\0\0\0\0\1\2\3";
    struct lq_deliver deliver;
    struct lq_return back;
    struct lq_settlement settlement;

    (void)state;
    assert_true(lq_deliver_read(bytes_of(delivered, 18), &deliver));
    assert_true(deliver.tag == 0x0102030405060708);
    assert_true(deliver.redelivered);
    assert_true(lq_bytes_equal(deliver.exchange, bytes_of("ex", 2)));
    assert_true(lq_bytes_equal(deliver.routing_key, bytes_of("key", 3)));
    assert_true(lq_return_read(bytes_of(returned, 12), &back));
    assert_int_equal(back.code, 312);
    assert_true(lq_bytes_equal(back.text, bytes_of("no", 2)));
    assert_true(lq_bytes_equal(back.exchange, bytes_of("ex", 2)));
    assert_true(lq_bytes_equal(back.routing_key, bytes_of("key", 3)));
    assert_true(lq_settlement_read(bytes_of(settled, 9), &settlement));
    assert_int_equal(settlement.tag, 258);
    assert_true(settlement.multiple);
    for (size_t i = 0; i < 18; ++i) {
        assert_false(lq_deliver_read(bytes_of(delivered, i), &deliver));
        assert_false(i < 12 && lq_return_read(bytes_of(returned, i), &back));
        assert_false(i < 9 &&
                     lq_settlement_read(bytes_of(settled, i), &settlement));
    }
}

static void finds_a_text_among_fields_of_every_type(void **state)
{
    static const char table[] = "\1at\1\1ab\1\1aB\1\1as\0\1\1au\0\1"
                                "\1aI\0\0\0\1\1ai\0\0\0\1\1af\0\0\0\1"
                                "\1al\0\0\0\0\0\0\0\1\1aL\0\0\0\0\0\0\0\1"
                                "\1ad\0\0\0\0\0\0\0\1\1aT\0\0\0\0\0\0\0\1"
                                "\1aD\2\0\0\0\1\1aV\1aS\0\0\0\1x"
                                "\1aA\0\0\0\2t\1\1aF\0\0\0\x08"
                                "\1kS\0\0\0\1n\1ax\0\0\0\1x"
                                "\1kI\0\0\0\1\1kS\0\0\0\2ok";
    struct lq_bytes text;

    (void)state;
    assert_true(lq_table_text(bytes_of(table, sizeof(table) - 1), "k", &text));
    assert_true(lq_bytes_equal(text, bytes_of("ok", 2)));
    for (size_t i = 0; i < sizeof(table) - 1; ++i) {
        assert_false(lq_table_text(bytes_of(table, i), "k", &text));
    }
    assert_false(lq_table_text(bytes_of("\1a?\1kS\0\0\0\0", 10), "k", &text));
}

static void writes_what_it_reads(void **state)
{
    static const char properties[] = "\x10\0\2";
    static uint8_t large[9000];
    static uint8_t out[20000];
    const struct lq_message message = {
        .exchange = bytes_of("ex", 2),
        .routing_key = bytes_of("key", 3),
        .properties = bytes_of(properties, 3),
        .body = {large, sizeof(large)},
    };
    const size_t total = lq_publish_size(&message, LQ_FRAME_MIN);
    struct lq_bytes rest = {out, total};
    struct lq_content content = {0};
    struct lq_frame frame;
    size_t size = 0;
    size_t length = 0;

    (void)state;
    assert_true(lq_publish_fits(&message, LQ_FRAME_MIN));
    lq_publish_write(&message, 7, LQ_FRAME_MIN, out);
    for (size_t i = 0; rest.length > 0; ++i) {
        assert_int_equal(lq_frame_cut_any(rest, LQ_FRAME_MIN, &frame, &size),
                         LQ_CUT_FRAME);
        assert_int_equal(frame.channel, 7);
        assert_int_equal(frame.type, i == 0   ? LQ_FRAME_METHOD
                                     : i == 1 ? LQ_FRAME_HEADER
                                              : LQ_FRAME_BODY);
        if (i == 0) {
            assert_int_equal(frame.method, 0x003c0028);
            assert_true(lq_bytes_equal(frame.arguments,
                                       bytes_of("\0\0\2ex\3key\1", 10)));
        }
        if (i == 1) {
            assert_true(lq_content_read(frame.arguments, &content));
        }
        length += i > 1 ? frame.arguments.length : 0;
        rest.at += size;
        rest.length -= size;
    }
    assert_int_equal(length, sizeof(large));
    assert_int_equal(content.body_length, sizeof(large));
    assert_true(lq_bytes_equal(content.properties, bytes_of(properties, 3)));
}

static void tells_messages_apart(void **state)
{
    /* a and b; b and a; b as an unsigned number; another type; cut short */
    static const char *const headers[] = {
        "\x20\0\0\0\0\x0f\1at\1\1bl\0\0\0\0\0\0\0\1",
        "\x20\0\0\0\0\x0f\1bl\0\0\0\0\0\0\0\1\1at\1",
        "\x20\0\0\0\0\x0f\1bL\0\0\0\0\0\0\0\1\1at\1",
        "\x20\0\0\0\0\x0f\1bT\0\0\0\0\0\0\0\1\1at\1",
        "\x20\0\0\0\0\x1f\1bT\0\0\0\0\0\0\0\1\1at\1"};
    struct lq_message message = {.exchange = bytes_of("a", 1),
                                 .routing_key = bytes_of("bc", 2)};
    struct lq_print prints[5];

    (void)state;
    for (size_t i = 0; i < COUNT(headers); ++i) {
        message.properties = bytes_of(headers[i], 21);
        prints[i] = lq_print_of(&message);
        assert_true(prints[i].content == prints[0].content);
        assert_int_equal(prints[i].properties == prints[0].properties, i < 3);
    }
    message.exchange = bytes_of("ab", 2);
    message.routing_key = bytes_of("c", 1);
    assert_true(lq_print_of(&message).content != prints[0].content);
    message.body = bytes_of("\0", 1);
    prints[1] = lq_print_of(&message);
    message.body = bytes_of("\0\0", 2);
    assert_true(lq_print_of(&message).content != prints[1].content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_messages_only_where_they_may_come),
        cmocka_unit_test(reads_the_header_of_a_message),
        cmocka_unit_test(reads_the_methods_that_carry_messages),
        cmocka_unit_test(finds_a_text_among_fields_of_every_type),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(tells_messages_apart),
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
