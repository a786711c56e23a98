#include "model/identity.h"
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

static void judges_as_the_framework_does(void **state)
{
    const json_t *const line = *state;
    const json_t *const value = json_object_get(line, "value");
    const bool valid =
        lq_identity_check(json_string_value(value),
                          json_string_length(value)) == LQ_IDENTITY_OK;

    assert_int_equal(valid, json_is_true(json_object_get(line, "valid")));
}

int main(void)
{
    struct lq_arena arena;
    struct vectors vectors;
    struct CMUnitTest *tests = NULL;
    int failed = 0;

    lq_arena_init(&arena);
    vectors = vectors_read(&arena, "identity.jsonl");
    tests = lq_alloc_array(&arena, vectors.count, sizeof(*tests));
    for (size_t i = 0; i < vectors.count; ++i) {
        tests[i].name = lq_format(&arena, "identity %zu", i + 1);
        tests[i].test_func = judges_as_the_framework_does;
        tests[i].initial_state = vectors.items[i].line;
    }
    failed = _cmocka_run_group_tests("identity vectors", tests, vectors.count,
                                     NULL, NULL);
    vectors_free(&vectors);
    lq_arena_free(&arena);
    return failed;
}
