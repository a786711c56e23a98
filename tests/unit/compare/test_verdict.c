#include "compare/answer.h"

#include "../plan/fixture.h"

static const struct lq_argument arguments[] = {
    {.key = "x-queue-type", .type = LQ_LONGSTR, .text = "classic"},
    {.key = "x-max-length", .type = LQ_INT64, .number = 2000},
    {.key = "x-dead-letter-exchange", .type = LQ_LONGSTR, .text = "it's"},
    {.key = "x-single-active-consumer", .type = LQ_BOOL, .number = 1},
    {.key = "x-max-priority", .type = LQ_INT32, .number = 5},
};

static const struct lq_queue queue = {.name = "q",
                                      .durable = true,
                                      .arguments = arguments,
                                      .argument_count = COUNT(arguments)};
static const struct lq_exchange exchange = {.name = "x"};
static const struct lq_binding binding = {
    .source = "x", .destination = "q", .routing_key = "a.b"};

static struct lq_request about(enum lq_request_kind kind)
{
    struct lq_request request = {.kind = kind};

    switch (kind) {
    case LQ_DECLARE_EXCHANGE:
    case LQ_CHECK_EXCHANGE:
    case LQ_COMPARE_EXCHANGE:
        request.of.exchange = &exchange;
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

struct saying {
    enum lq_request_kind kind;
    int code;
    const char *words; /* the broker's */
    const char *text;  /* ours */
};

static void says(struct fixture *fixture, const struct saying *wanted)
{
    const struct lq_request request = about(wanted->kind);
    const struct lq_answer answer = {
        .kind = LQ_DENIED, .code = wanted->code, .text = wanted->words};

    assert_string_equal(lq_verdict_text(&request, &answer, &fixture->arena),
                        wanted->text);
}

#define QUEUE_ADVICE                                                           \
    "a queue cannot be changed in place: plan what is there, or stop its "     \
    "consumers, move its messages away, delete it and apply"
#define EXCHANGE_ADVICE                                                        \
    "an exchange cannot be changed in place: plan another exchange_name, or "  \
    "delete it while nothing publishes to it and apply"
#define DIFFERS "PRECONDITION_FAILED - inequivalent arg "
#define REFUSED " in vhost '/' refused for user 'u'"

static const struct saying differences[] = {
    {LQ_DECLARE_QUEUE, 406,
     DIFFERS "'x-max-length' for queue 'q' in vhost '/': received '2000' "
             "but current is '1000'",
     "queue 'q': x-max-length is 1000 there, plan says 2000; " QUEUE_ADVICE},
    {LQ_DECLARE_QUEUE, 406,
     DIFFERS "'x-max-length' for queue 'q' in vhost '/': received '2000' "
             "but current is '2000'",
     "queue 'q': x-max-length is 2000 (of another type) there, plan says "
     "2000 (integer); " QUEUE_ADVICE},
    {LQ_DECLARE_QUEUE, 406,
     DIFFERS "'x-message-ttl' for queue 'q' in vhost '/': received none "
             "but current is the value '7' of type 'signedint'",
     "queue 'q': x-message-ttl is 7 there, plan does not set "
     "it; " QUEUE_ADVICE},
    {LQ_DECLARE_QUEUE, 406,
     DIFFERS "'x-max-priority' for queue 'q' in vhost '/': received the "
             "value '5' of type 'signedint' but current is none",
     "queue 'q': x-max-priority is not set there, plan says 5; " QUEUE_ADVICE},
    {LQ_DECLARE_QUEUE, 406,
     DIFFERS "'x-dead-letter-exchange' for queue 'q' in vhost '/': "
             "received 'it's' but current is 'other'",
     "queue 'q': x-dead-letter-exchange is 'other' there, plan says "
     "'it's'; " QUEUE_ADVICE},
    {LQ_DECLARE_QUEUE, 406,
     DIFFERS "'x-single-active-consumer' for queue 'q' in vhost '/': "
             "received 'true' but current is 'false'",
     "queue 'q': x-single-active-consumer is false there, plan says true; "
     "" QUEUE_ADVICE},
    {LQ_DECLARE_QUEUE, 406,
     DIFFERS "'durable' for queue 'q' in vhost '/': received 'true' but "
             "current is 'false'",
     "queue 'q': durable is false there, plan says true; " QUEUE_ADVICE},
    {LQ_DECLARE_QUEUE, 406,
     DIFFERS "'auto_delete' for queue 'q' in vhost '/': received 'false' "
             "but current is 'true'",
     "queue 'q': auto_delete is true there, plan says false; " QUEUE_ADVICE},
    {LQ_DECLARE_EXCHANGE, 406,
     DIFFERS "'type' for exchange 'x' in vhost '/': received 'direct' but "
             "current is 'topic'",
     "exchange 'x': type is 'topic' there, plan says "
     "'direct'; " EXCHANGE_ADVICE},
    {LQ_DECLARE_EXCHANGE, 406,
     DIFFERS "'durable' for exchange 'x' in vhost '/': received 'true' "
             "but current is 'false'",
     "exchange 'x': durable is false there, plan says true; " EXCHANGE_ADVICE},
    {LQ_DECLARE_EXCHANGE, 406,
     DIFFERS "'internal' for exchange 'x' in vhost '/': received 'false' "
             "but current is 'true'",
     "exchange 'x': internal is true there, plan says false; " EXCHANGE_ADVICE},
    {LQ_DECLARE_EXCHANGE, 406,
     DIFFERS "'alternate-exchange' for exchange 'x' in vhost '/': received "
             "none but current is the value 'ae' of type 'longstr'",
     "exchange 'x': alternate-exchange is 'ae' there, plan does not set "
     "it; " EXCHANGE_ADVICE},
    {LQ_DECLARE_QUEUE, 406, DIFFERS "'x-max-length' for queue 'q' in vh...",
     "queue 'q': x-max-length differs there, plan says 2000; " QUEUE_ADVICE},
    {LQ_CHECK_QUEUE, 405,
     "RESOURCE_LOCKED - cannot obtain exclusive access to locked queue "
     "'q' in vhost '/'",
     "queue 'q': is exclusive to another connection there"},
};

static void explains_a_difference(void **state)
{
    for (size_t i = 0; i < COUNT(differences); ++i) {
        says(*state, &differences[i]);
    }
}

static void names_the_permission_that_is_missing(void **state)
{
    static const struct saying cases[] = {
        {LQ_DECLARE_EXCHANGE, 403,
         "ACCESS_REFUSED - access to exchange 'x'" REFUSED,
         "exchange 'x': user 'u' needs permission to configure exchange "
         "'x' in vhost '/'"},
        {LQ_DECLARE_QUEUE, 403, "ACCESS_REFUSED - access to queue 'q'" REFUSED,
         "queue 'q': user 'u' needs permission to configure and read "
         "queue 'q' in vhost '/'"},
        {LQ_DECLARE_QUEUE, 403,
         "ACCESS_REFUSED - configure access to queue 'q'" REFUSED,
         "queue 'q': user 'u' needs permission to configure queue 'q' in "
         "vhost '/'"},
        {LQ_DECLARE_QUEUE, 403,
         "ACCESS_REFUSED - access to exchange 'dlx'" REFUSED,
         "queue 'q': user 'u' needs permission to write exchange 'dlx' in "
         "vhost '/'"},
        {LQ_BIND_QUEUE, 403, "ACCESS_REFUSED - access to queue 'q'" REFUSED,
         "binding of queue 'q' to exchange 'x' with key 'a.b': user 'u' needs "
         "permission to write queue 'q' in vhost '/'"},
        {LQ_BIND_QUEUE, 403, "ACCESS_REFUSED - access to exchange 'x'" REFUSED,
         "binding of queue 'q' to exchange 'x' with key 'a.b': user 'u' needs "
         "permission to read exchange 'x' in vhost '/'"},
        {LQ_CHECK_QUEUE, 403, "ACCESS_REFUSED - access to queue 'q'" REFUSED,
         "queue 'q': user 'u' needs permission to configure, write or read "
         "queue 'q' in vhost '/'"},
    };

    for (size_t i = 0; i < COUNT(cases); ++i) {
        says(*state, &cases[i]);
    }
}

static void falls_back_on_the_words_of_the_broker(void **state)
{
    static const struct saying cases[] = {
        {LQ_DECLARE_QUEUE, 406, "PRECONDITION_FAILED - queue limit",
         "queue 'q': the broker refuses: PRECONDITION_FAILED - queue limit "
         "(406)"},
        {LQ_DECLARE_EXCHANGE, 403,
         "ACCESS_REFUSED - exchange name 'amq.x' contains reserved prefix",
         "exchange 'x': the broker refuses: ACCESS_REFUSED - exchange name "
         "'amq.x' contains reserved prefix (403)"},
        {LQ_BIND_QUEUE, 404, "NOT_FOUND - no queue 'q' in vhost '/'",
         "binding of queue 'q' to exchange 'x' with key 'a.b': the broker "
         "refuses: NOT_FOUND - no queue 'q' in vhost '/' (404)"},
        {LQ_CHECK_QUEUE, 404, "NOT_FOUND - home node is down",
         "queue 'q': the broker refuses: NOT_FOUND - home node is down (404)"},
        {LQ_CHECK_QUEUE, 404,
         "NOT_FOUND - failed to perform operation on queue 'q' in vhost '/' "
         "due to timeout",
         "queue 'q': the broker refuses: NOT_FOUND - failed to perform "
         "operation on queue 'q' in vhost '/' due to timeout (404)"},
        {LQ_CHECK_QUEUE, 404, NULL, "queue 'q': the broker refuses (404)"},
        {LQ_DECLARE_QUEUE, 406, "cut in \xc3",
         "queue 'q': the broker refuses: cut in \\xc3 (406)"},
        {LQ_DECLARE_QUEUE, 406, "esc \x1b[2J",
         "queue 'q': the broker refuses: esc \\x1b[2J (406)"},
    };

    for (size_t i = 0; i < COUNT(cases); ++i) {
        says(*state, &cases[i]);
    }
}

static void says_that_something_external_is_missing(void **state)
{
    static const struct saying cases[] = {
        {LQ_CHECK_QUEUE, 404, "NOT_FOUND - no queue 'q' in vhost '/'",
         "queue 'q': is external, but does not exist"},
        {LQ_CHECK_EXCHANGE, 404, "NOT_FOUND - no exchange 'x' in vhost '/'",
         "exchange 'x': is external, but does not exist"},
    };

    for (size_t i = 0; i < COUNT(cases); ++i) {
        says(*state, &cases[i]);
    }
}

static void judges_by_code_and_words(void **state)
{
    static const struct {
        enum lq_request_kind kind;
        int code;
        const char *words;
        enum lq_verdict verdict;
    } cases[] = {
        {LQ_CHECK_QUEUE, 404, "NOT_FOUND - no queue 'q' in vhost '/'",
         LQ_VERDICT_MISSING},
        {LQ_CHECK_QUEUE, 404, "NOT_FOUND - home node down", LQ_VERDICT_REFUSED},
        {LQ_CHECK_QUEUE, 404, NULL, LQ_VERDICT_REFUSED},
        {LQ_BIND_QUEUE, 404, "NOT_FOUND - no queue 'q' in vhost '/'",
         LQ_VERDICT_REFUSED},
        {LQ_DECLARE_QUEUE, 406, DIFFERS "'durable'", LQ_VERDICT_CONFLICT},
        {LQ_DECLARE_QUEUE, 406, "PRECONDITION_FAILED - queue limit",
         LQ_VERDICT_REFUSED},
        {LQ_CHECK_QUEUE, 405, "RESOURCE_LOCKED", LQ_VERDICT_CONFLICT},
        {LQ_CHECK_QUEUE, 403, "ACCESS_REFUSED", LQ_VERDICT_REFUSED},
        {LQ_DECLARE_QUEUE, 0, "?", LQ_VERDICT_REFUSED},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const struct lq_request request = about(cases[i].kind);
        const struct lq_answer answer = {
            .kind = LQ_DENIED, .code = cases[i].code, .text = cases[i].words};

        assert_int_equal(lq_verdict_of(&request, &answer), cases[i].verdict);
    }
}

static void survives_any_failed_allocation(void **state)
{
    static const struct saying cases[] = {
        {LQ_DECLARE_QUEUE, 406,
         DIFFERS "'x-max-length' for queue 'q' in vhost '/': received '2000' "
                 "but current is 'none'",
         NULL},
        {LQ_DECLARE_QUEUE, 403, "ACCESS_REFUSED - access to queue 'q'" REFUSED,
         NULL},
        {LQ_BIND_QUEUE, 404, "NOT_FOUND", NULL},
        {LQ_CHECK_QUEUE, 404, "NOT_FOUND - no queue 'q'", NULL},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(cases); ++i) {
        const struct lq_request request = about(cases[i].kind);
        const struct lq_answer answer = {
            .kind = LQ_DENIED, .code = cases[i].code, .text = cases[i].words};
        const char *text = NULL;
        size_t limit = 0;

        do {
            restart(fixture, limit++);
            text = lq_verdict_text(&request, &answer, &fixture->arena);
        } while (fixture->arena.failed && limit < 100);
        assert_string_not_equal(text, "");
        assert_in_range(limit, 3, 99);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(explains_a_difference),
        TEST(names_the_permission_that_is_missing),
        TEST(falls_back_on_the_words_of_the_broker),
        TEST(says_that_something_external_is_missing),
        TEST(judges_by_code_and_words),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
