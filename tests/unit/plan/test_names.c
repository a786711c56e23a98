#include "model/names.h"

#include "../limit.h"
#include "fixture.h"

static void derives_the_names_of_an_exchange(void **state)
{
    struct fixture *const fixture = *state;

    assert_string_equal(
        lq_name_join(&fixture->arena, "orders", LQ_RETRY_EXCHANGE_SUFFIX),
        "orders.retry.v2");
    assert_string_equal(
        lq_name_join(&fixture->arena, "orders", LQ_DEAD_LETTER_EXCHANGE_SUFFIX),
        "orders.dlx.v2");
}

static void derives_the_dead_letter_queue(void **state)
{
    struct fixture *const fixture = *state;

    assert_string_equal(
        lq_name_join(&fixture->arena, "orders", LQ_DEAD_LETTER_QUEUE_SUFFIX),
        "orders.dlq.v2");
}

static void names_a_bucket_by_its_delay(void **state)
{
    struct fixture *const fixture = *state;

    assert_string_equal(
        lq_name_bucket_queue(&fixture->arena, "orders.created", 1000),
        "orders.created.retry.v2.1000ms");
    assert_string_equal(lq_name_bucket_queue(&fixture->arena, "a", UINT64_MAX),
                        "a.retry.v2.18446744073709551615ms");
}

static void leaves_the_version_out_of_a_buckets_key(void **state)
{
    struct fixture *const fixture = *state;

    assert_string_equal(
        lq_name_bucket_key(&fixture->arena, "orders.created", 1000),
        "orders.created.retry.1000ms");
    assert_string_equal(lq_name_bucket_key(&fixture->arena, "a", UINT64_MAX),
                        "a.retry.18446744073709551615ms");
}

static void gives_an_empty_name_without_memory(void **state)
{
    struct fixture *const fixture = *state;

    limit_memory(&fixture->arena, 0);
    assert_string_equal(lq_name_join(&fixture->arena, "a", "b"), "");
    assert_string_equal(lq_name_bucket_queue(&fixture->arena, "a", 1), "");
    assert_string_equal(lq_name_bucket_key(&fixture->arena, "a", 1), "");
    assert_true(fixture->arena.failed);
}

static void takes_what_is_before_a_suffix(void **state)
{
    size_t length = 0;

    (void)state;
    assert_true(
        lq_name_ends("orders.dlq.v1", LQ_V1_DEAD_LETTER_QUEUE_SUFFIX, &length));
    assert_int_equal(length, strlen("orders"));
    assert_false(
        lq_name_ends(".dlq.v1", LQ_V1_DEAD_LETTER_QUEUE_SUFFIX, &length));
    assert_false(
        lq_name_ends("orders.dlq.v2", LQ_V1_DEAD_LETTER_QUEUE_SUFFIX, &length));
    assert_false(lq_name_ends("", LQ_V1_RETRY_SUFFIX, &length));
}

static void knows_a_bucket_by_its_name(void **state)
{
    static const struct {
        const char *name;
        size_t length; /* 0: none */
        uint64_t delay;
    } cases[] = {
        {"q.retry.v2.1000ms", 1, 1000},
        {"q.retry.v2.1ms", 1, 1},
        {"q.retry.v2.5ms.retry.v2.100ms", 14, 100},
        {"q.retry.v2.18446744073709551615ms", 1, UINT64_MAX},
        {"q.retry.v2.18446744073709551616ms", 0, 0},
        {"q.retry.v2.99999999999999999999999999999999999999999999ms", 0, 0},
        {"q.retry.v2.0ms", 0, 0},
        {"q.retry.v2.01000ms", 0, 0},
        {"q.retry.v2.-1ms", 0, 0},
        {"q.retry.v2.+1ms", 0, 0},
        {"q.retry.v2. 1ms", 0, 0},
        {"q.retry.v2.1e3ms", 0, 0},
        {"q.retry.v2.ms", 0, 0},
        {"q.retry.v2.1000", 0, 0},
        {"q.retry.v2.1000s", 0, 0},
        {"q.retry.v1.1000ms", 0, 0},
        {"q.retry.1000ms", 0, 0},
        {".retry.v2.1000ms", 0, 0},
        {"retry.v2.1000ms", 0, 0},
        {"1000ms", 0, 0},
        {"ms", 0, 0},
        {"", 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        size_t length = 0;
        uint64_t delay = 0;

        assert_int_equal(lq_name_is_bucket(cases[i].name, &length, &delay),
                         cases[i].length > 0);
        if (cases[i].length > 0) {
            assert_int_equal(length, cases[i].length);
            assert_int_equal(delay, cases[i].delay);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(derives_the_names_of_an_exchange),
        TEST(derives_the_dead_letter_queue),
        TEST(names_a_bucket_by_its_delay),
        TEST(leaves_the_version_out_of_a_buckets_key),
        TEST(gives_an_empty_name_without_memory),
        TEST(takes_what_is_before_a_suffix),
        TEST(knows_a_bucket_by_its_name),
    };

    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
