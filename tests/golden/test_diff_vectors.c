/*
 * What a plan renders as definitions is in sync with it; and whatever is then
 * changed in the definitions is found, and nothing else.
 */
#include "config/load.h"
#include "format/definitions.h"
#include "format/live_json.h"
#include "topology/diff.h"
#include "topology/plan.h"
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CHANGES_MAX 4

/* A plan, its definitions, and what was changed in these. */
struct scene {
    struct lq_arena arena;
    struct lq_diags diags;
    const struct lq_topology *plan;
    json_t *definitions;
    uint64_t random;
    const char *expected[CHANGES_MAX]; /* "code name field" */
    size_t expected_count;
};

/* A number below `limit`: the same ones in every run. */
static size_t draw(struct scene *scene, size_t limit)
{
    scene->random =
        scene->random * UINT64_C(6364136223846793005) + UINT64_C(1442695041);
    return (size_t)((scene->random >> 33) % limit);
}

static void expect(struct scene *scene, const char *code, const char *name,
                   const char *field)
{
    scene->expected[scene->expected_count++] =
        lq_format(&scene->arena, "%s %s %s", code, name, field);
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void set(json_t *object, const char *key, json_t *value)
{
    assert_int_equal(json_object_set_new(object, key, value), 0);
}

static void flip(json_t *object, const char *key)
{
    set(object, key, json_boolean(!json_is_true(json_object_get(object, key))));
}

static void change_exchange(struct scene *scene, json_t *exchange)
{
    static const char *const fields[] = {"durable", "auto_delete", "internal"};
    const char *const name = text_of(exchange, "name");
    const size_t kind = draw(scene, 6);

    if (kind < 3) {
        flip(exchange, fields[kind]);
        expect(scene, "exchange-property-different", name, fields[kind]);
    } else if (kind == 3) {
        set(exchange, "type", json_string("fanout"));
        expect(scene, "exchange-property-different", name, "type");
    } else if (kind == 4) {
        set(json_object_get(exchange, "arguments"), "alternate-exchange",
            json_string("x"));
        expect(scene, "exchange-argument-different", name,
               "alternate-exchange");
    } else {
        set(json_object_get(exchange, "arguments"), "x-team", json_integer(1));
        expect(scene, "exchange-argument-extra", name, "x-team");
    }
}

/* The same value as another type, or another value of the type. */
static json_t *changed_value(struct scene *scene, const json_t *value)
{
    const size_t kind = draw(scene, 4);

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
    const bool drop = draw(scene, 3) == 0;
    size_t left = draw(scene, json_object_size(arguments));
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
        set(arguments, key, changed_value(scene, value));
    }
    expect(scene, "queue-argument-different", text_of(queue, "name"), key);
}

static void change_queue(struct scene *scene, json_t *queue)
{
    const char *const name = text_of(queue, "name");
    json_t *const arguments = json_object_get(queue, "arguments");

    switch (draw(scene, 6)) {
    case 0:
        flip(queue, "durable");
        expect(scene, "queue-property-different", name, "durable");
        break;
    case 1:
        flip(queue, "auto_delete");
        expect(scene, "queue-property-different", name, "auto_delete");
        break;
    case 2:
        set(arguments, "x-expires", json_integer(60000));
        expect(scene, "queue-argument-different", name, "x-expires");
        break;
    case 3:
        set(arguments, "x-team", json_array());
        expect(scene, "queue-argument-extra", name, "x-team");
        break;
    default:
        change_argument(scene, queue);
        break;
    }
}

static void change_binding(struct scene *scene, json_t *binding)
{
    static const char *const fields[] = {"source", "routing_key"};
    const char *const field = fields[draw(scene, 2)];

    set(binding, field, json_pack("s+", text_of(binding, field), "~"));
    expect(scene, "binding-missing", text_of(binding, "destination"), "");
}

/* Changes or deletes one element of a list that was not changed yet. */
static void change_one(struct scene *scene)
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
    const size_t kind = draw(scene, 3);
    json_t *const list = json_object_get(scene->definitions, lists[kind].list);
    const size_t index =
        json_array_size(list) ? draw(scene, json_array_size(list)) : 0;
    json_t *const object = json_array_get(list, index);
    const char *name = NULL;

    if (!object || json_object_get(object, "changed")) {
        return; /* all is external, or it is this one again */
    }
    name = text_of(object, lists[kind].name);
    /* a broker's definitions never have exchanges named amq.… */
    if (draw(scene, 4) == 0 && strncmp(name, "amq.", 4) != 0) {
        expect(scene, lists[kind].missing, name, "");
        json_array_remove(list, index);
        return;
    }
    lists[kind].change(scene, object);
    set(object, "changed", json_true());
}

static int collect(void *data, const char *bytes, size_t length)
{
    json_t *const parts = data;

    return json_array_append_new(parts, json_stringn(bytes, length));
}

/* The definitions of the plan, parsed. */
static json_t *render(struct scene *scene)
{
    json_t *const parts = json_array();
    const struct lq_sink sink = {collect, parts};
    struct lq_array text;
    size_t index = 0;
    json_t *part = NULL;
    json_t *definitions = NULL;

    lq_array_init(&text, 1);
    assert_int_equal(
        lq_definitions_render(scene->plan, "/", &scene->diags, &sink), LQ_OK);
    json_array_foreach(parts, index, part)
    {
        const char *const bytes = json_string_value(part);

        for (size_t i = 0; i < json_string_length(part); ++i) {
            *(char *)lq_array_push(&text, &scene->arena) = bytes[i];
        }
    }
    json_decref(parts);
    definitions = json_loadb(text.items, text.count, 0, NULL);
    assert_non_null(definitions);
    return definitions;
}

static bool open_scene(struct scene *scene, const struct vector *vector,
                       uint64_t seed)
{
    const struct lq_document document = {"vector.json", vector->document,
                                         vector->length, LQ_INPUT_JSON};
    struct lq_config config;

    *scene = (struct scene){.random = seed};
    lq_arena_init(&scene->arena);
    lq_diags_init(&scene->diags, &scene->arena);
    lq_config_init(&config);
    if (lq_load_text(&config, &document, &scene->diags) != LQ_OK ||
        lq_plan_build(config.entries.items, config.entries.count, &scene->diags,
                      &scene->plan) != LQ_OK) {
        return false;
    }
    scene->definitions = render(scene);
    return true;
}

static void close_scene(struct scene *scene)
{
    json_decref(scene->definitions);
    lq_arena_free(&scene->arena);
}

/* What is external is not in the definitions, but there. */
static bool is_external(const struct lq_finding *finding)
{
    return finding->code == LQ_EXTERNAL_EXCHANGE_MISSING ||
           finding->code == LQ_EXTERNAL_QUEUE_MISSING ||
           finding->code == LQ_EXTERNAL_BINDING_MISSING;
}

static bool take_expected(struct scene *scene, const char *line)
{
    for (size_t i = 0; i < scene->expected_count; ++i) {
        if (scene->expected[i] && strcmp(scene->expected[i], line) == 0) {
            scene->expected[i] = NULL;
            return true;
        }
    }
    return false;
}

/* Each finding must be expected, and each expected one found. */
static void assert_found(struct scene *scene, const struct lq_diff *diff)
{
    for (size_t i = 0; i < diff->findings.count; ++i) {
        const struct lq_finding *const finding = lq_diff_at(diff, i);
        const char *const line =
            lq_format(&scene->arena, "%s %s %s", lq_finding_code(finding->code),
                      finding->name, finding->field ? finding->field : "");

        if (!is_external(finding) && !take_expected(scene, line)) {
            fail_msg("found, but not changed: %s", line);
        }
    }
    for (size_t i = 0; i < scene->expected_count; ++i) {
        if (scene->expected[i]) {
            fail_msg("changed, but not found: %s", scene->expected[i]);
        }
    }
}

static void assert_expected(struct scene *scene)
{
    char *const text = json_dumps(scene->definitions, JSON_COMPACT);
    const struct lq_json_source source = {"definitions", text, strlen(text)};
    struct lq_live live;
    struct lq_diff diff;

    lq_live_init(&live, "/", &scene->arena);
    if (lq_live_read_definitions(&live, &source, &scene->diags) != LQ_OK) {
        fail_msg("%s",
                 lq_diag_line(&scene->arena, lq_diags_at(&scene->diags, 0)));
    }
    assert_int_equal(lq_diff(scene->plan, &live, &scene->arena, &diff), LQ_OK);
    assert_found(scene, &diff);
    free(text);
}

/* Makes so many changes to every vector that can be planned. */
static size_t play(const struct vectors *vectors, size_t changes)
{
    struct scene scene;
    size_t changed = 0;

    for (size_t i = 0; i < vectors->count; ++i) {
        if (open_scene(&scene, &vectors->items[i], i * CHANGES_MAX + changes)) {
            for (size_t j = 0; j < changes; ++j) {
                change_one(&scene);
            }
            changed += scene.expected_count;
            assert_expected(&scene);
        }
        close_scene(&scene);
    }
    return changed;
}

static void is_in_sync_with_its_own_definitions(void **state)
{
    const struct vectors *const vectors = *state;

    assert_int_equal(play(&vectors[0], 0), 0);
    assert_int_equal(play(&vectors[1], 0), 0);
}

static void finds_every_change_and_nothing_else(void **state)
{
    const struct vectors *const vectors = *state;
    size_t changed = 0;

    for (size_t changes = 1; changes <= CHANGES_MAX; ++changes) {
        changed += play(&vectors[0], changes);
        changed += play(&vectors[1], changes);
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
        };

        failed = cmocka_run_group_tests(tests, NULL, NULL);
    }
    vectors_free(&vectors[0]);
    vectors_free(&vectors[1]);
    lq_arena_free(&arena);
    return failed;
}
