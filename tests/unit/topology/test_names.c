#include "topology/names.h"

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

static void gives_null_without_memory(void **state)
{
    struct fixture *const fixture = *state;

    fixture->arena.limit = 0;
    assert_null(lq_name_join(&fixture->arena, "a", "b"));
    assert_null(lq_name_bucket_queue(&fixture->arena, "a", 1));
    assert_null(lq_name_bucket_key(&fixture->arena, "a", 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(derives_the_names_of_an_exchange),
        TEST(derives_the_dead_letter_queue),
        TEST(names_a_bucket_by_its_delay),
        TEST(leaves_the_version_out_of_a_buckets_key),
        TEST(gives_null_without_memory),
    };

    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
