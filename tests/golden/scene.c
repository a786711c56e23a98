#include "scene.h"

#include "compare/drift.h"
#include "config/load.h"
#include "live/read.h"
#include "plan/plan.h"
#include "render/plan.h"

#include <stdlib.h>
#include <string.h>

size_t scene_draw(struct scene *scene, size_t limit)
{
    scene->random =
        scene->random * UINT64_C(6364136223846793005) + UINT64_C(1442695041);
    return (size_t)((scene->random >> 33) % limit);
}

void scene_expect(struct scene *scene, const char *code, const char *name,
                  const char *field)
{
    assert_true(scene->expected_count < EXPECTED_MAX);
    scene->expected[scene->expected_count++] =
        lq_format(&scene->arena, "%s %s %s", code, name, field);
}

const char *scene_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

void scene_set(json_t *object, const char *key, json_t *value)
{
    assert_int_equal(json_object_set_new(object, key, value), 0);
}

json_t *scene_list(const struct scene *scene, const char *name)
{
    return json_object_get(scene->definitions, name);
}

json_t *scene_find(const struct scene *scene, const char *list,
                   const char *name)
{
    size_t index = 0;
    json_t *item = NULL;

    json_array_foreach(scene_list(scene, list), index, item)
    {
        if (strcmp(scene_text(item, "name"), name) == 0) {
            return item;
        }
    }
    return NULL;
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
    const struct lilyq_sink sink = {collect, parts};
    struct lq_array text;
    size_t index = 0;
    json_t *part = NULL;
    json_t *definitions = NULL;

    lq_array_init(&text, 1);
    assert_int_equal(lq_definitions_render(scene->plan, "/", NULL, &sink),
                     LQ_OK);
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

bool scene_open(struct scene *scene, const struct vector *vector, uint64_t seed)
{
    const struct lq_document document = {"vector.json", vector->document,
                                         vector->length, LILYQ_INPUT_JSON};
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

void scene_close(struct scene *scene)
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

void scene_check(struct scene *scene, scene_compare *compare)
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
    assert_int_equal(compare(scene->plan, &live, &scene->arena, &diff), LQ_OK);
    assert_found(scene, &diff);
    free(text);
}

enum lq_status scene_compare_all(const struct lq_topology *plan,
                                 const struct lq_live *live,
                                 struct lq_arena *arena, struct lq_diff *out)
{
    struct lq_live whole = *live;

    whole.parts |= LQ_LIVE_HAS_POLICIES | LQ_LIVE_HAS_OPERATOR_POLICIES;
    return lq_drift_compare(plan, &whole, NULL, arena, out);
}
