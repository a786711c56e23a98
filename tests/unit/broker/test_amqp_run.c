/* Requests in batches, and how they are answered, denied or lost. */
#include "../limit.h"
#include "amqp_fixture.h"

#define MOST 256

static const struct lq_exchange orders = {.name = "orders"};
static const struct lq_queue queue = {.name = "q", .durable = true};
static const struct lq_binding binding = {"orders", "q", "key", LQ_ROLE_MAIN,
                                          NULL};

/* A batch of one kind of requests, and what the broker said meanwhile. */
struct work {
    struct lq_request requests[MOST];
    struct lq_answer answers[MOST];
    struct lq_batch batch;
    const char *said[4]; /* reasons of alarms; "over" when one is */
    size_t said_count;
    size_t ticks;
    size_t stop_after; /* answers */
};

static bool tick(void *data, size_t answered)
{
    struct work *const work = data;

    ++work->ticks;
    return answered >= work->stop_after;
}

static void note_alarm(void *data, const char *reason)
{
    struct work *const work = data;

    work->said[work->said_count++ % COUNT(work->said)] =
        reason ? reason : "over";
}

static struct lq_request request_of(enum lq_request_kind kind)
{
    struct lq_request request = {.kind = kind};

    switch (kind) {
    case LQ_DECLARE_EXCHANGE:
    case LQ_CHECK_EXCHANGE:
    case LQ_COMPARE_EXCHANGE:
        request.of.exchange = &orders;
        break;
    case LQ_DECLARE_QUEUE:
    case LQ_CHECK_QUEUE:
    case LQ_COMPARE_QUEUE:
        request.of.queue = &queue;
        break;
    case LQ_BIND_QUEUE:
        request.of.binding = &binding;
        break;
    }
    return request;
}

static struct work *work_of(enum lq_request_kind kind, size_t count)
{
    static struct work work;

    memset(&work, 0, sizeof(work));
    for (size_t i = 0; i < count; ++i) {
        work.requests[i] = request_of(kind);
        work.answers[i].kind = LQ_UNKNOWN; /* to be overwritten */
    }
    work.stop_after = SIZE_MAX;
    work.batch = (struct lq_batch){
        .requests = work.requests,
        .count = count,
        .answers = work.answers,
        .writes = kind != LQ_CHECK_EXCHANGE && kind != LQ_CHECK_QUEUE,
        .tick = tick,
        .blocked = note_alarm,
        .data = &work,
    };
    return &work;
}

static enum lq_status run(struct amqp_fixture *fixture, struct work *work)
{
    return fixture->broker->run(fixture->broker, &work->batch);
}

static size_t count_of(const struct work *work, enum lq_answer_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < work->batch.count; ++i) {
        count += work->answers[i].kind == kind;
    }
    return count;
}

static void does_each_kind_of_request(void **state)
{
    static const enum lq_request_kind kinds[] = {
        LQ_DECLARE_EXCHANGE, LQ_DECLARE_QUEUE, LQ_BIND_QUEUE,
        LQ_CHECK_EXCHANGE,   LQ_CHECK_QUEUE,   LQ_COMPARE_EXCHANGE,
        LQ_COMPARE_QUEUE};
    struct amqp_fixture *const fixture = *state;

    open_well(fixture, NULL, 0);
    for (size_t i = 0; i < COUNT(kinds); ++i) {
        struct work *const work = work_of(kinds[i], 1);

        assert_int_equal(run(fixture, work), LQ_OK);
        assert_int_equal(work->answers[0].kind, LQ_DONE);
        assert_int_equal(work->answers[0].code, 0);
        assert_null(work->answers[0].text);
    }
    end(fixture);
    assert_int_equal(fixture->peer.requests, COUNT(kinds));
    assert_int_equal(fixture->peer.checks, 2);
}

static void tells_what_queues_hold_and_who_consumes_them(void **state)
{
    static const enum lq_request_kind kinds[] = {
        LQ_CHECK_QUEUE, LQ_DECLARE_QUEUE, LQ_COMPARE_QUEUE};
    struct amqp_fixture *const fixture = *state;
    struct work *work = NULL;

    fixture->peer.messages = UINT32_MAX;
    fixture->peer.consumers = 3;
    open_well(fixture, NULL, 0);
    for (size_t i = 0; i < COUNT(kinds); ++i) {
        work = work_of(kinds[i], 1);
        assert_int_equal(run(fixture, work), LQ_OK);
        assert_int_equal(work->answers[0].messages, UINT32_MAX);
        assert_int_equal(work->answers[0].consumers, 3);
    }
    work = work_of(LQ_CHECK_EXCHANGE, 1);
    assert_int_equal(run(fixture, work), LQ_OK);
    assert_int_equal(work->answers[0].messages, 0);
    assert_int_equal(work->answers[0].consumers, 0);
}

static void has_nothing_to_do_in_an_empty_batch(void **state)
{
    struct amqp_fixture *const fixture = *state;

    open_well(fixture, NULL, 0);
    assert_int_equal(run(fixture, work_of(LQ_DECLARE_QUEUE, 0)), LQ_OK);
}

static void spreads_what_writes_over_channels(void **state)
{
    static const size_t counts[][2] = {{16, 1}, {17, 2}, {200, 13}, {256, 16}};
    struct amqp_fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(counts); ++i) {
        struct work *const work = work_of(LQ_DECLARE_QUEUE, counts[i][0]);

        again(fixture);
        open_well(fixture, NULL, 0);
        assert_int_equal(run(fixture, work), LQ_OK);
        assert_int_equal(count_of(work, LQ_DONE), counts[i][0]);
        end(fixture);
        assert_int_equal(fixture->peer.requests, counts[i][0]);
        assert_int_equal(fixture->peer.channels, counts[i][1]);
    }
}

static void uses_no_more_channels_than_the_peer_has(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 100);

    fixture->peer.channel_max = 2;
    open_well(fixture, NULL, 0);
    assert_int_equal(run(fixture, work), LQ_OK);
    assert_int_equal(count_of(work, LQ_DONE), 100);
    end(fixture);
    assert_int_equal(fixture->peer.channels, 2);
}

/* The words of 3.10, and of 4.3. */
static void makes_do_with_the_channels_that_a_user_may_have(void **state)
{
    static const char *const texts[] = {
        "NOT_ALLOWED - number of channels opened for user 'guest' has reached "
        "the maximum allowed user limit of (3)",
        "NOT_ALLOWED - number of channels opened for user 'guest' has reached "
        "the maximum allowed user limit of 3"};
    static const enum lq_request_kind kinds[] = {LQ_DECLARE_QUEUE,
                                                 LQ_CHECK_QUEUE};
    struct amqp_fixture *const fixture = *state;

    for (size_t i = 0; i < 4; ++i) {
        const struct peer_rule rule = {PEER_CHANNEL_OPEN, 3, PEER_ENDS, 530,
                                       texts[i / 2],      0};
        struct work *const work = work_of(kinds[i % 2], 100);

        again(fixture);
        fixture->peer.more = 1;
        open_well(fixture, &rule, 1);
        assert_int_equal(run(fixture, work), LQ_OK);
        assert_int_equal(count_of(work, LQ_DONE), 100);
        assert_int_equal(fixture->base.diags.items.count, 0);
        end(fixture);
        assert_int_equal(fixture->peer.channels, 6); /* three, twice */
    }
}

static void asks_for_ever_fewer_channels_down_to_one(void **state)
{
    static const char text[] = "NOT_ALLOWED - number of channels opened for "
                               "user 'guest' has reached the maximum allowed "
                               "user limit of (4)";
    static const struct peer_rule rules[] = {
        {PEER_CHANNEL_OPEN, 2, PEER_ENDS, 530, text, 0},
        {PEER_CHANNEL_OPEN, 1, PEER_ENDS, 530, text, 0},
        {PEER_CHANNEL_OPEN, 1, PEER_ENDS, 530, text, 0}};
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 100);

    fixture->peer.more = 3;
    open_well(fixture, rules, COUNT(rules));
    assert_int_equal(run(fixture, work), LQ_OK);
    assert_int_equal(count_of(work, LQ_DONE), 100);
    end(fixture);
    assert_int_equal(fixture->peer.channels, 5);
}

static void says_so_when_there_may_be_no_channel_at_all(void **state)
{
    static const struct peer_rule rule = {
        PEER_CHANNEL_OPEN,
        0,
        PEER_ENDS,
        530,
        "NOT_ALLOWED - number of channels opened for user 'guest' has reached "
        "the maximum allowed user limit of 0",
        0};
    struct amqp_fixture *const fixture = *state;

    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work_of(LQ_DECLARE_QUEUE, 2)), LQ_LOST);
    assert_true(fixture->broker->refused);
    assert_said(fixture,
                "the broker closed the connection: NOT_ALLOWED - number of "
                "channels opened for user 'guest' has reached the maximum "
                "allowed user limit of 0 (530); it takes no more channels "
                "until others are closed, or the limit is raised");
}

static void keeps_no_more_in_flight_than_it_may(void **state)
{
    static const bool writes[] = {true, false};
    struct amqp_fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(writes); ++i) {
        struct work *const work = work_of(LQ_BIND_QUEUE, 36);

        again(fixture);
        fixture->peer.channel_max = 3;
        work->batch.writes = writes[i];
        work->batch.max_in_flight = 12;
        fixture->peer.holds = true;
        open_well(fixture, NULL, 0);
        assert_int_equal(run(fixture, work), LQ_OK);
        assert_int_equal(count_of(work, LQ_DONE), 36);
        end(fixture);
        assert_int_equal(fixture->peer.most_held, 12);
    }
}

static void asks_again_what_a_missing_one_threw_away(void **state)
{
    static const enum lq_request_kind kinds[] = {LQ_CHECK_QUEUE,
                                                 LQ_CHECK_EXCHANGE};
    struct amqp_fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(kinds); ++i) {
        struct work *const work = work_of(kinds[i], 100);

        again(fixture);
        fixture->peer.empty = true;
        open_well(fixture, NULL, 0);
        assert_int_equal(run(fixture, work), LQ_OK);
        assert_int_equal(count_of(work, LQ_DENIED), 100);
        assert_int_equal(work->answers[99].code, 404);
        assert_string_equal(work->answers[99].text,
                            kinds[i] == LQ_CHECK_QUEUE
                                ? "NOT_FOUND - no queue 'q' in vhost '/'"
                                : "NOT_FOUND - no exchange 'orders' in vhost "
                                  "'/'");
        end(fixture);
        assert_int_equal(fixture->peer.requests, 100);
        assert_int_equal(fixture->peer.denials, 100);
    }
}

static void goes_on_looking_behind_a_denial(void **state)
{
    static const struct peer_rule rules[] = {
        {PEER_QUEUE_DECLARE, 30, PEER_DENIES, 403, "ACCESS_REFUSED - no", 0},
        {PEER_QUEUE_DECLARE, 30, PEER_DENIES, 405, "RESOURCE_LOCKED - no", 0},
        {PEER_QUEUE_DECLARE, 3, PEER_DENIES, 403, "ACCESS_REFUSED - no", 0},
    };
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_CHECK_QUEUE, 200);

    fixture->peer.channel_max = 1; /* so that much is in flight behind */
    open_well(fixture, rules, COUNT(rules));
    assert_int_equal(run(fixture, work), LQ_OK);
    assert_int_equal(count_of(work, LQ_DONE), 197);
    assert_int_equal(work->answers[30].code, 403);
    assert_string_equal(work->answers[30].text, "ACCESS_REFUSED - no");
    assert_int_equal(work->answers[61].code, 405);
    assert_int_equal(work->answers[65].code, 403);
}

static void writes_nothing_more_after_a_denial(void **state)
{
    static const struct peer_rule rule = {
        PEER_QUEUE_DECLARE, 4, PEER_DENIES, 406, "PRECONDITION_FAILED - no", 0};
    struct amqp_fixture *const fixture = *state;
    struct work *work = work_of(LQ_DECLARE_QUEUE, 16);

    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work), LQ_OK);
    assert_int_equal(count_of(work, LQ_DONE), 4);
    assert_int_equal(work->answers[4].kind, LQ_DENIED);
    assert_int_equal(work->answers[4].code, 406);
    assert_string_equal(work->answers[4].text, "PRECONDITION_FAILED - no");
    assert_int_equal(count_of(work, LQ_UNSENT), 11);
    /* the connection is as good as before */
    work = work_of(LQ_BIND_QUEUE, 3);
    assert_int_equal(run(fixture, work), LQ_OK);
    assert_int_equal(count_of(work, LQ_DONE), 3);
}

static void waits_for_the_other_channels_after_a_denial(void **state)
{
    static const struct peer_rule rule = {
        PEER_QUEUE_DECLARE, 20, PEER_DENIES, 403, "ACCESS_REFUSED - no", 0};
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 64);

    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work), LQ_OK);
    assert_int_equal(count_of(work, LQ_DENIED), 1);
    assert_int_equal(work->answers[20].kind, LQ_DENIED);
    assert_int_equal(count_of(work, LQ_UNKNOWN), 0);
    assert_true(count_of(work, LQ_DONE) >= 20);
    assert_true(count_of(work, LQ_UNSENT) >= 1);
}

static void sends_nothing_when_stopped_at_once(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 5);

    work->stop_after = 0;
    open_well(fixture, NULL, 0);
    assert_int_equal(run(fixture, work), LQ_OK);
    assert_int_equal(count_of(work, LQ_UNSENT), 5);
    end(fixture);
    assert_int_equal(fixture->peer.requests, 0);
}

static void waits_for_what_is_in_flight_when_stopped(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 48);

    work->stop_after = 4;
    work->batch.max_in_flight = 4;
    fixture->peer.holds = true;
    open_well(fixture, NULL, 0);
    assert_int_equal(run(fixture, work), LQ_OK);
    assert_int_equal(count_of(work, LQ_UNKNOWN), 0);
    assert_true(count_of(work, LQ_DONE) >= 4);
    assert_true(count_of(work, LQ_UNSENT) >= 4);
    end(fixture);
    assert_int_equal(fixture->peer.requests, count_of(work, LQ_DONE));
}

static void runs_without_anybody_to_ask_or_tell(void **state)
{
    static const struct peer_rule rule = {.on = PEER_REQUEST,
                                          .act = PEER_BLOCKS,
                                          .code = 60,
                                          .text = "low on memory"};
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 2);

    work->batch.tick = NULL;
    work->batch.blocked = NULL;
    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work), LQ_OK);
    assert_int_equal(count_of(work, LQ_DONE), 2);
}

static void sends_nothing_during_an_alarm(void **state)
{
    static const struct peer_rule rule = {.on = PEER_REQUEST,
                                          .skip = 1,
                                          .act = PEER_BLOCKS,
                                          .code = 120,
                                          .text = "low on \x01 memory"};
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 8);

    work->batch.max_in_flight = 1;
    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work), LQ_OK);
    assert_int_equal(count_of(work, LQ_DONE), 8);
    assert_int_equal(work->said_count, 2);
    assert_string_equal(work->said[0], "low on \\x01 memory");
    assert_string_equal(work->said[1], "over");
    assert_true(work->ticks >= 2); /* it asked on while it waited */
}

static void waits_for_the_end_of_an_alarm_no_longer_than_it_may(void **state)
{
    static const struct peer_rule rule = {
        .on = PEER_REQUEST, .act = PEER_BLOCKS, .text = "low on disk"};
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 3);

    work->batch.max_in_flight = 1;
    fixture->connection.timeout_millis = 200;
    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work), LQ_LOST);
    assert_said(fixture, "not done within 200 ms, the time for the whole run "
                         "(it says that it is blocked by an alarm)");
    assert_int_equal(work->answers[0].kind, LQ_UNKNOWN);
    assert_int_equal(count_of(work, LQ_UNSENT), 2);
}

static void waits_for_an_answer_no_longer_than_it_may(void **state)
{
    static const struct peer_rule rule = {
        .on = PEER_REQUEST, .skip = 1, .act = PEER_SAYS};
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 3);

    work->batch.max_in_flight = 1;
    fixture->connection.timeout_millis = 200;
    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work), LQ_LOST);
    assert_said(fixture, "not done within 200 ms, the time for the whole run");
    assert_int_equal(work->answers[0].kind, LQ_DONE);
    assert_int_equal(work->answers[1].kind, LQ_UNKNOWN);
    assert_int_equal(work->answers[2].kind, LQ_UNSENT);
}

static void knows_what_is_unknown_when_the_connection_ends(void **state)
{
    static const struct {
        struct peer_rule rule;
        const char *text;
    } cases[] = {
        {{.on = PEER_REQUEST, .skip = 5, .act = PEER_HANGS_UP},
         "the peer hung up"},
        {{PEER_REQUEST, 5, PEER_ENDS, 320, "CONNECTION_FORCED - shutdown", 0},
         "the broker closed the connection: CONNECTION_FORCED - shutdown "
         "(320)"},
    };
    struct amqp_fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(cases); ++i) {
        struct work *const work = work_of(LQ_DECLARE_QUEUE, 32);

        again(fixture);
        open_well(fixture, &cases[i].rule, 1);
        assert_int_equal(run(fixture, work), LQ_LOST);
        assert_said(fixture, cases[i].text);
        assert_int_equal(count_of(work, LQ_DONE), 5);
        assert_int_equal(count_of(work, LQ_UNKNOWN), 27);
        /* and never again */
        assert_int_equal(run(fixture, work), LQ_LOST);
        assert_int_equal(count_of(work, LQ_UNSENT), 32);
        assert_int_equal(fixture->base.diags.items.count, 1);
    }
}

/* What the refusal names is denied, and what came behind it never happened. */
static void blames_what_a_refusal_that_ends_the_connection_names(void **state)
{
    static const struct peer_rule rule = {
        PEER_REQUEST,
        3,
        PEER_ENDS,
        541,
        "INTERNAL_ERROR - Cannot declare queue 'odd' in vhost '/'",
        0};
    static const struct lq_queue odd = {.name = "odd", .durable = true};
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 6);

    work->requests[3].of.queue = &odd;
    fixture->peer.channel_max = 1;
    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work), LQ_LOST);
    assert_true(fixture->broker->refused);
    assert_int_equal(count_of(work, LQ_DONE), 3);
    assert_int_equal(work->answers[3].kind, LQ_DENIED);
    assert_int_equal(work->answers[3].code, 541);
    assert_string_equal(work->answers[3].text, rule.text);
    assert_int_equal(count_of(work, LQ_UNSENT), 2);
}

static void blames_the_only_one_in_flight(void **state)
{
    static const struct peer_rule rule = {PEER_REQUEST,     1, PEER_ENDS, 541,
                                          "INTERNAL_ERROR", 0};
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_BIND_QUEUE, 3);

    work->batch.max_in_flight = 1;
    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work), LQ_LOST);
    assert_int_equal(work->answers[1].kind, LQ_DENIED);
    assert_int_equal(work->answers[2].kind, LQ_UNSENT);
}

static void blames_nobody_when_it_cannot_tell(void **state)
{
    static const struct peer_rule rule = {PEER_REQUEST,     1, PEER_ENDS, 541,
                                          "INTERNAL_ERROR", 0};
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 5);

    fixture->peer.channel_max = 1;
    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work), LQ_LOST);
    assert_true(fixture->broker->refused);
    assert_int_equal(count_of(work, LQ_DONE), 1);
    assert_int_equal(count_of(work, LQ_UNKNOWN), 4);
}

/* Alarms that begin and end, so many of them; NULL: out of memory. */
static const char *alarms(struct lq_arena *arena, size_t count, size_t *length)
{
    const struct peer_bytes blocked = peer_frame(0, PEER_BLOCKED, "\1x", 2);
    const struct peer_bytes over = peer_frame(0, PEER_UNBLOCKED, "", 0);
    const size_t each = blocked.length + over.length;
    char *const text = lq_alloc(arena, count * each);

    *length = count * each;
    for (size_t i = 0; text && i < count; ++i) {
        memcpy(text + i * each, blocked.at, blocked.length);
        memcpy(text + i * each + blocked.length, over.at, over.length);
    }
    return text;
}

static void ends_at_alarms_without_end_and_tells_of_few(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 1);
    struct peer_rule rule = {.on = PEER_REQUEST, .act = PEER_SAYS};

    rule.text = alarms(&fixture->base.arena, 500, &rule.length);
    assert_non_null(rule.text);
    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work), LQ_LOST);
    assert_said(fixture, "the peer said 200 times that it is blocked or no "
                         "longer is, and answered nothing meanwhile");
    /* of 1, 2, 3, 10, 20, 30 and 100, and their ends */
    assert_int_equal(work->said_count, 14);
    assert_string_equal(work->said[12 % COUNT(work->said)],
                        "x, for the 100th time");
}

static void tells_of_an_alarm_once_however_often_it_is_said(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 1);
    const struct peer_bytes blocked = peer_frame(0, PEER_BLOCKED, "\1x", 2);
    struct peer_rule rule = {.on = PEER_REQUEST, .act = PEER_SAYS};
    char *const text = lq_alloc(&fixture->base.arena, 300 * blocked.length);

    assert_non_null(text);
    for (size_t i = 0; i < 300; ++i) {
        memcpy(text + i * blocked.length, blocked.at, blocked.length);
    }
    rule.text = text;
    rule.length = 300 * blocked.length;
    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work), LQ_LOST);
    assert_int_equal(work->said_count, 1);
}

static void notices_a_connection_that_breaks(void **state)
{
    static const struct peer_rule rule = {
        .on = PEER_REQUEST, .skip = 2, .act = PEER_RESETS};
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 6);

    work->batch.max_in_flight = 1;
    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work), LQ_LOST);
    assert_said(fixture, "the connection broke");
    assert_int_equal(count_of(work, LQ_DONE), 2);
    assert_int_equal(count_of(work, LQ_UNKNOWN), 1);
    assert_int_equal(count_of(work, LQ_UNSENT), 3);
}

static void refuses_what_nobody_asked_for(void **state)
{
    static const char nobody[] =
        "the peer sent an answer that nobody asked for";
    static const struct {
        unsigned channel;
        enum peer_method method;
        const char *arguments;
        size_t length;
        const char *more;
    } cases[] = {
        {1, PEER_QUEUE_BIND_OK, "", 0, " (AMQP_QUEUE_BIND_OK_METHOD)"},
        {1, PEER_CHANNEL_OPEN_OK, "\0\0\0\0", 4,
         " (AMQP_CHANNEL_OPEN_OK_METHOD)"},
        {9, PEER_QUEUE_DECLARE_OK, "\1q\0\0\0\0\0\0\0\0", 10, ""},
        {1, PEER_CHANNEL_FLOW, "\1", 1, ""},
        {0, PEER_TUNE, "\0\0\0\0\0\0\0\0", 8, ""},
        {0, PEER_QUEUE_BIND_OK, "", 0, ""},
    };
    struct amqp_fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(cases); ++i) {
        struct work *const work = work_of(LQ_DECLARE_QUEUE, 1);
        const struct peer_bytes frame =
            peer_frame(cases[i].channel, cases[i].method, cases[i].arguments,
                       cases[i].length);
        const struct peer_rule rule = {.on = PEER_REQUEST,
                                       .act = PEER_SAYS,
                                       .text = (const char *)frame.at,
                                       .length = frame.length};

        again(fixture);
        open_well(fixture, &rule, 1);
        assert_int_equal(run(fixture, work), LQ_LOST);
        assert_said(fixture, lq_format(&fixture->base.arena, "%s%s", nobody,
                                       cases[i].more));
        assert_int_equal(work->answers[0].kind, LQ_UNKNOWN);
        end(fixture);
    }
}

static void refuses_what_is_no_amqp(void **state)
{
    static const struct peer_rule rule = {.on = PEER_REQUEST,
                                          .act = PEER_SAYS,
                                          .text = "\x02\0\0\0\0",
                                          .length = 5};
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_CHECK_EXCHANGE, 1);

    open_well(fixture, &rule, 1);
    assert_int_equal(run(fixture, work), LQ_LOST);
    assert_said(fixture, "the peer sent something that is not AMQP 0-9-1");
    assert_int_equal(work->answers[0].kind, LQ_UNKNOWN);
}

static void sends_each_argument_with_its_type(void **state)
{
    static const struct lq_argument arguments[] = {
        {"s", LQ_LONGSTR, "text", 0},
        {"l", LQ_INT64, NULL, 0x0102030405},
        {"i", LQ_INT32, NULL, 10},
        {"b", LQ_BOOL, NULL, 1},
    };
    static const char wanted[] = "\0\0\001q\002" /* durable */
                                 "\0\0\0\041"
                                 "\001sS\0\0\0\004text"
                                 "\001ll\0\0\0\001\002\003\004\005"
                                 "\001iI\0\0\0\012"
                                 "\001bt\001";
    const struct lq_queue full = {.name = "q",
                                  .durable = true,
                                  .arguments = arguments,
                                  .argument_count = COUNT(arguments)};
    struct amqp_fixture *const fixture = *state;
    struct work *const work = work_of(LQ_DECLARE_QUEUE, 2);

    work->requests[0].of.queue = &full;
    work->requests[1].of.queue = &full;
    open_well(fixture, NULL, 0);
    assert_int_equal(run(fixture, work), LQ_OK);
    end(fixture);
    assert_memory_equal(fixture->peer.request, wanted, sizeof(wanted) - 1);
}

/* Memory fails in the batch, not before. */
static void survives_any_failed_allocation(void **state)
{
    static const struct lq_argument argument = {"k", LQ_BOOL, NULL, 0};
    static const struct lq_queue with_argument = {
        .name = "q", .arguments = &argument, .argument_count = 1};
    static const struct peer_rule rules[] = {
        {.on = PEER_REQUEST,
         .act = PEER_BLOCKS,
         .code = 1,
         .text = "low on memory"},
        {PEER_REQUEST, 0, PEER_DENIES, 406, "PRECONDITION_FAILED - no", 0},
    };
    struct amqp_fixture *const fixture = *state;
    enum lq_status status = LQ_NOMEM;

    for (size_t limit = 0; status == LQ_NOMEM; ++limit) {
        struct work *const work = work_of(LQ_DECLARE_QUEUE, 3);

        again(fixture);
        work->requests[0].of.queue = &with_argument;
        open_well(fixture, rules, COUNT(rules));
        limit_memory(&fixture->base.arena, limit);
        status = run(fixture, work);
        assert_true(status == LQ_NOMEM || status == LQ_OK);
        assert_true(limit < 100);
        limit_memory(&fixture->base.arena, SIZE_MAX);
    }
}

static void
survives_any_failed_allocation_when_the_connection_ends(void **state)
{
    static const struct peer_rule rules[] = {
        {PEER_REQUEST, 0, PEER_ENDS, 320, "CONNECTION_FORCED - no", 0},
        {PEER_REQUEST, 0, PEER_ENDS, 541, "INTERNAL_ERROR - no", 0}};
    struct amqp_fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(rules); ++i) {
        enum lq_status status = LQ_NOMEM;

        for (size_t limit = 0; status == LQ_NOMEM; ++limit) {
            struct work *const work = work_of(LQ_BIND_QUEUE, 1);

            again(fixture);
            open_well(fixture, &rules[i], 1);
            limit_memory(&fixture->base.arena, limit);
            status = run(fixture, work);
            assert_true(status == LQ_NOMEM || status == LQ_LOST);
            assert_true(limit < 100);
            limit_memory(&fixture->base.arena, SIZE_MAX);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AMQP_TEST(does_each_kind_of_request),
        AMQP_TEST(tells_what_queues_hold_and_who_consumes_them),
        AMQP_TEST(has_nothing_to_do_in_an_empty_batch),
        AMQP_TEST(spreads_what_writes_over_channels),
        AMQP_TEST(uses_no_more_channels_than_the_peer_has),
        AMQP_TEST(makes_do_with_the_channels_that_a_user_may_have),
        AMQP_TEST(asks_for_ever_fewer_channels_down_to_one),
        AMQP_TEST(says_so_when_there_may_be_no_channel_at_all),
        AMQP_TEST(blames_what_a_refusal_that_ends_the_connection_names),
        AMQP_TEST(blames_the_only_one_in_flight),
        AMQP_TEST(blames_nobody_when_it_cannot_tell),
        AMQP_TEST(ends_at_alarms_without_end_and_tells_of_few),
        AMQP_TEST(tells_of_an_alarm_once_however_often_it_is_said),
        AMQP_TEST(keeps_no_more_in_flight_than_it_may),
        AMQP_TEST(asks_again_what_a_missing_one_threw_away),
        AMQP_TEST(goes_on_looking_behind_a_denial),
        AMQP_TEST(writes_nothing_more_after_a_denial),
        AMQP_TEST(waits_for_the_other_channels_after_a_denial),
        AMQP_TEST(sends_nothing_when_stopped_at_once),
        AMQP_TEST(waits_for_what_is_in_flight_when_stopped),
        AMQP_TEST(runs_without_anybody_to_ask_or_tell),
        AMQP_TEST(sends_nothing_during_an_alarm),
        AMQP_TEST(waits_for_the_end_of_an_alarm_no_longer_than_it_may),
        AMQP_TEST(waits_for_an_answer_no_longer_than_it_may),
        AMQP_TEST(knows_what_is_unknown_when_the_connection_ends),
        AMQP_TEST(notices_a_connection_that_breaks),
        AMQP_TEST(refuses_what_nobody_asked_for),
        AMQP_TEST(refuses_what_is_no_amqp),
        AMQP_TEST(sends_each_argument_with_its_type),
        AMQP_TEST(survives_any_failed_allocation),
        AMQP_TEST(survives_any_failed_allocation_when_the_connection_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
