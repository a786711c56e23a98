#include "compare/compare.h"

#include "../plan/fixture.h"

struct row {
    const char *version;
    const char *type; /* of the queue */
    const char *key;
    bool compared;
};

static void assert_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const struct lq_live live = {.version = rows[i].version};
        const struct lq_live_queue queue = {.type = rows[i].type};

        if (lq_is_compared(&live, &queue, rows[i].key) != rows[i].compared) {
            fail_msg("%s on a %s queue of %s", rows[i].key, rows[i].type,
                     rows[i].version);
        }
    }
}

static void knows_what_each_type_of_queue_compares(void **state)
{
    static const struct row rows[] = {
        {"3.10.8", "classic", "x-message-ttl", true},
        {"3.10.8", "quorum", "x-message-ttl", true},
        {"3.10.8", "stream", "x-message-ttl", false},
        {"3.10.8", "classic", "x-queue-mode", true},
        {"3.10.8", "quorum", "x-queue-mode", false},
        {"3.10.8", "classic", "x-delivery-limit", false},
        {"3.10.8", "quorum", "x-delivery-limit", true},
        {"3.10.8", "quorum", "x-max-priority", false},
        {"3.10.8", "stream", "x-max-age", true},
        {"4.3.6", "classic", "x-foo", false},
        {"4.3.6", "classic", "", false},
        {"4.3.6", "classic", "X-Message-TTL", false},
    };

    (void)state;
    assert_rows(rows, COUNT(rows));
}

static void knows_since_when_it_is_compared(void **state)
{
    static const struct row rows[] = {
        {"3.10.8", "classic", "x-queue-leader-locator", false},
        {"4.0.5", "classic", "x-queue-leader-locator", true},
        {"3.10.8", "quorum", "x-queue-leader-locator", true},
        {"4.0.5", "quorum", "x-delayed-retry-type", false},
        {"4.3.6", "quorum", "x-delayed-retry-type", true},
        {"4.0.5", "quorum", "x-consumer-timeout", false},
        {"4.3.6", "quorum", "x-consumer-timeout", true},
    };

    (void)state;
    assert_rows(rows, COUNT(rows));
}

static void takes_what_is_not_known_for_compared(void **state)
{
    static const struct row rows[] = {
        {NULL, "quorum", "x-delayed-retry-type", true},
        {NULL, NULL, "x-queue-mode", true},
        {NULL, "something new", "x-delivery-limit", true},
        {NULL, NULL, "x-foo", false},
    };

    (void)state;
    assert_rows(rows, COUNT(rows));
}

static void compares_one_argument_of_exchanges(void **state)
{
    (void)state;
    assert_true(lq_is_compared_exchange("alternate-exchange"));
    assert_false(lq_is_compared_exchange("x-delayed-type"));
}

static void takes_integers_of_any_width_for_the_same(void **state)
{
    const struct lq_argument wide = {.type = LQ_INT64, .number = 5};
    const struct lq_argument narrow = {.type = LQ_INT32, .number = 5};
    const struct lq_live_argument five = {
        .type = LQ_LIVE_INTEGER, .text = "5", .number = 5};
    const struct lq_live_argument six = {
        .type = LQ_LIVE_INTEGER, .text = "6", .number = 6};

    (void)state;
    assert_true(lq_is_same_value(&wide, &five));
    assert_true(lq_is_same_value(&narrow, &five));
    assert_false(lq_is_same_value(&wide, &six));
}

static void tells_types_apart(void **state)
{
    static const struct lq_argument planned[] = {
        {.type = LQ_INT64, .number = 1},
        {.type = LQ_LONGSTR, .text = "1"},
        {.type = LQ_BOOL, .number = 1},
    };
    static const struct lq_live_argument there[] = {
        {.type = LQ_LIVE_INTEGER, .text = "1", .number = 1},
        {.type = LQ_LIVE_STRING, .text = "1"},
        {.type = LQ_LIVE_BOOL, .text = "true", .number = 1},
        {.type = LQ_LIVE_NUMBER, .text = "1.0"},
        {.type = LQ_LIVE_NULL, .text = "null"},
        {.type = LQ_LIVE_LIST, .text = "[1]"},
        {.type = LQ_LIVE_TABLE, .text = "{}"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(planned); ++i) {
        for (size_t j = 0; j < COUNT(there); ++j) {
            assert_int_equal(lq_is_same_value(&planned[i], &there[j]), i == j);
        }
    }
}

static void compares_texts_and_truths(void **state)
{
    const struct lq_argument text = {.type = LQ_LONGSTR, .text = "quorum"};
    const struct lq_argument truth = {.type = LQ_BOOL, .number = 1};
    const struct lq_live_argument other = {.type = LQ_LIVE_STRING,
                                           .text = "Quorum"};
    const struct lq_live_argument wrong = {.type = LQ_LIVE_BOOL,
                                           .text = "false"};

    (void)state;
    assert_false(lq_is_same_value(&text, &other));
    assert_false(lq_is_same_value(&truth, &wrong));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(knows_what_each_type_of_queue_compares),
        TEST(knows_since_when_it_is_compared),
        TEST(takes_what_is_not_known_for_compared),
        TEST(compares_one_argument_of_exchanges),
        TEST(takes_integers_of_any_width_for_the_same),
        TEST(tells_types_apart),
        TEST(compares_texts_and_truths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
