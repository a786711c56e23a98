#include "compare/policies.h"

#include "../posix_pattern.h"

#include "plan/plan.h"

#include "../limit.h"
#include "../plan/mirror.h"
#include "../policy/policy_fixture.h"

#include <regex.h>

/*
 * Quorum "k" with one bucket and a DLQ, and the policies for them, on a broker
 * that holds all of it.
 */
struct scene {
    struct fixture *fixture;
    const struct lq_topology *plan;
    struct lq_own_policies own;
    struct lq_live live;
    struct lq_diff diff;
};

#define OWN_PATTERN "^(k(\\.retry\\.v2\\.1000ms)?)\\z"
#define DLQ_PATTERN "^(k\\.dlq\\.v2)\\z"

static void plan_policies(const struct lq_topology *plan, const char *version,
                          struct fixture *fixture, struct lq_own_policies *out)
{
    const struct lq_policy_wants wants = {
        .broker = lq_own_policy_version(version), .priority = 5};

    assert_int_equal(lq_own_policies_build(plan, &wants, &fixture->diags, out),
                     LQ_OK);
}

/* "k" with so many attempts. */
static const struct lq_topology *plan_of(struct fixture *fixture,
                                         unsigned attempts)
{
    struct lq_entry *const entry = lq_alloc(&fixture->arena, sizeof(*entry));
    const struct lq_topology *plan = NULL;

    *entry = entry_at(1, "k");
    entry->queue_type = LQ_QUORUM;
    entry->retry_attempts = attempts;
    assert_int_equal(lq_plan_build(entry, 1, &fixture->diags, &plan), LQ_OK);
    return plan;
}

static void open_scene(struct scene *scene, struct fixture *fixture,
                       const char *version)
{
    *scene = (struct scene){.fixture = fixture, .plan = plan_of(fixture, 1)};
    plan_policies(scene->plan, version, fixture, &scene->own);
    mirror(&scene->live, scene->plan, &fixture->arena);
    scene->live.version = version;
}

static void set_first(struct scene *scene)
{
    add_policy(&scene->live, "lilyq-at-least-once " OWN_PATTERN, 5,
               "dead-letter-strategy=at-least-once");
}

/* Both as they are wanted. */
static void set_all(struct scene *scene)
{
    set_first(scene);
    add_policy(&scene->live, "lilyq-dlq " DLQ_PATTERN, 5, "delivery-limit=-1");
}

/* The patterns of lilyq are regular expressions, which POSIX has as well. */
static enum lq_status match(void *context, void *pattern, const char *name,
                            enum lq_match *out)
{
    const char *const text = *(char **)pattern;
    regex_t regex;

    if (strncmp(text, "^(", 2) != 0) {
        return fake_match(context, pattern, name, out);
    }
    assert_int_equal(compile_pattern(&regex, text), 0);
    *out = regexec(&regex, name, 0, NULL, 0) == 0 ? LQ_MATCH_YES : LQ_MATCH_NO;
    regfree(&regex);
    return LQ_OK;
}

static void begin(struct scene *scene)
{
    scene->diff = (struct lq_diff){.counts = {0}};
    lq_array_init(&scene->diff.findings, sizeof(struct lq_finding));
}

static enum lq_status compare(struct scene *scene)
{
    struct lq_arena *const arena = &scene->fixture->arena;
    const struct lq_matcher matcher = {arena, fake_compile, match};
    const struct lq_policy_case about = {scene->plan, &scene->own, &scene->live,
                                         &matcher};

    begin(scene);
    return lq_diff_own_policies(&about, arena, &scene->diff);
}

static const char *or_dash(const char *text)
{
    return text ? text : "-";
}

/* "code name field planned actual other queue count" */
static const char *line_of(const struct scene *scene, size_t index)
{
    const struct lq_finding *const finding = lq_diff_at(&scene->diff, index);

    assert_int_equal(finding->resource, LQ_POLICY);
    assert_null(finding->logical);
    return lq_format(&scene->fixture->arena, "%s %s %s %s %s %s %s %zu",
                     lq_finding_code(finding->code), finding->name,
                     or_dash(finding->field), or_dash(finding->planned.text),
                     or_dash(finding->actual.text),
                     finding->policy ? finding->policy->name : "-",
                     or_dash(finding->queue), finding->queue_count);
}

static void assert_lines(const struct scene *scene, const char *const *lines,
                         size_t count)
{
    for (size_t i = 0; i < count && i < scene->diff.findings.count; ++i) {
        assert_string_equal(line_of(scene, i), lines[i]);
    }
    assert_int_equal(scene->diff.findings.count, count);
}

static void assert_findings(struct scene *scene, const char *const *lines,
                            size_t count)
{
    assert_int_equal(compare(scene), LQ_OK);
    assert_lines(scene, lines, count);
}

static void assert_finding(struct scene *scene, const char *line)
{
    assert_findings(scene, &line, 1);
}

static void finds_nothing_where_all_is_as_planned(void **state)
{
    struct scene scene;

    open_scene(&scene, *state, "4.3.6");
    set_all(&scene);
    assert_findings(&scene, NULL, 0);
}

static void finds_what_is_missing(void **state)
{
    static const char *const lines[] = {
        "own-policy-missing lilyq-at-least-once - - - - - 0",
        "own-policy-missing lilyq-dlq - - - - - 0"};
    struct scene scene;

    open_scene(&scene, *state, "4.3.6");
    assert_findings(&scene, lines, 2);
    set_first(&scene);
    assert_finding(&scene, lines[1]);
}

static void finds_each_field_and_key_that_differs(void **state)
{
    static const char *const lines[] = {
        "own-policy-different lilyq-dlq pattern " DLQ_PATTERN " ^(k)\\z - - 0",
        "own-policy-different lilyq-dlq apply-to queues all - - 0",
        "own-policy-different lilyq-dlq priority 5 4.5 - - 0",
        "own-policy-different lilyq-dlq delivery-limit -1 7 - - 0",
        "own-policy-different lilyq-dlq message-ttl - 1 - - 0"};
    struct scene scene;
    struct lq_live_policy *policy = NULL;

    open_scene(&scene, *state, "4.3.6");
    set_first(&scene);
    policy = add_policy(&scene.live, "lilyq-dlq ^(k)\\z", 4.5,
                        "delivery-limit=7 message-ttl=1");
    policy->scope = LQ_LIVE_ALL;
    assert_findings(&scene, lines, COUNT(lines));
    assert_string_equal(lq_diff_at(&scene.diff, 2)->actual.type, "number");
    assert_string_equal(lq_diff_at(&scene.diff, 2)->planned.type, "integer");
    policy->scope = LQ_LIVE_OTHERS;
    assert_int_equal(compare(&scene), LQ_OK);
    assert_string_equal(lq_diff_at(&scene.diff, 1)->actual.type, "unknown");
}

static void finds_a_number_that_is_a_text(void **state)
{
    struct scene scene;
    struct lq_live_policy *policy = NULL;

    open_scene(&scene, *state, "4.3.6");
    set_first(&scene);
    policy = add_policy(&scene.live, "lilyq-dlq " DLQ_PATTERN, 5,
                        "delivery-limit=-1");
    policy->definition.items[0].type = LQ_LIVE_STRING;
    assert_finding(&scene,
                   "own-policy-different lilyq-dlq delivery-limit -1 -1 - - 0");
}

static void says_what_is_not_known_of_a_definition(void **state)
{
    struct scene scene;

    open_scene(&scene, *state, "4.3.6");
    set_first(&scene);
    add_policy(&scene.live, "lilyq-dlq " DLQ_PATTERN, 5, "")->definition.known =
        false;
    assert_finding(&scene,
                   "own-policy-unverified lilyq-dlq definition - - - - 0");
}

static void finds_what_is_no_longer_planned(void **state)
{
    static const char *const lines[] = {
        "own-policy-orphaned lilyq-at-least-once-2 - - - - - 0",
        "own-policy-orphaned lilyq-dlq-classic - - - - - 0"};
    struct scene scene;

    open_scene(&scene, *state, "4.3.6");
    set_all(&scene);
    add_policy(&scene.live, "lilyq-dlq-classic ^x", 0, "message-ttl=1");
    add_policy(&scene.live, "lilyq-other-dlq ^x", 0, "message-ttl=1");
    add_policy(&scene.live, "lilyq-dlq-2nd ^x", 0, "message-ttl=1");
    assert_finding(&scene, lines[1]);
    add_policy(&scene.live, "lilyq-at-least-once-2 ^x", 0, "message-ttl=1");
    assert_findings(&scene, lines, 2);
}

static void finds_another_policy_in_its_place(void **state)
{
    static const char *const lines[] = {
        "own-policy-shadowed lilyq-at-least-once - - - strict k 2",
        "own-policy-shadowed lilyq-dlq - - - strict k.dlq.v2 1"};
    struct scene scene;
    struct lq_live_policy *other = NULL;

    open_scene(&scene, *state, "4.3.6");
    set_all(&scene);
    other = add_policy(&scene.live, "strict ^k", 6, "max-length=9");
    assert_findings(&scene, lines, 2);
    other->priority = 4;
    assert_findings(&scene, NULL, 0);
    other->priority = 6;
    other->pattern = "?k.dlq";
    assert_finding(&scene,
                   "own-policy-unverified lilyq-dlq - - - strict k.dlq.v2 1");
}

static void leaves_alone_what_another_topology_has(void **state)
{
    struct scene scene;
    struct lq_live_queue *other = NULL;

    open_scene(&scene, *state, "4.3.6");
    other = mirror_alloc(&scene.fixture->arena, sizeof(*other));
    other->name = "other.dlq.v2";
    other->type = "quorum";
    assert_int_equal(lq_live_add_queue(&scene.live, other), LQ_OK);
    set_first(&scene);
    add_policy(&scene.live, "lilyq-dlq other", 5, "delivery-limit=-1");
    assert_finding(&scene,
                   "own-policy-shared lilyq-dlq - - - - other.dlq.v2 1");
}

static void says_of_each_that_it_is_not_seen(void **state)
{
    static const char *const lines[] = {
        "own-policy-unverified lilyq-at-least-once - - - - - 0",
        "own-policy-unverified lilyq-dlq - - - - - 0"};
    struct scene scene;

    open_scene(&scene, *state, "4.3.6");
    set_all(&scene);
    scene.live.parts &= ~(unsigned)LQ_LIVE_HAS_POLICIES;
    assert_findings(&scene, lines, 2);
}

static void does_not_judge_by_a_version_that_is_not_known(void **state)
{
    struct scene scene;
    struct lq_live_policy *policy = NULL;

    open_scene(&scene, *state, NULL);
    set_first(&scene);
    assert_finding(&scene,
                   "own-policy-unverified lilyq-dlq delivery-limit -1 - - - 0");
    policy = add_policy(&scene.live, "lilyq-dlq " DLQ_PATTERN, 5,
                        "delivery-limit=7");
    assert_finding(&scene,
                   "own-policy-unverified lilyq-dlq delivery-limit -1 7 - - 0");
    policy->definition.items[0].number = -1;
    policy->definition.items[0].text = "-1";
    assert_findings(&scene, NULL, 0);
}

static void wants_no_delivery_limit_of_an_old_broker(void **state)
{
    struct scene scene;

    open_scene(&scene, *state, "3.10.8");
    set_first(&scene);
    assert_findings(&scene, NULL, 0);
    add_policy(&scene.live, "lilyq-dlq " DLQ_PATTERN, 5, "delivery-limit=7");
    assert_finding(&scene, "own-policy-orphaned lilyq-dlq - - - - - 0");
}

/* What the change from so many attempts to so many does. */
static void change(struct scene *scene, const struct lq_topology *before,
                   const struct lq_topology *after)
{
    struct fixture *const fixture = scene->fixture;
    struct lq_own_policies old;
    struct lq_own_policies own;

    plan_policies(before, NULL, fixture, &old);
    plan_policies(after, NULL, fixture, &own);
    begin(scene);
    assert_int_equal(
        lq_change_own_policies(&old, &own, &fixture->arena, &scene->diff),
        LQ_OK);
}

static void finds_what_a_change_of_plans_does(void **state)
{
    static const char *const created[] = {
        "own-policy-created lilyq-at-least-once - - - - - 0",
        "own-policy-created lilyq-dlq - - - - - 0"};
    static const char *const orphaned[] = {
        "own-policy-orphaned lilyq-at-least-once - - - - - 0",
        "own-policy-orphaned lilyq-dlq - - - - - 0"};
    static const char *const changed[] = {
        "own-policy-changed lilyq-at-least-once pattern "
        "^(k)\\z " OWN_PATTERN " - - 0"};
    const struct lq_topology *nothing = NULL;
    struct scene scene;

    open_scene(&scene, *state, NULL);
    assert_int_equal(lq_plan_build(NULL, 0, &scene.fixture->diags, &nothing),
                     LQ_OK);
    change(&scene, scene.plan, scene.plan);
    assert_lines(&scene, NULL, 0);
    change(&scene, nothing, scene.plan);
    assert_lines(&scene, created, 2);
    change(&scene, scene.plan, nothing);
    assert_lines(&scene, orphaned, 2);
    change(&scene, scene.plan, plan_of(*state, 0));
    assert_lines(&scene, changed, 1);
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status == LQ_NOMEM; ++limit) {
        struct scene scene;

        restart(fixture, (size_t)-1);
        open_scene(&scene, fixture, NULL);
        set_first(&scene);
        add_policy(&scene.live, "lilyq-dlq-7 a", 5, "delivery-limit=1");
        add_policy(&scene.live, "strict ^k", 6, "max-length=9");
        limit_memory(&fixture->arena, limit);
        status = compare(&scene);
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 10);
    limit_memory(&fixture->arena, (size_t)-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(finds_nothing_where_all_is_as_planned),
        TEST(finds_what_is_missing),
        TEST(finds_each_field_and_key_that_differs),
        TEST(finds_a_number_that_is_a_text),
        TEST(says_what_is_not_known_of_a_definition),
        TEST(finds_what_is_no_longer_planned),
        TEST(finds_another_policy_in_its_place),
        TEST(leaves_alone_what_another_topology_has),
        TEST(says_of_each_that_it_is_not_seen),
        TEST(does_not_judge_by_a_version_that_is_not_known),
        TEST(wants_no_delivery_limit_of_an_old_broker),
        TEST(finds_what_a_change_of_plans_does),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
