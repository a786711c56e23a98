#include "plan/permissions.h"

#include "../limit.h"
#include "plan_fixture.h"

static void writes_a_pattern_for_each_permission(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = retrying_at(1, "q");
    struct lq_permissions permissions;

    assert_int_equal(lq_permissions_build(plan(fixture, &entry, 1),
                                          LILYQ_DEPLOYER, &fixture->diags,
                                          &permissions),
                     LQ_OK);
    assert_string_equal(permissions.patterns[LQ_CONFIGURE],
                        "^(orders(\\.(dlx|retry)\\.v2)?|q(\\.(dlq\\.v2|retry\\."
                        "v2\\.(1000|2000)ms))?)\\z");
    assert_string_equal(permissions.patterns[LQ_WRITE],
                        "^(orders(\\.dlx\\.v2)?|q(\\.(dlq\\.v2|retry\\.v2\\."
                        "(1000|2000)ms))?)\\z");
    assert_string_equal(permissions.patterns[LQ_READ],
                        "^(orders(\\.(dlx|retry)\\.v2)?|q(\\.retry\\.v2\\."
                        "(1000|2000)ms)?)\\z");
    assert_reported(fixture, NULL, 0);
}

static void grants_nothing_by_the_pattern_of_no_name(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = retrying_at(1, "q");
    struct lq_permissions permissions;

    assert_int_equal(lq_permissions_build(plan(fixture, &entry, 1),
                                          LILYQ_PUBLISHER, &fixture->diags,
                                          &permissions),
                     LQ_OK);
    assert_string_equal(permissions.patterns[LQ_CONFIGURE], "^\\z");
    assert_string_equal(permissions.patterns[LQ_WRITE], "^(orders)\\z");
    assert_string_equal(permissions.patterns[LQ_READ], "^\\z");
}

static void names_the_roles(void **state)
{
    (void)state;
    assert_string_equal(lq_user_role_word(LILYQ_DEPLOYER), "deployer");
    assert_string_equal(lq_user_role_word(LILYQ_PUBLISHER), "publisher");
    assert_string_equal(lq_user_role_word(LILYQ_CONSUMER), "consumer");
    assert_string_equal(lq_user_role_word(LILYQ_OPERATOR), "operator");
}

static void refuses_the_name_of_the_default_exchange(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = external_at(1, "q");
    struct lq_permissions permissions;

    entry.exchange_name = "amq.default";
    assert_int_equal(lq_permissions_build(plan(fixture, &entry, 1),
                                          LILYQ_PUBLISHER, &fixture->diags,
                                          &permissions),
                     LQ_INVALID);
    assert_one_reported(fixture,
                        "no permission can name 'amq.default': to the broker "
                        "it is the default exchange, which reaches every "
                        "queue");
}

/* Queues of which each has a name of so many bytes that say nothing. */
static const struct lq_topology *plan_random(struct fixture *fixture,
                                             size_t count, size_t length)
{
    struct lq_entry *const entries =
        lq_alloc_array(&fixture->arena, count, sizeof(*entries));
    unsigned seed = 1;

    for (size_t i = 0; i < count; ++i) {
        char *const name = lq_copy(&fixture->arena, BYTES_200, length);

        for (size_t at = 0; at < length; ++at) {
            seed = seed * 1103515245U + 12345U;
            name[at] = (char)('a' + (seed >> 16) % 26);
        }
        entries[i] = entry_at((unsigned)i + 1, name);
    }
    return plan(fixture, entries, count);
}

static enum lq_status build_random(struct fixture *fixture, size_t count,
                                   size_t length,
                                   struct lq_permissions *permissions)
{
    return lq_permissions_build(plan_random(fixture, count, length),
                                LILYQ_OPERATOR, &fixture->diags, permissions);
}

static void keeps_words_whole_as_long_as_it_may(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry *const entries = many(fixture, 150, 0);
    struct lq_permissions permissions;

    assert_int_equal(lq_permissions_build(plan(fixture, entries, 150),
                                          LILYQ_OPERATOR, &fixture->diags,
                                          &permissions),
                     LQ_OK);
    assert_non_null(strstr(permissions.patterns[LQ_READ], "|149)"));
    assert_int_equal(
        lq_permissions_build(plan(fixture, many(fixture, 300, 0), 300),
                             LILYQ_OPERATOR, &fixture->diags, &permissions),
        LQ_OK);
    assert_null(strstr(permissions.patterns[LQ_READ], "149"));
    assert_true(strlen(permissions.patterns[LQ_READ]) < 100);
    assert_reported(fixture, NULL, 0);
}

static void warns_of_what_only_some_brokers_take(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_permissions permissions;

    assert_int_equal(build_random(fixture, 24, 40, &permissions), LQ_OK);
    assert_reported(fixture, NULL, 0);
    assert_int_equal(build_random(fixture, 30, 40, &permissions), LQ_OK);
    assert_int_equal(fixture->diags.items.count, 1);
    assert_int_equal(fixture->diags.error_count, 0);
    assert_string_equal(
        lq_diags_at(&fixture->diags, 0)->text,
        lq_format(&fixture->arena,
                  "a pattern of the operator has %zu bytes, but RabbitMQ 4.3 "
                  "takes 1024 at most: give the entries to several users, from "
                  "files of their own",
                  strlen(permissions.patterns[LQ_READ])));
}

static void refuses_what_no_broker_takes(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_permissions permissions;

    assert_int_equal(build_random(fixture, 175, 180, &permissions), LQ_OK);
    assert_int_equal(fixture->diags.error_count, 0);
    assert_int_equal(build_random(fixture, 190, 180, &permissions), LQ_INVALID);
    assert_int_equal(fixture->diags.error_count, 1);
    assert_non_null(
        strstr(lq_diags_at(&fixture->diags, 1)->text,
               " bytes, which is more than any broker takes: give the entries "
               "to several users, from files of their own"));
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_topology *const topology = plan_random(fixture, 30, 40);
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status == LQ_NOMEM; ++limit) {
        struct lq_permissions permissions;
        struct lq_diags diags;
        struct lq_arena arena;

        lq_arena_init(&arena);
        limit_memory(&arena, limit);
        lq_diags_init(&diags, &arena);
        status = lq_permissions_build(topology, LILYQ_OPERATOR, &diags,
                                      &permissions);
        status = lq_arena_status(&arena, status);
        assert_true(status == LQ_NOMEM || diags.items.count == 1);
        lq_arena_free(&arena);
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(writes_a_pattern_for_each_permission),
        TEST(grants_nothing_by_the_pattern_of_no_name),
        TEST(names_the_roles),
        TEST(refuses_the_name_of_the_default_exchange),
        TEST(keeps_words_whole_as_long_as_it_may),
        TEST(warns_of_what_only_some_brokers_take),
        TEST(refuses_what_no_broker_takes),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests_name("permissions", tests, NULL, NULL);
}
