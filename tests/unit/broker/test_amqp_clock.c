/*
 * Patience that lasts for seconds: the clock is replaced here, and can be put
 * forward.
 */
#include "amqp_fixture.h"

#include "base/clock.h"
#include "broker/amqp/consumer.h"

#include <time.h>

static uint64_t ahead; /* millis */

uint64_t lq_now_millis(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return ahead + (uint64_t)now.tv_sec * 1000 +
           (uint64_t)now.tv_nsec / 1000000;
}

uint64_t lq_millis_until(uint64_t moment)
{
    const uint64_t now = lq_now_millis();

    return moment > now ? moment - now : 0;
}

struct patience {
    uint64_t step; /* millis that pass at each tick */
    bool stops;
};

static bool tick(void *data, size_t answered)
{
    const struct patience *const patience = data;

    (void)answered;
    ahead += patience->step;
    return patience->stops;
}

/* A request that a peer leaves unanswered, once it was sent. */
static void run_unanswered(struct amqp_fixture *fixture, uint64_t step,
                           const struct peer_rule *rule)
{
    static const struct lq_exchange exchange = {.name = "orders"};
    static const struct lq_request request = {LQ_DECLARE_EXCHANGE,
                                              {.exchange = &exchange}};
    struct patience patience = {.step = step};
    struct lq_answer answer = {.kind = LQ_UNSENT};
    const struct lq_batch batch = {.requests = &request,
                                   .count = 1,
                                   .answers = &answer,
                                   .writes = true,
                                   .tick = tick,
                                   .data = &patience};

    fixture->connection.timeout_millis = 0;
    open_well(fixture, rule, 1);
    assert_int_equal(fixture->broker->run(fixture->broker, &batch), LQ_LOST);
    assert_int_equal(answer.kind, LQ_UNKNOWN);
}

static void waits_for_an_answer_for_a_minute_and_a_half(void **state)
{
    static const struct peer_rule silent = {.on = PEER_REQUEST,
                                            .act = PEER_SAYS};

    run_unanswered(*state, 11000, &silent);
    assert_said(*state,
                "no answer within 90 s about exchange 'orders': a node of the "
                "cluster may be down; --answer-timeout waits longer");
}

static void waits_for_an_answer_for_as_long_as_it_is_told_to(void **state)
{
    static const struct peer_rule silent = {.on = PEER_REQUEST,
                                            .act = PEER_SAYS};
    struct amqp_fixture *const fixture = *state;

    fixture->connection.answer_timeout_millis = 5000;
    run_unanswered(fixture, 1000, &silent);
    assert_said(fixture, "no answer within 5 s about exchange 'orders': a node "
                         "of the cluster may be down; --answer-timeout waits "
                         "longer");
}

static void gives_no_time_for_talk_that_answers_nothing(void **state)
{
    /* connection.unblocked, though it never was */
    static const struct peer_rule talk = {.on = PEER_REQUEST,
                                          .act = PEER_SAYS,
                                          .text =
                                              "\1\0\0\0\0\0\4\0\x0a\0\x3d\xce",
                                          .length = 12};

    run_unanswered(*state, 16000, &talk);
    assert_said(*state,
                "no answer within 90 s about exchange 'orders': a node of the "
                "cluster may be down; --answer-timeout waits longer");
}

/* Blocked or not, an answer is owed in the time between the alarms. */
static void stops_the_clock_during_an_alarm_only(void **state)
{
    static const struct peer_rule alarm = {.on = PEER_REQUEST,
                                           .act = PEER_SAYS,
                                           .text = "\1\0\0\0\0\0\6\0\x0a\0"
                                                   "\x3c\1x\xce"
                                                   "\1\0\0\0\0\0\4\0\x0a\0"
                                                   "\x3d\xce",
                                           .length = 26};

    run_unanswered(*state, 16000, &alarm);
    assert_said(*state, "no answer within 90 s about exchange 'orders': a node "
                        "of the cluster may be down; --answer-timeout waits "
                        "longer");
}

/* What the second tick says yes to is in flight by then. */
static bool stop_at_second(void *data, size_t answered)
{
    unsigned *const ticks = data;

    (void)answered;
    ahead += *ticks > 1 ? 3000 : 0;
    return ++*ticks > 1;
}

static void
waits_for_what_is_in_flight_for_five_seconds_when_stopped(void **state)
{
    static const struct peer_rule blocked = {
        .on = PEER_REQUEST, .act = PEER_BLOCKS, .text = "low on memory"};
    static const struct lq_queue queue = {.name = "q"};
    static const struct lq_request request = {LQ_CHECK_QUEUE,
                                              {.queue = &queue}};
    struct amqp_fixture *const fixture = *state;
    unsigned ticks = 0;
    struct lq_answer answer = {.kind = LQ_UNSENT};
    const struct lq_batch batch = {.requests = &request,
                                   .count = 1,
                                   .answers = &answer,
                                   .tick = stop_at_second,
                                   .data = &ticks};

    open_well(fixture, &blocked, 1);
    fixture->connection.timeout_millis = 0;
    assert_int_equal(fixture->broker->run(fixture->broker, &batch), LQ_LOST);
    assert_said(fixture, "told to stop, and no answer within 5 s (it says that "
                         "it is blocked by an alarm)");
    assert_int_equal(answer.kind, LQ_UNKNOWN);
}

static void says_goodbye_no_longer_than_the_run_may_take(void **state)
{
    static const struct peer_rule silent = {.on = PEER_CLOSE, .act = PEER_SAYS};
    struct amqp_fixture *const fixture = *state;
    uint64_t start = 0;

    fixture->connection.timeout_millis = 300;
    open_well(fixture, &silent, 1);
    start = lq_now_millis();
    end(fixture);
    assert_true(lq_now_millis() - start < 1500);
}

/* Lets time pass while something is awaited, and perhaps stops. */
static bool pass_time(void *data)
{
    const struct patience *const patience = data;

    ahead += patience->step;
    return patience->stops;
}

static enum lq_status open_carrier(struct amqp_fixture *fixture,
                                   struct patience *patience,
                                   const struct peer_rule *rule,
                                   struct lq_consumer **out)
{
    fixture->peer.rules = rule;
    fixture->peer.rule_count = rule ? 1 : 0;
    assert_true(peer_start(&fixture->peer));
    fixture->connection.port = fixture->peer.port;
    fixture->connection.stop = pass_time;
    fixture->connection.stop_data = patience;
    return lq_consumer_open(&fixture->connection, &fixture->base.diags, out);
}

static void keeps_a_connection_alive_until_the_broker_is_silent(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct patience patience = {.step = 100};
    struct lq_consumer *consumer = NULL;
    struct lq_delivery delivery;

    fixture->connection.timeout_millis = 0;
    fixture->connection.heartbeat_seconds = 2;
    assert_int_equal(open_carrier(fixture, &patience, NULL, &consumer), LQ_OK);
    assert_int_equal(
        lq_consumer_next(consumer, lq_now_millis() + 3500, &delivery), LQ_OK);
    assert_int_equal(delivery.kind, LQ_NO_DELIVERY);
    assert_int_equal(
        lq_consumer_next(consumer, lq_now_millis() + 3500, &delivery), LQ_LOST);
    assert_said(fixture, "the broker was silent for 4 s, two heartbeats");
    lq_consumer_close(consumer);
    peer_end(&fixture->peer);
    assert_in_range(fixture->peer.heartbeats, 3, 4);
    assert_false(fixture->peer.has_goodbye);
}

static void hears_what_came_in_while_it_was_busy(void **state)
{
    /* a heartbeat, behind the answer */
    static const struct peer_rule beats = {
        .on = PEER_QOS,
        .act = PEER_SAYS,
        .text = "\1\0\1\0\0\0\4\0\x3c\0\x0b\xce\x08\0\0\0\0\0\0\xce",
        .length = 20};
    struct amqp_fixture *const fixture = *state;
    struct patience patience = {.step = 0};
    struct lq_consumer *consumer = NULL;
    struct lq_answer answer;
    struct lq_delivery delivery;

    fixture->connection.timeout_millis = 0;
    fixture->connection.heartbeat_seconds = 2;
    assert_int_equal(open_carrier(fixture, &patience, &beats, &consumer),
                     LQ_OK);
    assert_int_equal(lq_consumer_start(consumer, "q", 1, &answer), LQ_OK);
    ahead += 3000;
    assert_int_equal(lq_consumer_sync(consumer, &answer), LQ_OK);
    ahead += 3000;
    assert_int_equal(lq_consumer_next(consumer, 0, &delivery), LQ_OK);
    lq_consumer_close(consumer);
}

static void has_no_heartbeat_unless_it_is_wanted(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct patience patience = {.step = 10000};
    struct lq_consumer *consumer = NULL;
    struct lq_delivery delivery;

    fixture->connection.timeout_millis = 0;
    fixture->connection.connect_timeout_millis = 1000000;
    assert_int_equal(open_carrier(fixture, &patience, NULL, &consumer), LQ_OK);
    assert_int_equal(
        lq_consumer_next(consumer, lq_now_millis() + 500000, &delivery), LQ_OK);
    lq_consumer_close(consumer);
    peer_end(&fixture->peer);
    assert_int_equal(fixture->peer.heartbeats, 0);
}

/* Starts a consumer, which the peer does not answer. */
static void start_unanswered(struct amqp_fixture *fixture,
                             struct patience patience)
{
    static const struct peer_rule silent = {.on = PEER_CONSUME,
                                            .act = PEER_SAYS};
    struct patience none = {.step = 0};
    struct lq_consumer *consumer = NULL;
    struct lq_answer answer;

    assert_int_equal(open_carrier(fixture, &none, &silent, &consumer), LQ_OK);
    none = patience;
    assert_int_equal(lq_consumer_start(consumer, "a\nq", 1, &answer), LQ_LOST);
    assert_int_equal(answer.kind, LQ_UNKNOWN);
    lq_consumer_close(consumer);
}

static void a_consumer_waits_for_an_answer_for_so_long(void **state)
{
    struct amqp_fixture *const fixture = *state;

    fixture->connection.timeout_millis = 0;
    start_unanswered(fixture, (struct patience){.step = 11000});
    assert_said(fixture, "no answer within 90 s about queue 'a\\x0aq': a node "
                         "of the cluster may be down; --answer-timeout waits "
                         "longer");
}

static void a_consumer_that_is_told_to_stop_waits_for_five_seconds(void **state)
{
    struct amqp_fixture *const fixture = *state;

    fixture->connection.timeout_millis = 0;
    start_unanswered(fixture, (struct patience){.step = 3000, .stops = true});
    assert_said(fixture, "told to stop, and no answer within 5 s");
}

static void a_run_that_carries_messages_ends_in_time(void **state)
{
    struct amqp_fixture *const fixture = *state;

    start_unanswered(fixture, (struct patience){.step = 3000});
    assert_said(fixture, "not done within 10 s, the time for the whole run");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AMQP_TEST(keeps_a_connection_alive_until_the_broker_is_silent),
        AMQP_TEST(hears_what_came_in_while_it_was_busy),
        AMQP_TEST(has_no_heartbeat_unless_it_is_wanted),
        AMQP_TEST(a_consumer_waits_for_an_answer_for_so_long),
        AMQP_TEST(a_consumer_that_is_told_to_stop_waits_for_five_seconds),
        AMQP_TEST(a_run_that_carries_messages_ends_in_time),
        AMQP_TEST(waits_for_an_answer_for_a_minute_and_a_half),
        AMQP_TEST(waits_for_an_answer_for_as_long_as_it_is_told_to),
        AMQP_TEST(stops_the_clock_during_an_alarm_only),
        AMQP_TEST(gives_no_time_for_talk_that_answers_nothing),
        AMQP_TEST(waits_for_what_is_in_flight_for_five_seconds_when_stopped),
        AMQP_TEST(says_goodbye_no_longer_than_the_run_may_take),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
