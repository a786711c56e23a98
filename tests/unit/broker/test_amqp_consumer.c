/* Messages that are taken from a peer. */
#include "amqp_fixture.h"

#include "base/clock.h"
#include "broker/amqp/consumer.h"
#include "script.h"

#define CONSUME_OK "\1\0\1\0\0\0\x0a\0\x3c\0\x15\5a tag\xce"

static struct script script;
static struct lq_consumer *consumer;
static struct lq_answer answer;
static struct lq_delivery delivery;

static int set_up_consumer(void **state)
{
    script.length = 0;
    consumer = NULL;
    return set_up_amqp(state);
}

static int tear_down_consumer(void **state)
{
    lq_consumer_close(consumer);
    return tear_down_amqp(state);
}

#define CONSUMER_TEST(name)                                                    \
    cmocka_unit_test_setup_teardown(name, set_up_consumer, tear_down_consumer)

static enum lq_status open_consumer(struct amqp_fixture *fixture,
                                    const struct peer_rule *rules, size_t count)
{
    fixture->peer.rules = rules;
    fixture->peer.rule_count = count;
    assert_true(peer_start(&fixture->peer));
    fixture->connection.port = fixture->peer.port;
    return lq_consumer_open(&fixture->connection, &fixture->base.diags,
                            &consumer);
}

/* Closes it and waits for the peer, whose counts can be read then. */
static void hang_up(struct amqp_fixture *fixture)
{
    lq_consumer_close(consumer);
    consumer = NULL;
    peer_end(&fixture->peer);
}

/* The answer to basic.consume comes first in the script. */
static void begin_script(void)
{
    say_bytes(&script, CONSUME_OK, sizeof(CONSUME_OK) - 1);
}

/* Consumes from a peer that then says the script. */
static void consume(struct amqp_fixture *fixture)
{
    static struct peer_rule rule;

    rule = on(PEER_CONSUME, &script);
    assert_int_equal(open_consumer(fixture, &rule, 1), LQ_OK);
    assert_int_equal(lq_consumer_start(consumer, "q", 10, &answer), LQ_OK);
    assert_int_equal(answer.kind, LQ_DONE);
}

static enum lq_status next(void)
{
    return lq_consumer_next(consumer, lq_now_millis() + 5000, &delivery);
}

static void assert_next(enum lq_delivery_kind kind)
{
    assert_int_equal(next(), LQ_OK);
    assert_int_equal(delivery.kind, kind);
}

static void assert_letter(uint64_t tag, const char *body)
{
    assert_next(LQ_DELIVERY);
    assert_int_equal(delivery.tag, tag);
    assert_true(lq_bytes_equal(delivery.message.body, lq_bytes_of(body)));
}

static void assert_lost(struct amqp_fixture *fixture, const char *text)
{
    assert_int_equal(next(), LQ_LOST);
    assert_said(fixture, text);
    assert_int_equal(next(), LQ_LOST);
    assert_int_equal(fixture->base.diags.items.count, 1);
}

static void takes_messages_as_they_are(void **state)
{
    /* delivery_mode, and a header whose type only a table's reader knows */
    static const char properties[] = "\x30\0\0\0\0\5\1kV?x\2";

    begin_script();
    say_deliver(&script, 7, true);
    say_header(&script, 60, 3, properties, sizeof(properties) - 1);
    say_body(&script, "a\0b", 3);
    consume(*state);
    assert_string_equal(lq_consumer_tag(consumer), "a tag");
    assert_next(LQ_DELIVERY);
    assert_int_equal(delivery.tag, 7);
    assert_true(delivery.redelivered);
    assert_true(
        lq_bytes_equal(delivery.message.exchange, lq_bytes_of("orders")));
    assert_true(
        lq_bytes_equal(delivery.message.routing_key, lq_bytes_of("created")));
    assert_int_equal(delivery.message.properties.length,
                     sizeof(properties) - 1);
    assert_memory_equal(delivery.message.properties.at, properties,
                        sizeof(properties) - 1);
    assert_int_equal(delivery.message.body.length, 3);
    assert_memory_equal(delivery.message.body.at, "a\0b", 3);
}

static void takes_bodies_in_one_piece_or_many_or_none(void **state)
{
    static uint8_t large[200000];

    for (size_t i = 0; i < sizeof(large); ++i) {
        large[i] = (uint8_t)(i % 251);
    }
    begin_script();
    say_letter(&script, 1, "");
    say_deliver(&script, 2, false);
    say_header(&script, 60, sizeof(large), "\0\0", 2);
    say_body(&script, large, 1);
    say_frame(&script, 8, 0, "", 0);
    say_alarm(&script, true);
    say_body(&script, large + 1, 131064);
    say_body(&script, large + 131065, sizeof(large) - 131065);
    say_letter(&script, 3, "short");
    consume(*state);
    assert_letter(1, "");
    assert_next(LQ_DELIVERY);
    assert_int_equal(delivery.tag, 2);
    assert_int_equal(delivery.message.body.length, sizeof(large));
    assert_memory_equal(delivery.message.body.at, large, sizeof(large));
    assert_letter(3, "short");
}

static void says_when_there_is_nothing(void **state)
{
    const uint64_t start = lq_now_millis();

    begin_script();
    say_letter(&script, 1, "a");
    consume(*state);
    assert_letter(1, "a");
    assert_int_equal(lq_consumer_next(consumer, start + 200, &delivery), LQ_OK);
    assert_int_equal(delivery.kind, LQ_NO_DELIVERY);
    assert_true(lq_now_millis() >= start + 200);
    assert_int_equal(lq_consumer_next(consumer, 0, &delivery), LQ_OK);
    assert_int_equal(delivery.kind, LQ_NO_DELIVERY);
}

static bool stop_when_told(void *data)
{
    const bool *const stops = data;

    return *stops;
}

static void a_stop_ends_one_wait_and_nothing_else(void **state)
{
    struct amqp_fixture *const fixture = *state;
    uint64_t start = 0;
    struct lq_surplus surplus;
    bool stops = false;

    fixture->connection.stop = stop_when_told;
    fixture->connection.stop_data = &stops;
    begin_script();
    say_letter(&script, 1, "a");
    consume(fixture);
    assert_letter(1, "a");
    stops = true;
    start = lq_now_millis();
    assert_next(LQ_NO_DELIVERY);
    assert_true(lq_now_millis() < start + 4000);
    start = lq_now_millis();
    assert_int_equal(lq_consumer_next(consumer, start + 300, &delivery), LQ_OK);
    assert_int_equal(delivery.kind, LQ_NO_DELIVERY);
    assert_true(lq_now_millis() >= start + 300);
    assert_int_equal(lq_consumer_stop(consumer, &surplus, &answer), LQ_OK);
    assert_int_equal(answer.kind, LQ_DONE);
}

/* What a peer may not say, behind the answer to basic.consume. */
static void assert_refused(void **state, const char *text)
{
    struct amqp_fixture *const fixture = *state;

    consume(fixture);
    assert_lost(fixture, text);
    hang_up(fixture);
    again(fixture);
    script.length = 0;
    begin_script();
}

static void refuses_messages_that_are_none(void **state)
{
    static const char no_amqp[] =
        "the peer sent something that is not AMQP 0-9-1";

    begin_script();
    say_header(&script, 60, 1, "\0\0", 2);
    assert_refused(state, no_amqp);
    say_body(&script, "a", 1);
    assert_refused(state, no_amqp);
    say_deliver(&script, 1, false);
    say_body(&script, "a", 1);
    assert_refused(state, no_amqp);
    say_deliver(&script, 1, false);
    say_header(&script, 60, 2, "\0\0", 2);
    say_header(&script, 60, 2, "\0\0", 2);
    assert_refused(state, no_amqp);
    say_deliver(&script, 1, false);
    say_header(&script, 60, 2, "\0\0", 2);
    say_body(&script, "abc", 3);
    assert_refused(state, no_amqp);
    say_deliver(&script, 1, false);
    say_header(&script, 60, 2, "\0\0", 2);
    say_body(&script, "", 0);
    assert_refused(state, no_amqp);
    say_deliver(&script, 1, false);
    say_deliver(&script, 2, false);
    assert_refused(state, no_amqp);
    say_deliver(&script, 1, false);
    say_header(&script, 61, 0, "\0\0", 2);
    assert_refused(state, no_amqp);
    say_deliver(&script, 1, false);
    say_header(&script, 60, 512ULL * 1024 * 1024 + 1, "\0\0", 2);
    assert_refused(state, no_amqp);
    say_deliver(&script, 1, false);
    say_header(&script, 60, 0, "\0", 1);
    assert_refused(state, no_amqp);
    say_method(&script, 1, PEER_DELIVER, "\1t\0\0\0\0\0\0\0\1\0\1e", 13);
    say_header(&script, 60, 0, "\0\0", 2);
    assert_refused(state, no_amqp);
    say_deliver(&script, 1, false);
    say_frame(&script, 2, 2, "\0\x3c\0\0\0\0\0\0\0\0\0\0\0\0", 14);
    assert_refused(state, no_amqp);
}

static void refuses_what_nobody_asked_for(void **state)
{
    static const char unasked[] =
        "the peer sent an answer that nobody asked for";

    begin_script();
    say_settled(&script, PEER_ACK, 1, 0);
    assert_refused(state, unasked);
    say_return(&script, "k", "\0\0", 2, "");
    assert_refused(state, unasked);
    say_method(&script, 2, PEER_QOS_OK, "", 0);
    assert_refused(state, unasked);
    say_method(&script, 0, PEER_OPEN_OK, "\0", 1);
    assert_refused(state, unasked);
    say_method(&script, 1, PEER_CHANNEL_FLOW, "\1", 1);
    assert_refused(state, unasked);
    say_method(&script, 1, PEER_CONSUME_OK, "\1t", 2);
    assert_refused(state, unasked);
}

static void tells_alarms_from_endless_talk(void **state)
{
    begin_script();
    for (size_t i = 0; i < 101; ++i) {
        say_alarm(&script, true);
        say_alarm(&script, false);
    }
    assert_refused(state, "the peer said 200 times that it is blocked or no "
                          "longer is, and nothing else meanwhile");
}

static void tells_when_the_broker_cancels(void **state)
{
    struct lq_surplus surplus;

    begin_script();
    say_letter(&script, 1, "a");
    say_method(&script, 1, PEER_CANCEL, "\5a tag\1", 7);
    consume(*state);
    assert_letter(1, "a");
    assert_next(LQ_CONSUMER_CANCELLED);
    assert_string_equal(lq_consumer_tag(consumer), "");
    assert_int_equal(lq_consumer_next(consumer, 0, &delivery), LQ_OK);
    assert_int_equal(delivery.kind, LQ_NO_DELIVERY);
    assert_int_equal(lq_consumer_stop(consumer, &surplus, &answer), LQ_OK);
    assert_int_equal(answer.kind, LQ_DONE);
    assert_int_equal(surplus.count, 0);
    assert_int_equal(surplus.last_tag, 1);
    assert_false(surplus.cancelled);
}

static void counts_what_comes_in_when_it_stops(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct lq_surplus surplus;

    begin_script();
    say_letter(&script, 1, "a");
    say_letter(&script, 2, "b");
    say_letter(&script, 3, "c");
    say_method(&script, 1, PEER_CANCEL, "\5a tag\1", 7);
    consume(fixture);
    assert_letter(1, "a");
    assert_int_equal(lq_consumer_stop(consumer, &surplus, &answer), LQ_OK);
    assert_int_equal(answer.kind, LQ_DONE);
    assert_int_equal(surplus.count, 2);
    assert_int_equal(surplus.last_tag, 3);
    assert_true(surplus.cancelled);
    assert_int_equal(lq_consumer_put_back(consumer, 3, true), LQ_OK);
    hang_up(fixture);
    assert_int_equal(fixture->peer.settled, PEER_NACK);
    assert_memory_equal(fixture->peer.settlement, "\0\0\0\0\0\0\0\3\3", 9);
    assert_true(fixture->peer.has_goodbye);
}

static void settles_one_or_many(void **state)
{
    struct amqp_fixture *const fixture = *state;

    begin_script();
    consume(fixture);
    assert_int_equal(lq_consumer_ack(consumer, 0x0102030405060708, false),
                     LQ_OK);
    hang_up(fixture);
    assert_int_equal(fixture->peer.settled, PEER_ACK);
    assert_memory_equal(fixture->peer.settlement, "\1\2\3\4\5\6\7\x08\0", 9);
}

static void goes_on_when_the_channel_is_closed(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct lq_surplus surplus;

    begin_script();
    say_letter(&script, 1, "a");
    say_deliver(&script, 2, false);
    say_close(&script);
    consume(fixture);
    assert_letter(1, "a");
    for (size_t i = 0; i < 2; ++i) {
        assert_int_equal(lq_consumer_next(consumer, 0, &delivery), LQ_OK);
        if (i > 0 || delivery.kind != LQ_NO_DELIVERY) {
            assert_int_equal(delivery.kind, LQ_CONSUMER_CLOSED);
            assert_int_equal(delivery.code, 406);
            assert_string_equal(delivery.text, "no");
        }
    }
    assert_int_equal(lq_consumer_ack(consumer, 1, false), LQ_REFUSED);
    assert_int_equal(lq_consumer_sync(consumer, &answer), LQ_OK);
    assert_int_equal(answer.code, 406);
    assert_int_equal(lq_consumer_stop(consumer, &surplus, &answer), LQ_OK);
    assert_int_equal(answer.kind, LQ_DENIED);
    assert_int_equal(surplus.last_tag, 0);
    assert_int_equal(lq_consumer_start(consumer, "q", 1, &answer), LQ_OK);
    assert_int_equal(answer.kind, LQ_DONE);
    hang_up(fixture);
    assert_int_equal(fixture->peer.channels, 2);
    assert_int_equal(fixture->base.diags.items.count, 0);
}

static void takes_and_frees_a_lock(void **state)
{
    struct amqp_fixture *const fixture = *state;

    assert_int_equal(open_consumer(fixture, NULL, 0), LQ_OK);
    assert_int_equal(lq_consumer_lock(consumer, "the.lock", "me", &answer),
                     LQ_OK);
    assert_int_equal(answer.kind, LQ_DONE);
    assert_int_equal(lq_consumer_unlock(consumer, "the.lock", &answer), LQ_OK);
    assert_int_equal(answer.kind, LQ_DONE);
    hang_up(fixture);
    /* exclusive, and nothing else */
    assert_memory_equal(fixture->peer.request, "\0\0\x08the.lock\4", 12);
    assert_memory_equal(fixture->peer.request + 16,
                        "\x0ex-lilyq-holderS\0\0\0\2me", 22);
}

static void a_lock_may_be_held_by_another(void **state)
{
    static const struct peer_rule rule = {.on = PEER_QUEUE_DECLARE,
                                          .act = PEER_DENIES,
                                          .code = 405,
                                          .text = "RESOURCE_LOCKED - it is"};
    struct amqp_fixture *const fixture = *state;

    assert_int_equal(open_consumer(fixture, &rule, 1), LQ_OK);
    assert_int_equal(lq_consumer_lock(consumer, "the.lock", "me", &answer),
                     LQ_OK);
    assert_int_equal(answer.kind, LQ_DENIED);
    assert_int_equal(answer.code, 405);
    assert_string_equal(answer.shown, "RESOURCE_LOCKED - it is");
    assert_int_equal(lq_consumer_lock(consumer, "the.lock", "me", &answer),
                     LQ_OK);
    assert_int_equal(answer.kind, LQ_DONE);
}

static void proves_that_it_is_heard(void **state)
{
    struct amqp_fixture *const fixture = *state;

    fixture->peer.messages = 5;
    begin_script();
    consume(fixture);
    assert_int_equal(lq_consumer_sync(consumer, &answer), LQ_OK);
    assert_int_equal(answer.kind, LQ_DONE);
    assert_int_equal(answer.messages, 5);
    hang_up(fixture);
    assert_int_equal(fixture->peer.checks, 1);
}

static void has_nothing_to_prove_or_stop_before_it_starts(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct lq_surplus surplus;

    assert_int_equal(open_consumer(fixture, NULL, 0), LQ_OK);
    assert_string_equal(lq_consumer_product(consumer), "");
    assert_string_equal(lq_consumer_version(consumer), "");
    assert_string_equal(lq_consumer_tag(consumer), "");
    assert_int_equal(lq_consumer_sync(consumer, &answer), LQ_OK);
    assert_int_equal(answer.kind, LQ_DONE);
    assert_int_equal(lq_consumer_stop(consumer, &surplus, &answer), LQ_OK);
    assert_int_equal(answer.kind, LQ_DONE);
    assert_int_equal(surplus.last_tag, 0);
    hang_up(fixture);
    assert_int_equal(fixture->peer.requests, 0);
}

static void names_the_broker_and_its_version(void **state)
{
    static const char hello[] = "\0\x09\0\0\0\x38"
                                "\x0c"
                                "capabilitiesF\0\0\0\0"
                                "\7productS\0\0\0\6Rabbit"
                                "\7versionS\0\0\0\6"
                                "4\x1b.0.5"
                                "\0\0\0\5PLAIN\0\0\0\5en_US";
    static struct peer_rule rule;

    say_method(&script, 0, PEER_START, hello, sizeof(hello) - 1);
    rule = on(PEER_HEADER, &script);
    assert_int_equal(open_consumer(*state, &rule, 1), LQ_OK);
    assert_string_equal(lq_consumer_product(consumer), "Rabbit");
    assert_string_equal(lq_consumer_version(consumer), "4\\x1b.0.5");
}

static void refuses_what_cannot_be_asked(void **state)
{
    struct amqp_fixture *const fixture = *state;
    const char *const name = BYTES_200 BYTES_50 "123456";

    assert_int_equal(open_consumer(fixture, NULL, 0), LQ_OK);
    assert_int_equal(lq_consumer_lock(consumer, name, "me", &answer),
                     LQ_INVALID);
    assert_int_equal(answer.kind, LQ_UNSENT);
    assert_said(fixture, "a queue's name may have 255 bytes, not 256");
    assert_int_equal(lq_consumer_unlock(consumer, name, &answer), LQ_INVALID);
    assert_int_equal(lq_consumer_start(consumer, name, 1, &answer), LQ_INVALID);
    assert_int_equal(lq_consumer_start(consumer, "q", 0, &answer), LQ_INVALID);
    assert_int_equal(lq_consumer_start(consumer, "q", 65536, &answer),
                     LQ_INVALID);
    assert_int_equal(lq_consumer_lock(consumer, name + 1, "me", &answer),
                     LQ_OK);
    assert_int_equal(answer.kind, LQ_DONE);
    hang_up(fixture);
    assert_int_equal(fixture->peer.requests, 1);
}

static void a_connection_that_ends_is_lost(void **state)
{
    static const struct peer_rule rules[] = {
        {.on = PEER_CONSUME, .act = PEER_HANGS_UP},
        {.on = PEER_CONSUME,
         .act = PEER_ENDS,
         .code = 320,
         .text = "CONNECTION_FORCED - bye"},
    };
    static const char *const texts[] = {
        "the peer hung up",
        "the broker closed the connection: CONNECTION_FORCED - bye (320)"};
    struct amqp_fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(rules); ++i) {
        assert_int_equal(open_consumer(fixture, &rules[i], 1), LQ_OK);
        assert_int_equal(lq_consumer_start(consumer, "q", 1, &answer), LQ_LOST);
        assert_said(fixture, texts[i]);
        assert_int_equal(next(), LQ_LOST);
        assert_int_equal(lq_consumer_ack(consumer, 1, false), LQ_LOST);
        assert_int_equal(lq_consumer_sync(consumer, &answer), LQ_LOST);
        hang_up(fixture);
        again(fixture);
    }
}

static void memory_may_run_out_anywhere(void **state)
{
    struct amqp_fixture *const fixture = *state;
    enum lq_status status = LQ_NOMEM;

    for (size_t limit = 0; status == LQ_NOMEM && limit < 100; ++limit) {
        again(fixture);
        fixture->base.arena.limit = limit;
        status = open_consumer(fixture, NULL, 0);
        if (status == LQ_OK) {
            status = lq_consumer_lock(consumer, "l", "me", &answer);
        }
        if (status == LQ_OK) {
            status = lq_consumer_start(consumer, "q", 1, &answer);
        }
        hang_up(fixture);
    }
    assert_int_equal(status, LQ_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONSUMER_TEST(takes_messages_as_they_are),
        CONSUMER_TEST(takes_bodies_in_one_piece_or_many_or_none),
        CONSUMER_TEST(says_when_there_is_nothing),
        CONSUMER_TEST(a_stop_ends_one_wait_and_nothing_else),
        CONSUMER_TEST(refuses_messages_that_are_none),
        CONSUMER_TEST(refuses_what_nobody_asked_for),
        CONSUMER_TEST(tells_alarms_from_endless_talk),
        CONSUMER_TEST(tells_when_the_broker_cancels),
        CONSUMER_TEST(counts_what_comes_in_when_it_stops),
        CONSUMER_TEST(settles_one_or_many),
        CONSUMER_TEST(goes_on_when_the_channel_is_closed),
        CONSUMER_TEST(takes_and_frees_a_lock),
        CONSUMER_TEST(a_lock_may_be_held_by_another),
        CONSUMER_TEST(proves_that_it_is_heard),
        CONSUMER_TEST(has_nothing_to_prove_or_stop_before_it_starts),
        CONSUMER_TEST(names_the_broker_and_its_version),
        CONSUMER_TEST(refuses_what_cannot_be_asked),
        CONSUMER_TEST(a_connection_that_ends_is_lost),
        CONSUMER_TEST(memory_may_run_out_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
