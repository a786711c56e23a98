#include "render/plan.h"

#include "fixture.h"

static void draws_the_documented_picture(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = documented_entry();

    plan(fixture, &entry, 1);
    assert_int_equal(lq_tree_render(fixture->topology, &fixture->sheet.sink),
                     LQ_OK);
    assert_string_equal(fixture->sheet.text,
                        "orders.created\n"
                        "  -> orders.retry.v2\n"
                        "     -> orders.created.retry.v2.1000ms\n"
                        "     -> orders.created.retry.v2.2000ms\n"
                        "     -> orders.created.retry.v2.4000ms\n"
                        "  -> orders.dlx.v2\n"
                        "     -> orders.created.dlq.v2\n");
}

static void leaves_out_retries_that_are_not_there(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = entry_of("a", "x", "k");

    plan(fixture, &entry, 1);
    assert_int_equal(lq_tree_render(fixture->topology, &fixture->sheet.sink),
                     LQ_OK);
    assert_string_equal(fixture->sheet.text, "a\n"
                                             "  -> x.dlx.v2\n"
                                             "     -> a.dlq.v2\n");
}

static void marks_what_is_external_and_goes_on_without_a_gap(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entries[] = {external_entry(),
                                       entry_of("a", "x", "k")};

    plan(fixture, entries, 2);
    assert_int_equal(lq_tree_render(fixture->topology, &fixture->sheet.sink),
                     LQ_OK);
    assert_string_equal(fixture->sheet.text, "legacy (external)\n"
                                             "  -> legacy.out\n"
                                             "     -> legacy.dlq.v2\n"
                                             "a\n"
                                             "  -> x.dlx.v2\n"
                                             "     -> a.dlq.v2\n");
}

static void is_empty_for_an_empty_plan(void **state)
{
    struct fixture *const fixture = *state;

    plan(fixture, NULL, 0);
    assert_int_equal(lq_tree_render(fixture->topology, &fixture->sheet.sink),
                     LQ_OK);
    assert_int_equal(fixture->sheet.length, 0);
}

static void tells_a_sink_that_refuses(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = documented_entry();

    plan(fixture, &entry, 1);
    fixture->sheet.limit = 10;
    assert_int_equal(lq_tree_render(fixture->topology, &fixture->sheet.sink),
                     LQ_IO);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(draws_the_documented_picture, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(leaves_out_retries_that_are_not_there,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            marks_what_is_external_and_goes_on_without_a_gap, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(is_empty_for_an_empty_plan, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(tells_a_sink_that_refuses, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
