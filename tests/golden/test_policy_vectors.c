/*
 * The patterns of policies, matched by PCRE2 as a broker does: each queue of
 * every vector that can be planned is matched by one policy of its kind, and
 * what is called nearly so by none.
 */
#include "base/map.h"
#include "config/load.h"
#include "plan/plan.h"
#include "policy/own_policies.h"
#include "policy/pcre.h"
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NAME_ROOM 512
#define NEARLY_COUNT 9

/* A plan with its policies, their patterns ready. */
struct scene {
    struct lq_arena arena;
    struct lq_diags diags;
    const struct lq_topology *plan;
    struct lq_own_policies policies;
    struct lq_pcre *pcre;
    struct lq_matcher matcher;
    void **patterns;     /* of each policy */
    struct lq_map kinds; /* enum lq_policy_kind of each queue that has one */
};

static size_t matches; /* of all vectors */

static enum lq_policy_kind kinds[] = {LQ_POLICY_AT_LEAST_ONCE, LQ_POLICY_DLQ,
                                      LQ_POLICY_DLQ_CLASSIC};

/* Which policies a queue belongs to, by the rules; NULL: to none. */
static enum lq_policy_kind *kind_of(const struct lq_queue *queue)
{
    const bool quorum = queue->logical->entry->queue_type == LQ_QUORUM;

    if (lq_owner(queue->logical) != LQ_FRAMEWORK_MANAGED) {
        return NULL;
    }
    if (queue->role == LQ_ROLE_DEAD_LETTER) {
        return &kinds[quorum ? 1 : 2];
    }
    return quorum ? &kinds[0] : NULL;
}

/* Has all queues be of the type that has most policies. */
static void make_quorum(struct lq_config *config)
{
    struct lq_entry *const entries = config->entries.items;

    for (size_t i = 0; i < config->entries.count; ++i) {
        entries[i].queue_type = LQ_QUORUM;
        entries[i].durable = true;
        entries[i].auto_delete = false;
        entries[i].max_priority = 0;
    }
}

static bool plan_vector(struct scene *scene, const struct vector *vector,
                        bool quorum)
{
    const struct lq_document document = {"vector.json", vector->document,
                                         vector->length, LILYQ_INPUT_JSON};
    struct lq_config config;

    lq_config_init(&config);
    if (lq_load_text(&config, &document, &scene->diags) != LQ_OK) {
        return false;
    }
    if (quorum) {
        make_quorum(&config);
    }
    return lq_plan_build(config.entries.items, config.entries.count,
                         &scene->diags, &scene->plan) == LQ_OK;
}

static void find_policies(struct scene *scene)
{
    const struct lq_policy_wants wants = {.broker = {true, 4, 0},
                                          .dlq_retention_millis = 1000};

    assert_int_equal(lq_own_policies_build(scene->plan, &wants, &scene->diags,
                                           &scene->policies),
                     LQ_OK);
    assert_int_equal(lq_pcre_open(&scene->arena, &scene->pcre), LQ_OK);
    scene->matcher = lq_pcre_matcher(scene->pcre);
    scene->patterns =
        lq_alloc_array(&scene->arena, scene->policies.count, sizeof(void *));
    for (size_t i = 0; i < scene->policies.count; ++i) {
        assert_int_equal(scene->matcher.compile(scene->matcher.context,
                                                scene->policies.list[i].pattern,
                                                &scene->patterns[i]),
                         LQ_OK);
        assert_non_null(scene->patterns[i]);
    }
}

static void note_queues(struct scene *scene)
{
    lq_map_init(&scene->kinds, &scene->arena);
    for (size_t i = 0; i < scene->plan->queue_count; ++i) {
        const struct lq_queue *const queue = &scene->plan->queues[i];
        void *held = NULL;

        if (kind_of(queue)) {
            assert_int_equal(
                lq_map_add(&scene->kinds, queue->name, kind_of(queue), &held),
                LQ_OK);
        }
    }
}

/* Fails unless the name is matched once if it is a queue's, else never. */
static void check_name(struct scene *scene, const char *name)
{
    const enum lq_policy_kind *const kind = lq_map_get(&scene->kinds, name);
    size_t count = 0;

    for (size_t i = 0; i < scene->policies.count; ++i) {
        enum lq_match match = LQ_MATCH_UNKNOWN;

        assert_int_equal(scene->matcher.match(scene->matcher.context,
                                              scene->patterns[i], name, &match),
                         LQ_OK);
        assert_int_not_equal(match, LQ_MATCH_UNKNOWN);
        if (match == LQ_MATCH_YES) {
            assert_non_null(kind);
            assert_int_equal(scene->policies.list[i].kind, *kind);
            ++count;
        }
    }
    assert_int_equal(count, kind ? 1 : 0);
    matches += count;
}

/* A name that is nearly `name`, by the number of the way. */
static void make_nearly(const char *name, size_t way, char *out)
{
    static const char *const ends[] = {"x", ".dlq.v2", ".retry.v2.1000ms"};
    const int length = (int)strlen(name);
    const int half = length / 2;
    const char *const rest = name + half + 1;

    switch (way) {
    case 0:
        (void)snprintf(out, NAME_ROOM, "x%s", name);
        break;
    case 1:
        (void)snprintf(out, NAME_ROOM, "%s%s", name, name);
        break;
    case 2:
        (void)snprintf(out, NAME_ROOM, "%.*s", length - 1, name);
        break;
    case 3:
        (void)snprintf(out, NAME_ROOM, "%s", name + 1);
        break;
    case 4:
        (void)snprintf(out, NAME_ROOM, "%.*s%c%s", half, name,
                       name[half] == 'x' ? 'y' : 'x', rest);
        break;
    case 5:
        (void)snprintf(out, NAME_ROOM, "%.*s%s", half, name, rest);
        break;
    default:
        (void)snprintf(out, NAME_ROOM, "%s%s", name, ends[way - 6]);
    }
}

static void check_near(struct scene *scene, const char *name, size_t way)
{
    char nearly[NAME_ROOM];

    check_name(scene, name);
    make_nearly(name, way % NEARLY_COUNT, nearly);
    if (*nearly) {
        check_name(scene, nearly);
    }
}

static void check_all(struct scene *scene)
{
    const struct lq_topology *const plan = scene->plan;

    for (size_t i = 0; i < plan->queue_count; ++i) {
        check_near(scene, plan->queues[i].name, i);
    }
    for (size_t i = 0; i < plan->exchange_count; ++i) {
        check_near(scene, plan->exchanges[i].name, i + 1);
    }
    for (size_t way = 0; way < NEARLY_COUNT && plan->queue_count > 0; ++way) {
        check_near(scene, plan->queues[0].name, way);
    }
}

static void check_vector(const struct vector *vector, bool quorum)
{
    struct scene scene = {.pcre = NULL};

    lq_arena_init(&scene.arena);
    lq_diags_init(&scene.diags, &scene.arena);
    if (plan_vector(&scene, vector, quorum)) {
        find_policies(&scene);
        note_queues(&scene);
        check_all(&scene);
        lq_pcre_close(scene.pcre);
    }
    lq_arena_free(&scene.arena);
}

static void matches_its_queues_and_no_other_name(void **state)
{
    check_vector(*state, false);
    check_vector(*state, true);
}

/* Adds the tests of a file of vectors. */
static void add_tests(struct lq_array *tests, const struct vectors *vectors,
                      struct lq_arena *arena)
{
    for (size_t i = 0; i < vectors->count; ++i) {
        struct CMUnitTest *const test = lq_array_push(tests, arena);

        if (test) {
            *test = (struct CMUnitTest){
                .name = vectors->items[i].name,
                .test_func = matches_its_queues_and_no_other_name,
                .initial_state = &vectors->items[i]};
        } else {
            give_up("out of memory", vectors->items[i].name);
        }
    }
}

int main(void)
{
    struct lq_arena arena;
    struct lq_array tests;
    struct vectors hand;
    struct vectors random;
    int failed = 0;

    lq_arena_init(&arena);
    lq_array_init(&tests, sizeof(struct CMUnitTest));
    hand = vectors_read(&arena, "hand.jsonl");
    random = vectors_read(&arena, "random.jsonl");
    add_tests(&tests, &hand, &arena);
    add_tests(&tests, &random, &arena);
    failed = _cmocka_run_group_tests("policy vectors", tests.items, tests.count,
                                     NULL, NULL);
    if (failed == 0 && matches < 1000) {
        give_up("hardly a name was matched", "policy vectors");
    }
    vectors_free(&hand);
    vectors_free(&random);
    lq_arena_free(&arena);
    return failed;
}
