#include "compare/compare.h"

#include "plan/plan.h"

#include "../limit.h"
#include "../plan/mirror.h"

#include <time.h>

#define ENTRY_MAX 4

/*
 * As planned: entries q (retries: 1000 and 2000 ms) and plain (none) on
 * exchange orders; own on exchange shop, with a dead-letter exchange of its
 * choice, "chosen"; ext on exchange outer, external.
 */
struct scene {
    struct fixture *fixture;
    const struct lq_topology *plan;
    struct lq_live live;
    struct lq_diff diff;
};

static void open_scene(struct scene *scene, struct fixture *fixture)
{
    static struct lq_entry entries[ENTRY_MAX];

    *scene = (struct scene){.fixture = fixture};
    entries[0] = entry_at(1, "q");
    entries[0].retry_attempts = 2;
    entries[1] = entry_at(2, "plain");
    entries[2] = entry_at(3, "own");
    entries[2].exchange_name = "shop";
    entries[2].dead_letter_exchange = "chosen";
    entries[3] = entry_at(4, "ext");
    entries[3].exchange_name = "outer";
    entries[3].dead_letter_exchange = "outer.dlx";
    entries[3].dead_letter_routing_key = "dead";
    entries[3].topology_ownership = LQ_EXTERNAL;
    assert_int_equal(
        lq_plan_build(entries, ENTRY_MAX, &fixture->diags, &scene->plan),
        LQ_OK);
    mirror(&scene->live, scene->plan, &fixture->arena);
    assert_int_equal(
        lq_diff(scene->plan, &scene->live, &fixture->arena, &scene->diff),
        LQ_OK);
    assert_int_equal(scene->diff.findings.count, 0);
}

/* "code name" and for a binding "code source key -> name", with its field */
static const char *line_of(struct scene *scene, size_t index)
{
    const struct lq_finding *const finding = lq_diff_at(&scene->diff, index);
    struct lq_arena *const arena = &scene->fixture->arena;
    const char *const code = lq_finding_code(finding->code);
    const char *line = NULL;

    line =
        finding->resource != LQ_BINDING
            ? lq_format(arena, "%s %s", code, finding->name)
            : lq_format(arena, "%s %s %s %s %s", code, finding->binding->source,
                        finding->binding->routing_key,
                        finding->to_exchange ? "=>" : "->", finding->name);
    return finding->field
               ? lq_format(arena, "%s [%s]", line, finding->actual.text)
               : line;
}

/* Fails unless exactly these are unexpected, in this order. */
static void assert_unexpected(struct scene *scene, const char *const *lines,
                              size_t count)
{
    assert_int_equal(lq_diff_unexpected(scene->plan, &scene->live,
                                        &scene->fixture->arena, &scene->diff),
                     LQ_OK);
    for (size_t i = 0; i < scene->diff.findings.count; ++i) {
        assert_string_equal(line_of(scene, i),
                            lines && i < count ? lines[i] : "nothing more");
    }
    assert_int_equal(scene->diff.findings.count, count);
}

static void assert_one(struct scene *scene, const char *line)
{
    assert_unexpected(scene, &line, 1);
}

static const struct lq_finding *first(struct scene *scene)
{
    return lq_diff_at(&scene->diff, 0);
}

/* A bucket as v2 makes it, on a retry exchange. */
static struct lq_live_queue *add_bucket(struct scene *scene, const char *name,
                                        const char *key, const char *from,
                                        const char *target)
{
    struct lq_live_queue *const queue = mirror_other_queue(&scene->live, name);

    mirror_text_argument(&queue->arguments, "x-dead-letter-exchange", target);
    mirror_other_binding(&scene->live, from, key, name);
    return queue;
}

static void expects_nothing_beyond_a_mirror(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    assert_unexpected(&scene, NULL, 0);
}

static void finds_a_bucket_that_is_no_longer_planned(void **state)
{
    static const char *const lines[] = {
        "queue-orphaned q.retry.v2.4000ms",
        "binding-orphaned orders.retry.v2 q.retry.4000ms -> "
        "q.retry.v2.4000ms"};
    struct scene scene;
    struct lq_live_queue *bucket = NULL;

    open_scene(&scene, *state);
    bucket = add_bucket(&scene, "q.retry.v2.4000ms", "q.retry.4000ms",
                        "orders.retry.v2", "orders");
    bucket->counted = true;
    bucket->messages = 7;
    bucket->consumers = 1;
    assert_unexpected(&scene, lines, COUNT(lines));
    assert_ptr_equal(first(&scene)->logical, &scene.plan->logicals[0]);
    assert_int_equal(first(&scene)->role, LQ_ROLE_RETRY);
    assert_true(first(&scene)->counted);
    assert_int_equal(first(&scene)->messages, 7);
    assert_int_equal(first(&scene)->consumers, 1);
    assert_int_equal(scene.diff.counts[LILYQ_UNEXPECTED], 2);
}

static void finds_what_is_left_of_retries_switched_off(void **state)
{
    static const char *const lines[] = {
        "exchange-orphaned shop.retry.v2", "queue-orphaned own.retry.v2.500ms",
        (("binding-orphaned shop.retry.v2 own.retry.500ms -> "
          "own.retry.v2.500ms"))};
    struct scene scene;

    open_scene(&scene, *state);
    mirror_exchange(&scene.live, "shop.retry.v2");
    add_bucket(&scene, "own.retry.v2.500ms", "own.retry.500ms", "shop.retry.v2",
               "shop");
    assert_unexpected(&scene, lines, COUNT(lines));
    assert_ptr_equal(first(&scene)->logical, &scene.plan->logicals[2]);
    assert_int_equal(first(&scene)->role, LQ_ROLE_RETRY);
}

static void finds_the_derived_exchange_that_another_was_chosen_for(void **state)
{
    static const char *const lines[] = {
        "exchange-orphaned shop.dlx.v2",
        "binding-left shop.dlx.v2 own -> own.dlq.v2"};
    struct scene scene;

    open_scene(&scene, *state);
    mirror_exchange(&scene.live, "shop.dlx.v2");
    mirror_other_binding(&scene.live, "shop.dlx.v2", "own", "own.dlq.v2");
    assert_unexpected(&scene, lines, COUNT(lines));
    assert_int_equal(first(&scene)->role, LQ_ROLE_DEAD_LETTER);
}

static void finds_what_v1_left(void **state)
{
    static const char *const lines[] = {
        "exchange-of-v1 orders.dlx.v1", "exchange-of-v1 orders.retry.v1",
        "queue-of-v1 q.dlq.v1", "queue-of-v1 q.retry.v1"};
    struct scene scene;

    open_scene(&scene, *state);
    mirror_exchange(&scene.live, "orders.retry.v1");
    mirror_exchange(&scene.live, "orders.dlx.v1");
    mirror_other_queue(&scene.live, "q.retry.v1");
    mirror_other_queue(&scene.live, "q.dlq.v1");
    mirror_other_binding(&scene.live, "orders.retry.v1", "q", "q.retry.v1");
    assert_unexpected(&scene, lines, COUNT(lines));
    assert_int_equal(lq_diff_at(&scene.diff, 0)->role, LQ_ROLE_DEAD_LETTER);
    assert_int_equal(lq_diff_at(&scene.diff, 1)->role, LQ_ROLE_RETRY);
    assert_int_equal(lq_diff_at(&scene.diff, 2)->role, LQ_ROLE_DEAD_LETTER);
    assert_int_equal(lq_diff_at(&scene.diff, 3)->role, LQ_ROLE_RETRY);
}

static void finds_the_bucket_of_an_entry_that_is_gone(void **state)
{
    static const char *const lines[] = {
        "queue-of-gone-entry old.retry.v2.1000ms",
        "binding-of-gone-entry orders.retry.v2 old.retry.1000ms -> "
        "old.retry.v2.1000ms"};
    struct scene scene;

    open_scene(&scene, *state);
    add_bucket(&scene, "old.retry.v2.1000ms", "old.retry.1000ms",
               "orders.retry.v2", "orders");
    assert_unexpected(&scene, lines, COUNT(lines));
    assert_ptr_equal(first(&scene)->logical, &scene.plan->logicals[0]);
}

static void finds_the_dlq_of_an_entry_that_is_gone(void **state)
{
    static const char *const lines[] = {
        "queue-of-gone-entry old.dlq.v2",
        "binding-of-gone-entry orders.dlx.v2 old -> old.dlq.v2"};
    struct scene scene;

    open_scene(&scene, *state);
    mirror_other_queue(&scene.live, "old.dlq.v2");
    mirror_other_binding(&scene.live, "orders.dlx.v2", "old", "old.dlq.v2");
    assert_unexpected(&scene, lines, COUNT(lines));
    assert_int_equal(first(&scene)->role, LQ_ROLE_DEAD_LETTER);
}

/* An entry "old" on an exchange, with a bucket, as v2 declares it. */
static void add_old_entry(struct scene *scene, const char *exchange)
{
    struct lq_arena *const arena = &scene->fixture->arena;
    const char *const retry = lq_format(arena, "%s.retry.v2", exchange);
    const char *const letters = lq_format(arena, "%s.dlx.v2", exchange);
    const struct lq_argument arguments[] = {
        {"x-dead-letter-exchange", LQ_LONGSTR, letters, 0},
        {"x-dead-letter-routing-key", LQ_LONGSTR, "old", 0}};
    const struct lq_argument returns[] = {
        {"x-dead-letter-exchange", LQ_LONGSTR, exchange, 0},
        {"x-dead-letter-routing-key", LQ_LONGSTR, "key", 0}};
    const struct lq_queue queues[] = {
        {.name = "old", .arguments = arguments, .argument_count = 2},
        {.name = "old.retry.v2.500ms",
         .arguments = returns,
         .argument_count = 2}};

    mirror_queue(&scene->live, &queues[0]);
    mirror_queue(&scene->live, &queues[1]);
    mirror_other_queue(&scene->live, "old.dlq.v2");
    mirror_other_binding(&scene->live, exchange, "key", "old");
    mirror_other_binding(&scene->live, retry, "old.retry.500ms",
                         "old.retry.v2.500ms");
    mirror_other_binding(&scene->live, letters, "old", "old.dlq.v2");
}

static void finds_the_main_queue_of_an_entry_that_is_gone(void **state)
{
    static const char *const lines[] = {
        "queue-of-gone-entry old",
        "queue-of-gone-entry old.dlq.v2",
        "queue-of-gone-entry old.retry.v2.500ms",
        "binding-of-gone-entry orders key -> old",
        "binding-of-gone-entry orders.dlx.v2 old -> old.dlq.v2",
        ("binding-of-gone-entry orders.retry.v2 old.retry.500ms -> "
         "old.retry.v2.500ms")};
    struct scene scene;

    open_scene(&scene, *state);
    add_old_entry(&scene, "orders");
    lq_live_queue(&scene.live, "old")->counted = true;
    lq_live_queue(&scene.live, "old")->messages = 3;
    assert_unexpected(&scene, lines, COUNT(lines));
    assert_ptr_equal(first(&scene)->logical, &scene.plan->logicals[0]);
    assert_int_equal(first(&scene)->role, LQ_ROLE_MAIN);
    assert_int_equal(first(&scene)->messages, 3);
}

/* Even where nothing has a name of the plan's. */
static void finds_an_entry_that_is_gone_with_its_exchange(void **state)
{
    static const char *const lines[] = {
        "exchange-orphaned theirs",
        "exchange-orphaned theirs.dlx.v2",
        "exchange-orphaned theirs.retry.v2",
        "queue-of-gone-entry old",
        "queue-of-gone-entry old.dlq.v2",
        "queue-of-gone-entry old.retry.v2.500ms",
        "binding-of-gone-entry theirs key -> old",
        "binding-of-gone-entry theirs.dlx.v2 old -> old.dlq.v2",
        ("binding-of-gone-entry theirs.retry.v2 old.retry.500ms -> "
         "old.retry.v2.500ms")};
    struct scene scene;

    open_scene(&scene, *state);
    mirror_exchange(&scene.live, "theirs");
    mirror_exchange(&scene.live, "theirs.retry.v2");
    mirror_exchange(&scene.live, "theirs.dlx.v2");
    add_old_entry(&scene, "theirs");
    assert_unexpected(&scene, lines, COUNT(lines));
    assert_null(first(&scene)->logical);
    assert_int_equal(first(&scene)->role, LQ_ROLE_MAIN);
}

static void leaves_an_exchange_to_others_who_are_bound_to_it(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    mirror_exchange(&scene.live, "theirs");
    add_old_entry(&scene, "theirs");
    mirror_other_queue(&scene.live, "spy");
    mirror_other_binding(&scene.live, "theirs", "any", "spy");
    assert_int_equal(lq_diff_unexpected(scene.plan, &scene.live,
                                        &scene.fixture->arena, &scene.diff),
                     LQ_OK);
    assert_int_equal(first(&scene)->resource, LQ_QUEUE);
}

/* A queue that does not dead-letter into the DLQ of its name is a stranger's.
 */
static void never_takes_a_queue_for_a_main_one_by_its_name(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    mirror_text_argument(&mirror_other_queue(&scene.live, "old")->arguments,
                         "x-dead-letter-exchange", "chosen");
    mirror_other_binding(&scene.live, "orders", "any", "old");
    mirror_other_queue(&scene.live, "old.dlq.v2");
    mirror_other_binding(&scene.live, "chosen", "old", "old.dlq.v2");
    assert_unexpected(&scene, NULL, 0);
}

/* So is one that does, where the entry is external. */
static void says_nothing_about_what_is_around_an_external_entry(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    mirror_exchange(&scene.live, "outer.dlx.v2");
    mirror_other_binding(&scene.live, "outer.dlx.v2", "ext", "ext.dlq.v2");
    mirror_other_binding(&scene.live, "outer", "former", "ext");
    assert_unexpected(&scene, NULL, 0);
}

static void
knows_a_former_exchange_by_the_bucket_that_returns_to_it(void **state)
{
    static const char *const lines[] = {
        "exchange-orphaned former", "exchange-orphaned former.retry.v2",
        "queue-orphaned own.retry.v2.500ms", "binding-left former key -> own",
        ("binding-orphaned former.retry.v2 own.retry.500ms -> "
         "own.retry.v2.500ms")};
    struct scene scene;

    open_scene(&scene, *state);
    mirror_exchange(&scene.live, "former");
    mirror_exchange(&scene.live, "former.retry.v2");
    mirror_other_binding(&scene.live, "former", "key", "own");
    add_bucket(&scene, "own.retry.v2.500ms", "own.retry.500ms",
               "former.retry.v2", "former");
    assert_unexpected(&scene, lines, COUNT(lines));
    assert_ptr_equal(first(&scene)->logical, &scene.plan->logicals[2]);
}

static void knows_a_former_key_of_a_main_queue(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    mirror_other_binding(&scene.live, "orders", "former", "q");
    assert_one(&scene, "binding-left orders former -> q");
}

/* What has a similar name only is nobody's here. */
static void never_takes_a_strangers_queue_for_an_orphan(void **state)
{
    static const char *const names[] = {
        "old.retry.v2.1000ms", /* not bound */
        "old.dlq.v2",          "Q.retry.v2.1000ms",
        "q.retry.v2.1000",     "q.retry.v2.01000ms",
        "q.retry.v3.1000ms",   "q.dlq",
        "old.dlq.v1",          "old.retry.v1",
        "ext.retry.v2.1000ms", /* external */
        "ext.retry.v1",        "ext.dlq.v1",
        "outer.retry.v2",      "q ",
    };
    struct scene scene;

    open_scene(&scene, *state);
    for (size_t i = 0; i < COUNT(names); ++i) {
        mirror_other_queue(&scene.live, names[i]);
    }
    mirror_exchange(&scene.live, "outer.retry.v2");
    mirror_exchange(&scene.live, "outer.dlx.v2");
    mirror_exchange(&scene.live, "outer.dlx.v1");
    mirror_exchange(&scene.live, "chosen.retry.v2");
    mirror_exchange(&scene.live, "old.retry.v2");
    mirror_exchange(&scene.live, "amq.direct");
    assert_unexpected(&scene, NULL, 0);
}

/* It is bound like one of ours, but brings its messages elsewhere. */
static void calls_a_bucket_foreign_that_returns_elsewhere(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_bucket(&scene, "old.retry.v2.1000ms", "old.retry.1000ms",
               "orders.retry.v2", "elsewhere");
    assert_one(&scene, "retry-shared orders.retry.v2 old.retry.1000ms -> "
                       "old.retry.v2.1000ms");
}

static void calls_a_bucket_foreign_that_has_another_key(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    add_bucket(&scene, "old.retry.v2.1000ms", "old.retry.2000ms",
               "orders.retry.v2", "orders");
    assert_one(&scene, "retry-shared orders.retry.v2 old.retry.2000ms -> "
                       "old.retry.v2.1000ms");
}

static void calls_a_bucket_foreign_that_returns_nowhere(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    mirror_other_queue(&scene.live, "old.retry.v2.1000ms");
    mirror_other_binding(&scene.live, "orders.retry.v2", "old.retry.1000ms",
                         "old.retry.v2.1000ms");
    assert_one(&scene, "retry-shared orders.retry.v2 old.retry.1000ms -> "
                       "old.retry.v2.1000ms");
}

static void calls_a_bucket_foreign_whose_binding_has_arguments(void **state)
{
    struct scene scene;
    struct lq_live_queue *queue = NULL;
    struct lq_live_binding *binding = NULL;

    open_scene(&scene, *state);
    queue = mirror_other_queue(&scene.live, "old.retry.v2.1000ms");
    mirror_text_argument(&queue->arguments, "x-dead-letter-exchange", "orders");
    binding = mirror_other_binding(&scene.live, "orders.retry.v2",
                                   "old.retry.1000ms", "old.retry.v2.1000ms");
    binding->arguments.items =
        mirror_alloc(&scene.fixture->arena, sizeof(*binding->arguments.items));
    mirror_text_argument(&binding->arguments, "a", "1");
    assert_one(&scene, "retry-shared orders.retry.v2 old.retry.1000ms -> "
                       "old.retry.v2.1000ms [a=1]");
}

static void calls_an_exchange_with_the_name_of_a_bucket_foreign(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    mirror_other_binding(&scene.live, "orders.retry.v2", "q.retry.4000ms",
                         "q.retry.v2.4000ms")
        ->to_exchange = true;
    assert_one(&scene, "retry-shared orders.retry.v2 q.retry.4000ms => "
                       "q.retry.v2.4000ms");
}

static void calls_a_dlq_foreign_that_has_another_key(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    mirror_other_queue(&scene.live, "old.dlq.v2");
    mirror_other_binding(&scene.live, "orders.dlx.v2", "ol", "old.dlq.v2");
    assert_one(&scene, "dead-letters-shared orders.dlx.v2 ol -> old.dlq.v2");
}

static void leaves_dlqs_on_a_chosen_exchange_to_others(void **state)
{
    struct scene scene;

    open_scene(&scene, *state);
    mirror_other_queue(&scene.live, "old.dlq.v2");
    mirror_other_binding(&scene.live, "chosen", "old", "old.dlq.v2");
    mirror_other_queue(&scene.live, "theirs");
    mirror_other_binding(&scene.live, "chosen", "any", "theirs");
    assert_unexpected(&scene, NULL, 0);
}

static void finds_others_on_a_retry_exchange(void **state)
{
    static const char *const lines[] = {
        "retry-shared orders.retry.v2 q.retry.1000ms => audit",
        "retry-shared orders.retry.v2 other -> spy",
        "retry-shared orders.retry.v2 q.retry.1000ms -> spy",
        "retry-shared orders.retry.v2 q.retry.1000ms -> spy [a=1]",
    };
    struct scene scene;
    struct lq_live_binding *binding = NULL;

    open_scene(&scene, *state);
    mirror_other_binding(&scene.live, "orders.retry.v2", "q.retry.1000ms",
                         "spy");
    mirror_other_binding(&scene.live, "orders.retry.v2", "other", "spy");
    binding = mirror_other_binding(&scene.live, "orders.retry.v2",
                                   "q.retry.1000ms", "audit");
    binding->to_exchange = true;
    binding = mirror_other_binding(&scene.live, "orders.retry.v2",
                                   "q.retry.1000ms", "spy");
    binding->arguments.items =
        mirror_alloc(&scene.fixture->arena, sizeof(*binding->arguments.items));
    mirror_text_argument(&binding->arguments, "a", "1");
    assert_unexpected(&scene, lines, COUNT(lines));
    assert_ptr_equal(first(&scene)->logical, &scene.plan->logicals[0]);
}

static void shows_many_arguments_without_taking_long(void **state)
{
    static const size_t count = 20000;
    const clock_t start = clock();
    struct scene scene;
    struct lq_live_binding *binding = NULL;
    struct lq_arena *arena = NULL;

    open_scene(&scene, *state);
    arena = &scene.fixture->arena;
    binding = mirror_other_binding(&scene.live, "orders.retry.v2",
                                   "q.retry.1000ms", "spy");
    binding->arguments.items =
        mirror_alloc(arena, count * sizeof(*binding->arguments.items));
    for (size_t i = 0; i < count; ++i) {
        mirror_text_argument(&binding->arguments,
                             lq_format(arena, "argument-%05zu", i), "1");
    }
    assert_int_equal(
        lq_diff_unexpected(scene.plan, &scene.live, arena, &scene.diff), LQ_OK);
    assert_int_equal(strlen(first(&scene)->actual.text),
                     count * strlen("argument-00000=1, ") - strlen(", "));
    assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
}

static void finds_others_on_a_dead_letter_exchange(void **state)
{
    static const char *const lines[] = {
        "dead-letters-shared orders.dlx.v2 any -> spy",
        "dead-letters-shared orders.dlx.v2 plain -> spy",
        "dead-letters-shared chosen own -> spy",
    };
    struct scene scene;

    open_scene(&scene, *state);
    mirror_other_binding(&scene.live, "orders.dlx.v2", "any", "spy");
    mirror_other_binding(&scene.live, "orders.dlx.v2", "plain", "spy");
    mirror_other_binding(&scene.live, "chosen", "own", "spy");
    assert_unexpected(&scene, lines, COUNT(lines));
    assert_ptr_equal(lq_diff_at(&scene.diff, 1)->logical,
                     &scene.plan->logicals[1]);
    assert_ptr_equal(lq_diff_at(&scene.diff, 2)->logical,
                     &scene.plan->logicals[2]);
}

static void finds_who_shares_a_main_queues_key(void **state)
{
    static const char *const lines[] = {
        "main-key-shared orders q => audit",
        "main-key-shared orders q -> plain",
        "main-key-shared orders q -> spy",
    };
    struct scene scene;

    open_scene(&scene, *state);
    mirror_other_binding(&scene.live, "orders", "q", "spy");
    mirror_other_binding(&scene.live, "orders", "q", "plain");
    mirror_other_binding(&scene.live, "orders", "q", "audit")->to_exchange =
        true;
    assert_unexpected(&scene, lines, COUNT(lines));
}

static void leaves_business_as_usual_alone(void **state)
{
    struct scene scene;
    struct lq_live_binding *binding = NULL;

    open_scene(&scene, *state);
    mirror_other_binding(&scene.live, "orders", "theirs", "spy");
    mirror_other_binding(&scene.live, "orders", "Q", "spy");
    mirror_other_binding(&scene.live, "elsewhere", "q", "q");
    mirror_other_binding(&scene.live, "elsewhere", "q", "orders")->to_exchange =
        true;
    mirror_other_binding(&scene.live, "outer", "ext", "spy");
    mirror_other_binding(&scene.live, "outer.dlx", "dead", "spy");
    mirror_other_binding(&scene.live, "elsewhere", "x", "ext.dlq.v2");
    for (size_t i = 0; i < scene.plan->queue_count; ++i) {
        const char *const name = scene.plan->queues[i].name;

        mirror_other_binding(&scene.live, "", name, name);
    }
    /* twice for one key is once for a direct exchange */
    binding = mirror_other_binding(&scene.live, "orders", "q", "q");
    binding->arguments.items =
        mirror_alloc(&scene.fixture->arena, sizeof(*binding->arguments.items));
    mirror_text_argument(&binding->arguments, "a", "1");
    assert_unexpected(&scene, NULL, 0);
}

static void finds_what_others_bring_into_buckets_and_dlqs(void **state)
{
    static const char *const lines[] = {
        "dead-letters-fed amq.topic # => orders.dlx.v2",
        "retry-fed amq.topic # => orders.retry.v2",
        "dead-letters-fed elsewhere x -> q.dlq.v2",
        "retry-fed orders other -> q.retry.v2.1000ms",
    };
    struct scene scene;

    open_scene(&scene, *state);
    mirror_other_binding(&scene.live, "orders", "other", "q.retry.v2.1000ms");
    mirror_other_binding(&scene.live, "elsewhere", "x", "q.dlq.v2");
    mirror_other_binding(&scene.live, "amq.topic", "#", "orders.retry.v2")
        ->to_exchange = true;
    mirror_other_binding(&scene.live, "amq.topic", "#", "orders.dlx.v2")
        ->to_exchange = true;
    assert_unexpected(&scene, lines, COUNT(lines));
    assert_ptr_equal(lq_diff_at(&scene.diff, 3)->logical,
                     &scene.plan->logicals[0]);
}

static void knows_a_former_key_of_a_dlq(void **state)
{
    struct lq_entry entry = entry_at(1, "q");
    struct scene scene;

    open_scene(&scene, *state);
    entry.dead_letter_routing_key = "new";
    assert_int_equal(
        lq_plan_build(&entry, 1, &scene.fixture->diags, &scene.plan), LQ_OK);
    mirror(&scene.live, scene.plan, &scene.fixture->arena);
    mirror_other_binding(&scene.live, "orders.dlx.v2", "q", "q.dlq.v2");
    assert_one(&scene, "binding-left orders.dlx.v2 q -> q.dlq.v2");
}

/* Sharing a key within the plan is for lint to say. */
static void takes_entries_that_share_a_key_as_planned(void **state)
{
    struct lq_entry entries[] = {entry_at(1, "a"), entry_at(2, "b")};
    struct scene scene;

    open_scene(&scene, *state);
    entries[0].routing_key = "same";
    entries[1].routing_key = "same";
    assert_int_equal(
        lq_plan_build(entries, 2, &scene.fixture->diags, &scene.plan), LQ_OK);
    mirror(&scene.live, scene.plan, &scene.fixture->arena);
    mirror_other_binding(&scene.live, "orders", "same", "c");
    assert_one(&scene, "main-key-shared orders same -> c");
}

/* An exchange that is a main one too is for everybody. */
static void takes_a_retry_exchange_that_is_a_main_one_for_main(void **state)
{
    struct lq_entry entries[] = {entry_at(1, "a"), entry_at(2, "b")};
    struct scene scene;

    open_scene(&scene, *state);
    entries[0].retry_attempts = 1;
    entries[1].exchange_name = "orders.retry.v2";
    assert_int_equal(
        lq_plan_build(entries, 2, &scene.fixture->diags, &scene.plan), LQ_OK);
    mirror(&scene.live, scene.plan, &scene.fixture->arena);
    mirror_other_binding(&scene.live, "orders.retry.v2", "other", "c");
    mirror_other_binding(&scene.live, "orders.retry.v2", "a.retry.1000ms", "c");
    assert_one(&scene, "retry-shared orders.retry.v2 a.retry.1000ms -> c");
}

/* The same with a dead-letter exchange, and with DLQs that are gone. */
static void
takes_a_dead_letter_exchange_that_is_a_main_one_for_main(void **state)
{
    struct lq_entry entries[] = {entry_at(1, "a"), entry_at(2, "b")};
    struct scene scene;

    open_scene(&scene, *state);
    entries[1].exchange_name = "orders.dlx.v2";
    assert_int_equal(
        lq_plan_build(entries, 2, &scene.fixture->diags, &scene.plan), LQ_OK);
    mirror(&scene.live, scene.plan, &scene.fixture->arena);
    mirror_other_queue(&scene.live, "old.dlq.v2");
    mirror_other_binding(&scene.live, "orders.dlx.v2", "old", "old.dlq.v2");
    assert_unexpected(&scene, NULL, 0);
}

/* Its name is a retry exchange's, but that is not what it is planned for. */
static void goes_by_what_an_exchange_is_planned_for(void **state)
{
    struct lq_entry entry = entry_at(1, "a");
    struct scene scene;

    open_scene(&scene, *state);
    entry.dead_letter_exchange = "orders.retry.v2";
    assert_int_equal(
        lq_plan_build(&entry, 1, &scene.fixture->diags, &scene.plan), LQ_OK);
    mirror(&scene.live, scene.plan, &scene.fixture->arena);
    mirror_other_binding(&scene.live, "orders.retry.v2", "other", "c");
    assert_unexpected(&scene, NULL, 0);
}

static void never_takes_a_planned_queue_for_one_that_is_gone(void **state)
{
    struct lq_entry entry = entry_at(1, "old.dlq.v2");
    struct scene scene;

    open_scene(&scene, *state);
    assert_int_equal(
        lq_plan_build(&entry, 1, &scene.fixture->diags, &scene.plan), LQ_OK);
    mirror(&scene.live, scene.plan, &scene.fixture->arena);
    mirror_other_binding(&scene.live, "orders.dlx.v2", "old", "old.dlq.v2");
    assert_one(&scene, "dead-letters-shared orders.dlx.v2 old -> old.dlq.v2");
}

/* Names that look like leftovers may be planned. */
static void never_takes_what_is_planned_for_a_leftover(void **state)
{
    static const char *const names[] = {"q", "q.retry.v2.9000ms", "q.retry.v1",
                                        "old.dlq.v2"};
    struct lq_entry entries[COUNT(names)];
    struct scene scene;

    open_scene(&scene, *state);
    for (size_t i = 0; i < COUNT(names); ++i) {
        entries[i] = entry_at((unsigned)i + 1, names[i]);
    }
    entries[1].exchange_name = "orders.retry.v1";
    entries[2].exchange_name = "orders.retry.v2";
    assert_int_equal(lq_plan_build(entries, COUNT(names), &scene.fixture->diags,
                                   &scene.plan),
                     LQ_OK);
    mirror(&scene.live, scene.plan, &scene.fixture->arena);
    assert_unexpected(&scene, NULL, 0);
}

static void says_once_that_a_source_does_not_list_all(void **state)
{
    static const unsigned parts[] = {LQ_LIVE_HAS_EXCHANGES, LQ_LIVE_HAS_QUEUES,
                                     LQ_LIVE_HAS_BINDINGS};

    for (size_t i = 0; i < COUNT(parts); ++i) {
        struct scene scene;

        open_scene(&scene, *state);
        scene.live.parts &= ~parts[i];
        assert_one(&scene, "extras-unverified /");
        assert_null(first(&scene)->logical);
        assert_int_equal(first(&scene)->resource, LQ_VHOST);
        assert_int_equal(scene.diff.counts[LILYQ_UNVERIFIED], 1);
    }
}

/* Brokers list in any order. */
static void finds_the_same_in_whatever_order_it_is_listed(void **state)
{
    static const char *const lines[] = {
        "queue-orphaned q.retry.v2.4000ms",
        "queue-orphaned q.retry.v2.8000ms",
        "retry-shared orders.retry.v2 a -> spy",
        "retry-shared orders.retry.v2 b -> spy",
        "queue-of-v1 own.dlq.v1",
    };

    for (int turn = 0; turn < 2; ++turn) {
        struct scene scene;

        open_scene(&scene, *state);
        mirror_other_queue(&scene.live,
                           turn ? "q.retry.v2.4000ms" : "own.dlq.v1");
        mirror_other_queue(&scene.live, "q.retry.v2.8000ms");
        mirror_other_queue(&scene.live,
                           turn ? "own.dlq.v1" : "q.retry.v2.4000ms");
        mirror_other_binding(&scene.live, "orders.retry.v2", turn ? "a" : "b",
                             "spy");
        mirror_other_binding(&scene.live, "orders.retry.v2", turn ? "b" : "a",
                             "spy");
        assert_unexpected(&scene, lines, COUNT(lines));
    }
}

static void survives_any_failed_allocation(void **state)
{
    struct scene scene;
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    open_scene(&scene, *state);
    add_bucket(&scene, "q.retry.v2.4000ms", "q.retry.4000ms", "orders.retry.v2",
               "orders");
    add_bucket(&scene, "old.retry.v2.4000ms", "old.retry.4000ms",
               "orders.retry.v2", "orders");
    mirror_other_queue(&scene.live, "q.dlq.v1");
    mirror_other_binding(&scene.live, "orders.dlx.v2", "old", "old.dlq.v2");
    mirror_other_binding(&scene.live, "orders", "q", "spy");
    mirror_exchange(&scene.live, "shop.retry.v2");
    mirror_exchange(&scene.live, "theirs");
    mirror_exchange(&scene.live, "theirs.dlx.v2");
    add_old_entry(&scene, "theirs");
    for (; status == LQ_NOMEM; ++limit) {
        struct lq_arena arena;
        struct lq_diff diff = {.counts = {0}};

        lq_arena_init(&arena);
        limit_memory(&arena, limit);
        lq_array_init(&diff.findings, sizeof(struct lq_finding));
        status = lq_diff_unexpected(scene.plan, &scene.live, &arena, &diff);
        lq_arena_free(&arena);
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(expects_nothing_beyond_a_mirror),
        TEST(finds_a_bucket_that_is_no_longer_planned),
        TEST(finds_what_is_left_of_retries_switched_off),
        TEST(finds_the_derived_exchange_that_another_was_chosen_for),
        TEST(finds_what_v1_left),
        TEST(finds_the_bucket_of_an_entry_that_is_gone),
        TEST(finds_the_dlq_of_an_entry_that_is_gone),
        TEST(finds_the_main_queue_of_an_entry_that_is_gone),
        TEST(finds_an_entry_that_is_gone_with_its_exchange),
        TEST(leaves_an_exchange_to_others_who_are_bound_to_it),
        TEST(never_takes_a_queue_for_a_main_one_by_its_name),
        TEST(says_nothing_about_what_is_around_an_external_entry),
        TEST(knows_a_former_exchange_by_the_bucket_that_returns_to_it),
        TEST(knows_a_former_key_of_a_main_queue),
        TEST(never_takes_a_strangers_queue_for_an_orphan),
        TEST(calls_a_bucket_foreign_that_returns_elsewhere),
        TEST(calls_a_bucket_foreign_that_has_another_key),
        TEST(calls_a_bucket_foreign_that_returns_nowhere),
        TEST(calls_a_bucket_foreign_whose_binding_has_arguments),
        TEST(calls_an_exchange_with_the_name_of_a_bucket_foreign),
        TEST(calls_a_dlq_foreign_that_has_another_key),
        TEST(takes_a_dead_letter_exchange_that_is_a_main_one_for_main),
        TEST(goes_by_what_an_exchange_is_planned_for),
        TEST(never_takes_a_planned_queue_for_one_that_is_gone),
        TEST(leaves_dlqs_on_a_chosen_exchange_to_others),
        TEST(finds_others_on_a_retry_exchange),
        TEST(shows_many_arguments_without_taking_long),
        TEST(finds_others_on_a_dead_letter_exchange),
        TEST(finds_who_shares_a_main_queues_key),
        TEST(leaves_business_as_usual_alone),
        TEST(finds_what_others_bring_into_buckets_and_dlqs),
        TEST(knows_a_former_key_of_a_dlq),
        TEST(takes_entries_that_share_a_key_as_planned),
        TEST(takes_a_retry_exchange_that_is_a_main_one_for_main),
        TEST(never_takes_what_is_planned_for_a_leftover),
        TEST(says_once_that_a_source_does_not_list_all),
        TEST(finds_the_same_in_whatever_order_it_is_listed),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
