#include "policy/conflict.h"

#include "../posix_pattern.h"

#include "plan/plan.h"

#include "../limit.h"
#include "../plan/mirror.h"
#include "policy_fixture.h"

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
    struct lq_policy_step steps[2];
};

#define OWN_PATTERN "^(k(\\.retry\\.v2\\.1000ms)?)\\z"
#define DLQ_PATTERN "^(k\\.dlq\\.v2)\\z"

static void open_scene(struct scene *scene, struct fixture *fixture)
{
    static const struct lq_policy_wants wants = {.broker = {true, 4, 3},
                                                 .priority = 5};
    struct lq_entry *const entry = lq_alloc(&fixture->arena, sizeof(*entry));

    *scene = (struct scene){.fixture = fixture};
    *entry = entry_at(1, "k");
    entry->queue_type = LQ_QUORUM;
    entry->retry_attempts = 1;
    assert_int_equal(lq_plan_build(entry, 1, &fixture->diags, &scene->plan),
                     LQ_OK);
    assert_int_equal(lq_own_policies_build(scene->plan, &wants, &fixture->diags,
                                           &scene->own),
                     LQ_OK);
    assert_int_equal(scene->own.count, 2);
    mirror(&scene->live, scene->plan, &fixture->arena);
    scene->live.version = "4.3.6";
}

/* Both as they are wanted. */
static void set_all(struct scene *scene)
{
    add_policy(&scene->live, "lilyq-at-least-once " OWN_PATTERN, 5,
               "dead-letter-strategy=at-least-once");
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

static enum lq_status judge(struct scene *scene)
{
    struct fixture *const fixture = scene->fixture;
    const struct lq_matcher matcher = {&fixture->arena, fake_compile, match};

    const struct lq_policy_case about = {scene->plan, &scene->own, &scene->live,
                                         &matcher};

    return lq_own_policies_judge(&about, &fixture->diags, scene->steps);
}

static void assert_needs(struct scene *scene, enum lq_policy_need first,
                         enum lq_policy_need second)
{
    assert_int_equal(judge(scene), LQ_OK);
    assert_int_equal(scene->steps[0].need, first);
    assert_int_equal(scene->steps[1].need, second);
}

static void assert_no_conflicts(const struct scene *scene)
{
    assert_null(scene->steps[0].conflict);
    assert_null(scene->steps[1].conflict);
    assert_int_equal(scene->fixture->diags.error_count, 0);
}

static void creates_what_is_not_there(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    assert_needs(&scene, LQ_POLICY_CREATE, LQ_POLICY_CREATE);
    assert_no_conflicts(&scene);
    assert_reported(*state, NULL, 0);
}

static void keeps_what_is_there_as_wanted(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    set_all(&scene);
    assert_needs(&scene, LQ_POLICY_KEEP, LQ_POLICY_KEEP);
    assert_no_conflicts(&scene);
    assert_reported(*state, NULL, 0);
}

static void updates_what_is_there_otherwise(void **state)
{
    static const struct {
        const char *name_and_pattern;
        double priority;
        enum lq_live_scope scope;
        const char *definition;
        const char *change;
    } cases[] = {
        {"lilyq-dlq ^(k)\\z", 5, LQ_LIVE_QUEUES, "delivery-limit=-1",
         "another pattern is there"},
        {"lilyq-dlq " DLQ_PATTERN, 5, LQ_LIVE_ALL, "delivery-limit=-1",
         "another apply-to is there"},
        {"lilyq-dlq " DLQ_PATTERN, 4.5, LQ_LIVE_QUEUES, "delivery-limit=-1",
         "another priority is there"},
        {"lilyq-dlq " DLQ_PATTERN, 5, LQ_LIVE_QUEUES, "delivery-limit=7",
         "another definition is there"},
        {"lilyq-dlq " DLQ_PATTERN, 5, LQ_LIVE_QUEUES,
         "delivery-limit=-1 message-ttl=1", "another definition is there"},
        {"lilyq-dlq ^(k)\\z", 0, LQ_LIVE_ALL, "message-ttl=1",
         "another pattern, apply-to, priority, definition is there"},
    };

    for (size_t i = 0; i < COUNT(cases); ++i) {
        struct scene scene;

        restart(*state, SIZE_MAX);
        open_scene(&scene, *state);
        add_policy(&scene.live, cases[i].name_and_pattern, cases[i].priority,
                   cases[i].definition)
            ->scope = cases[i].scope;
        assert_needs(&scene, LQ_POLICY_CREATE, LQ_POLICY_UPDATE);
        assert_string_equal(scene.steps[1].change, cases[i].change);
        assert_no_conflicts(&scene);
    }
}

static void refuses_where_another_of_a_higher_priority_would_win(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "all ", 6, "max-length=9");
    assert_int_equal(judge(&scene), LQ_OK);
    assert_string_equal(
        scene.steps[0].conflict,
        "the policy 'all' of priority 6 would be in force for queue 'k' and 1 "
        "other, and not this one of priority 5; give ours a greater priority, "
        "or the other a pattern that leaves them out");
    assert_non_null(strstr(scene.steps[1].conflict, "for queue 'k.dlq.v2',"));
    assert_int_equal(scene.fixture->diags.error_count, 2);
}

static void refuses_where_one_of_the_same_priority_may_win(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    set_all(&scene);
    add_policy(&scene.live, "other dlq", 5, "max-length=9");
    assert_int_equal(judge(&scene), LQ_OK);
    assert_null(scene.steps[0].conflict);
    assert_non_null(strstr(scene.steps[1].conflict,
                           "the policy 'other' of priority 5 may be in force "
                           "for queue 'k.dlq.v2', and"));
}

static void refuses_where_a_third_of_the_same_priority_may_win(void **state)
{
    static const char *const second[] = {"same ^k", "odd ?k"};

    for (size_t i = 0; i < COUNT(second); ++i) {
        struct scene scene;

        open_scene(&scene, *state);
        add_policy(&scene.live, second[i], 5,
                   "dead-letter-strategy=at-least-once");
        add_policy(&scene.live, "third ^k", 5, "max-length=9");
        assert_int_equal(judge(&scene), LQ_OK);
        assert_non_null(scene.steps[0].conflict);
        assert_non_null(strstr(scene.steps[0].conflict,
                               "the policy 'third' of priority 5 may be in "
                               "force for queue 'k' and 1 other, and"));
    }
}

static void says_nothing_of_one_that_does_the_same(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "same k", 5, "dead-letter-strategy=at-least-once")
        ->pattern = OWN_PATTERN;
    assert_needs(&scene, LQ_POLICY_CREATE, LQ_POLICY_CREATE);
    assert_no_conflicts(&scene);
    assert_reported(*state, NULL, 0);
}

static void refuses_where_it_cannot_tell_whether_another_matches(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "odd ?dlq", 7, "max-length=9");
    assert_int_equal(judge(&scene), LQ_OK);
    assert_null(scene.steps[0].conflict);
    assert_non_null(strstr(scene.steps[1].conflict,
                           "the policy 'odd' of priority 7 may be in force"));
}

static void lets_others_be_that_are_not_in_the_way(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    set_all(&scene);
    add_policy(&scene.live, "lower ", 4, "max-length=9");
    add_policy(&scene.live, "elsewhere ^x", 9, "max-length=9");
    add_policy(&scene.live, "exchanges ", 9, "alternate-exchange=x")->scope =
        LQ_LIVE_EXCHANGES;
    add_policy(&scene.live, "classic ", 9, "ha-mode=all");
    add_policy(&scene.live, "same k", 5, "dead-letter-strategy=at-least-once")
        ->pattern = OWN_PATTERN;
    add_operator_policy(&scene.live, "operator ", 9, "max-length=9");
    assert_needs(&scene, LQ_POLICY_KEEP, LQ_POLICY_KEEP);
    assert_no_conflicts(&scene);
    assert_reported(*state, NULL, 0);
}

static void warns_of_what_is_no_longer_in_force(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_policy(&scene.live, "all dlq", 4, "max-length=9 expires=5");
    assert_needs(&scene, LQ_POLICY_CREATE, LQ_POLICY_CREATE);
    assert_no_conflicts(&scene);
    assert_one_reported(*state,
                        "warning: policy 'lilyq-dlq' replaces 'all' for queue "
                        "'k.dlq.v2', where these keys of the latter are no "
                        "longer in force: expires, max-length");
}

static void refuses_to_take_a_policy_from_another_topology(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    mirror_text_argument(&mirror_other_queue(&scene.live, "theirs")->arguments,
                         "x-queue-type", "quorum");
    lq_live_queue(&scene.live, "theirs")->type = "quorum";
    add_policy(&scene.live, "lilyq-at-least-once ^(theirs)\\z", 5,
               "dead-letter-strategy=at-least-once");
    assert_needs(&scene, LQ_POLICY_UPDATE, LQ_POLICY_CREATE);
    assert_string_equal(
        scene.steps[0].conflict,
        "it is in force for queue 'theirs' too, which the plan does not have; "
        "give ours another name if that is of another topology, else delete "
        "it first");
    assert_null(scene.steps[1].conflict);
}

static void warns_of_buckets_that_the_plan_had_once(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    mirror_other_queue(&scene.live, "k.retry.v2.500ms")->type = "quorum";
    add_policy(&scene.live,
               "lilyq-at-least-once ^(k(\\.retry\\.v2\\.500ms)?)\\z", 5,
               "dead-letter-strategy=at-least-once");
    assert_needs(&scene, LQ_POLICY_UPDATE, LQ_POLICY_CREATE);
    assert_no_conflicts(&scene);
    assert_one_reported(*state,
                        "warning: policy 'lilyq-at-least-once' is no longer in "
                        "force for queue 'k.retry.v2.500ms', which the plan "
                        "no longer has: empty it before its target is full");
}

static void warns_of_policies_that_it_made_once(void **state)
{
    static const char *const others[] = {
        "lilyq-shop-dlq ^(x)\\z", "lilyq-dlq-2x ^(x)\\z", "lilyq-dlq- ^(x)\\z",
        "lilyq- ^(x)\\z",         "lilyq-dlqs ^(x)\\z",   "dlq ^(x)\\z"};
    struct scene scene;

    open_scene(&scene, *state);
    set_all(&scene);
    for (size_t i = 0; i < COUNT(others); ++i) {
        add_policy(&scene.live, others[i], 5, "message-ttl=1");
    }
    add_policy(&scene.live, "lilyq-dlq-classic ^(x)\\z", 5, "message-ttl=1");
    add_policy(&scene.live, "lilyq-at-least-once-12 ^(x)\\z", 5,
               "message-ttl=1");
    assert_needs(&scene, LQ_POLICY_KEEP, LQ_POLICY_KEEP);
    assert_reported(*state,
                    (const char *const[]){
                        "warning: policy 'lilyq-dlq-classic' is there, but no "
                        "longer wanted: it stays in force until you delete it",
                        "warning: policy 'lilyq-at-least-once-12' is there, "
                        "but no longer wanted: it stays in force until you "
                        "delete it"},
                    2);
}

static void survives_any_failed_allocation(void **state)
{
    struct scene scene;
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;
    struct lq_arena arena;
    struct lq_diags diags;

    open_scene(&scene, *state);
    mirror_other_queue(&scene.live, "theirs")->type = "quorum";
    add_policy(&scene.live, "lilyq-at-least-once ^(theirs)\\z", 5,
               "dead-letter-strategy=at-least-once");
    add_policy(&scene.live, "all dlq", 4, "max-length=9");
    add_policy(&scene.live, "high k", 9, "max-length=9");
    add_policy(&scene.live, "lilyq-dlq-9 ^(x)\\z", 5, "message-ttl=1");
    for (; status == LQ_NOMEM; ++limit) {
        const struct lq_matcher matcher = {&arena, fake_compile, match};
        const struct lq_policy_case about = {scene.plan, &scene.own,
                                             &scene.live, &matcher};

        lq_arena_init(&arena);
        limit_memory(&arena, limit);
        lq_diags_init(&diags, &arena);
        status = lq_own_policies_judge(&about, &diags, scene.steps);
        lq_arena_free(&arena);
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(creates_what_is_not_there),
        TEST(keeps_what_is_there_as_wanted),
        TEST(updates_what_is_there_otherwise),
        TEST(refuses_where_another_of_a_higher_priority_would_win),
        TEST(refuses_where_one_of_the_same_priority_may_win),
        TEST(refuses_where_a_third_of_the_same_priority_may_win),
        TEST(says_nothing_of_one_that_does_the_same),
        TEST(refuses_where_it_cannot_tell_whether_another_matches),
        TEST(lets_others_be_that_are_not_in_the_way),
        TEST(warns_of_what_is_no_longer_in_force),
        TEST(refuses_to_take_a_policy_from_another_topology),
        TEST(warns_of_buckets_that_the_plan_had_once),
        TEST(warns_of_policies_that_it_made_once),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
