/* Messages that are published to a peer, and what it says of them. */
#include "amqp_fixture.h"

#include "base/clock.h"
#include "broker/amqp/publisher.h"
#include "script.h"

#include <stdlib.h>
#include <time.h>

#define MOST 2000

static struct script script;
static struct lq_publisher *publisher;
static struct lq_publisher_event event;
static struct lq_message messages[MOST];
static char bodies[MOST][8];

static int set_up_publisher(void **state)
{
    script.length = 0;
    publisher = NULL;
    for (size_t i = 0; i < MOST; ++i) {
        (void)snprintf(bodies[i], sizeof(bodies[i]), "%zu", i + 1);
        messages[i] = (struct lq_message){.exchange = lq_bytes_of("orders"),
                                          .routing_key = lq_bytes_of("created"),
                                          .body = lq_bytes_of(bodies[i])};
    }
    return set_up_amqp(state);
}

static int tear_down_publisher(void **state)
{
    lq_publisher_close(publisher);
    return tear_down_amqp(state);
}

#define PUBLISHER_TEST(name)                                                   \
    cmocka_unit_test_setup_teardown(name, set_up_publisher, tear_down_publisher)

static enum lq_status open_publisher(struct amqp_fixture *fixture,
                                     const struct peer_rule *rules,
                                     size_t count)
{
    fixture->peer.rules = rules;
    fixture->peer.rule_count = count;
    assert_true(peer_start(&fixture->peer));
    fixture->connection.port = fixture->peer.port;
    return lq_publisher_open(&fixture->connection, &fixture->base.diags,
                             &publisher);
}

static void hang_up(struct amqp_fixture *fixture)
{
    lq_publisher_close(publisher);
    publisher = NULL;
    peer_end(&fixture->peer);
}

static void send_all(const struct lq_message *first, size_t count)
{
    size_t taken = 0;

    assert_int_equal(lq_publisher_send(publisher, first, count, &taken), LQ_OK);
    assert_int_equal(taken, count);
    assert_int_equal(lq_publisher_in_flight(publisher), count);
}

/* Publishes `count` messages to a peer that says the script at the last. */
static void publish(struct amqp_fixture *fixture, size_t count)
{
    static struct peer_rule rule;

    rule = on(PEER_PUBLISH, &script);
    rule.skip = count - 1;
    assert_int_equal(open_publisher(fixture, &rule, 1), LQ_OK);
    send_all(messages, count);
}

static enum lq_status next(void)
{
    return lq_publisher_next(publisher, lq_now_millis() + 5000, &event);
}

static void assert_next(enum lq_publisher_event_kind kind, uint64_t first,
                        uint64_t last)
{
    assert_int_equal(next(), LQ_OK);
    assert_int_equal(event.kind, kind);
    assert_int_equal(event.first, first);
    assert_int_equal(event.last, last);
}

static void assert_quiet(void)
{
    assert_int_equal(lq_publisher_next(publisher, 0, &event), LQ_OK);
    assert_int_equal(event.kind, LQ_NO_EVENT);
}

static void tells_each_outcome_once(void **state)
{
    say_settled(&script, PEER_ACK, 5, 0);
    say_settled(&script, PEER_ACK, 2, 1);
    say_settled(&script, PEER_ACK, 2, 1);
    say_settled(&script, PEER_ACK, 5, 0);
    say_settled(&script, PEER_NACK, 6, 1);
    say_settled(&script, PEER_NACK, 8, 0);
    say_settled(&script, PEER_ACK, 0, 1);
    publish(*state, 10);
    assert_next(LQ_CONFIRMED, 5, 5);
    assert_int_equal(lq_publisher_in_flight(publisher), 9);
    assert_next(LQ_CONFIRMED, 1, 2);
    assert_next(LQ_NACKED, 3, 4);
    assert_next(LQ_NACKED, 6, 6);
    assert_next(LQ_NACKED, 8, 8);
    assert_next(LQ_CONFIRMED, 7, 7);
    assert_next(LQ_CONFIRMED, 9, 10);
    assert_int_equal(lq_publisher_in_flight(publisher), 0);
    assert_quiet();
}

static void follows_many_at_a_time(void **state)
{
    say_settled(&script, PEER_ACK, MOST, 1);
    publish(*state, MOST);
    assert_next(LQ_CONFIRMED, 1, MOST);
    assert_int_equal(lq_publisher_in_flight(publisher), 0);
}

static void tells_which_message_came_back(void **state)
{
    say_return(&script, "created", "\0\0", 2, "2");
    say_settled(&script, PEER_ACK, 2, 0);
    say_return(&script, "created", "\0\0", 2, "3");
    say_settled(&script, PEER_ACK, 4, 1);
    publish(*state, 4);
    assert_next(LQ_RETURNED, 2, 2);
    assert_int_equal(event.code, 312);
    assert_string_equal(event.text, "NO_ROUTE");
    assert_string_equal(event.shown, "NO_ROUTE");
    assert_next(LQ_CONFIRMED, 1, 1);
    assert_next(LQ_RETURNED, 3, 3);
    assert_next(LQ_CONFIRMED, 4, 4);
    assert_null(event.text);
}

/* Headers b and a; brokers sort them. */
#define HEADERS_BA "\x20\0\0\0\0\x10\1bI\0\0\0\1\1aS\0\0\0\2zz"
#define HEADERS_AB "\x20\0\0\0\0\x10\1aS\0\0\0\2zz\1bI\0\0\0\1"
#define HEADERS_AC "\x20\0\0\0\0\x10\1aS\0\0\0\2zz\1cI\0\0\0\1"

static void tells_those_apart_whose_headers_differ(void **state)
{
    const struct lq_bytes ba = {(const uint8_t *)HEADERS_BA, 22};
    const struct lq_bytes ac = {(const uint8_t *)HEADERS_AC, 22};

    for (size_t i = 0; i < 3; ++i) {
        messages[i].body = lq_bytes_of("same");
        messages[i].properties = i == 1 ? ba : ac;
    }
    say_return(&script, "created", HEADERS_AB, 22, "same");
    say_settled(&script, PEER_ACK, 3, 1);
    publish(*state, 3);
    assert_next(LQ_CONFIRMED, 1, 1);
    assert_next(LQ_RETURNED, 2, 2);
    assert_next(LQ_CONFIRMED, 3, 3);
}

static void doubts_all_that_are_alike(void **state)
{
    messages[1].body = lq_bytes_of("same");
    messages[3].body = lq_bytes_of("same");
    say_return(&script, "created", "\0\0", 2, "same");
    say_settled(&script, PEER_ACK, 3, 1);
    say_settled(&script, PEER_NACK, 5, 1);
    publish(*state, 5);
    assert_next(LQ_CONFIRMED, 1, 1);
    assert_next(LQ_DOUBTFUL, 2, 2);
    assert_int_equal(event.code, 312);
    assert_string_equal(event.shown, "NO_ROUTE");
    assert_next(LQ_CONFIRMED, 3, 3);
    assert_next(LQ_NACKED, 4, 5);
}

static void doubts_all_in_flight_when_none_is_alike(void **state)
{
    say_settled(&script, PEER_ACK, 1, 0);
    say_return(&script, "another", "\0\0", 2, "2");
    say_settled(&script, PEER_ACK, 3, 1);
    publish(*state, 3);
    assert_next(LQ_CONFIRMED, 1, 1);
    assert_next(LQ_DOUBTFUL, 2, 3);
    send_all(&messages[3], 1);
    assert_quiet();
}

static void refuses_to_hear_of_messages_that_it_did_not_send(void **state)
{
    static const struct {
        uint64_t tag;
        unsigned bits;
    } wrong[] = {{4, 0}, {4, 1}, {0, 0}, {UINT64_MAX, 1}};
    struct amqp_fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(wrong); ++i) {
        script.length = 0;
        say_settled(&script, PEER_ACK, 1, 0);
        say_settled(&script, PEER_ACK, wrong[i].tag, wrong[i].bits);
        publish(fixture, 3);
        assert_next(LQ_CONFIRMED, 1, 1);
        assert_int_equal(next(), LQ_LOST);
        assert_said(fixture, "the peer sent an answer that nobody asked for");
        hang_up(fixture);
        again(fixture);
    }
}

static void takes_no_delivery(void **state)
{
    say_letter(&script, 1, "a");
    publish(*state, 1);
    assert_int_equal(next(), LQ_LOST);
    assert_said(*state, "the peer sent an answer that nobody asked for");
}

static void takes_nothing_during_an_alarm(void **state)
{
    size_t taken = 1;

    say_alarm(&script, true);
    publish(*state, 1);
    assert_next(LQ_BLOCKED, 0, 0);
    assert_string_equal(event.text, "low");
    assert_int_equal(lq_publisher_send(publisher, messages, 1, &taken), LQ_OK);
    assert_int_equal(taken, 0);
    assert_quiet();
}

static void tells_when_an_alarm_is_over(void **state)
{
    say_alarm(&script, true);
    say_settled(&script, PEER_ACK, 1, 0);
    say_alarm(&script, false);
    publish(*state, 1);
    assert_next(LQ_BLOCKED, 0, 0);
    assert_next(LQ_CONFIRMED, 1, 1);
    assert_next(LQ_UNBLOCKED, 0, 0);
    send_all(messages, 1);
}

static void tells_outcomes_before_the_channel_is_closed(void **state)
{
    struct amqp_fixture *const fixture = *state;
    size_t taken = 1;

    say_settled(&script, PEER_ACK, 1, 0);
    say_close(&script);
    publish(fixture, 2);
    assert_next(LQ_CONFIRMED, 1, 1);
    for (size_t i = 0; i < 2; ++i) {
        assert_next(LQ_PUBLISHER_CLOSED, 0, 0);
        assert_int_equal(event.code, 406);
        assert_string_equal(event.text, "no");
    }
    assert_int_equal(lq_publisher_in_flight(publisher), 1);
    assert_int_equal(lq_publisher_send(publisher, messages, 1, &taken),
                     LQ_REFUSED);
    assert_int_equal(taken, 0);
    assert_int_equal(fixture->base.diags.items.count, 0);
}

static void tells_outcomes_before_the_connection_is_lost(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct peer_rule rules[2] = {{.on = PEER_PUBLISH}};
    size_t taken = 1;

    say_settled(&script, PEER_ACK, 1, 0);
    rules[0] = on(PEER_PUBLISH, &script);
    rules[1] = (struct peer_rule){.on = PEER_PUBLISH, .act = PEER_HANGS_UP};
    assert_int_equal(open_publisher(fixture, rules, 2), LQ_OK);
    send_all(messages, 2);
    assert_next(LQ_CONFIRMED, 1, 1);
    assert_int_equal(next(), LQ_LOST);
    assert_said(fixture, "the peer hung up");
    assert_int_equal(lq_publisher_send(publisher, messages, 1, &taken),
                     LQ_LOST);
    assert_int_equal(taken, 0);
}

/* What has come in counts, though nothing can be written any more. */
static void hears_the_last_of_a_connection_that_breaks(void **state)
{
    const struct timespec nap = {.tv_nsec = 200000000};
    struct amqp_fixture *const fixture = *state;
    struct peer_rule rules[2] = {{.on = PEER_PUBLISH}};
    size_t taken = 0;

    say_settled(&script, PEER_ACK, 1, 0);
    rules[0] = on(PEER_PUBLISH, &script);
    rules[1] = (struct peer_rule){.on = PEER_PUBLISH, .act = PEER_RESETS};
    assert_int_equal(open_publisher(fixture, rules, 2), LQ_OK);
    send_all(messages, 2);
    for (size_t i = 0; i < 2; ++i) {
        (void)nanosleep(&nap, NULL);
        assert_int_equal(lq_publisher_send(publisher, messages, 1, &taken),
                         LQ_OK);
    }
    assert_next(LQ_CONFIRMED, 1, 1);
    assert_int_equal(next(), LQ_LOST);
    assert_int_equal(fixture->base.diags.items.count, 1);
    assert_int_equal(lq_publisher_in_flight(publisher), 3);
}

static void refuses_what_no_frame_can_carry(void **state)
{
    static uint8_t properties[131072];
    static char name[257];
    struct amqp_fixture *const fixture = *state;
    size_t taken = 0;

    memset(name, 'n', 256);
    messages[1].properties = (struct lq_bytes){properties, 131072 - 19};
    messages[2].routing_key = lq_bytes_of(name);
    messages[3].exchange = lq_bytes_of(name);
    messages[4].properties = (struct lq_bytes){properties, 1};
    messages[5].properties = (struct lq_bytes){properties, 131072 - 20};
    assert_int_equal(open_publisher(fixture, NULL, 0), LQ_OK);
    assert_int_equal(lq_publisher_send(publisher, messages, 3, &taken),
                     LQ_INVALID);
    assert_int_equal(taken, 1);
    for (size_t i = 1; i < 5; ++i) {
        assert_int_equal(lq_publisher_send(publisher, &messages[i], 1, &taken),
                         LQ_INVALID);
        assert_int_equal(taken, 0);
    }
    assert_int_equal(fixture->base.diags.items.count, 5);
    assert_int_equal(lq_publisher_send(publisher, &messages[5], 1, &taken),
                     LQ_OK);
    assert_int_equal(taken, 1);
}

static void splits_bodies_as_the_peer_wants_them(void **state)
{
    struct amqp_fixture *const fixture = *state;
    uint8_t *const body = calloc(1, 100000);

    messages[0].body = (struct lq_bytes){body, 100000};
    fixture->peer.frame_max = 4096;
    say_settled(&script, PEER_ACK, 1, 0);
    publish(fixture, 1);
    free(body); /* it was copied */
    assert_next(LQ_CONFIRMED, 1, 1);
    hang_up(fixture);
    assert_int_equal(fixture->peer.body_bytes, 100000);
    assert_int_equal(fixture->peer.longest_frame, 4088);
    assert_true(fixture->peer.has_goodbye);
}

/* Sends what is taken of the first `count` messages; how many those are now. */
static size_t send_some(size_t sent, size_t count)
{
    size_t taken = 0;

    assert_int_equal(
        lq_publisher_send(publisher, messages + sent, count - sent, &taken),
        LQ_OK);
    return sent + taken;
}

/* A peer that takes nothing for a time holds nobody up. */
static void waits_for_a_peer_that_does_not_read(void **state)
{
    static uint8_t body[1000000];
    struct amqp_fixture *const fixture = *state;
    struct peer_rule rules[2] = {
        {.on = PEER_PUBLISH, .act = PEER_SLEEPS, .code = 700}};
    const uint64_t start = lq_now_millis();
    size_t sent = 0;

    say_settled(&script, PEER_ACK, 41, 1);
    rules[1] = on(PEER_PUBLISH, &script);
    rules[1].skip = 39;
    assert_int_equal(open_publisher(fixture, rules, 2), LQ_OK);
    for (size_t i = 0; i < 40; ++i) {
        messages[i].body = (struct lq_bytes){body, sizeof(body)};
    }
    for (size_t i = 0; i < 41; ++i) {
        sent = send_some(sent, 41);
    }
    assert_true(sent < 41);
    assert_true(lq_now_millis() < start + 600);
    do {
        assert_true(lq_now_millis() < start + 20000);
        assert_int_equal(
            lq_publisher_next(publisher, lq_now_millis() + 20, &event), LQ_OK);
        sent = send_some(sent, 41);
    } while (event.kind == LQ_NO_EVENT);
    assert_int_equal(event.kind, LQ_CONFIRMED);
    assert_int_equal(event.last, 41);
    hang_up(fixture);
    assert_true(fixture->peer.body_bytes >= 40000000);
}

static void needs_confirms(void **state)
{
    static const struct peer_rule rule = {.on = PEER_CONFIRM_SELECT,
                                          .act = PEER_DENIES,
                                          .code = 540,
                                          .text = "NOT_IMPLEMENTED"};

    assert_int_equal(open_publisher(*state, &rule, 1), LQ_REFUSED);
    assert_said(*state, "the broker confirms nothing: NOT_IMPLEMENTED (540)");
}

static void memory_may_run_out_anywhere(void **state)
{
    struct amqp_fixture *const fixture = *state;
    enum lq_status status = LQ_NOMEM;

    for (size_t limit = 0; status == LQ_NOMEM && limit < 100; ++limit) {
        again(fixture);
        fixture->base.arena.limit = limit;
        status = open_publisher(fixture, NULL, 0);
        hang_up(fixture);
    }
    assert_int_equal(status, LQ_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PUBLISHER_TEST(tells_each_outcome_once),
        PUBLISHER_TEST(follows_many_at_a_time),
        PUBLISHER_TEST(tells_which_message_came_back),
        PUBLISHER_TEST(tells_those_apart_whose_headers_differ),
        PUBLISHER_TEST(doubts_all_that_are_alike),
        PUBLISHER_TEST(doubts_all_in_flight_when_none_is_alike),
        PUBLISHER_TEST(refuses_to_hear_of_messages_that_it_did_not_send),
        PUBLISHER_TEST(takes_no_delivery),
        PUBLISHER_TEST(takes_nothing_during_an_alarm),
        PUBLISHER_TEST(tells_when_an_alarm_is_over),
        PUBLISHER_TEST(tells_outcomes_before_the_channel_is_closed),
        PUBLISHER_TEST(tells_outcomes_before_the_connection_is_lost),
        PUBLISHER_TEST(hears_the_last_of_a_connection_that_breaks),
        PUBLISHER_TEST(refuses_what_no_frame_can_carry),
        PUBLISHER_TEST(splits_bodies_as_the_peer_wants_them),
        PUBLISHER_TEST(waits_for_a_peer_that_does_not_read),
        PUBLISHER_TEST(needs_confirms),
        PUBLISHER_TEST(memory_may_run_out_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
