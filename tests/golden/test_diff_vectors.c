/*
 * What a plan renders as definitions is in sync with it; and whatever is then
 * changed in the definitions is found, and nothing else.
 */
#include "scene.h"

#include <string.h>

#define CHANGES_MAX 4

static void flip(json_t *object, const char *key)
{
    scene_set(object, key,
              json_boolean(!json_is_true(json_object_get(object, key))));
}

static void change_exchange(struct scene *scene, json_t *exchange)
{
    static const char *const fields[] = {"durable", "auto_delete", "internal"};
    const char *const name = scene_text(exchange, "name");
    const size_t kind = scene_draw(scene, 6);

    if (kind < 3) {
        flip(exchange, fields[kind]);
        scene_expect(scene, "exchange-property-different", name, fields[kind]);
    } else if (kind == 3) {
        scene_set(exchange, "type", json_string("fanout"));
        scene_expect(scene, "exchange-property-different", name, "type");
    } else if (kind == 4) {
        scene_set(json_object_get(exchange, "arguments"), "alternate-exchange",
                  json_string("x"));
        scene_expect(scene, "exchange-argument-different", name,
                     "alternate-exchange");
    } else {
        scene_set(json_object_get(exchange, "arguments"), "x-team",
                  json_integer(1));
        scene_expect(scene, "exchange-argument-extra", name, "x-team");
    }
}

/* The same value as another type, or another value of the type. */
static json_t *changed_value(struct scene *scene, const json_t *value)
{
    const size_t kind = scene_draw(scene, 4);

    if (json_is_string(value)) {
        return kind == 0 ? json_integer(1)
                         : json_pack("s+", json_string_value(value), "~");
    }
    if (json_is_boolean(value)) {
        return kind < 2 ? json_string("true") : json_false();
    }
    switch (kind) {
    case 0:
        return json_string(lq_format(&scene->arena, "%" JSON_INTEGER_FORMAT,
                                     json_integer_value(value)));
    case 1:
        return json_real((double)json_integer_value(value));
    case 2:
        return json_integer(json_integer_value(value) - 1);
    default:
        return json_integer(-json_integer_value(value));
    }
}

static void change_argument(struct scene *scene, json_t *queue)
{
    json_t *const arguments = json_object_get(queue, "arguments");
    const bool drop = scene_draw(scene, 3) == 0;
    size_t left = scene_draw(scene, json_object_size(arguments));
    const char *key = NULL;
    json_t *value = NULL;

    json_object_foreach(arguments, key, value)
    {
        if (left-- == 0) {
            break;
        }
    }
    key = lq_strdup(&scene->arena, key);
    if (drop && strcmp(key, "x-queue-type") == 0 &&
        strcmp(json_string_value(value), "classic") == 0) {
        json_object_del(arguments, key); /* is the type of such a queue */
        return;
    }
    if (drop) {
        json_object_del(arguments, key);
    } else {
        scene_set(arguments, key, changed_value(scene, value));
    }
    scene_expect(scene, "queue-argument-different", scene_text(queue, "name"),
                 key);
}

static void change_queue(struct scene *scene, json_t *queue)
{
    const char *const name = scene_text(queue, "name");
    json_t *const arguments = json_object_get(queue, "arguments");

    switch (scene_draw(scene, 6)) {
    case 0:
        flip(queue, "durable");
        scene_expect(scene, "queue-property-different", name, "durable");
        break;
    case 1:
        flip(queue, "auto_delete");
        scene_expect(scene, "queue-property-different", name, "auto_delete");
        break;
    case 2:
        scene_set(arguments, "x-expires", json_integer(60000));
        scene_expect(scene, "queue-argument-different", name, "x-expires");
        break;
    case 3:
        scene_set(arguments, "x-team", json_array());
        scene_expect(scene, "queue-argument-extra", name, "x-team");
        break;
    default:
        change_argument(scene, queue);
        break;
    }
}

static void change_binding(struct scene *scene, json_t *binding)
{
    static const char *const fields[] = {"source", "routing_key"};
    const char *const field = fields[scene_draw(scene, 2)];

    scene_set(binding, field, json_pack("s+", scene_text(binding, field), "~"));
    scene_expect(scene, "binding-missing", scene_text(binding, "destination"),
                 "");
}

#define LIST_COUNT 3

/* Changes or deletes one element of a list that was not changed yet. */
static void change_one(struct scene *scene, size_t list_count)
{
    static const struct {
        const char *list;
        const char *missing;
        const char *name;
        void (*change)(struct scene *scene, json_t *object);
    } lists[] = {
        {"exchanges", "exchange-missing", "name", change_exchange},
        {"queues", "queue-missing", "name", change_queue},
        {"bindings", "binding-missing", "destination", change_binding},
    };
    const size_t kind = scene_draw(scene, list_count);
    json_t *const list = json_object_get(scene->definitions, lists[kind].list);
    const size_t index =
        json_array_size(list) ? scene_draw(scene, json_array_size(list)) : 0;
    json_t *const object = json_array_get(list, index);
    const char *name = NULL;

    if (!object || json_object_get(object, "changed")) {
        return; /* all is external, or it is this one again */
    }
    name = scene_text(object, lists[kind].name);
    /* a broker's definitions never have exchanges named amq.… */
    if (scene_draw(scene, 4) == 0 && strncmp(name, "amq.", 4) != 0) {
        scene_expect(scene, lists[kind].missing, name, "");
        json_array_remove(list, index);
        return;
    }
    lists[kind].change(scene, object);
    scene_set(object, "changed", json_true());
}

/* Makes so many changes to every vector that can be planned. */
static size_t play(const struct vectors *vectors, size_t changes,
                   size_t list_count, scene_compare *compare)
{
    struct scene scene;
    size_t changed = 0;

    for (size_t i = 0; i < vectors->count; ++i) {
        if (scene_open(&scene, &vectors->items[i], i * CHANGES_MAX + changes)) {
            for (size_t j = 0; j < changes; ++j) {
                change_one(&scene, list_count);
            }
            changed += scene.expected_count;
            scene_check(&scene, compare);
        }
        scene_close(&scene);
    }
    return changed;
}

static void is_in_sync_with_its_own_definitions(void **state)
{
    const struct vectors *const vectors = *state;

    assert_int_equal(play(&vectors[0], 0, LIST_COUNT, lq_diff), 0);
    assert_int_equal(play(&vectors[1], 0, LIST_COUNT, lq_diff), 0);
}

static void finds_every_change_and_nothing_else(void **state)
{
    const struct vectors *const vectors = *state;
    size_t changed = 0;

    for (size_t changes = 1; changes <= CHANGES_MAX; ++changes) {
        changed += play(&vectors[0], changes, LIST_COUNT, lq_diff);
        changed += play(&vectors[1], changes, LIST_COUNT, lq_diff);
    }
    assert_true(changed > 2000);
}

/* A binding that is changed is unexpected too: test_unexpected_vectors. */
static void finds_nothing_else_among_everything(void **state)
{
    const struct vectors *const vectors = *state;
    size_t changed = 0;

    for (size_t changes = 1; changes <= CHANGES_MAX; ++changes) {
        changed +=
            play(&vectors[0], changes, LIST_COUNT - 1, scene_compare_all);
        changed +=
            play(&vectors[1], changes, LIST_COUNT - 1, scene_compare_all);
    }
    assert_true(changed > 2000);
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
            cmocka_unit_test_prestate(is_in_sync_with_its_own_definitions,
                                      vectors),
            cmocka_unit_test_prestate(finds_every_change_and_nothing_else,
                                      vectors),
            cmocka_unit_test_prestate(finds_nothing_else_among_everything,
                                      vectors),
        };

        failed = cmocka_run_group_tests(tests, NULL, NULL);
    }
    vectors_free(&vectors[0]);
    vectors_free(&vectors[1]);
    lq_arena_free(&arena);
    return failed;
}
