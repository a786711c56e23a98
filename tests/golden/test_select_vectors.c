#include "config/load.h"
#include "plan/backoff.h"
#include "vectors.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void selects_as_the_framework_does(void **state)
{
    const struct vector *const vector = *state;
    const json_t *const line = vector->line;
    const char *const event =
        json_string_value(json_object_get(line, "event_id"));
    const uint32_t attempt =
        (uint32_t)json_integer_value(json_object_get(line, "attempt"));
    const struct lq_document document = {"vector.json", vector->document,
                                         vector->length, LILYQ_INPUT_JSON};
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_config config;

    lq_arena_init(&arena);
    lq_diags_init(&diags, &arena);
    lq_config_init(&config);
    assert_int_equal(lq_load_text(&config, &document, &diags), LQ_OK);
    assert_int_equal(config.entries.count, 1);
    assert_string_equal(
        lq_format(&arena, "%016" PRIx64, lq_backoff_hash(event, attempt)),
        json_string_value(json_object_get(line, "hash")));
    assert_int_equal(lq_backoff_select(config.entries.items, event, attempt),
                     json_integer_value(json_object_get(line, "delay_millis")));
    lq_arena_free(&arena);
}

int main(void)
{
    struct lq_arena arena;
    struct vectors vectors;
    struct CMUnitTest *tests = NULL;
    int failed = 0;

    lq_arena_init(&arena);
    vectors = vectors_read(&arena, "select.jsonl");
    tests = lq_alloc_array(&arena, vectors.count, sizeof(*tests));
    for (size_t i = 0; i < vectors.count; ++i) {
        tests[i].name = vectors.items[i].name;
        tests[i].test_func = selects_as_the_framework_does;
        tests[i].initial_state = &vectors.items[i];
    }
    failed = _cmocka_run_group_tests("select vectors", tests, vectors.count,
                                     NULL, NULL);
    vectors_free(&vectors);
    lq_arena_free(&arena);
    return failed;
}
