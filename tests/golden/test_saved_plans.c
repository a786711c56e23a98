/* Every plan of the vectors, saved as JSON and read again. */

#include "base/buffer.h"
#include "compare/compare.h"
#include "config/load.h"
#include "ini_text.h"
#include "plan/plan.h"
#include "render/plan.h"
#include "render/saved.h"
#include "vectors.h"
#include "json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int keep(void *data, const char *bytes, size_t length)
{
    lq_buffer_add_bytes(data, bytes, length);
    return 0;
}

static const char *saved(const struct lq_topology *plan,
                         const struct lq_diags *diags)
{
    struct lq_buffer buffer;
    const struct lilyq_sink sink = {keep, &buffer};

    lq_buffer_init(&buffer, diags->arena);
    assert_int_equal(lq_plan_json_render(plan, diags, &sink), LQ_OK);
    return lq_buffer_text(&buffer);
}

/* The plan of a document, or NULL when the contract refuses it. */
static const struct lq_topology *plan_of(const struct lq_document *document,
                                         struct lq_diags *diags)
{
    const struct lq_topology *plan = NULL;
    struct lq_config config;

    lq_config_init(&config);
    return lq_load_text(&config, document, diags) == LQ_OK &&
                   lq_plan_build(config.entries.items, config.entries.count,
                                 diags, &plan) == LQ_OK
               ? plan
               : NULL;
}

static const struct lq_topology *
read_again(const char *text, struct lq_diags *diags, struct lq_diags *warnings)
{
    const struct lq_json_source source = {"saved", text, strlen(text)};
    const struct lq_topology *plan = NULL;
    const struct lq_node *document = NULL;

    assert_int_equal(lq_json_read(&source, NULL, diags, &document), LQ_OK);
    assert_true(lq_plan_is_saved(document));
    lq_diags_init(warnings, diags->arena);
    assert_int_equal(lq_plan_read(document, "saved", diags, warnings, &plan),
                     LQ_OK);
    return plan;
}

static void assert_no_change(const struct lq_topology *before,
                             const struct lq_topology *after,
                             struct lq_arena *arena)
{
    struct lq_diff diff;

    assert_int_equal(lq_change(before, after, arena, &diff), LQ_OK);
    assert_int_equal(diff.findings.count, 0);
}

/* The same in INI has the same plan, if there is such a text. */
static void compare_with_ini(const struct vector *vector,
                             const struct lq_topology *saved_plan,
                             struct lq_arena *arena)
{
    const char *const ini = ini_text(arena, vector->queues);
    struct lq_diags diags;

    lq_diags_init(&diags, arena);
    if (ini) {
        const struct lq_document document = {"vector.ini", ini, strlen(ini),
                                             LILYQ_INPUT_INI};
        const struct lq_topology *const plan = plan_of(&document, &diags);

        assert_non_null(plan);
        assert_no_change(saved_plan, plan, arena);
        assert_no_change(plan, saved_plan, arena);
    }
}

/* Whether the vector has a plan, which then survives. */
static bool try(const struct vector *vector, struct lq_arena *arena)
{
    const struct lq_document document = {"vector.json", vector->document,
                                         vector->length, LILYQ_INPUT_JSON};
    const struct lq_topology *plan = NULL;
    const struct lq_topology *again = NULL;
    const char *text = NULL;
    struct lq_diags diags;
    struct lq_diags warnings;

    lq_diags_init(&diags, arena);
    plan = plan_of(&document, &diags);
    if (!plan) {
        return false;
    }
    text = saved(plan, &diags);
    again = read_again(text, &diags, &warnings);
    assert_string_equal(saved(again, &warnings), text);
    assert_no_change(plan, again, arena);
    assert_no_change(again, plan, arena);
    compare_with_ini(vector, again, arena);
    return true;
}

static void survive_byte_for_byte(void **state)
{
    const char *const file = *state;
    struct lq_arena kept;
    struct vectors vectors;
    size_t plans = 0;

    lq_arena_init(&kept);
    vectors = vectors_read(&kept, file);
    for (size_t i = 0; i < vectors.count; ++i) {
        struct lq_arena arena;

        lq_arena_init(&arena);
        plans += try(&vectors.items[i], &arena);
        lq_arena_free(&arena);
    }
    assert_true(plans > vectors.count / 4);
    vectors_free(&vectors);
    lq_arena_free(&kept);
}

int main(void)
{
    static char hand[] = "hand.jsonl";
    static char random[] = "random.jsonl";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(survive_byte_for_byte, hand),
        cmocka_unit_test_prestate(survive_byte_for_byte, random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
