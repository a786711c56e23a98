#include "config/load.h"
#include "ini_text.h"
#include "judge.h"
#include "plan/plan.h"
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* One vector through one kind of input. */
struct run {
    const struct vector *vector;
    struct lq_document document;
};

static const char *judge(struct lq_arena *arena, const struct lq_diags *diags,
                         const struct lq_topology *topology,
                         const json_t *expect)
{
    const json_t *const ok = json_object_get(expect, "ok");

    if (ok) {
        return topology ? judge_topology(arena, topology, ok)
                        : "is refused, but should be planned";
    }
    return topology
               ? "is planned, but should be refused"
               : judge_error(arena, diags, json_object_get(expect, "error"));
}

/* Loads and plans; what is wrong with the outcome, or NULL. */
static const char *play(const struct run *run, struct lq_diags *diags)
{
    const struct lq_topology *topology = NULL;
    enum lq_status status = LQ_OK;
    struct lq_config config;

    lq_config_init(&config);
    status = lq_load_text(&config, &run->document, diags);
    status =
        lq_worse(status, lq_plan_build(config.entries.items,
                                       config.entries.count, diags, &topology));
    if (status != LQ_OK && status != LQ_INVALID) {
        return "ended in neither LQ_OK nor LQ_INVALID";
    }
    if ((status == LQ_OK) != (diags->error_count == 0)) {
        return "the status and the problems disagree";
    }
    return judge(diags->arena, diags, status == LQ_OK ? topology : NULL,
                 json_object_get(run->vector->line, "expect"));
}

static void plans_as_the_framework_does(void **state)
{
    const struct run *const run = *state;
    struct lq_arena arena;
    struct lq_diags diags;
    const char *fault = NULL;

    lq_arena_init(&arena);
    lq_diags_init(&diags, &arena);
    fault = play(run, &diags);
    if (fault) {
        for (size_t i = 0; i < diags.items.count && i < 20; ++i) {
            print_error("%s\n", lq_diag_line(&arena, lq_diags_at(&diags, i)));
        }
        print_error("%s\n", fault);
    }
    lq_arena_free(&arena);
    assert_true(!fault);
}

/* The tests of a program, one a run; `items` has room for them all. */
struct tests {
    struct CMUnitTest *items;
    size_t count;
};

static void add_test(struct lq_arena *arena, struct tests *tests,
                     struct run run, const char *kind)
{
    struct run *const kept = lq_alloc(arena, sizeof(*kept));

    *kept = run;
    tests->items[tests->count++] = (struct CMUnitTest){
        .name = lq_format(arena, "%s (%s)", run.vector->name, kind),
        .test_func = plans_as_the_framework_does,
        .initial_state = kept,
    };
}

/* Those with names or values that INI cannot hold are left out there. */
static void add_tests(struct lq_arena *arena, struct tests *tests,
                      const struct vectors *vectors, size_t without_ini)
{
    for (size_t i = 0; i < vectors->count; ++i) {
        const struct vector *const vector = &vectors->items[i];
        const char *const ini = ini_text(arena, vector->queues);

        add_test(arena, tests,
                 (struct run){vector,
                              {"vector.json", vector->document, vector->length,
                               LILYQ_INPUT_JSON}},
                 "json");
        if (ini) {
            add_test(
                arena, tests,
                (struct run){vector,
                             {"vector.ini", ini, strlen(ini), LILYQ_INPUT_INI}},
                "ini");
        } else if (without_ini-- == 0) {
            give_up("more vectors than expected are no INI", vector->name);
        }
    }
    if (without_ini != 0) {
        give_up("fewer vectors than expected are no INI", "vectors");
    }
}

int main(void)
{
    struct lq_arena arena;
    struct vectors hand;
    struct vectors random;
    struct tests tests = {NULL, 0};
    int failed = 0;

    lq_arena_init(&arena);
    hand = vectors_read(&arena, "hand.jsonl");
    random = vectors_read(&arena, "random.jsonl");
    tests.items = lq_alloc_array(&arena, 2 * (hand.count + random.count),
                                 sizeof(*tests.items));
    add_tests(&arena, &tests, &hand, 12);
    add_tests(&arena, &tests, &random, 0);
    failed = _cmocka_run_group_tests("plan vectors", tests.items, tests.count,
                                     NULL, NULL);
    vectors_free(&hand);
    vectors_free(&random);
    lq_arena_free(&arena);
    return failed;
}
