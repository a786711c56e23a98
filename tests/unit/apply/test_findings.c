/* lq_apply() when all that the broker holds is known beforehand. */
#include "../broker/apply_fixture.h"

#include "../limit.h"
#include "../plan/mirror.h"

/* Exchanges orders, orders.retry.v2, orders.dlx.v2; three queues, bindings. */
struct scene {
    struct fixture *fixture;
    const struct lq_topology *plan;
    struct lq_live live;
    struct lq_apply_options options;
    struct lq_apply_report report;
    struct fake fake;
};

static void open_scene(struct scene *scene, struct fixture *fixture,
                       const struct lq_entry *entry)
{
    *scene = (struct scene){.fixture = fixture};
    scene->plan = plan(fixture, entry, 1);
    scene->options.live = &scene->live;
    fake_init(&scene->fake, fixture);
}

static void open_managed(struct scene *scene, struct fixture *fixture)
{
    struct lq_entry *const entry =
        mirror_alloc(&fixture->arena, sizeof(*entry));

    *entry = with_one_bucket("q");
    open_scene(scene, fixture, entry);
}

/* All of the plan is there but for what has this name, bindings included. */
static void hold_all_but(struct scene *scene, const char *name)
{
    const struct lq_topology *const plan = scene->plan;

    lq_live_init(&scene->live, "/", &scene->fixture->arena);
    scene->live.parts = ~0U;
    for (size_t i = 0; i < plan->exchange_count; ++i) {
        if (strcmp(plan->exchanges[i].name, name) != 0) {
            mirror_exchange(&scene->live, plan->exchanges[i].name);
        }
    }
    for (size_t i = 0; i < plan->queue_count; ++i) {
        if (strcmp(plan->queues[i].name, name) != 0) {
            mirror_queue(&scene->live, &plan->queues[i]);
        }
    }
    for (size_t i = 0; i < plan->binding_count; ++i) {
        if (strcmp(plan->bindings[i].destination, name) != 0 &&
            strcmp(plan->bindings[i].source, name) != 0) {
            mirror_binding(&scene->live, &plan->bindings[i]);
        }
    }
}

static enum lq_status run(struct scene *scene)
{
    const enum lq_status status =
        lq_apply(&scene->fake.broker, scene->plan, &scene->options,
                 &scene->fixture->diags, &scene->report);

    return lq_arena_status(&scene->fixture->arena, status);
}

static void asks_nothing_when_all_is_there(void **state)
{
    struct scene scene;

    open_managed(&scene, *state);
    hold_all_but(&scene, "nothing");
    assert_int_equal(run(&scene), LQ_OK);
    assert_int_equal(scene.report.ending, LILYQ_APPLIED);
    assert_int_equal(count_all(&scene.report, LQ_EXISTING), 9);
    assert_int_equal(scene.fake.log.count, 0);
}

static void declares_only_what_is_missing(void **state)
{
    static const char *const log[] = {"declare queue q.dlq.v2",
                                      "bind q.dlq.v2"};
    struct watch watch = {.done = 0};
    struct scene scene;

    open_managed(&scene, *state);
    hold_all_but(&scene, "q.dlq.v2");
    scene.options.progress = watch_progress;
    scene.options.data = &watch;
    assert_int_equal(run(&scene), LQ_OK);
    assert_log(&scene.fake, log, COUNT(log));
    assert_int_equal(count_all(&scene.report, LQ_EXISTING), 7);
    assert_int_equal(scene.report.queues[2].result, LQ_CREATED);
    assert_int_equal(scene.report.bindings[2].result, LQ_CREATED);
    assert_int_equal(watch.done, 2);
    assert_int_equal(watch.total, 2);
}

static void knows_a_binding_that_is_missing_between_what_is_there(void **state)
{
    static const char *const log[] = {"bind q"};
    struct scene scene;

    open_managed(&scene, *state);
    hold_all_but(&scene, "nothing");
    mirrored_binding(&scene.live, 0)->routing_key = "other";
    assert_int_equal(run(&scene), LQ_OK);
    assert_log(&scene.fake, log, COUNT(log));
    assert_int_equal(scene.report.bindings[0].result, LQ_CREATED);
}

static void a_dry_run_tells_what_is_missing(void **state)
{
    struct scene scene;

    open_managed(&scene, *state);
    hold_all_but(&scene, "q.dlq.v2");
    mirrored_binding(&scene.live, 0)->routing_key = "other";
    scene.options.mode = LILYQ_DRY_RUN;
    assert_int_equal(run(&scene), LQ_OK);
    assert_int_equal(scene.report.ending, LILYQ_ENDED_DRY);
    assert_int_equal(count_all(&scene.report, LQ_PENDING), 3);
    assert_int_equal(count_all(&scene.report, LQ_UNVERIFIED), 0);
    assert_int_equal(scene.fake.log.count, 0);
}

#define QUEUE_ADVICE(how)                                                      \
    "a queue cannot be changed in place: plan what is there, or " how

static void lists_every_difference_of_every_conflict(void **state)
{
    static const char *const lines[] = {
        "exchange 'orders': type is 'topic' there, plan says 'direct'; an "
        "exchange cannot be changed in place: plan another exchange_name, or "
        "delete it while nothing publishes to it and apply",
        "queue 'q': durable is false there, plan says true; x-max-length is "
        "7 there, plan says 100000; x-overflow is 1 (integer) there, plan "
        "says 'reject-publish' (string); " QUEUE_ADVICE(
            "stop its consumers, move its messages away, delete it and apply"),
        "queue 'q.dlq.v2': auto_delete is true there, plan says "
        "false; " QUEUE_ADVICE("save its dead letters, delete it and apply"),
    };
    struct lq_live_argument *argument = NULL;
    struct scene scene;

    open_managed(&scene, *state);
    hold_all_but(&scene, "orders.retry.v2");
    mirrored_exchange(&scene.live, 0)->type = "topic";
    mirrored_queue(&scene.live, 0)->durable = LQ_LIVE_NO;
    argument =
        mirrored_argument(mirrored_queue(&scene.live, 0), "x-max-length");
    argument->text = "7";
    argument->number = 7;
    argument = mirrored_argument(mirrored_queue(&scene.live, 0), "x-overflow");
    argument->type = LQ_LIVE_INTEGER;
    argument->text = "1";
    argument->number = 1;
    mirrored_queue(&scene.live, 2)->auto_delete = LQ_LIVE_YES;
    assert_int_equal(run(&scene), LQ_REFUSED);
    assert_int_equal(scene.report.ending, LILYQ_ENDED_CONFLICT);
    assert_reported(scene.fixture, lines, COUNT(lines));
    assert_int_equal(scene.report.queues[0].result, LQ_CONFLICT);
    assert_string_equal(scene.report.queues[2].text,
                        "auto_delete is true there, plan says false");
    assert_int_equal(scene.report.exchanges[1].result, LQ_NOT_DONE);
    assert_int_equal(scene.fake.log.count, 0);
}

static void leaves_what_the_broker_does_not_compare_with_a_warning(void **state)
{
    struct lq_live_queue *queue = NULL;
    struct scene scene;

    open_managed(&scene, *state);
    hold_all_but(&scene, "nothing");
    queue = mirrored_queue(&scene.live, 1);
    queue->arguments.items[queue->arguments.count++] =
        (struct lq_live_argument){"x-zone", LQ_LIVE_STRING, "a", 0};
    assert_int_equal(run(&scene), LQ_OK);
    assert_int_equal(count_all(&scene.report, LQ_EXISTING), 9);
    assert_one_reported(
        scene.fixture,
        "warning: queue 'q.retry.v2.1000ms': x-zone is 'a' there, plan does "
        "not set it; the broker does not compare it: declarations succeed, so "
        "it may stay until the queue is next declared anew");
    assert_int_equal(scene.fixture->diags.error_count, 0);
}

static void verifies_what_is_external_bindings_included(void **state)
{
    const struct lq_entry entry = external("q");
    struct scene scene;

    open_scene(&scene, *state, &entry);
    hold_all_but(&scene, "nothing");
    assert_int_equal(run(&scene), LQ_OK);
    assert_all(scene.report.exchanges, 2, LQ_VERIFIED);
    assert_all(scene.report.queues, 2, LQ_VERIFIED);
    assert_all(scene.report.bindings, 2, LQ_VERIFIED);
}

static void misses_what_is_external_and_only_warns_of_bindings(void **state)
{
    static const char *const lines[] = {
        "queue 'q.dlq.v2': is external, but does not exist",
        "warning: binding of queue 'q.dlq.v2' to exchange 'graveyard' with "
        "key 'dead': is external, but does not exist; it is external: have "
        "its owner bind the queue",
    };
    const struct lq_entry entry = external("q");
    struct scene scene;

    open_scene(&scene, *state, &entry);
    hold_all_but(&scene, "q.dlq.v2");
    assert_int_equal(run(&scene), LQ_REFUSED);
    assert_int_equal(scene.report.ending, LILYQ_ENDED_CONFLICT);
    assert_reported(scene.fixture, lines, COUNT(lines));
    assert_int_equal(scene.report.queues[1].result, LQ_FAILED);
    assert_int_equal(scene.report.bindings[1].result, LQ_UNVERIFIED);
}

static void takes_nothing_for_granted_that_it_was_not_shown(void **state)
{
    struct scene scene;

    open_managed(&scene, *state);
    hold_all_but(&scene, "nothing");
    mirrored_queue(&scene.live, 0)->durable = LQ_LIVE_UNKNOWN;
    scene.live.parts &= ~(unsigned)LQ_LIVE_HAS_BINDINGS;
    assert_int_equal(run(&scene), LQ_REFUSED);
    assert_int_equal(scene.report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_int_equal(scene.report.queues[0].result, LQ_FAILED);
    assert_all(scene.report.bindings, 3, LQ_FAILED);
    assert_string_equal(
        lq_diags_at(&scene.fixture->diags, 0)->text,
        "queue 'q': the management API does not show durable of it to this "
        "user: leave the API out to look over AMQP");
    assert_int_equal(scene.fixture->diags.error_count, 4);
    assert_int_equal(scene.fake.log.count, 0);
}

static void reports_what_another_made_in_between(void **state)
{
    static const struct fake_rule rules[] = {
        {LQ_DECLARE_QUEUE, "q.dlq.v2", 406,
         "PRECONDITION_FAILED - inequivalent arg 'durable' for queue "
         "'q.dlq.v2' in vhost '/': received 'true' but current is 'false'"}};
    struct scene scene;

    open_managed(&scene, *state);
    hold_all_but(&scene, "q.dlq.v2");
    scene.fake.rules = rules;
    scene.fake.rule_count = COUNT(rules);
    assert_int_equal(run(&scene), LQ_REFUSED);
    assert_int_equal(scene.report.ending, LILYQ_ENDED_CONFLICT);
    assert_int_equal(scene.report.queues[2].result, LQ_CONFLICT);
    assert_int_equal(scene.report.bindings[2].result, LQ_NOT_DONE);
}

/* Something of everything that a finding can lead to. */
static enum lq_status run_within(struct scene *scene, struct fixture *fixture,
                                 size_t limit)
{
    struct lq_live_queue *queue = NULL;

    restart(fixture, SIZE_MAX);
    open_managed(scene, fixture);
    hold_all_but(scene, "orders.retry.v2");
    queue = mirrored_queue(&scene->live, 0);
    queue->durable = LQ_LIVE_NO;
    queue->auto_delete = LQ_LIVE_YES;
    queue->arguments.items[queue->arguments.count++] =
        (struct lq_live_argument){"x-zone", LQ_LIVE_STRING, "a", 0};
    mirrored_queue(&scene->live, 1)->durable = LQ_LIVE_UNKNOWN;
    limit_memory(&fixture->arena, limit);
    return run(scene);
}

static void survives_any_failed_allocation(void **state)
{
    struct scene scene;
    size_t limit = 0;

    while (run_within(&scene, *state, limit) == LQ_NOMEM) {
        ++limit;
    }
    assert_in_range(limit, 10, 300);
    assert_int_equal(run_within(&scene, *state, limit), LQ_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(asks_nothing_when_all_is_there),
        TEST(declares_only_what_is_missing),
        TEST(knows_a_binding_that_is_missing_between_what_is_there),
        TEST(a_dry_run_tells_what_is_missing),
        TEST(lists_every_difference_of_every_conflict),
        TEST(leaves_what_the_broker_does_not_compare_with_a_warning),
        TEST(verifies_what_is_external_bindings_included),
        TEST(misses_what_is_external_and_only_warns_of_bindings),
        TEST(takes_nothing_for_granted_that_it_was_not_shown),
        TEST(reports_what_another_made_in_between),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
