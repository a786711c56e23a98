#include "compare/shadow.h"

#include "plan/plan.h"
#include "policy/planned_key.h"

#include "../limit.h"
#include "../plan/mirror.h"
#include "../policy/policy_fixture.h"

/*
 * Classic "c" with two buckets and a DLQ, on exchange "orders"; quorum "k" with
 * one bucket and a DLQ, on "safe"; and "outer", which is external.
 */
struct scene {
    struct fixture *fixture;
    const struct lq_topology *plan;
    struct lq_live live;
    struct lq_diff diff;
};

static void open_scene(struct scene *scene, struct fixture *fixture)
{
    struct lq_entry *const entries =
        lq_alloc_array(&fixture->arena, 3, sizeof(*entries));

    *scene = (struct scene){.fixture = fixture};
    entries[0] = entry_at(1, "c");
    entries[0].retry_attempts = 2;
    entries[1] = entry_at(9, "k");
    entries[1].queue_type = LQ_QUORUM;
    entries[1].exchange_name = "safe";
    entries[1].retry_attempts = 1;
    entries[2] = entry_at(19, "outer");
    entries[2].exchange_name = "outer";
    entries[2].topology_ownership = LQ_EXTERNAL;
    entries[2].dead_letter_exchange = "dead";
    entries[2].dead_letter_routing_key = "q";
    assert_int_equal(lq_plan_build(entries, 3, &fixture->diags, &scene->plan),
                     LQ_OK);
    mirror(&scene->live, scene->plan, &fixture->arena);
    scene->live.version = "4.3.6";
}

static enum lq_status look(struct scene *scene)
{
    struct lq_arena *const arena = &scene->fixture->arena;
    const struct lq_matcher matcher = fake_matcher(arena);

    scene->diff = (struct lq_diff){.counts = {0}};
    lq_array_init(&scene->diff.findings, sizeof(struct lq_finding));
    return lq_diff_shadowed(scene->plan, &scene->live, &matcher, arena,
                            &scene->diff);
}

static const char *or_dash(const char *text)
{
    return text ? text : "-";
}

/* "code name field planned actual policy", an operator's with a "*" */
static const char *line_of(const struct scene *scene, size_t index)
{
    const struct lq_finding *const finding = lq_diff_at(&scene->diff, index);

    return lq_format(&scene->fixture->arena, "%s %s %s %s %s %s%s",
                     lq_finding_code(finding->code), finding->name,
                     or_dash(finding->field), or_dash(finding->planned.text),
                     or_dash(finding->actual.text),
                     finding->policy ? finding->policy->name : "-",
                     finding->by_operator ? "*" : "");
}

static void assert_findings(struct scene *scene, const char *const *lines,
                            size_t count)
{
    assert_int_equal(look(scene), LQ_OK);
    for (size_t i = 0; i < count && i < scene->diff.findings.count; ++i) {
        assert_string_equal(line_of(scene, i), lines[i]);
    }
    assert_int_equal(scene->diff.findings.count, count);
}

static void assert_finding(struct scene *scene, const char *line)
{
    assert_findings(scene, &line, 1);
}

static void assert_nothing(struct scene *scene)
{
    assert_findings(scene, NULL, 0);
}

static void finds_nothing_without_policies(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    assert_nothing(&scene);
}

static void says_once_that_policies_are_not_seen(void **state)
{
    static const char *const lines[] = {
        "policies-unverified / - - - -",
        "operator-policies-unverified / - - - -"};
    struct scene scene;

    open_scene(&scene, *state);
    scene.live.parts &= ~(unsigned)LQ_LIVE_HAS_OPERATOR_POLICIES;
    assert_finding(&scene, lines[1]);
    scene.live.parts &= ~(unsigned)LQ_LIVE_HAS_POLICIES;
    assert_findings(&scene, lines, 2);
    assert_int_equal(scene.diff.counts[LILYQ_UNVERIFIED], 2);
    assert_int_equal(lq_diff_at(&scene.diff, 0)->resource, LQ_VHOST);
    assert_null(lq_diff_at(&scene.diff, 0)->logical);
}

static void looks_at_what_is_shown_when_not_all_is(void **state)
{
    static const char *const lines[] = {
        "operator-policies-unverified / - - - -",
        "queue-shadowed k expires - 5000 a"};
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "a ^k", 0, "expires=5000");
    scene.live.parts &= ~(unsigned)LQ_LIVE_HAS_OPERATOR_POLICIES;
    add_policy(&scene.live, "b ^k.", 1, "queue-version=2");
    assert_findings(&scene, lines, 2);
}

static void finds_a_shorter_ttl_of_a_bucket(void **state)
{
    struct scene scene;
    const struct lq_finding *finding = NULL;

    open_scene(&scene, *state);
    add_policy(&scene.live, "a ^c.retry.v2.2000", 3, "message-ttl=500");
    assert_finding(&scene,
                   "queue-shadowed c.retry.v2.2000ms message-ttl 2000 500 a");
    finding = lq_diff_at(&scene.diff, 0);
    assert_string_equal(finding->planned.type, "integer");
    assert_string_equal(finding->actual.type, "integer");
    assert_int_equal(finding->role, LQ_ROLE_RETRY);
    assert_ptr_equal(finding->logical, &scene.plan->logicals[0]);
    assert_int_equal(scene.diff.counts[LILYQ_SHADOWED], 1);
    assert_non_null(strstr(lq_finding_advice(finding), "sooner than planned"));
}

static void does_not_mind_a_longer_or_equal_limit(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "a ^c.retry.v2.2000", 0, "message-ttl=2000");
    add_policy(&scene.live, "b ^c.dlq", 0, "max-length=5000");
    add_operator_policy(&scene.live, "c ^c.dlq", 0,
                        "max-length-bytes=9000000000");
    assert_nothing(&scene);
}

static void finds_every_key_of_both_policies(void **state)
{
    static const char *const lines[] = {
        "queue-shadowed c.dlq.v2 message-ttl - 60000 a",
        "queue-shadowed c.dlq.v2 expires - 8 o*",
        "queue-shadowed c.dlq.v2 max-length 5000 9 a",
        "queue-shadowed c.dlq.v2 max-length-bytes 134217728 7 o*",
        "queue-shadowed c.dlq.v2 dead-letter-exchange - there a",
        "queue-shadowed c.dlq.v2 dead-letter-routing-key - gone a",
    };
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "a ^c.dlq", 0,
               "message-ttl=60000 expires=9 max-length=9 overflow=drop-head "
               "dead-letter-exchange=there dead-letter-routing-key=gone");
    add_operator_policy(&scene.live, "o ^c.dlq", 0,
                        "expires=8 max-length=10 max-length-bytes=7");
    assert_findings(&scene, lines, COUNT(lines));
}

static void finds_the_overflow_of_quorum_queues_only(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "a ^c", 0, "overflow=drop-head");
    add_policy(&scene.live, "b ^k.dlq", 0, "overflow=drop-head");
    add_policy(&scene.live, "c ^k.retry", 0, "overflow=reject-publish");
    assert_finding(
        &scene, "queue-shadowed k.dlq.v2 overflow reject-publish drop-head b");
}

/* A quorum queue takes it for drop-head. */
static void finds_an_overflow_that_quorum_queues_do_not_know(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "a ^k.dlq", 0, "overflow=reject-publish-dlx");
    assert_finding(
        &scene, "queue-shadowed k.dlq.v2 overflow reject-publish drop-head a");
}

static void
finds_no_dead_letter_key_where_nothing_is_dead_lettered(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "b ", 0, "dead-letter-routing-key=x");
    assert_nothing(&scene);
}

static void leaves_the_dead_letter_exchange_to_the_arguments(void **state)
{
    static const char *const lines[] = {
        "queue-shadowed c.dlq.v2 dead-letter-exchange - x a",
        "queue-shadowed k.dlq.v2 dead-letter-exchange - x a"};
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "a ", 0, "dead-letter-exchange=x");
    assert_findings(&scene, lines, 2);
}

/* A policy that the type does not support is not applied at all. */
static void finds_nothing_of_a_policy_that_is_not_applied(void **state)
{
    static const char *const lines[] = {
        "queue-shadowed k max-length 100000 2 a",
        "queue-shadowed k.retry.v2.1000ms max-length 10000 2 a",
        "queue-shadowed k.dlq.v2 max-length 5000 2 a"};
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "a ", 0,
               "dead-letter-strategy=at-least-once max-length=2");
    assert_findings(&scene, lines, COUNT(lines));
}

static void does_not_mind_what_only_hardens(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "a ^k", 0, "dead-letter-strategy=at-least-once");
    add_policy(&scene.live, "b ^k.dlq", 1, "delivery-limit=-1");
    add_policy(&scene.live, "c ^c", 0,
               "queue-version=2 queue-mode=lazy ha-mode=all");
    assert_nothing(&scene);
}

static void minds_a_delivery_limit_below_the_brokers_own(void **state)
{
    static const struct {
        const char *version;
        const char *definition;
        bool found;
    } cases[] = {
        {"4.0.5", "delivery-limit=19", true},
        {"4.3.6", "delivery-limit=0", true},
        {"4.3.6", "delivery-limit=20", false},
        {"4.3.6", "delivery-limit=-1", false},
        {"4.3.6", "delivery-limit=1e30", false},
        {NULL, "delivery-limit=19", true},
        {NULL, "delivery-limit=20", false},
        {"3.13.7", "delivery-limit=1000", true},
    };

    for (size_t i = 0; i < COUNT(cases); ++i) {
        struct scene scene;

        open_scene(&scene, *state);
        scene.live.version = cases[i].version;
        add_policy(&scene.live, "a ^k.dlq", 0, cases[i].definition);
        assert_int_equal(look(&scene), LQ_OK);
        assert_int_equal(scene.diff.findings.count, cases[i].found);
    }
}

static void knows_its_own_policies_of_dead_letters(void **state)
{
    static const char *const lines[] = {
        "queue-shadowed c message-ttl - 900000 lilyq-c",
        "queue-shadowed k delivery-limit - 3 lilyq-k",
        "queue-shadowed k.retry.v2.1000ms delivery-limit - 3 lilyq-k",
        "queue-shadowed k.dlq.v2 message-ttl - 900000 lilyq-week*"};
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "lilyq-c ^c", 0, "message-ttl=900000");
    add_policy(&scene.live, "lilyq-k ^k", 0, "delivery-limit=3");
    add_operator_policy(&scene.live, "lilyq-week ^k.dlq", 0,
                        "message-ttl=900000");
    assert_findings(&scene, lines, COUNT(lines));
}

static void minds_a_consumer_timeout_shorter_than_the_work(void **state)
{
    static const char *const lines[] = {
        "queue-shadowed c consumer-timeout - 29999 a",
        "queue-shadowed k consumer-timeout - 29999 a"};
    struct scene scene;
    struct lq_live_policy *policy = NULL;

    open_scene(&scene, *state);
    scene.live.version = "4.0.5";
    policy = add_policy(&scene.live, "a ", 0, "consumer-timeout=29999");
    assert_findings(&scene, lines, 2);
    scene.live.version = NULL;
    assert_findings(&scene, lines, 2);
    /* which has none for classic queues */
    scene.live.version = "4.3.6";
    assert_finding(&scene, lines[1]);
    policy->definition.items[0].number = 30000;
    assert_nothing(&scene);
}

static void finds_an_alternate_exchange(void **state)
{
    static const char *const lines[] = {
        "exchange-shadowed orders alternate-exchange - lost a",
        "exchange-shadowed orders.retry.v2 alternate-exchange - lost a",
        "exchange-shadowed orders.dlx.v2 alternate-exchange - lost a"};
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "a ^orders", 0, "alternate-exchange=lost")->scope =
        LQ_LIVE_ALL;
    add_policy(&scene.live, "b ^c", 0, "alternate-exchange=lost");
    assert_findings(&scene, lines, COUNT(lines));
    assert_int_equal(lq_diff_at(&scene.diff, 0)->resource, LQ_EXCHANGE);
}

static void says_nothing_of_what_is_external(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "a outer", 0, "max-length=1 alternate-exchange=x")
        ->scope = LQ_LIVE_ALL;
    add_policy(&scene.live, "b ?outer", 9, "max-length=1");
    assert_nothing(&scene);
}

static void says_nothing_where_all_is_external(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = entry_at(1, "outer");
    struct scene scene = {.fixture = fixture};

    entry.topology_ownership = LQ_EXTERNAL;
    entry.dead_letter_exchange = "dead";
    entry.dead_letter_routing_key = "q";
    assert_int_equal(lq_plan_build(&entry, 1, &fixture->diags, &scene.plan),
                     LQ_OK);
    lq_live_init(&scene.live, "/", &fixture->arena);
    assert_nothing(&scene);
}

static void looks_at_what_is_yet_to_be_declared(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    lq_live_init(&scene.live, "/", &scene.fixture->arena);
    scene.live.parts = ~0U;
    add_policy(&scene.live, "a ^c.dlq", 0, "expires=1");
    assert_finding(&scene, "queue-shadowed c.dlq.v2 expires - 1 a");
}

static void tells_each_doubt_once(void **state)
{
    static const char *const lines[] = {
        "policy-unverified c - - - unknown",
        "policy-unverified c - - - invalid*",
        "policy-tie-unverified k - - - rival",
        "policy-key-unverified k federation-upstream-set - all first",
        "queue-shadowed k max-length 100000 5 first",
        "queue-shadowed k.retry.v2.1000ms max-length 10000 5 first",
        "queue-shadowed k.dlq.v2 max-length 5000 5 first",
    };
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "unknown ?c", 9, "expires=1");
    add_policy(&scene.live, "first ^k", 1,
               "max-length=5 federation-upstream-set=all");
    add_policy(&scene.live, "rival ^k", 1, "max-length=4");
    add_operator_policy(&scene.live, "invalid (", 0, "expires=1");
    assert_findings(&scene, lines, COUNT(lines));
    assert_int_equal(scene.diff.counts[LILYQ_UNVERIFIED], 4);
}

/* The names of what the findings take messages away from. */
static const char *losers(const struct scene *scene)
{
    const char *names = "";

    for (size_t i = 0; i < scene->diff.findings.count; ++i) {
        const struct lq_finding *const finding = lq_diff_at(&scene->diff, i);

        if (finding->removes) {
            names = lq_format(&scene->fixture->arena, "%s%s%s", names,
                              *names ? " " : "", finding->name);
        }
    }
    return names;
}

static void knows_what_has_the_broker_take_messages_away(void **state)
{
    static const struct {
        const char *keys;
        const char *losers;
    } cases[] = {
        {"expires=1", "k k.retry.v2.1000ms k.dlq.v2"},
        {"message-ttl=1", "k k.retry.v2.1000ms k.dlq.v2"},
        {"max-length=1", ""},
        {"max-length-bytes=1 overflow=reject-publish", ""},
        {"max-length=1 overflow=drop-head",
         "k k k.retry.v2.1000ms k.retry.v2.1000ms k.dlq.v2 k.dlq.v2"},
        {"max-length-bytes=1 overflow=reject-publish-dlx",
         "k k k.retry.v2.1000ms k.retry.v2.1000ms k.dlq.v2 k.dlq.v2"},
        {"delivery-limit=2", "k.dlq.v2"},
        {"consumer-timeout=1", ""},
        {"dead-letter-exchange=x dead-letter-routing-key=y", ""},
    };

    for (size_t i = 0; i < COUNT(cases); ++i) {
        struct scene scene;

        open_scene(&scene, *state);
        add_policy(&scene.live, "a ^k", 0, cases[i].keys);
        assert_int_equal(look(&scene), LQ_OK);
        assert_string_equal(losers(&scene), cases[i].losers);
    }
}

static void keeps_what_classic_queues_hold_whatever_a_policy_drops(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "a ^c", 0, "max-length=1 overflow=drop-head");
    assert_int_equal(look(&scene), LQ_OK);
    assert_int_not_equal(scene.diff.findings.count, 0);
    assert_string_equal(losers(&scene), "");
}

static void advises_in_one_sentence_on_every_key(void **state)
{
    struct lq_finding finding = {.code = LQ_QUEUE_SHADOWED};
    const char *const otherwise = lq_shadow_advice(&finding);

    (void)state;
    for (unsigned i = 0; i < LQ_SHADOW_KEY_COUNT * 6U; ++i) {
        const char *advice = NULL;
        const char *effect = NULL;

        finding.field = lq_shadow_keys[i / 6].name;
        finding.role = (enum lq_role)(i % 3);
        finding.removes = i % 6 > 2;
        advice = lq_finding_advice(&finding);
        effect = lq_shadow_effect(&finding);
        assert_int_equal(strncmp(advice, effect, strlen(effect)), 0);
        assert_string_not_equal(advice, otherwise);
        assert_null(strstr(advice, ". "));
        assert_true(advice[strlen(advice) - 1] != '.');
    }
    finding = (struct lq_finding){.code = LQ_EXCHANGE_SHADOWED,
                                  .field = "alternate-exchange"};
    assert_string_not_equal(lq_finding_advice(&finding), otherwise);
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
        scene.live.parts &= ~(unsigned)LQ_LIVE_HAS_OPERATOR_POLICIES;
        add_policy(&scene.live, "a ", 0, "max-length=1 x=y overflow=drop-head");
        add_policy(&scene.live, "b ", 0, "max-length=2");
        add_operator_policy(&scene.live, "c ?c", 0, "expires=1");
        limit_memory(&fixture->arena, limit);
        status = look(&scene);
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 10);
    limit_memory(&fixture->arena, (size_t)-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(finds_nothing_without_policies),
        TEST(says_once_that_policies_are_not_seen),
        TEST(looks_at_what_is_shown_when_not_all_is),
        TEST(finds_a_shorter_ttl_of_a_bucket),
        TEST(does_not_mind_a_longer_or_equal_limit),
        TEST(finds_every_key_of_both_policies),
        TEST(finds_the_overflow_of_quorum_queues_only),
        TEST(finds_an_overflow_that_quorum_queues_do_not_know),
        TEST(finds_no_dead_letter_key_where_nothing_is_dead_lettered),
        TEST(leaves_the_dead_letter_exchange_to_the_arguments),
        TEST(finds_nothing_of_a_policy_that_is_not_applied),
        TEST(does_not_mind_what_only_hardens),
        TEST(minds_a_delivery_limit_below_the_brokers_own),
        TEST(knows_its_own_policies_of_dead_letters),
        TEST(minds_a_consumer_timeout_shorter_than_the_work),
        TEST(finds_an_alternate_exchange),
        TEST(says_nothing_of_what_is_external),
        TEST(says_nothing_where_all_is_external),
        TEST(looks_at_what_is_yet_to_be_declared),
        TEST(tells_each_doubt_once),
        TEST(knows_what_has_the_broker_take_messages_away),
        TEST(keeps_what_classic_queues_hold_whatever_a_policy_drops),
        TEST(advises_in_one_sentence_on_every_key),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
