#include "policy/own_policies.h"

#include "../limit.h"
#include "../plan/plan_fixture.h"
#include "base/pattern.h"

/* Longer than the name of policies may be. */
static const char long_name[] = BYTES_200;

#define V4                                                                     \
    {                                                                          \
        .known = true, .major = 4                                              \
    }
#define V3_10                                                                  \
    {                                                                          \
        .known = true, .major = 3, .minor = 10                                 \
    }

static struct lq_entry quorum_at(unsigned line, const char *name)
{
    struct lq_entry entry = retrying_at(line, name);

    entry.queue_type = LQ_QUORUM;
    return entry;
}

static struct lq_own_policies build(struct fixture *fixture,
                                    const struct lq_topology *topology,
                                    const struct lq_policy_wants *wants)
{
    struct lq_own_policies policies;

    assert_int_equal(
        lq_own_policies_build(topology, wants, &fixture->diags, &policies),
        LQ_OK);
    assert_reported(fixture, NULL, 0);
    return policies;
}

static void assert_text_key(const struct lq_own_policy *policy, size_t index,
                            const char *key, const char *text)
{
    assert_true(index < policy->key_count);
    assert_string_equal(policy->keys[index].key, key);
    assert_int_equal(policy->keys[index].type, LQ_LONGSTR);
    assert_string_equal(policy->keys[index].text, text);
}

static void assert_number_key(const struct lq_own_policy *policy, size_t index,
                              const char *key, int64_t number)
{
    assert_true(index < policy->key_count);
    assert_string_equal(policy->keys[index].key, key);
    assert_int_equal(policy->keys[index].type, LQ_INT64);
    assert_true(policy->keys[index].number == number);
}

static void hardens_quorum_main_queues_and_buckets(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = quorum_at(1, "a.b");
    const struct lq_policy_wants wants = {.priority = 7};
    const struct lq_own_policies policies =
        build(fixture, plan(fixture, &entry, 1), &wants);

    assert_int_equal(policies.count, 1);
    assert_int_equal(policies.list[0].kind, LQ_POLICY_AT_LEAST_ONCE);
    assert_string_equal(policies.list[0].name, "lilyq-at-least-once");
    assert_string_equal(policies.list[0].pattern,
                        "^(a\\.b(\\.retry\\.v2\\.(1000|2000)ms)?)\\z");
    assert_int_equal(policies.list[0].priority, 7);
    assert_int_equal(policies.list[0].key_count, 1);
    assert_text_key(&policies.list[0], 0, "dead-letter-strategy",
                    "at-least-once");
    assert_int_equal(policies.list[0].queue_count, 3);
    assert_string_equal(policies.list[0].queues[0]->name, "a.b");
    assert_string_equal(policies.list[0].queues[2]->name,
                        "a.b.retry.v2.2000ms");
}

static void leaves_classic_and_external_queues_alone(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entries[] = {retrying_at(1, "c"), external_at(2, "x"),
                                 quorum_at(3, "q")};
    const struct lq_policy_wants wants = {.broker = V4,
                                          .dlq_retention_millis = 5000};
    struct lq_own_policies policies;

    entries[1].queue_type = LQ_QUORUM;
    policies = build(fixture, plan(fixture, entries, 3), &wants);
    assert_int_equal(policies.count, 3);
    assert_string_equal(policies.list[0].pattern,
                        "^(q(\\.retry\\.v2\\.(1000|2000)ms)?)\\z");
    assert_string_equal(policies.list[1].name, "lilyq-dlq");
    assert_string_equal(policies.list[1].pattern, "^(q\\.dlq\\.v2)\\z");
    assert_string_equal(policies.list[2].name, "lilyq-dlq-classic");
    assert_string_equal(policies.list[2].pattern, "^(c\\.dlq\\.v2)\\z");
    /* a key that classic queues do not know would void all others */
    assert_int_equal(policies.list[2].key_count, 1);
    assert_number_key(&policies.list[2], 0, "message-ttl", 5000);
}

static void limits_deliveries_only_where_the_broker_would(void **state)
{
    static const struct {
        struct lq_policy_wants wants;
        size_t policies;
        int64_t limit;
    } cases[] = {
        {{.broker = V4}, 2, -1},
        {{.broker = V4, .dlq_delivery_limit = 500}, 2, 500},
        {{.broker = V3_10}, 1, 0},
        {{.broker = V3_10, .dlq_delivery_limit = 500}, 1, 0},
        {{.dlq_delivery_limit = 500}, 1, 0},
        {{0}, 1, 0},
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = quorum_at(1, "q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);

    for (size_t i = 0; i < COUNT(cases); ++i) {
        const struct lq_own_policies policies =
            build(fixture, topology, &cases[i].wants);

        assert_int_equal(policies.count, cases[i].policies);
        if (policies.count == 2) {
            assert_int_equal(policies.list[1].key_count, 1);
            assert_number_key(&policies.list[1], 0, "delivery-limit",
                              cases[i].limit);
        }
    }
}

static void puts_all_keys_of_a_queue_into_one_policy(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = quorum_at(1, "q");
    const struct lq_policy_wants wants = {.broker = V4,
                                          .dlq_retention_millis = 604800000};
    const struct lq_own_policies policies =
        build(fixture, plan(fixture, &entry, 1), &wants);

    assert_int_equal(policies.count, 2);
    assert_int_equal(policies.list[1].key_count, 2);
    assert_number_key(&policies.list[1], 0, "delivery-limit", -1);
    assert_number_key(&policies.list[1], 1, "message-ttl", 604800000);
}

static void has_nothing_for_a_topology_of_classic_queues(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = retrying_at(1, "c");
    const struct lq_policy_wants wants = {.broker = V4};
    const struct lq_topology *const topology = plan(fixture, &entry, 1);

    assert_int_equal(build(fixture, topology, &wants).count, 0);
    assert_false(lq_has_quorum_dlq(topology));
}

static void knows_whether_there_is_a_quorum_dlq(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entries[] = {external_at(1, "x"), quorum_at(2, "q")};

    entries[0].queue_type = LQ_QUORUM;
    assert_false(lq_has_quorum_dlq(plan(fixture, entries, 1)));
    assert_true(lq_has_quorum_dlq(plan(fixture, entries, 2)));
}

static void tells_topologies_apart_by_name(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = quorum_at(1, "q");
    const struct lq_policy_wants wants = {.name = "shop-1", .broker = V4};
    const struct lq_own_policies policies =
        build(fixture, plan(fixture, &entry, 1), &wants);

    assert_string_equal(policies.list[0].name, "lilyq-shop-1-at-least-once");
    assert_string_equal(policies.list[1].name, "lilyq-shop-1-dlq");
}

static void rejects_names_that_need_quotes(void **state)
{
    static const char *const names[] = {"",   "a b", "a/b",    "\xc3\xa4",
                                        "a'", "a\n", long_name};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = quorum_at(1, "q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);

    for (size_t i = 0; i < COUNT(names); ++i) {
        const struct lq_policy_wants wants = {.name = names[i]};
        struct lq_own_policies policies;

        assert_int_equal(
            lq_own_policies_build(topology, &wants, &fixture->diags, &policies),
            LQ_INVALID);
        assert_int_equal(policies.count, 0);
        assert_int_equal(fixture->diags.error_count, i + 1);
    }
    assert_string_equal(lq_diags_at(&fixture->diags, 1)->text,
                        "the name of policies must be 1 to 100 letters, "
                        "digits, '.', '_' and '-', not 'a b'");
}

/* Every queue of every policy, in the topology's order and once. */
static void assert_covered(const struct lq_own_policies *policies,
                           const struct lq_topology *topology)
{
    size_t next = 0;

    for (size_t i = 0; i < policies->count; ++i) {
        const struct lq_own_policy *const policy = &policies->list[i];

        assert_true(strlen(policy->pattern) <= LQ_PATTERN_MAX_LENGTH);
        assert_true(policy->queue_count > 0);
        for (size_t at = 0; at < policy->queue_count; ++at) {
            while (topology->queues[next].role == LQ_ROLE_DEAD_LETTER) {
                ++next;
            }
            assert_ptr_equal(policy->queues[at], &topology->queues[next]);
            ++next;
        }
    }
    while (next < topology->queue_count &&
           topology->queues[next].role == LQ_ROLE_DEAD_LETTER) {
        ++next;
    }
    assert_int_equal(next, topology->queue_count);
}

static void splits_where_a_pattern_would_be_too_long(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_policy_wants wants = {0};
    struct lq_entry *const entries = many(fixture, 300, 60);
    const struct lq_topology *topology = NULL;
    struct lq_own_policies policies;

    for (size_t i = 0; i < 300; ++i) {
        entries[i].queue_type = LQ_QUORUM;
    }
    topology = plan(fixture, entries, 300);
    policies = build(fixture, topology, &wants);
    assert_true(policies.count > 1);
    assert_covered(&policies, topology);
    assert_string_equal(policies.list[0].name, "lilyq-at-least-once");
    assert_string_equal(policies.list[1].name, "lilyq-at-least-once-2");
}

static void splits_the_longest_names_there_are(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_policy_wants wants = {0};
    struct lq_entry entries[3];
    const struct lq_topology *topology = NULL;
    struct lq_own_policies policies;
    char names[3][181];

    for (size_t i = 0; i < 3; ++i) {
        for (size_t at = 0; at < 180; at += 2) {
            memcpy(names[i] + at, "\xc3\xa4", 2);
        }
        names[i][178] = (char)('a' + i);
        names[i][179] = '!';
        names[i][180] = '\0';
        entries[i] = quorum_at((unsigned)i + 1, names[i]);
        entries[i].exchange_name = "x";
        entries[i].routing_key = "k";
        entries[i].retry_attempts = 6;
    }
    topology = plan(fixture, entries, 3);
    policies = build(fixture, topology, &wants);
    assert_covered(&policies, topology);
}

static void keeps_what_comes_before_an_entry_that_is_added(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_policy_wants wants = {0};
    struct lq_entry *const entries = many(fixture, 300, 60);
    struct lq_own_policies before;
    struct lq_own_policies after;

    for (size_t i = 0; i < 300; ++i) {
        entries[i].queue_type = LQ_QUORUM;
    }
    before = build(fixture, plan(fixture, entries, 299), &wants);
    after = build(fixture, plan(fixture, entries, 300), &wants);
    assert_true(before.count > 1);
    for (size_t i = 0; i + 1 < before.count; ++i) {
        assert_string_equal(before.list[i].name, after.list[i].name);
        assert_string_equal(before.list[i].pattern, after.list[i].pattern);
    }
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_policy_wants wants = {
        .name = "n", .broker = V4, .dlq_retention_millis = 1};
    const struct lq_entry entries[] = {quorum_at(1, "q"), retrying_at(2, "c")};
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_own_policies policies;
    const struct lq_topology *const topology = plan(fixture, entries, 2);
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status == LQ_NOMEM; ++limit) {
        lq_arena_init(&arena);
        limit_memory(&arena, limit);
        lq_diags_init(&diags, &arena);
        status = lq_own_policies_build(topology, &wants, &diags, &policies);
        assert_true(status == LQ_NOMEM || policies.count == 3);
        lq_arena_free(&arena);
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hardens_quorum_main_queues_and_buckets),
        TEST(leaves_classic_and_external_queues_alone),
        TEST(limits_deliveries_only_where_the_broker_would),
        TEST(puts_all_keys_of_a_queue_into_one_policy),
        TEST(has_nothing_for_a_topology_of_classic_queues),
        TEST(knows_whether_there_is_a_quorum_dlq),
        TEST(tells_topologies_apart_by_name),
        TEST(rejects_names_that_need_quotes),
        TEST(splits_where_a_pattern_would_be_too_long),
        TEST(splits_the_longest_names_there_are),
        TEST(keeps_what_comes_before_an_entry_that_is_added),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
