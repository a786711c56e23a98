/*
 * Nothing is unexpected in what a plan renders as definitions. What is then
 * added to the definitions is found if it concerns the plan, and nothing else,
 * whatever else is dropped or changed.
 */
#include "scene.h"

#include <string.h>

#define ADDITIONS_MAX 4

static const char *join(struct scene *scene, const char *a, const char *b)
{
    return lq_format(&scene->arena, "%s%s", a, b);
}

/* What the plan itself says of a name; the test knows no other way. */
static bool is_planned_exchange(const struct scene *scene, const char *name)
{
    for (size_t i = 0; i < scene->plan->exchange_count; ++i) {
        if (strcmp(scene->plan->exchanges[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_planned_queue(const struct scene *scene, const char *name)
{
    for (size_t i = 0; i < scene->plan->queue_count; ++i) {
        if (strcmp(scene->plan->queues[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether an exchange is a main one, or has a name that nobody derives. */
static bool is_for_all(struct scene *scene, const char *name)
{
    bool is_derived = false;

    for (size_t i = 0; i < scene->plan->logical_count; ++i) {
        const struct lq_logical *const logical = &scene->plan->logicals[i];
        const char *const root = logical->entry->exchange_name;

        if (strcmp(root, name) == 0) {
            return true;
        }
        is_derived =
            is_derived || (lq_owner(logical) != LQ_EXTERNAL &&
                           (strcmp(join(scene, root, ".dlx.v2"), name) == 0 ||
                            (logical->retry_exchange &&
                             strcmp(logical->retry_exchange, name) == 0)));
    }
    return !is_derived;
}

static bool is_retry(const struct scene *scene, const char *name)
{
    for (size_t i = 0; i < scene->plan->logical_count; ++i) {
        const char *const retry = scene->plan->logicals[i].retry_exchange;

        if (retry && strcmp(retry, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the bindings from a source with a key all have one role. */
static bool has_one_role(const struct scene *scene,
                         const struct lq_binding *binding)
{
    for (size_t i = 0; i < scene->plan->binding_count; ++i) {
        const struct lq_binding *const other = &scene->plan->bindings[i];

        if (strcmp(other->source, binding->source) == 0 &&
            strcmp(other->routing_key, binding->routing_key) == 0 &&
            other->role != binding->role) {
            return false;
        }
    }
    return true;
}

static void add_exchange(struct scene *scene, const char *name)
{
    json_array_append_new(scene_list(scene, "exchanges"),
                          json_pack("{s:s, s:s, s:s, s:b, s:b, s:b, s:{}}",
                                    "name", name, "vhost", "/", "type",
                                    "direct", "durable", 1, "auto_delete", 0,
                                    "internal", 0, "arguments"));
}

/* The same with a code that it is found by, unless no broker would have it. */
static void add_leftover(struct scene *scene, const char *name,
                         const char *code)
{
    add_exchange(scene, name);
    if (strncmp(name, "amq.", 4) != 0) {
        scene_expect(scene, code, name, "");
    }
}

static json_t *add_queue(struct scene *scene, const char *name)
{
    json_t *const queue =
        json_pack("{s:s, s:s, s:b, s:b, s:{}}", "name", name, "vhost", "/",
                  "durable", 1, "auto_delete", 0, "arguments");

    json_array_append_new(scene_list(scene, "queues"), queue);
    return queue;
}

static void add_binding(struct scene *scene, const char *source,
                        const char *key, const char *destination)
{
    json_array_append_new(scene_list(scene, "bindings"),
                          json_pack("{s:s, s:s, s:s, s:s, s:s, s:{}}", "source",
                                    source, "vhost", "/", "destination",
                                    destination, "destination_type", "queue",
                                    "routing_key", key, "arguments"));
}

/* Adds a bucket as v2 would, at a delay that no plan has. */
static void add_bucket(struct scene *scene, const struct lq_logical *logical,
                       const char *root, const char *queue_code,
                       const char *binding_code)
{
    const char *const name = join(scene, root, ".retry.v2.900001ms");
    const char *const exchange =
        join(scene, logical->entry->exchange_name, ".retry.v2");

    if (scene_find(scene, "queues", name) || is_planned_queue(scene, name) ||
        (is_planned_exchange(scene, exchange) && !logical->retry_exchange)) {
        return;
    }
    if (!is_planned_exchange(scene, exchange) &&
        !scene_find(scene, "exchanges", exchange)) {
        add_leftover(scene, exchange, "exchange-orphaned");
    }
    scene_set(json_object_get(add_queue(scene, name), "arguments"),
              "x-dead-letter-exchange",
              json_string(logical->entry->exchange_name));
    add_binding(scene, exchange, join(scene, root, ".retry.900001ms"), name);
    scene_expect(scene, queue_code, name, "");
    scene_expect(scene, binding_code, name, "");
}

static void add_orphan(struct scene *scene, const struct lq_logical *logical)
{
    add_bucket(scene, logical, logical->entry->name, "queue-orphaned",
               "binding-orphaned");
}

static void add_gone(struct scene *scene, const struct lq_logical *logical)
{
    add_bucket(scene, logical, "gone entry", "queue-of-gone-entry",
               "binding-of-gone-entry");
}

static void add_v1(struct scene *scene, const struct lq_logical *logical)
{
    static const char *const suffixes[] = {".retry.v1", ".dlq.v1", ".retry.v1",
                                           ".dlx.v1"};
    const size_t kind = scene_draw(scene, 4);
    const char *const name = join(
        scene, kind < 2 ? logical->entry->name : logical->entry->exchange_name,
        suffixes[kind]);

    if (kind < 2 && !is_planned_queue(scene, name) &&
        !scene_find(scene, "queues", name)) {
        add_queue(scene, name);
        scene_expect(scene, "queue-of-v1", name, "");
    } else if (kind >= 2 && !is_planned_exchange(scene, name) &&
               !scene_find(scene, "exchanges", name)) {
        add_leftover(scene, name, "exchange-of-v1");
    }
}

/* A key that is nobody's, on an exchange of the entry. */
static void add_stranger(struct scene *scene, const struct lq_logical *logical)
{
    const char *const dead = logical->dead_letter_exchange;

    switch (scene_draw(scene, 3)) {
    case 0:
        add_binding(scene, logical->entry->exchange_name, "~", "stranger");
        break;
    case 1:
        if (logical->retry_exchange &&
            !is_for_all(scene, logical->retry_exchange)) {
            add_binding(scene, logical->retry_exchange, "~", "stranger");
            scene_expect(scene, "retry-shared", "stranger", "");
        }
        break;
    default:
        add_binding(scene, dead, "~", "stranger");
        if (!is_for_all(scene, dead)) {
            scene_expect(scene,
                         is_retry(scene, dead) ? "retry-shared"
                                               : "dead-letters-shared",
                         "stranger", "");
        }
        break;
    }
}

/* A key of the plan's own: copies of its messages go there too. */
static void add_spy(struct scene *scene, const struct lq_logical *logical)
{
    static const char *const codes[] = {"main-key-shared", "retry-shared",
                                        "dead-letters-shared"};
    const struct lq_binding *const planned =
        &scene->plan->bindings[scene_draw(scene, scene->plan->binding_count)];

    (void)logical;
    if (lq_owner(planned->logical) == LQ_EXTERNAL ||
        !has_one_role(scene, planned)) {
        return;
    }
    add_binding(scene, planned->source, planned->routing_key, "spy");
    scene_expect(scene, codes[planned->role], "spy", "");
}

/* From an exchange of somebody else's. */
static void add_feed(struct scene *scene, const struct lq_logical *logical)
{
    const struct lq_queue *const queue =
        &scene->plan->queues[scene_draw(scene, scene->plan->queue_count)];

    (void)logical;
    add_binding(scene, "somebody else's", "~", queue->name);
    if (lq_owner(queue->logical) != LQ_EXTERNAL &&
        queue->role != LQ_ROLE_MAIN) {
        scene_expect(scene,
                     queue->role == LQ_ROLE_RETRY ? "retry-fed"
                                                  : "dead-letters-fed",
                     queue->name, "");
    }
}

/* Names that are much like the plan's, but nobody's here. */
static void add_lookalikes(struct scene *scene,
                           const struct lq_logical *logical)
{
    const char *const name = logical->entry->name;

    add_queue(scene, "stranger.retry.v2.1000ms");
    add_queue(scene, "stranger.dlq.v2");
    add_queue(scene, "stranger.dlq.v1");
    add_queue(scene, join(scene, name, ".retry.v2.01000ms"));
    add_queue(scene, join(scene, name, "~.retry.v1"));
    add_exchange(scene, "stranger.retry.v2");
    add_exchange(scene, "stranger.dlx.v1");
    add_binding(scene, "", name, name);
}

/* Drops something planned: it is missing, and nothing else. */
static void drop(struct scene *scene, const struct lq_logical *logical)
{
    json_t *const queues = scene_list(scene, "queues");
    const struct lq_queue *const queue =
        &scene->plan->queues[scene_draw(scene, scene->plan->queue_count)];
    size_t index = 0;
    json_t *item = NULL;

    (void)logical;
    json_array_foreach(queues, index, item)
    {
        if (strcmp(scene_text(item, "name"), queue->name) == 0) {
            json_array_remove(queues, index);
            scene_expect(scene, "queue-missing", queue->name, "");
            return;
        }
    }
}

/* A policy for one queue, with a key that takes something from it. */
static void add_policy(struct scene *scene, const struct lq_logical *logical)
{
    static const char *const keys[] = {"expires", "max-length",
                                       "max-length-bytes"};
    const char *const key = keys[scene_draw(scene, 3)];
    const struct lq_queue *const queue =
        &scene->plan->queues[scene_draw(scene, scene->plan->queue_count)];

    (void)logical;
    scene_set(scene->definitions, "policies",
              json_pack("[{s:s, s:s, s:s+, s:s, s:i, s:{s:i}}]", "vhost", "/",
                        "name", "hand-made", "pattern",
                        join(scene, "^\\Q", queue->name), "\\E$", "apply-to",
                        "queues", "priority", 1, "definition", key,
                        strcmp(key, "expires") == 0 ? 60000 : 0));
    if (lq_owner(queue->logical) != LQ_EXTERNAL) {
        scene_expect(scene, "queue-shadowed", queue->name, key);
    }
}

static json_t *find_binding(const struct scene *scene,
                            const struct lq_binding *planned)
{
    size_t index = 0;
    json_t *item = NULL;

    json_array_foreach(scene_list(scene, "bindings"), index, item)
    {
        if (strcmp(scene_text(item, "destination"), planned->destination) ==
                0 &&
            strcmp(scene_text(item, "source"), planned->source) == 0) {
            return item;
        }
    }
    return NULL;
}

/* Expects a binding to a bucket or DLQ that is not from their exchange. */
static void expect_feed(struct scene *scene, const struct lq_binding *planned)
{
    static const char *const codes[] = {NULL, "retry-fed", "dead-letters-fed"};

    if (planned->role != LQ_ROLE_MAIN) {
        scene_expect(scene, codes[planned->role], planned->destination, "");
    }
}

/* Binds by another exchange or key: one is missing, and one too many. */
static void rebind(struct scene *scene, const struct lq_logical *logical)
{
    const struct lq_binding *const planned =
        &scene->plan->bindings[scene_draw(scene, scene->plan->binding_count)];
    json_t *const binding = find_binding(scene, planned);
    const char *const field = scene_draw(scene, 2) ? "source" : "routing_key";

    (void)logical;
    if (!binding || lq_owner(planned->logical) == LQ_EXTERNAL) {
        return;
    }
    scene_set(binding, field,
              json_string(join(scene, scene_text(binding, field), "~")));
    scene_expect(scene, "binding-missing", planned->destination, "");
    if (field[0] != 's' && planned->role == LQ_ROLE_MAIN) {
        scene_expect(scene, "binding-left", planned->destination, "");
    } else if (field[0] == 's' || is_for_all(scene, planned->source)) {
        expect_feed(scene, planned);
    } else {
        scene_expect(scene,
                     is_retry(scene, planned->source) ? "retry-shared"
                                                      : "dead-letters-shared",
                     planned->destination, "");
    }
}

typedef void mutation(struct scene *scene, const struct lq_logical *logical);

/* One that comes twice is one too many for names. */
static void mutate(struct scene *scene, uint64_t *done)
{
    static mutation *const mutations[] = {
        add_orphan, add_gone, add_v1, add_spy,    add_stranger,
        add_feed,   rebind,   drop,   add_policy, add_lookalikes};
    const size_t kind =
        scene_draw(scene, sizeof(mutations) / sizeof(mutations[0]));
    const size_t index = scene_draw(scene, scene->plan->logical_count);
    const struct lq_logical *const logical = &scene->plan->logicals[index];

    if (lq_owner(logical) != LQ_EXTERNAL && !(*done & (1U << kind))) {
        *done |= 1U << kind;
        mutations[kind](scene, logical);
    }
}

/* Makes so many mutations to every vector that can be planned. */
static size_t play(const struct vectors *vectors, size_t mutations,
                   uint64_t seed)
{
    struct scene scene;
    size_t expected = 0;

    for (size_t i = 0; i < vectors->count; ++i) {
        uint64_t done = 0;

        if (scene_open(&scene, &vectors->items[i], i * 64 + seed)) {
            for (size_t j = 0; j < mutations && scene.plan->logical_count;
                 ++j) {
                mutate(&scene, &done);
            }
            expected += scene.expected_count;
            scene_check(&scene, scene_compare_all);
        }
        scene_close(&scene);
    }
    return expected;
}

static void expects_nothing_beyond_its_own_definitions(void **state)
{
    const struct vectors *const vectors = *state;

    assert_int_equal(play(&vectors[0], 0, 0), 0);
    assert_int_equal(play(&vectors[1], 0, 0), 0);
}

static void finds_every_addition_and_nothing_else(void **state)
{
    const struct vectors *const vectors = *state;
    size_t expected = 0;

    for (size_t mutations = 1; mutations <= ADDITIONS_MAX; ++mutations) {
        expected += play(&vectors[0], mutations, mutations);
        expected += play(&vectors[1], mutations, mutations);
    }
    assert_true(expected > 2000);
}

int main(void)
{
    struct lq_arena arena;
    struct vectors vectors[2];
    int failed = 0;

    lq_arena_init(&arena);
    vectors[0] = vectors_read(&arena, "hand.jsonl");
    vectors[1] = vectors_read(&arena, "random.jsonl");
    {
        const struct CMUnitTest tests[] = {
            cmocka_unit_test_prestate(
                expects_nothing_beyond_its_own_definitions, vectors),
            cmocka_unit_test_prestate(finds_every_addition_and_nothing_else,
                                      vectors),
        };

        failed = cmocka_run_group_tests(tests, NULL, NULL);
    }
    vectors_free(&vectors[0]);
    vectors_free(&vectors[1]);
    lq_arena_free(&arena);
    return failed;
}
