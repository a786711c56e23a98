#include "compare/answer.h"

#include "../plan/fixture.h"
#include "base/text.h"

static const struct lq_argument arguments[] = {
    {"x-queue-type", LQ_LONGSTR, "classic", 0},
    {"x-max-length", LQ_INT64, NULL, 1000},
    {"x-overflow", LQ_LONGSTR, "reject-publish", 0},
    {"x-single-active-consumer", LQ_BOOL, NULL, 1},
};
static const struct lq_queue queue = {.name = "q",
                                      .durable = true,
                                      .arguments = arguments,
                                      .argument_count = COUNT(arguments)};
static const struct lq_exchange exchange = {.name = "x"};
static const struct lq_request of_queue = {LQ_COMPARE_QUEUE, {.queue = &queue}};
static const struct lq_request of_exchange = {LQ_COMPARE_EXCHANGE,
                                              {.exchange = &exchange}};

static struct lq_comparison compare(struct fixture *fixture,
                                    const struct lq_request *request, int code,
                                    const char *text)
{
    const struct lq_answer answer = {
        .kind = LQ_DENIED, .code = code, .text = text};
    struct lq_comparison out;

    assert_int_equal(lq_comparison_of(request, &answer, &fixture->arena, &out),
                     LQ_OK);
    return out;
}

/* Both may be NULL. */
static bool is_same(const char *a, const char *b)
{
    return a && b ? lq_str_equal(a, b) : a == b;
}

static void assert_value(const struct lq_side_value *value, const char *text,
                         const char *type)
{
    assert_true(is_same(value->text, text));
    assert_true(is_same(value->type, type));
}

#define QUEUE_SAYS(field, rest)                                                \
    "PRECONDITION_FAILED - inequivalent arg '" field                           \
    "' for queue 'q' in vhost '/': received " rest
#define EXCHANGE_SAYS(field, rest)                                             \
    "PRECONDITION_FAILED - inequivalent arg '" field                           \
    "' for exchange 'x' in vhost '/': received " rest

static void takes_a_queue_that_is_declared_for_equal(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_answer answer = {.kind = LQ_DONE};
    struct lq_comparison out;

    assert_int_equal(
        lq_comparison_of(&of_queue, &answer, &fixture->arena, &out), LQ_OK);
    assert_int_equal(out.kind, LQ_COMPARED_EQUAL);
}

static const struct {
    const char *text;
    const char *field;
    struct lq_side_value planned;
    struct lq_side_value actual;
} differences[] = {
    {QUEUE_SAYS("x-max-length", "'1000' but current is '5'"),
     "x-max-length",
     {"1000", "integer"},
     {"5", "integer"}},
    {QUEUE_SAYS("x-max-length", "the value '1000' of type 'long' but "
                                "current is none"),
     "x-max-length",
     {"1000", "integer"},
     {NULL, NULL}},
    {QUEUE_SAYS("x-message-ttl", "none but current is the value '7' of "
                                 "type 'signedint'"),
     "x-message-ttl",
     {NULL, NULL},
     {"7", "integer"}},
    {QUEUE_SAYS("x-expires", "none but current is the value '7' of "
                             "type 'unheard'"),
     "x-expires",
     {NULL, NULL},
     {"7", "integer"}},
    {QUEUE_SAYS("x-overflow", "'reject-publish' but current is '12'"),
     "x-overflow",
     {"reject-publish", "string"},
     {"12", "string"}},
    {QUEUE_SAYS("x-single-active-consumer", "'true' but current is "
                                            "'false'"),
     "x-single-active-consumer",
     {"true", "boolean"},
     {"false", "boolean"}},
    {QUEUE_SAYS("durable", "'true' but current is 'false'"),
     "durable",
     {"true", "boolean"},
     {"false", "boolean"}},
    {QUEUE_SAYS("x-queue-type", "'classic' but current is 'quorum'"),
     "x-queue-type",
     {"classic", "string"},
     {"quorum", "string"}},
    {QUEUE_SAYS("x-stream-max-segment-size-bytes",
                "the value '-1' of type 'long' but current is none"),
     "x-queue-type",
     {"classic", "string"},
     {"stream", "string"}},
    {"PRECONDITION_FAILED - inequivalent arg 'x-max-length' for queue 'q'",
     "x-max-length",
     {"1000", "integer"},
     {"?", "unknown"}},
};

static void reads_the_first_difference_with_types(void **state)
{
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(differences); ++i) {
        const struct lq_comparison out =
            compare(fixture, &of_queue, 406, differences[i].text);

        assert_int_equal(out.kind, LQ_COMPARED_DIFFERENT);
        assert_string_equal(out.field, differences[i].field);
        assert_value(&out.planned, differences[i].planned.text,
                     differences[i].planned.type);
        assert_value(&out.actual, differences[i].actual.text,
                     differences[i].actual.type);
    }
}

static void knows_an_exchange_by_what_stops_at_the_barrier(void **state)
{
    static const struct {
        const char *text;
        enum lq_comparison_kind kind;
        const char *field;
        const char *actual;
    } cases[] = {
        {EXCHANGE_SAYS("alternate-exchange",
                       "the value '0' of type 'long' but current is none"),
         LQ_COMPARED_EQUAL, NULL, NULL},
        {EXCHANGE_SAYS("alternate-exchange", "'0' but current is 'ae'"),
         LQ_COMPARED_DIFFERENT, "alternate-exchange", "ae"},
        {"PRECONDITION_FAILED - inequivalent arg 'alternate-exchange' for "
         "exchange 'x' in vhost '/': received the v",
         LQ_COMPARED_UNCLEAR, "alternate-exchange", NULL},
        {EXCHANGE_SAYS("type", "'direct' but current is 'topic'"),
         LQ_COMPARED_DIFFERENT, "type", "topic"},
        {EXCHANGE_SAYS("internal", "'false' but current is 'true'"),
         LQ_COMPARED_DIFFERENT, "internal", "true"},
        {"PRECONDITION_FAILED - invalid type 'long' for arg "
         "'alternate-exchange' in exchange 'x' in vhost '/'",
         LQ_COMPARED_GONE, NULL, NULL},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(cases); ++i) {
        const struct lq_comparison out =
            compare(fixture, &of_exchange, 406, cases[i].text);

        assert_int_equal(out.kind, cases[i].kind);
        assert_true(is_same(out.field, cases[i].field));
        assert_true(is_same(out.actual.text, cases[i].actual));
    }
}

static void tells_what_is_gone_from_what_is_refused(void **state)
{
    static const struct {
        struct lq_request request;
        int code;
        const char *text;
        enum lq_comparison_kind kind;
    } cases[] = {
        {{LQ_COMPARE_QUEUE, {.queue = &queue}},
         406,
         "PRECONDITION_FAILED - invalid arg 'x-stream-max-segment-size-bytes' "
         "for queue 'q' in vhost '/' of queue type rabbit_classic_queue",
         LQ_COMPARED_GONE},
        {{LQ_COMPARE_QUEUE, {.queue = &queue}},
         406,
         "PRECONDITION_FAILED - invalid arg 'x-max-length' for queue 'q' in "
         "vhost '/': invalid arg 'x-stream-max-segment-size-bytes' for queue ",
         LQ_COMPARED_REFUSED},
        {{LQ_COMPARE_QUEUE, {.queue = &queue}}, 406, NULL, LQ_COMPARED_REFUSED},
        {{LQ_COMPARE_QUEUE, {.queue = &queue}},
         403,
         "ACCESS_REFUSED - access to queue 'q' in vhost '/' refused for user "
         "'u'",
         LQ_COMPARED_REFUSED},
        {{LQ_CHECK_QUEUE, {.queue = &queue}},
         404,
         "NOT_FOUND - no queue 'q' in vhost '/'",
         LQ_COMPARED_GONE},
        {{LQ_CHECK_QUEUE, {.queue = &queue}},
         404,
         "NOT_FOUND - home node 'rabbit@a' of queue 'q' is down",
         LQ_COMPARED_REFUSED},
        {{LQ_CHECK_EXCHANGE, {.exchange = &exchange}},
         404,
         "NOT_FOUND - no exchange 'x' in vhost '/'",
         LQ_COMPARED_GONE},
        {{LQ_CHECK_QUEUE, {.queue = &queue}},
         405,
         "RESOURCE_LOCKED - cannot obtain exclusive access",
         LQ_COMPARED_DIFFERENT},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_int_equal(
            compare(fixture, &cases[i].request, cases[i].code, cases[i].text)
                .kind,
            cases[i].kind);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(takes_a_queue_that_is_declared_for_equal),
        TEST(reads_the_first_difference_with_types),
        TEST(knows_an_exchange_by_what_stops_at_the_barrier),
        TEST(tells_what_is_gone_from_what_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
