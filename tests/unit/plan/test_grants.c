#include "plan/permissions.h"

#include "../limit.h"
#include "base/pattern.h"
#include "plan_fixture.h"

/* Sorted names without repeats, with a blank behind each. */
static const char *names_of(struct fixture *fixture, struct lq_array *array)
{
    const char **const names = array->items;
    struct lq_buffer text;

    lq_buffer_init(&text, &fixture->arena);
    lq_token_sort(names, array->count, LQ_GRAIN_WORDS);
    for (size_t i = 0; i < array->count; ++i) {
        if (i == 0 || strcmp(names[i], names[i - 1]) != 0) {
            lq_buffer_add(&text, names[i]);
            lq_buffer_add(&text, " ");
        }
    }
    return lq_buffer_text(&text);
}

static void assert_grants(struct fixture *fixture,
                          const struct lq_topology *topology,
                          enum lilyq_role role,
                          const char *const want[LQ_ACCESS_COUNT])
{
    struct lq_grants grants;

    assert_int_equal(
        lq_grants_collect(topology, role, &fixture->arena, &grants), LQ_OK);
    for (size_t i = 0; i < LQ_ACCESS_COUNT; ++i) {
        assert_string_equal(names_of(fixture, &grants.names[i]), want[i]);
    }
}

static const struct lq_topology *plan_one(struct fixture *fixture)
{
    static struct lq_entry entry;

    entry = retrying_at(1, "q");
    return plan(fixture, &entry, 1);
}

static const struct lq_topology *plan_external(struct fixture *fixture)
{
    static struct lq_entry entry;

    entry = external_at(1, "q");
    entry.retry_attempts = 1;
    return plan(fixture, &entry, 1);
}

static void lets_a_deployer_declare_and_bind(void **state)
{
    static const char *const want[] = {
        [LQ_CONFIGURE] = ("orders orders.dlx.v2 orders.retry.v2 q q.dlq.v2 "
                          "q.retry.v2.1000ms q.retry.v2.2000ms "),
        [LQ_WRITE] = ("orders orders.dlx.v2 q q.dlq.v2 q.retry.v2.1000ms "
                      "q.retry.v2.2000ms "),
        [LQ_READ] = ("orders orders.dlx.v2 orders.retry.v2 q q.retry.v2.1000ms "
                     "q.retry.v2.2000ms ")};
    struct fixture *const fixture = *state;

    assert_grants(fixture, plan_one(fixture), LILYQ_DEPLOYER, want);
}

static void needs_no_write_on_an_exchange_without_buckets(void **state)
{
    static const char *const want[] = {[LQ_CONFIGURE] =
                                           "orders orders.dlx.v2 q q.dlq.v2 ",
                                       [LQ_WRITE] = "orders.dlx.v2 q q.dlq.v2 ",
                                       [LQ_READ] = "orders orders.dlx.v2 q "};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = entry_at(1, "q");

    assert_grants(fixture, plan(fixture, &entry, 1), LILYQ_DEPLOYER, want);
}

static void lets_a_consumer_hand_on_as_well(void **state)
{
    static const char *const want[] = {
        [LQ_CONFIGURE] = ("orders orders.dlx.v2 orders.retry.v2 q q.dlq.v2 "
                          "q.retry.v2.1000ms q.retry.v2.2000ms "),
        [LQ_WRITE] = ("orders orders.dlx.v2 orders.retry.v2 q q.dlq.v2 "
                      "q.retry.v2.1000ms q.retry.v2.2000ms "),
        [LQ_READ] = ("orders orders.dlx.v2 orders.retry.v2 q q.retry.v2.1000ms "
                     "q.retry.v2.2000ms ")};
    struct fixture *const fixture = *state;

    assert_grants(fixture, plan_one(fixture), LILYQ_CONSUMER, want);
}

static void lets_a_publisher_publish_to_main_exchanges(void **state)
{
    static const char *const want[] = {
        [LQ_CONFIGURE] = "", [LQ_WRITE] = "orders ", [LQ_READ] = ""};
    struct fixture *const fixture = *state;

    assert_grants(fixture, plan_one(fixture), LILYQ_PUBLISHER, want);
}

static void lets_an_operator_read_dead_letters(void **state)
{
    static const char *const want[] = {
        [LQ_CONFIGURE] = "", [LQ_WRITE] = "orders ", [LQ_READ] = "q.dlq.v2 "};
    struct fixture *const fixture = *state;

    assert_grants(fixture, plan_one(fixture), LILYQ_OPERATOR, want);
}

static void lets_a_deployer_see_what_is_external(void **state)
{
    static const char *const want[] = {
        [LQ_CONFIGURE] = "",
        [LQ_WRITE] = ("outer outer.dlx outer.retry.v2 q q.dlq.v2 "
                      "q.retry.v2.1000ms "),
        [LQ_READ] = ""};
    struct fixture *const fixture = *state;

    assert_grants(fixture, plan_external(fixture), LILYQ_DEPLOYER, want);
}

static void sees_what_it_may_use_without_more(void **state)
{
    /* no write on the main queue, which it reads */
    static const char *const want[] = {
        [LQ_CONFIGURE] = "",
        [LQ_WRITE] = ("outer outer.dlx outer.retry.v2 q.dlq.v2 "
                      "q.retry.v2.1000ms "),
        [LQ_READ] = "q "};
    struct fixture *const fixture = *state;

    assert_grants(fixture, plan_external(fixture), LILYQ_CONSUMER, want);
}

static void uses_what_is_external_like_its_own(void **state)
{
    static const char *const publisher[] = {
        [LQ_CONFIGURE] = "", [LQ_WRITE] = "outer ", [LQ_READ] = ""};
    static const char *const operator[] = {
        [LQ_CONFIGURE] = "", [LQ_WRITE] = "outer ", [LQ_READ] = "q.dlq.v2 "};
    struct fixture *const fixture = *state;
    const struct lq_topology *const topology = plan_external(fixture);

    assert_grants(fixture, topology, LILYQ_PUBLISHER, publisher);
    assert_grants(fixture, topology, LILYQ_OPERATOR, operator);
}

static void grants_nothing_on_an_empty_plan(void **state)
{
    static const char *const want[LQ_ACCESS_COUNT] = {"", "", ""};
    struct fixture *const fixture = *state;
    const struct lq_topology *const topology = plan(fixture, NULL, 0);

    for (int role = 0; role < LQ_USER_ROLE_COUNT; ++role) {
        assert_grants(fixture, topology, (enum lilyq_role)role, want);
    }
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entries[] = {retrying_at(1, "q"), external_at(2, "x")};
    const struct lq_topology *topology = NULL;
    struct lq_arena arena;
    size_t limit = 0;
    enum lq_status status = LQ_NOMEM;

    topology = plan(fixture, entries, COUNT(entries));
    for (; status == LQ_NOMEM; ++limit) {
        struct lq_grants grants;

        lq_arena_init(&arena);
        limit_memory(&arena, limit);
        status = lq_grants_collect(topology, LILYQ_CONSUMER, &arena, &grants);
        lq_arena_free(&arena);
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lets_a_deployer_declare_and_bind),
        TEST(needs_no_write_on_an_exchange_without_buckets),
        TEST(lets_a_consumer_hand_on_as_well),
        TEST(lets_a_publisher_publish_to_main_exchanges),
        TEST(lets_an_operator_read_dead_letters),
        TEST(lets_a_deployer_see_what_is_external),
        TEST(sees_what_it_may_use_without_more),
        TEST(uses_what_is_external_like_its_own),
        TEST(grants_nothing_on_an_empty_plan),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests_name("grants", tests, NULL, NULL);
}
