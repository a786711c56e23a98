#include "policy/in_force.h"

#include "base/text.h"

#include "../limit.h"
#include "policy_fixture.h"

struct scene {
    struct fixture *fixture;
    struct lq_live live;
    struct lq_matcher matcher;
    struct lq_policies policies;
    struct lq_in_force found;
};

static void open_scene(struct scene *scene, struct fixture *fixture)
{
    *scene = (struct scene){.fixture = fixture};
    lq_live_init(&scene->live, "/", &fixture->arena);
    scene->live.version = "4.3.6";
    scene->matcher = fake_matcher(&fixture->arena);
}

static void find(struct scene *scene, enum lq_target target, const char *name)
{
    assert_int_equal(lq_policies_init(&scene->policies, &scene->live,
                                      &scene->matcher, &scene->fixture->arena),
                     LQ_OK);
    assert_int_equal(
        lq_policies_find(&scene->policies, target, name, &scene->found), LQ_OK);
}

static const char *name_of(const struct lq_live_policy *policy)
{
    return policy ? policy->name : "-";
}

/* Fails unless "policy doubtful rival" are these of a classic queue. */
static void assert_winner(struct scene *scene, const char *queue,
                          const char *names)
{
    find(scene, LQ_TARGET_CLASSIC, queue);
    assert_string_equal(lq_format(&scene->fixture->arena, "%s %s %s",
                                  name_of(scene->found.policy.policy),
                                  name_of(scene->found.policy.doubtful),
                                  name_of(scene->found.policy.rival)),
                        names);
}

static void finds_none_where_there_is_none(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    assert_winner(&scene, "q", "- - -");
    assert_true(lq_policies_none(&scene.policies));
    add_operator_policy(&scene.live, "a ^x", 0, "expires=1");
    assert_winner(&scene, "q", "- - -");
    assert_false(lq_policies_none(&scene.policies));
}

static void takes_the_greatest_priority_that_matches(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "low ", -1, "expires=1");
    add_policy(&scene.live, "high ^q", 2.5, "expires=2");
    add_policy(&scene.live, "middle ", 2, "expires=3");
    add_policy(&scene.live, "other ^x", 9, "expires=4");
    assert_winner(&scene, "q.retry", "high - -");
    assert_winner(&scene, "r", "middle - -");
    assert_winner(&scene, "x", "other - -");
}

static void takes_one_policy_and_one_operator_policy(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "one ", 0, "expires=1");
    add_operator_policy(&scene.live, "two ", 0, "expires=2");
    find(&scene, LQ_TARGET_QUORUM, "q");
    assert_string_equal(name_of(scene.found.policy.policy), "one");
    assert_string_equal(name_of(scene.found.operator_policy.policy), "two");
}

/* In the order in which a broker exports them, it takes the first. */
static void takes_the_first_of_equals_and_names_its_rival(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "first ", 1, "expires=1 max-length=2");
    add_policy(&scene.live, "same ", 1, "max-length=2 expires=1");
    assert_winner(&scene, "q", "first - -");
    add_policy(&scene.live, "elsewhere ^x", 1, "expires=9");
    assert_winner(&scene, "q", "first - -");
    add_policy(&scene.live, "rival ", 1, "expires=1 max-length=3");
    assert_winner(&scene, "q", "first - rival");
    add_policy(&scene.live, "above ", 2, "expires=5");
    assert_winner(&scene, "q", "above - -");
}

static void takes_nothing_for_sure_below_one_of_unknown_match(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "sure ", 1, "expires=1");
    add_policy(&scene.live, "unknown ?q", 2, "expires=2");
    assert_winner(&scene, "q", "- unknown -");
    assert_winner(&scene, "r", "sure - -");
    add_policy(&scene.live, "invalid (", 3, "expires=3");
    assert_winner(&scene, "r", "- invalid -");
    add_policy(&scene.live, "top ", 4, "expires=4");
    assert_winner(&scene, "r", "top - -");
}

static void names_a_rival_of_unknown_match(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "sure ", 1, "expires=1");
    add_policy(&scene.live, "unknown ?q", 1, "expires=2");
    assert_winner(&scene, "q", "sure - unknown");
}

static void keeps_to_the_scope_of_a_policy(void **state)
{
    static const struct {
        enum lq_live_scope scope;
        bool found[LQ_TARGET_COUNT]; /* exchange, classic, quorum */
    } cases[] = {
        {LQ_LIVE_ALL, {true, true, true}},
        {LQ_LIVE_EXCHANGES, {true, false, false}},
        {LQ_LIVE_QUEUES, {false, true, true}},
        {LQ_LIVE_CLASSIC_QUEUES, {false, true, false}},
        {LQ_LIVE_QUORUM_QUEUES, {false, false, true}},
        {LQ_LIVE_STREAMS, {false, false, false}},
        {LQ_LIVE_OTHERS, {false, false, false}},
    };

    for (size_t i = 0; i < COUNT(cases); ++i) {
        for (int target = 0; target < LQ_TARGET_COUNT; ++target) {
            struct scene scene;

            open_scene(&scene, *state);
            add_policy(&scene.live, "a ", 0, "expires=1")->scope =
                cases[i].scope;
            find(&scene, (enum lq_target)target, "q");
            assert_int_equal(scene.found.policy.policy != NULL,
                             cases[i].found[target]);
        }
    }
}

/* A broker then takes the next one that matches. */
static void passes_over_what_a_type_of_queue_does_not_support(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "plain ", 1, "max-length=9");
    add_policy(&scene.live, "strict ", 2,
               "dead-letter-strategy=at-least-once max-length=2");
    add_policy(&scene.live, "lazy ", 3, "queue-mode=lazy max-length=3");
    find(&scene, LQ_TARGET_CLASSIC, "q");
    assert_string_equal(name_of(scene.found.policy.policy), "lazy");
    find(&scene, LQ_TARGET_QUORUM, "q");
    assert_string_equal(name_of(scene.found.policy.policy), "strict");
    scene.live.policies.count = 2;
    find(&scene, LQ_TARGET_CLASSIC, "q");
    assert_string_equal(name_of(scene.found.policy.policy), "plain");
}

static void knows_what_is_supported_by_version(void **state)
{
    static const struct {
        const char *version;
        const char *definition;
        enum lq_match classic;
        enum lq_match quorum;
    } cases[] = {
        {"3.10.8", "max-in-memory-length=1", LQ_MATCH_YES, LQ_MATCH_YES},
        {"3.9.1", "max-in-memory-length=1", LQ_MATCH_YES, LQ_MATCH_YES},
        {"3.12.0", "max-in-memory-length=1", LQ_MATCH_UNKNOWN, LQ_MATCH_YES},
        {"4.0.5", "max-in-memory-length=1", LQ_MATCH_NO, LQ_MATCH_YES},
        {"4.2.0", "max-in-memory-length=1", LQ_MATCH_NO, LQ_MATCH_YES},
        {NULL, "max-in-memory-length=1", LQ_MATCH_UNKNOWN, LQ_MATCH_YES},
        {NULL, "max-in-memory-length=1 max-age=1D", LQ_MATCH_NO, LQ_MATCH_NO},
        {"3.10.8", "queue-leader-locator=balanced", LQ_MATCH_NO, LQ_MATCH_YES},
        {"4.3.6", "queue-leader-locator=balanced", LQ_MATCH_YES, LQ_MATCH_YES},
        {"5.1", "queue-leader-locator=balanced", LQ_MATCH_YES, LQ_MATCH_YES},
        {NULL, "delivery-limit=9", LQ_MATCH_NO, LQ_MATCH_YES},
        {NULL, "dead-letter-strategy=x", LQ_MATCH_NO, LQ_MATCH_YES},
        {"4.0.5", "queue-mode=lazy", LQ_MATCH_YES, LQ_MATCH_NO},
        {"3.10.8", "ha-mode=all", LQ_MATCH_YES, LQ_MATCH_NO},
        {"4.3.6", "delayed-retry-min=1", LQ_MATCH_YES, LQ_MATCH_YES},
        {"4.3.6", "consumer-timeout=1", LQ_MATCH_YES, LQ_MATCH_YES},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(cases); ++i) {
        const struct lq_live live = {.version = cases[i].version};
        const struct lq_live_policy policy = {
            .scope = LQ_LIVE_ALL,
            .definition = definition_of(&fixture->arena, cases[i].definition)};

        assert_int_equal(lq_policy_applies(&live, &policy, LQ_TARGET_CLASSIC),
                         cases[i].classic);
        assert_int_equal(lq_policy_applies(&live, &policy, LQ_TARGET_QUORUM),
                         cases[i].quorum);
        assert_int_equal(lq_policy_applies(&live, &policy, LQ_TARGET_EXCHANGE),
                         LQ_MATCH_YES);
    }
}

static void doubts_what_may_not_be_supported(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    scene.live.version = "3.12.1";
    add_policy(&scene.live, "memory ^q", 2, "max-in-memory-length=1");
    assert_winner(&scene, "q", "- memory -");
    assert_winner(&scene, "r", "- - -");
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status == LQ_NOMEM; ++limit) {
        struct scene scene;

        restart(fixture, (size_t)-1);
        open_scene(&scene, fixture);
        add_policy(&scene.live, "a ", 0, "expires=1");
        add_operator_policy(&scene.live, "b ", 0, "expires=1");
        limit_memory(&fixture->arena, limit);
        status = lq_policies_init(&scene.policies, &scene.live, &scene.matcher,
                                  &fixture->arena);
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 3);
    limit_memory(&fixture->arena, (size_t)-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(finds_none_where_there_is_none),
        TEST(takes_the_greatest_priority_that_matches),
        TEST(takes_one_policy_and_one_operator_policy),
        TEST(takes_the_first_of_equals_and_names_its_rival),
        TEST(takes_nothing_for_sure_below_one_of_unknown_match),
        TEST(names_a_rival_of_unknown_match),
        TEST(keeps_to_the_scope_of_a_policy),
        TEST(passes_over_what_a_type_of_queue_does_not_support),
        TEST(knows_what_is_supported_by_version),
        TEST(doubts_what_may_not_be_supported),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
