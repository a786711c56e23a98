#include "compare/compare.h"

#include "plan/plan.h"

#include "../limit.h"
#include "../plan/mirror.h"

/*
 * One entry with two buckets: exchanges 0 orders, 1 orders.retry.v2,
 * 2 orders.dlx.v2; queues and bindings 0 q, 1 and 2 the buckets, 3 the DLQ.
 */
struct scene {
    struct fixture *fixture;
    const struct lq_topology *plan;
    struct lq_live live;
    struct lq_diff diff;
};

static void open_scene(struct scene *scene, struct fixture *fixture,
                       enum lq_ownership ownership)
{
    static struct lq_entry entry;

    *scene = (struct scene){.fixture = fixture};
    entry = entry_at(1, "q");
    entry.retry_attempts = ownership == LQ_EXTERNAL ? 0 : 2;
    entry.topology_ownership = ownership;
    if (ownership == LQ_EXTERNAL) {
        entry.dead_letter_exchange = "dead";
        entry.dead_letter_routing_key = "q";
    }
    assert_int_equal(lq_plan_build(&entry, 1, &fixture->diags, &scene->plan),
                     LQ_OK);
    mirror(&scene->live, scene->plan, &fixture->arena);
}

static void compare(struct scene *scene)
{
    assert_int_equal(lq_diff(scene->plan, &scene->live, &scene->fixture->arena,
                             &scene->diff),
                     LQ_OK);
}

static const char *or_dash(const char *text)
{
    return text ? text : "-";
}

/* "code name field planned:type actual:type", with "-" for what is not set */
static const char *line_of(struct scene *scene, size_t index)
{
    const struct lq_finding *const finding = lq_diff_at(&scene->diff, index);

    return lq_format(
        &scene->fixture->arena, "%s %s %s %s:%s %s:%s",
        lq_finding_code(finding->code), finding->name, or_dash(finding->field),
        or_dash(finding->planned.text), or_dash(finding->planned.type),
        or_dash(finding->actual.text), or_dash(finding->actual.type));
}

/* Fails unless the comparison finds these lines, in this order. */
static void assert_findings(struct scene *scene, const char *const *lines,
                            size_t count)
{
    compare(scene);
    for (size_t i = 0; i < count && i < scene->diff.findings.count; ++i) {
        assert_string_equal(line_of(scene, i), lines[i]);
    }
    assert_int_equal(scene->diff.findings.count, count);
}

static void assert_finding(struct scene *scene, const char *line)
{
    assert_findings(scene, &line, 1);
}

static void finds_nothing_in_a_mirror(void **state)
{
    struct scene scene;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    assert_findings(&scene, NULL, 0);
    for (size_t i = 0; i < LILYQ_FINDING_COUNT; ++i) {
        assert_int_equal(scene.diff.counts[i], 0);
    }
}

static void misses_everything_on_an_empty_broker_in_order(void **state)
{
    static const char *const lines[] = {
        "exchange-missing orders - -:- -:-",
        "exchange-missing orders.retry.v2 - -:- -:-",
        "exchange-missing orders.dlx.v2 - -:- -:-",
        "queue-missing q - -:- -:-",
        "queue-missing q.retry.v2.1000ms - -:- -:-",
        "queue-missing q.retry.v2.2000ms - -:- -:-",
        "queue-missing q.dlq.v2 - -:- -:-",
        "binding-missing q - -:- -:-",
        "binding-missing q.retry.v2.1000ms - -:- -:-",
        "binding-missing q.retry.v2.2000ms - -:- -:-",
        "binding-missing q.dlq.v2 - -:- -:-",
    };
    struct scene scene;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    lq_live_init(&scene.live, "/", &scene.fixture->arena);
    scene.live.parts = ~0U;
    assert_findings(&scene, lines, COUNT(lines));
    assert_int_equal(scene.diff.counts[LILYQ_MISSING], COUNT(lines));
}

static void says_whose_a_finding_is(void **state)
{
    struct scene scene;
    const struct lq_finding *finding = NULL;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    mirrored_binding(&scene.live, 1)->routing_key = "other";
    compare(&scene);
    finding = lq_diff_at(&scene.diff, 0);
    assert_int_equal(finding->resource, LQ_BINDING);
    assert_int_equal(finding->role, LQ_ROLE_RETRY);
    assert_ptr_equal(finding->binding, &scene.plan->bindings[1]);
    assert_ptr_equal(finding->logical, &scene.plan->logicals[0]);
}

static void finds_every_property_of_an_exchange(void **state)
{
    static const char *const lines[] = {
        "exchange-property-different orders type direct:string topic:string",
        "exchange-property-different orders durable true:boolean false:boolean",
        "exchange-property-different orders auto_delete false:boolean "
        "true:boolean",
        "exchange-property-different orders internal false:boolean "
        "true:boolean",
        "exchange-argument-different orders alternate-exchange -:- "
        "other:string",
        "exchange-argument-extra orders x-note -:- 1:integer",
    };
    static struct lq_live_argument arguments[] = {
        {.key = "alternate-exchange", .text = "other"},
        {.key = "x-note", .type = LQ_LIVE_INTEGER, .text = "1", .number = 1}};
    struct scene scene;
    struct lq_live_exchange *exchange = NULL;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    exchange = mirrored_exchange(&scene.live, 0);
    exchange->type = "topic";
    exchange->durable = LQ_LIVE_NO;
    exchange->auto_delete = LQ_LIVE_YES;
    exchange->internal = LQ_LIVE_YES;
    exchange->arguments.items = arguments;
    exchange->arguments.count = COUNT(arguments);
    assert_findings(&scene, lines, COUNT(lines));
    assert_int_equal(scene.diff.counts[LILYQ_DIFFERENT], COUNT(lines));
}

static void finds_every_property_of_a_queue(void **state)
{
    static const char *const lines[] = {
        "queue-property-different q durable true:boolean false:boolean",
        "queue-property-different q auto_delete false:boolean true:boolean",
        "queue-property-different q exclusive false:boolean true:boolean",
    };
    struct scene scene;
    struct lq_live_queue *queue = NULL;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    queue = mirrored_queue(&scene.live, 0);
    queue->durable = LQ_LIVE_NO;
    queue->auto_delete = LQ_LIVE_YES;
    queue->exclusive = LQ_LIVE_YES;
    assert_findings(&scene, lines, COUNT(lines));
}

static void finds_every_argument_of_a_queue(void **state)
{
    static const char *const lines[] = {
        "queue-argument-different q.retry.v2.1000ms x-queue-type "
        "classic:string quorum:string",
        "queue-argument-different q.retry.v2.1000ms x-max-length "
        "10000:integer 10000:string",
        "queue-argument-different q.retry.v2.1000ms x-overflow "
        "reject-publish:string {\"a\":1}:table",
        "queue-argument-different q.retry.v2.1000ms x-message-ttl "
        "1000:integer 1000.0:number",
    };
    struct scene scene;
    struct lq_live_queue *queue = NULL;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    queue = mirrored_queue(&scene.live, 1);
    mirrored_argument(queue, "x-queue-type")->text = "quorum";
    mirrored_argument(queue, "x-max-length")->type = LQ_LIVE_STRING;
    *mirrored_argument(queue, "x-overflow") = (struct lq_live_argument){
        .key = "x-overflow", .type = LQ_LIVE_TABLE, .text = "{\"a\":1}"};
    *mirrored_argument(queue, "x-message-ttl") = (struct lq_live_argument){
        .key = "x-message-ttl", .type = LQ_LIVE_NUMBER, .text = "1000.0"};
    assert_findings(&scene, lines, COUNT(lines));
}

/* Takes the first argument, by key, away. */
static void drop_first(struct lq_live_queue *queue)
{
    ++queue->arguments.items;
    --queue->arguments.count;
}

static void takes_a_missing_argument_for_no_default(void **state)
{
    struct scene scene;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    drop_first(mirrored_queue(&scene.live, 0));
    assert_finding(&scene, "queue-argument-different q x-dead-letter-exchange "
                           "orders.dlx.v2:string -:-");
}

/* Takes an argument away by giving its place to the last one. */
static void drop_argument(struct lq_live_queue *queue, const char *key)
{
    struct lq_live_arguments *const all = &queue->arguments;
    struct lq_live_argument *const place = mirrored_argument(queue, key);
    struct lq_live_argument *const end = all->items + all->count;

    memmove(place, place + 1, (size_t)(end - place - 1) * sizeof(*place));
    --all->count;
}

static void takes_a_queue_without_a_type_for_what_it_is(void **state)
{
    struct scene scene;
    struct lq_live_queue *queue = NULL;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    queue = mirrored_queue(&scene.live, 0);
    drop_argument(queue, "x-queue-type");
    assert_findings(&scene, NULL, 0);
    queue->type = "quorum";
    assert_finding(&scene, "queue-argument-different q x-queue-type "
                           "classic:string quorum:string");
    queue->type = NULL;
    assert_finding(&scene, "property-unverified q x-queue-type "
                           "classic:string -:-");
    assert_int_equal(scene.diff.counts[LILYQ_UNVERIFIED], 1);
}

static void add_argument(struct lq_live_queue *queue, const char *key)
{
    struct lq_live_arguments *const all = &queue->arguments;

    /* behind all others, so that they stay in order */
    assert_true(strcmp(key, all->items[all->count - 1].key) > 0);
    all->items[all->count++] = (struct lq_live_argument){
        .key = key, .type = LQ_LIVE_LIST, .text = "[]"};
}

static void tells_extra_arguments_that_matter_from_others(void **state)
{
    static const char *const lines[] = {
        "queue-argument-different q x-queue-version -:- []:list",
        "queue-argument-extra q.retry.v2.1000ms x-team -:- []:list",
    };
    struct scene scene;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    add_argument(mirrored_queue(&scene.live, 0), "x-queue-version");
    add_argument(mirrored_queue(&scene.live, 1), "x-team");
    assert_findings(&scene, lines, COUNT(lines));
    assert_int_equal(lq_finding_remedy(lq_diff_at(&scene.diff, 0)->code),
                     LQ_REMEDY_NONE);
    assert_int_equal(lq_finding_remedy(lq_diff_at(&scene.diff, 1)->code),
                     LQ_REMEDY_LEAVE);
}

static void finds_a_binding_by_source_key_and_arguments(void **state)
{
    struct scene scene;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    mirrored_binding(&scene.live, 0)->source = "other";
    assert_finding(&scene, "binding-missing q - -:- -:-");
    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    mirrored_binding(&scene.live, 0)->routing_key = "Q";
    assert_finding(&scene, "binding-missing q - -:- -:-");
    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    mirrored_binding(&scene.live, 0)->arguments.count = 1;
    assert_finding(&scene, "binding-missing q - -:- -:-");
    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    mirrored_binding(&scene.live, 0)->arguments.known = false;
    assert_finding(&scene, "binding-unverified q - -:- -:-");
}

static void finds_a_binding_among_others_to_the_queue(void **state)
{
    static struct lq_live_binding others[] = {
        {.source = "a", .destination = "q", .routing_key = "q"},
        {.source = "orders", .destination = "q", .routing_key = "x"}};
    struct scene scene;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    assert_int_equal(lq_live_add_binding(&scene.live, &others[0]), LQ_OK);
    assert_int_equal(lq_live_add_binding(&scene.live, &others[1]), LQ_OK);
    assert_findings(&scene, NULL, 0);
}

static void says_what_a_source_does_not_show(void **state)
{
    static const char *const lines[] = {
        "exchange-unverified orders - -:- -:-",
        "exchange-unverified orders.retry.v2 - -:- -:-",
        "exchange-unverified orders.dlx.v2 - -:- -:-",
        "queue-unverified q - -:- -:-",
        "queue-unverified q.retry.v2.1000ms - -:- -:-",
        "queue-unverified q.retry.v2.2000ms - -:- -:-",
        "queue-unverified q.dlq.v2 - -:- -:-",
        "binding-unverified q - -:- -:-",
        "binding-unverified q.retry.v2.1000ms - -:- -:-",
        "binding-unverified q.retry.v2.2000ms - -:- -:-",
        "binding-unverified q.dlq.v2 - -:- -:-",
    };
    struct scene scene;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    lq_live_init(&scene.live, "/", &scene.fixture->arena);
    assert_findings(&scene, lines, COUNT(lines));
    assert_int_equal(scene.diff.counts[LILYQ_UNVERIFIED], COUNT(lines));
}

static void says_which_properties_a_source_leaves_out(void **state)
{
    static const char *const lines[] = {
        "property-unverified orders internal false:boolean -:-",
        "property-unverified orders arguments -:- -:-",
        "property-unverified q durable true:boolean -:-",
        "property-unverified q arguments -:- -:-",
    };
    struct scene scene;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    mirrored_exchange(&scene.live, 0)->internal = LQ_LIVE_UNKNOWN;
    mirrored_exchange(&scene.live, 0)->arguments.known = false;
    mirrored_queue(&scene.live, 0)->durable = LQ_LIVE_UNKNOWN;
    mirrored_queue(&scene.live, 0)->arguments.known = false;
    assert_findings(&scene, lines, COUNT(lines));
}

static void compares_nothing_of_what_is_external(void **state)
{
    struct scene scene;

    open_scene(&scene, *state, LQ_EXTERNAL);
    mirrored_exchange(&scene.live, 0)->type = "fanout";
    mirrored_queue(&scene.live, 0)->durable = LQ_LIVE_NO;
    mirrored_queue(&scene.live, 0)->arguments.count = 0;
    assert_findings(&scene, NULL, 0);
}

static void misses_what_is_external(void **state)
{
    static const char *const lines[] = {
        "external-exchange-missing orders - -:- -:-",
        "external-exchange-missing dead - -:- -:-",
        "external-queue-missing q - -:- -:-",
        "external-queue-missing q.dlq.v2 - -:- -:-",
        "external-binding-missing q - -:- -:-",
        "external-binding-missing q.dlq.v2 - -:- -:-",
    };
    struct scene scene;

    open_scene(&scene, *state, LQ_EXTERNAL);
    lq_live_init(&scene.live, "/", &scene.fixture->arena);
    scene.live.parts = ~0U;
    assert_findings(&scene, lines, COUNT(lines));
}

static void does_not_miss_a_reserved_exchange_where_none_is_shown(void **state)
{
    struct scene scene;
    struct lq_entry entry = entry_at(1, "q");

    scene.fixture = *state;
    entry.exchange_name = "amq.rabbitmq.event";
    entry.topology_ownership = LQ_EXTERNAL;
    entry.dead_letter_exchange = "dead";
    entry.dead_letter_routing_key = "q";
    assert_int_equal(
        lq_plan_build(&entry, 1, &scene.fixture->diags, &scene.plan), LQ_OK);
    mirror(&scene.live, scene.plan, &scene.fixture->arena);
    mirrored_exchange(&scene.live, 0)->name = "gone";
    lq_map_init(&scene.live.exchange_index, &scene.fixture->arena);
    mirror_exchange(&scene.live, "dead");
    scene.live.parts &= ~(unsigned)LQ_LIVE_HAS_RESERVED;
    assert_finding(&scene, "exchange-unverified amq.rabbitmq.event - -:- -:-");
    scene.live.parts = ~0U;
    assert_finding(&scene,
                   "external-exchange-missing amq.rabbitmq.event - -:- -:-");
}

static void survives_any_failed_allocation(void **state)
{
    struct scene scene;
    struct lq_arena arena;
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    open_scene(&scene, *state, LQ_FRAMEWORK_MANAGED);
    for (size_t i = 0; i < 4; ++i) {
        mirrored_queue(&scene.live, i)->durable = LQ_LIVE_NO;
        mirrored_argument(mirrored_queue(&scene.live, i), "x-max-length")
            ->type = LQ_LIVE_STRING;
        mirrored_binding(&scene.live, i)->source = "other";
        add_argument(mirrored_queue(&scene.live, i), "x-team");
    }
    mirrored_exchange(&scene.live, 0)->type = "fanout";
    for (; status != LQ_OK && limit < 100; ++limit) {
        lq_arena_init(&arena);
        limit_memory(&arena, limit);
        status = lq_diff(scene.plan, &scene.live, &arena, &scene.diff);
        assert_true(status == LQ_OK || status == LQ_NOMEM);
        lq_arena_free(&arena);
    }
    assert_in_range(limit, 5, 99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(finds_nothing_in_a_mirror),
        TEST(misses_everything_on_an_empty_broker_in_order),
        TEST(says_whose_a_finding_is),
        TEST(finds_every_property_of_an_exchange),
        TEST(finds_every_property_of_a_queue),
        TEST(finds_every_argument_of_a_queue),
        TEST(takes_a_missing_argument_for_no_default),
        TEST(takes_a_queue_without_a_type_for_what_it_is),
        TEST(tells_extra_arguments_that_matter_from_others),
        TEST(finds_a_binding_by_source_key_and_arguments),
        TEST(finds_a_binding_among_others_to_the_queue),
        TEST(says_what_a_source_does_not_show),
        TEST(says_which_properties_a_source_leaves_out),
        TEST(compares_nothing_of_what_is_external),
        TEST(misses_what_is_external),
        TEST(does_not_miss_a_reserved_exchange_where_none_is_shown),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
