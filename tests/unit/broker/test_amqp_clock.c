/*
 * Patience that lasts for seconds: the clock is replaced here, and can be put
 * forward.
 */
#include "amqp_fixture.h"

#include "base/clock.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        AMQP_TEST(waits_for_an_answer_for_a_minute_and_a_half),
        AMQP_TEST(waits_for_an_answer_for_as_long_as_it_is_told_to),
        AMQP_TEST(stops_the_clock_during_an_alarm_only),
        AMQP_TEST(gives_no_time_for_talk_that_answers_nothing),
        AMQP_TEST(waits_for_what_is_in_flight_for_five_seconds_when_stopped),
        AMQP_TEST(says_goodbye_no_longer_than_the_run_may_take),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
