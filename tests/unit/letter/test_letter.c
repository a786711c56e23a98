#include "letter/letter.h"

#include "wire.h"

static struct wire wire;

static struct lq_letter read_letter(void)
{
    const struct lq_message message = message_of(&wire, "body");
    struct lq_letter letter;

    lq_letter_read(&message, "orders", &letter);
    return letter;
}

/* One entry of x-death. */
static void put_death(const char *queue, const char *reason, uint64_t time)
{
    size_t from = 0;

    put_field(&wire, NULL, 'F');
    from = put_begin(&wire);
    put_text(&wire, "queue", queue);
    put_text(&wire, "reason", reason);
    put_field(&wire, "time", 'T');
    put_number(&wire, time, 8);
    put_end(&wire, from);
}

static void reads_what_the_framework_wrote(void **state)
{
    struct lq_letter letter;

    (void)state;
    put_headers(&wire);
    put_identity(&wire);
    put_integer(&wire, LQ_FAILED_ATTEMPT, 'I', 4);
    put_text(&wire, LQ_REJECTION_CODE, "ORDER_UNKNOWN");
    put_text(&wire, LQ_REPLAY_ID, "run");
    put_integer(&wire, LQ_REPLAY_COUNT, 'I', 2);
    put_end(&wire, 6);
    letter = read_letter();
    assert_false(letter.malformed);
    assert_bytes(letter.event_id, EVENT);
    assert_bytes(letter.schema_version, "1");
    assert_bytes(letter.content_kind, "order.created");
    assert_bytes(letter.code, "ORDER_UNKNOWN");
    assert_bytes(letter.reason, "ORDER_UNKNOWN");
    assert_bytes(letter.replay_id, "run");
    assert_int_equal(letter.attempt, 4);
    assert_int_equal(letter.replays, 2);
    assert_int_equal(letter.age_source, LQ_AGE_UNKNOWN);
    assert_false(letter.expires);
}

static void the_newest_death_tells_why_if_it_was_in_the_main_queue(void **state)
{
    struct lq_letter letter;
    size_t from = 0;

    (void)state;
    for (int own = 0; own < 2; ++own) {
        put_headers(&wire);
        put_text(&wire, LQ_REJECTION_CODE, "OLD");
        put_field(&wire, "x-death", 'A');
        from = put_begin(&wire);
        put_death(own ? "orders" : "orders.retry.v2.1000ms", "expired",
                  1700000000);
        put_death("orders", "rejected", 1700000009);
        put_end(&wire, from);
        put_end(&wire, 6);
        letter = read_letter();
        assert_bytes(letter.reason, own ? "expired" : "OLD");
        assert_int_equal(letter.age_source, LQ_AGE_X_DEATH);
        assert_int_equal(letter.died_millis, INT64_C(1700000009000));
    }
}

static void a_timestamp_or_a_uuid_of_version_7_tells_the_age(void **state)
{
    struct lq_letter letter;
    size_t from = 0;

    (void)state;
    wire.length = 0;
    put_number(&wire, 0x2040, 2); /* headers, timestamp */
    from = put_begin(&wire);
    put_end(&wire, from);
    put_number(&wire, 1700000000, 8);
    letter = read_letter();
    assert_int_equal(letter.age_source, LQ_AGE_TIMESTAMP);
    assert_int_equal(letter.died_millis, INT64_C(1700000000000));
    put_headers(&wire);
    put_text(&wire, LQ_EVENT_ID, "018bcfe5-6800-7000-8000-000000000001");
    put_end(&wire, 6);
    letter = read_letter();
    assert_int_equal(letter.age_source, LQ_AGE_EVENT_ID);
    assert_int_equal(letter.died_millis, INT64_C(0x018bcfe56800));
}

static void a_time_that_no_clock_shows_tells_nothing(void **state)
{
    struct lq_letter letter;

    (void)state;
    wire.length = 0;
    put_number(&wire, 0x0040, 2);
    put_number(&wire, UINT64_MAX, 8);
    letter = read_letter();
    assert_int_equal(letter.age_source, LQ_AGE_UNKNOWN);
}

/* An id with too few digits must not be read beyond its end. */
static void an_event_id_that_is_no_uuid_tells_no_age(void **state)
{
    static const char *const ids[] = {"--------------7---------------------",
                                      "018bcfe5-6800-7000-8000-00000000000g",
                                      "018bcfe5-6800-7", ""};
    struct lq_letter letter;

    (void)state;
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); ++i) {
        put_headers(&wire);
        put_text(&wire, LQ_EVENT_ID, ids[i]);
        put_end(&wire, 6);
        letter = read_letter();
        assert_int_equal(letter.age_source, LQ_AGE_UNKNOWN);
    }
}

static void other_types_are_as_if_absent(void **state)
{
    struct lq_letter letter;

    (void)state;
    put_headers(&wire);
    put_integer(&wire, LQ_EVENT_ID, 'I', 1);
    put_text(&wire, LQ_FAILED_ATTEMPT, "4");
    put_integer(&wire, LQ_REPLAY_COUNT, 'l', -4);
    put_text(&wire, "x-death", "no");
    put_end(&wire, 6);
    letter = read_letter();
    assert_int_equal(letter.event_id.length, 0);
    assert_int_equal(letter.attempt, 0);
    assert_int_equal(letter.replays, 0);
    assert_int_equal(letter.reason.length, 0);
}

static void properties_that_are_cut_are_malformed(void **state)
{
    struct lq_letter letter;

    (void)state;
    put_headers(&wire);
    put_identity(&wire);
    put_end(&wire, 6);
    for (size_t length = wire.length; length > 0; --length) {
        wire.length = length - 1;
        letter = read_letter();
        assert_true(letter.malformed);
        assert_bytes(letter.message.body, "body");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_the_framework_wrote),
        cmocka_unit_test(
            the_newest_death_tells_why_if_it_was_in_the_main_queue),
        cmocka_unit_test(a_timestamp_or_a_uuid_of_version_7_tells_the_age),
        cmocka_unit_test(a_time_that_no_clock_shows_tells_nothing),
        cmocka_unit_test(an_event_id_that_is_no_uuid_tells_no_age),
        cmocka_unit_test(other_types_are_as_if_absent),
        cmocka_unit_test(properties_that_are_cut_are_malformed),
    };

    return cmocka_run_group_tests_name("letters", tests, NULL, NULL);
}
