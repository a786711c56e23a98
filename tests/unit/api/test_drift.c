#include "compare/drift.h"

#include "api_fixture.h"

#define SECOND                                                                 \
    "[queue:orders.paid]\n"                                                    \
    "exchange_name = orders\n"                                                 \
    "routing_key = orders.paid\n"                                              \
    "retention.main_max_messages = 1\n"                                        \
    "retention.main_max_bytes = 1\n"                                           \
    "retention.retry_bucket_max_messages = 1\n"                                \
    "retention.retry_bucket_max_bytes = 1\n"                                   \
    "retention.dead_letter_max_messages = 1\n"                                 \
    "retention.dead_letter_max_bytes = 1\n"

static struct lilyq *plan_two(void)
{
    struct lilyq *const run = lilyq_new();

    assert_non_null(run);
    assert_int_equal(load_ini(run, "two.ini", ORDERS SECOND), LILYQ_OK);
    assert_int_equal(lilyq_plan(run), LILYQ_OK);
    return run;
}

static void
findings_are_in_the_order_of_the_plan_and_else_as_found(void **state)
{
    static const struct {
        const char *name;
        int logical; /* -1: none */
    } found[] = {{"a", 1}, {"b", -1}, {"c", 0}, {"d", 1}, {"e", 0}, {"f", -1}};
    static const char wanted[] = "ceadbf";
    struct lilyq *const run = plan_two();
    struct lq_diff diff = {.counts = {0}};

    (void)state;
    lq_array_init(&diff.findings, sizeof(struct lq_finding));
    for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); ++i) {
        const struct lq_finding finding = {
            .code = LQ_QUEUE_MISSING,
            .name = found[i].name,
            .logical = found[i].logical < 0
                           ? NULL
                           : &run->topology->logicals[found[i].logical],
        };

        lq_diff_add(&diff, &finding, &run->arena);
    }
    assert_int_equal(lq_drift_order(run->topology, &run->arena, &diff), LQ_OK);
    assert_int_equal(diff.findings.count, sizeof(wanted) - 1);
    for (size_t i = 0; i < diff.findings.count; ++i) {
        assert_int_equal(lq_diff_at(&diff, i)->name[0], wanted[i]);
    }
    lilyq_free(run);
}

static void more_can_be_added_once_they_are_in_order(void **state)
{
    struct lilyq *const run = plan_two();
    const struct lq_finding finding = {.code = LQ_QUEUE_MISSING, .name = "a"};
    struct lq_diff diff = {.counts = {0}};

    (void)state;
    lq_array_init(&diff.findings, sizeof(struct lq_finding));
    for (size_t i = 1; i <= 20; ++i) {
        assert_int_equal(lq_drift_order(run->topology, &run->arena, &diff),
                         LQ_OK);
        lq_diff_add(&diff, &finding, &run->arena);
        assert_int_equal(diff.findings.count, i);
        assert_string_equal(lq_diff_at(&diff, i - 1)->name, "a");
    }
    lilyq_free(run);
}

static void
an_empty_broker_lacks_all_of_one_entry_then_of_the_next(void **state)
{
    struct lilyq *const run = plan_two();
    const struct lq_logical *last = run->topology->logicals;
    struct lq_live live;
    struct lq_diff diff;

    (void)state;
    lq_live_init(&live, "/", &run->arena);
    live.parts = ~0U;
    assert_int_equal(
        lq_drift_compare(run->topology, &live, NULL, &run->arena, &diff),
        LQ_OK);
    assert_int_equal(diff.counts[LILYQ_MISSING], 3 + 7 + 7);
    assert_int_equal(diff.findings.count, 3 + 7 + 7);
    for (size_t i = 0; i < diff.findings.count; ++i) {
        assert_true(lq_diff_at(&diff, i)->logical >= last);
        last = lq_diff_at(&diff, i)->logical;
    }
    lilyq_free(run);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            findings_are_in_the_order_of_the_plan_and_else_as_found),
        cmocka_unit_test(more_can_be_added_once_they_are_in_order),
        cmocka_unit_test(
            an_empty_broker_lacks_all_of_one_entry_then_of_the_next),
    };

    return cmocka_run_group_tests_name("drift", tests, NULL, NULL);
}
