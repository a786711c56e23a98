#include "letter/admission.h"

#include "wire.h"

static struct wire wire;

static enum lq_admission judge(const char *body)
{
    struct lq_message message;

    put_end(&wire, 6);
    message = message_of(&wire, body);
    return lq_admission_judge(&message, 8);
}

static void admits_a_message_of_the_framework(void **state)
{
    (void)state;
    put_headers(&wire);
    put_identity(&wire);
    assert_int_equal(judge("12345678"), LQ_ADMITTED);
    put_headers(&wire);
    put_identity(&wire);
    put_integer(&wire, LQ_RETRY_COUNT, 'I', 100);
    assert_int_equal(judge(""), LQ_ADMITTED);
}

static void refuses_a_body_that_is_too_large(void **state)
{
    struct lq_message message;

    (void)state;
    put_headers(&wire);
    put_identity(&wire);
    assert_int_equal(judge("123456789"), LQ_REFUSED_BODY);
    message = message_of(&wire, "123456789");
    assert_int_equal(lq_admission_judge(&message, 0), LQ_ADMITTED);
}

/* Judges headers with one of the three ids as given; NULL: without it. */
static enum lq_admission with(const char *event, const char *version,
                              const char *kind)
{
    put_headers(&wire);
    if (event) {
        put_text(&wire, LQ_EVENT_ID, event);
    }
    if (version) {
        put_text(&wire, LQ_SCHEMA_VERSION, version);
    }
    if (kind) {
        put_text(&wire, LQ_CONTENT_KIND, kind);
    }
    return judge("");
}

static void each_id_has_its_rule(void **state)
{
    static const char *const versions[] = {"",    "0",  "01", "65536",
                                           "1.0", "-1", " 1", "123456"};
    static const char *const kinds[] = {"",    "A",   ".a",
                                        "a b", "a/b", "\xc3\xa9"};
    static const char *const events[] = {"",
                                         "01234567-89AB-4cde-8f01-23456789abcd",
                                         "00000000-0000-0000-0000-000000000000",
                                         "0123456789ab4cde8f0123456789abcd"};
    char long_kind[66] = "";

    (void)state;
    assert_int_equal(with(NULL, "1", "a"), LQ_REFUSED_EVENT_ID);
    assert_int_equal(with(EVENT, NULL, "a"), LQ_REFUSED_VERSION);
    assert_int_equal(with(EVENT, "1", NULL), LQ_REFUSED_KIND);
    assert_int_equal(with(EVENT, "65535", "a0._+-"), LQ_ADMITTED);
    for (size_t i = 0; i < COUNT(events); ++i) {
        assert_int_equal(with(events[i], "1", "a"), LQ_REFUSED_BAD_EVENT_ID);
    }
    for (size_t i = 0; i < COUNT(versions); ++i) {
        assert_int_equal(with(EVENT, versions[i], "a"), LQ_REFUSED_VERSION);
    }
    for (size_t i = 0; i < COUNT(kinds); ++i) {
        assert_int_equal(with(EVENT, "1", kinds[i]), LQ_REFUSED_KIND);
    }
    memset(long_kind, 'a', 64);
    assert_int_equal(with(EVENT, "1", long_kind), LQ_ADMITTED);
    long_kind[64] = 'a';
    assert_int_equal(with(EVENT, "1", long_kind), LQ_REFUSED_KIND);
}

static void only_an_int32_is_a_retry_count(void **state)
{
    static const char types[] = "bBsuilL";

    (void)state;
    for (size_t i = 0; types[i]; ++i) {
        put_headers(&wire);
        put_identity(&wire);
        put_integer(&wire, LQ_RETRY_COUNT, types[i], 1);
        assert_int_equal(judge(""), LQ_REFUSED_RETRY_COUNT);
    }
    put_headers(&wire);
    put_identity(&wire);
    put_integer(&wire, LQ_RETRY_COUNT, 'I', 101);
    assert_int_equal(judge(""), LQ_REFUSED_RETRY_COUNT);
    put_headers(&wire);
    put_identity(&wire);
    put_integer(&wire, LQ_RETRY_COUNT, 'I', -1);
    assert_int_equal(judge(""), LQ_REFUSED_RETRY_COUNT);
}

static void put_many(size_t count)
{
    put_headers(&wire);
    put_identity(&wire);
    for (size_t i = 3; i < count; ++i) {
        put_field(&wire, "h", 'V');
    }
}

static void counts_the_headers_of_a_hand_off(void **state)
{
    (void)state;
    put_many(59);
    assert_int_equal(judge(""), LQ_ADMITTED);
    put_many(60);
    assert_int_equal(judge(""), LQ_REFUSED_HEADER_COUNT);
    put_many(59);
    put_text(&wire, "traceparent", "00-1");
    assert_int_equal(judge(""), LQ_ADMITTED);
}

static void headers_have_bounds(void **state)
{
    static char text[33 * 1024];

    (void)state;
    memset(text, 'x', 129);
    put_headers(&wire);
    put_identity(&wire);
    put_field(&wire, text, 'V');
    assert_int_equal(judge(""), LQ_REFUSED_HEADER_NAME);
    put_headers(&wire);
    put_identity(&wire);
    put_field(&wire, "a b", 'V');
    assert_int_equal(judge(""), LQ_REFUSED_HEADER_NAME);
    memset(text, 'x', 8 * 1024);
    put_headers(&wire);
    put_identity(&wire);
    put_text(&wire, "a", text);
    assert_int_equal(judge(""), LQ_REFUSED_HEADER_VALUE);
    text[7 * 1024] = '\0';
    put_headers(&wire);
    put_identity(&wire);
    for (size_t i = 0; i < 5; ++i) {
        put_text(&wire, "a", text);
    }
    assert_int_equal(judge(""), LQ_REFUSED_ENVELOPE_SIZE);
}

static void put_array(size_t elements)
{
    size_t from = 0;

    put_headers(&wire);
    put_identity(&wire);
    put_field(&wire, "a", 'A');
    from = put_begin(&wire);
    for (size_t i = 0; i < elements; ++i) {
        put_field(&wire, NULL, 'V');
    }
    put_end(&wire, from);
}

static void what_is_nested_has_bounds(void **state)
{
    size_t starts[4];

    (void)state;
    put_array(256);
    assert_int_equal(judge(""), LQ_ADMITTED);
    put_array(257);
    assert_int_equal(judge(""), LQ_REFUSED_ELEMENTS);
    put_headers(&wire);
    put_identity(&wire);
    for (size_t i = 0; i < 4; ++i) {
        put_field(&wire, i ? NULL : "a", 'A');
        starts[i] = put_begin(&wire);
    }
    for (size_t i = 4; i > 0; --i) {
        put_end(&wire, starts[i - 1]);
    }
    assert_int_equal(judge(""), LQ_REFUSED_DEPTH);
}

static void the_default_exchange_is_refused(void **state)
{
    struct lq_message message;

    (void)state;
    put_headers(&wire);
    put_identity(&wire);
    put_end(&wire, 6);
    message = message_of(&wire, "");
    message.exchange = lq_bytes_of("");
    assert_int_equal(lq_admission_judge(&message, 0), LQ_REFUSED_ROUTE);
    message = message_of(&wire, "");
    message.routing_key = lq_bytes_of(" orders");
    assert_int_equal(lq_admission_judge(&message, 0), LQ_REFUSED_ROUTE);
}

static void what_nobody_can_read_is_refused(void **state)
{
    const struct lq_message message = {.exchange = lq_bytes_of("a"),
                                       .routing_key = lq_bytes_of("b")};

    (void)state;
    assert_int_equal(lq_admission_judge(&message, 0), LQ_REFUSED_MALFORMED);
    put_headers(&wire);
    put_field(&wire, "a", 'Z');
    assert_int_equal(judge(""), LQ_REFUSED_MALFORMED);
}

static void every_verdict_has_words(void **state)
{
    (void)state;
    for (int i = LQ_ADMITTED; i <= LQ_REFUSED_BODY; ++i) {
        const enum lq_admission admission = (enum lq_admission)i;

        assert_string_not_equal(lq_admission_code(admission), "");
        assert_true(i == LQ_ADMITTED || strncmp(lq_admission_words(admission),
                                                "refused again: ", 15) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(admits_a_message_of_the_framework),
        cmocka_unit_test(refuses_a_body_that_is_too_large),
        cmocka_unit_test(each_id_has_its_rule),
        cmocka_unit_test(only_an_int32_is_a_retry_count),
        cmocka_unit_test(counts_the_headers_of_a_hand_off),
        cmocka_unit_test(headers_have_bounds),
        cmocka_unit_test(what_is_nested_has_bounds),
        cmocka_unit_test(the_default_exchange_is_refused),
        cmocka_unit_test(what_nobody_can_read_is_refused),
        cmocka_unit_test(every_verdict_has_words),
    };

    return cmocka_run_group_tests_name("admission", tests, NULL, NULL);
}
