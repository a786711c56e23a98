#include "compare/compare.h"

#include "plan/plan.h"

#include "../limit.h"
#include "../plan/mirror.h"

/* Queues 0 q (bound 100000), 1 a bucket (10000), 2 the DLQ (5000). */
struct scene {
    struct fixture *fixture;
    const struct lq_topology *plan;
    struct lq_live live;
    struct lq_diff diff;
};

static void open_scene(struct scene *scene, struct fixture *fixture)
{
    static struct lq_entry entry;

    *scene = (struct scene){.fixture = fixture};
    entry = entry_at(1, "q");
    entry.retry_attempts = 1;
    assert_int_equal(lq_plan_build(&entry, 1, &fixture->diags, &scene->plan),
                     LQ_OK);
    mirror(&scene->live, scene->plan, &fixture->arena);
    for (size_t i = 0; i < scene->plan->queue_count; ++i) {
        mirrored_queue(&scene->live, i)->counted = true;
    }
}

static void note(struct scene *scene)
{
    scene->diff = (struct lq_diff){.counts = {0}};
    lq_array_init(&scene->diff.findings, sizeof(struct lq_finding));
    lq_diff_notes(scene->plan, &scene->live, &scene->fixture->arena,
                  &scene->diff);
    assert_int_equal(scene->diff.counts[LILYQ_NOTE],
                     scene->diff.findings.count);
}

static size_t notes(struct scene *scene)
{
    note(scene);
    return scene->diff.findings.count;
}

static void notes_consumers_of_a_bucket_only(void **state)
{
    const struct lq_finding *finding = NULL;
    struct scene scene;

    open_scene(&scene, *state);
    assert_int_equal(notes(&scene), 0);
    for (size_t i = 0; i < 3; ++i) {
        mirrored_queue(&scene.live, i)->consumers = 2;
    }
    assert_int_equal(notes(&scene), 1);
    finding = lq_diff_at(&scene.diff, 0);
    assert_int_equal(finding->code, LQ_BUCKET_CONSUMED);
    assert_string_equal(finding->name, "q.retry.v2.1000ms");
    assert_true(finding->counted);
    assert_int_equal(finding->consumers, 2);
}

static void notes_a_queue_at_80_per_cent_of_its_bound(void **state)
{
    static const uint64_t bounds[] = {100000, 10000, 5000};

    for (size_t i = 0; i < COUNT(bounds); ++i) {
        const struct lq_finding *finding = NULL;
        struct scene scene;

        open_scene(&scene, *state);
        mirrored_queue(&scene.live, i)->messages = bounds[i] / 5 * 4 - 1;
        assert_int_equal(notes(&scene), 0);
        mirrored_queue(&scene.live, i)->messages = bounds[i] / 5 * 4;
        assert_int_equal(notes(&scene), 1);
        finding = lq_diff_at(&scene.diff, 0);
        assert_int_equal(finding->code, LQ_QUEUE_NEAR_BOUND);
        assert_string_equal(finding->name, scene.plan->queues[i].name);
        assert_string_equal(finding->field, "x-max-length");
        assert_int_equal(finding->messages, bounds[i] / 5 * 4);
        assert_int_equal(finding->role, i);
    }
}

static void goes_by_the_bound_that_is_there(void **state)
{
    const struct lq_finding *finding = NULL;
    struct scene scene;
    struct lq_live_queue *queue = NULL;

    open_scene(&scene, *state);
    queue = mirrored_queue(&scene.live, 0);
    queue->messages = 4;
    mirrored_argument(queue, "x-max-length")->number = 5;
    assert_int_equal(notes(&scene), 1);
    finding = lq_diff_at(&scene.diff, 0);
    assert_string_equal(finding->planned.text, "100000");
    assert_string_equal(finding->actual.text, "5");
}

static void goes_by_the_plan_where_arguments_are_not_shown(void **state)
{
    struct scene scene;
    struct lq_live_queue *queue = NULL;

    open_scene(&scene, *state);
    queue = mirrored_queue(&scene.live, 0);
    queue->arguments = (struct lq_live_arguments){.known = false};
    queue->messages = 79999;
    assert_int_equal(notes(&scene), 0);
    queue->messages = 80000;
    assert_int_equal(notes(&scene), 1);
}

static void knows_no_bound_that_is_none(void **state)
{
    static const int64_t none[] = {0, -1, INT64_MIN};
    struct scene scene;
    struct lq_live_queue *queue = NULL;

    open_scene(&scene, *state);
    queue = mirrored_queue(&scene.live, 0);
    queue->messages = UINT64_MAX;
    for (size_t i = 0; i < COUNT(none); ++i) {
        mirrored_argument(queue, "x-max-length")->number = none[i];
        assert_int_equal(notes(&scene), 0);
    }
    mirrored_argument(queue, "x-max-length")->number = 1;
    mirrored_argument(queue, "x-max-length")->type = LQ_LIVE_STRING;
    assert_int_equal(notes(&scene), 0);
    queue->arguments.count = 0;
    assert_int_equal(notes(&scene), 0);
}

static void computes_with_the_greatest_bound(void **state)
{
    struct scene scene;
    struct lq_live_queue *queue = NULL;

    open_scene(&scene, *state);
    queue = mirrored_queue(&scene.live, 0);
    mirrored_argument(queue, "x-max-length")->number = INT64_MAX;
    queue->messages = UINT64_C(7378697629483820646) - 1;
    assert_int_equal(notes(&scene), 0);
    queue->messages = UINT64_C(7378697629483820646);
    assert_int_equal(notes(&scene), 1);
}

static void notes_nothing_without_figures(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    for (size_t i = 0; i < 3; ++i) {
        struct lq_live_queue *const queue = mirrored_queue(&scene.live, i);

        queue->counted = false;
        queue->messages = 100000;
        queue->consumers = 1;
    }
    assert_int_equal(notes(&scene), 0);
}

static void notes_nothing_of_what_is_external_or_missing(void **state)
{
    struct lq_entry entry = entry_at(1, "e");
    struct scene scene;

    open_scene(&scene, *state);
    entry.retry_attempts = 1;
    entry.topology_ownership = LQ_EXTERNAL;
    entry.dead_letter_exchange = "dead";
    entry.dead_letter_routing_key = "e";
    assert_int_equal(
        lq_plan_build(&entry, 1, &scene.fixture->diags, &scene.plan), LQ_OK);
    assert_int_equal(notes(&scene), 0);
    mirror(&scene.live, scene.plan, &scene.fixture->arena);
    for (size_t i = 0; i < scene.plan->queue_count; ++i) {
        mirrored_queue(&scene.live, i)->counted = true;
        mirrored_queue(&scene.live, i)->messages = 100000;
        mirrored_queue(&scene.live, i)->consumers = 1;
    }
    assert_int_equal(notes(&scene), 0);
}

static void survives_any_failed_allocation(void **state)
{
    struct scene scene;
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    open_scene(&scene, *state);
    mirrored_queue(&scene.live, 1)->messages = 10000;
    mirrored_queue(&scene.live, 1)->consumers = 1;
    for (; status == LQ_NOMEM; ++limit) {
        struct lq_arena arena;
        struct lq_diff diff = {.counts = {0}};

        lq_arena_init(&arena);
        limit_memory(&arena, limit);
        lq_array_init(&diff.findings, sizeof(struct lq_finding));
        lq_diff_notes(scene.plan, &scene.live, &arena, &diff);
        status = lq_arena_status(&arena, LQ_OK);
        lq_arena_free(&arena);
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(notes_consumers_of_a_bucket_only),
        TEST(notes_a_queue_at_80_per_cent_of_its_bound),
        TEST(goes_by_the_bound_that_is_there),
        TEST(goes_by_the_plan_where_arguments_are_not_shown),
        TEST(knows_no_bound_that_is_none),
        TEST(computes_with_the_greatest_bound),
        TEST(notes_nothing_without_figures),
        TEST(notes_nothing_of_what_is_external_or_missing),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
