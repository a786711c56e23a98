#include "render/apply.h"

#include "../limit.h"
#include "fixture.h"

#define EXCHANGES 3
#define QUEUES 5

/* A report on the documented entry in which all came to one result. */
struct run {
    struct lq_outcome exchanges[EXCHANGES];
    struct lq_outcome queues[QUEUES];
    struct lq_outcome bindings[QUEUES];
    struct lq_apply_report report;
};

static void run_init(struct fixture *fixture, struct run *run,
                     enum lilyq_ending ending, enum lq_result result)
{
    static struct lq_entry entry;
    const struct lq_outcome outcome = {.result = result};

    entry = documented_entry();
    plan(fixture, &entry, 1);
    assert_int_equal(fixture->topology->exchange_count, EXCHANGES);
    assert_int_equal(fixture->topology->queue_count, QUEUES);
    for (size_t i = 0; i < QUEUES; ++i) {
        run->exchanges[i % EXCHANGES] = outcome;
        run->queues[i] = outcome;
        run->bindings[i] = outcome;
    }
    run->report = (struct lq_apply_report){.ending = ending,
                                           .exchanges = run->exchanges,
                                           .queues = run->queues,
                                           .bindings = run->bindings,
                                           .broker = "h:5672",
                                           .vhost = "/",
                                           .management = "http://h:15672"};
}

static enum lq_status render_text(struct fixture *fixture,
                                  const struct run *run)
{
    return lq_apply_text_render(fixture->topology, &run->report,
                                &fixture->sheet.sink);
}

static enum lq_status render_json(struct fixture *fixture,
                                  const struct run *run)
{
    return lq_apply_json_render(fixture->topology, &run->report,
                                &fixture->arena, &fixture->sheet.sink);
}

static void a_table_says_that_all_is_well(void **state)
{
    struct fixture *const fixture = *state;
    struct run run;

    run_init(fixture, &run, LILYQ_APPLIED, LQ_CREATED);
    run.exchanges[0].result = LQ_EXISTING;
    assert_int_equal(render_text(fixture, &run), LQ_OK);
    assert_string_equal(fixture->sheet.text, "           created  existing\n"
                                             "exchanges        2         1\n"
                                             "queues           5         0\n"
                                             "bindings         5         0\n");
}

static void columns_appear_where_there_is_something_to_count(void **state)
{
    struct fixture *const fixture = *state;
    struct run run;

    run_init(fixture, &run, LILYQ_APPLIED, LQ_EXISTING);
    run.exchanges[0].result = LQ_VERIFIED;
    run.queues[0].result = LQ_VERIFIED;
    run.bindings[0].result = LQ_UNVERIFIED;
    run.bindings[1].result = LQ_ENSURED;
    assert_int_equal(render_text(fixture, &run), LQ_OK);
    assert_string_equal(
        fixture->sheet.text,
        "           created  existing  ensured  verified  unverified\n"
        "exchanges        0         2        0         1           0\n"
        "queues           0         4        0         1           0\n"
        "bindings         0         3        1         0           1\n");
}

static void names_all_that_is_not_as_planned(void **state)
{
    struct fixture *const fixture = *state;
    struct run run;

    run_init(fixture, &run, LILYQ_ENDED_PARTLY, LQ_CREATED);
    run.exchanges[2] = (struct lq_outcome){LQ_FAILED, 403, "ACCESS_REFUSED"};
    run.queues[3] = (struct lq_outcome){LQ_CONFLICT, 406, "other \x1b[2J"};
    run.queues[4] = (struct lq_outcome){LQ_UNCERTAIN, 0, NULL};
    run.bindings[4] = (struct lq_outcome){LQ_NOT_DONE, 0, NULL};
    assert_int_equal(render_text(fixture, &run), LQ_OK);
    assert_string_equal(
        fixture->sheet.text,
        "           created  existing  conflicts  failed  uncertain  not done\n"
        "exchanges        2         0          0       1          0         0\n"
        "queues           3         0          1       0          1         0\n"
        "bindings         4         0          0       0          0         1\n"
        "failed: exchange 'orders.dlx.v2': ACCESS_REFUSED\n"
        "conflict: queue 'orders.created.retry.v2.4000ms': other \\x1b[2J\n"
        "uncertain: queue 'orders.created.dlq.v2'\n"
        "not done: binding from exchange 'orders.dlx.v2' to queue "
        "'orders.created.dlq.v2' with key 'orders.created'\n");
}

static void names_nothing_undone_when_nothing_was_written(void **state)
{
    struct fixture *const fixture = *state;
    struct run run;

    run_init(fixture, &run, LILYQ_ENDED_CONFLICT, LQ_NOT_DONE);
    run.queues[0] = (struct lq_outcome){LQ_CONFLICT, 406, "durable"};
    assert_int_equal(render_text(fixture, &run), LQ_OK);
    assert_string_equal(fixture->sheet.text,
                        "           created  existing  conflicts  not done\n"
                        "exchanges        0         0          0         3\n"
                        "queues           0         0          1         4\n"
                        "bindings         0         0          0         5\n"
                        "conflict: queue 'orders.created': durable\n");
}

static void a_dry_run_shows_what_it_would_declare(void **state)
{
    struct fixture *const fixture = *state;
    struct run run;

    run_init(fixture, &run, LILYQ_ENDED_DRY, LQ_EXISTING);
    run.report.mode = LILYQ_DRY_RUN;
    run.exchanges[2].result = LQ_PENDING;
    run.queues[4].result = LQ_PENDING;
    run.bindings[0].result = LQ_UNVERIFIED;
    run.bindings[4].result = LQ_PENDING;
    assert_int_equal(render_text(fixture, &run), LQ_OK);
    assert_string_equal(fixture->sheet.text,
                        "           existing  pending  unverified\n"
                        "exchanges         2        1           0\n"
                        "queues            4        1           0\n"
                        "bindings          3        1           1\n"
                        "+ exchange 'orders.dlx.v2'\n"
                        "+ queue 'orders.created.dlq.v2'\n"
                        "+ binding from exchange 'orders.dlx.v2' to queue "
                        "'orders.created.dlq.v2' with key 'orders.created'\n");
}

static void a_run_without_a_look_counts_what_it_declared(void **state)
{
    struct fixture *const fixture = *state;
    struct run run;

    run_init(fixture, &run, LILYQ_APPLIED, LQ_DECLARED);
    run.report.mode = LILYQ_NO_PREFLIGHT;
    assert_int_equal(render_text(fixture, &run), LQ_OK);
    assert_string_equal(fixture->sheet.text, "           declared\n"
                                             "exchanges         3\n"
                                             "queues            5\n"
                                             "bindings          5\n");
    fixture->sheet.length = 0;
    assert_int_equal(render_json(fixture, &run), LQ_OK);
    assert_non_null(
        strstr(fixture->sheet.text, "\"managed_bindings_declared\": 5"));
}

static void only_external_bindings_count_as_external(void **state)
{
    struct fixture *const fixture = *state;
    struct run run;

    run_init(fixture, &run, LILYQ_ENDED_DRY, LQ_UNVERIFIED);
    assert_int_equal(render_json(fixture, &run), LQ_OK);
    assert_non_null(
        strstr(fixture->sheet.text, "\"external_bindings_unverified\": 0"));
}

static void the_document_has_counts_and_every_resource(void **state)
{
    struct fixture *const fixture = *state;
    struct run run;

    run_init(fixture, &run, LILYQ_ENDED_PARTLY, LQ_CREATED);
    run.exchanges[1].result = LQ_EXISTING;
    run.queues[4] = (struct lq_outcome){LQ_FAILED, 403, "no \"\xff\""};
    run.bindings[0].result = LQ_ENSURED;
    run.bindings[4].result = LQ_NOT_DONE;
    assert_int_equal(render_json(fixture, &run), LQ_OK);
    assert_non_null(strstr(
        fixture->sheet.text,
        "{\n"
        "  \"format\": \"lilyq-apply\",\n"
        "  \"format_version\": 1,\n"
        "  \"ending\": \"partly\",\n"
        "  \"cause\": null,\n"
        "  \"broker\": \"h:5672\",\n"
        "  \"vhost\": \"/\",\n"
        "  \"management\": \"http://h:15672\",\n"
        "  \"summary\": {\"exchanges\": {\"created\": 2, \"existing\": 1, "
        "\"ensured\": 0, \"declared\": 0, \"pending\": 0, "
        "\"verified\": 0, \"unverified\": 0, \"conflicts\": 0, \"failed\": 0, "
        "\"uncertain\": 0, "
        "\"not_done\": 0}, \"queues\": {\"created\": 4, "));
    assert_non_null(strstr(fixture->sheet.text,
                           "  \"framework_counts\": "
                           "{\"managed_exchanges_declared\": 3, "
                           "\"managed_queues_declared\": 4, "
                           "\"managed_bindings_declared\": 4, "
                           "\"external_exchanges_verified\": 0, "
                           "\"external_queues_verified\": 0, "
                           "\"external_bindings_unverified\": 0},\n"
                           "  \"exchanges\": [\n"
                           "    {\"name\": \"orders\", "
                           "\"ownership\": \"framework_managed\", "
                           "\"result\": \"created\"},\n"));
    assert_non_null(strstr(fixture->sheet.text,
                           "    {\"name\": \"orders.created.dlq.v2\", "
                           "\"ownership\": \"framework_managed\", "
                           "\"result\": \"failed\", \"code\": 403, "
                           "\"text\": \"no \\\"\\\\xff\\\"\"}\n"
                           "  ],\n"
                           "  \"bindings\": [\n"
                           "    {\"source\": \"orders\", "
                           "\"destination\": \"orders.created\", "
                           "\"routing_key\": \"orders.created\", "
                           "\"ownership\": \"framework_managed\", "
                           "\"result\": \"ensured\"},\n"));
    assert_non_null(strstr(fixture->sheet.text, "\"result\": \"not_done\"}\n"
                                                "  ]\n"
                                                "}\n"));
}

static void the_document_has_no_broker_that_was_not_reached(void **state)
{
    struct fixture *const fixture = *state;
    struct run run;

    run_init(fixture, &run, LILYQ_ENDED_UNTOUCHED, LQ_NOT_DONE);
    run.report.broker = NULL;
    run.report.vhost = NULL;
    run.report.management = NULL;
    assert_int_equal(render_json(fixture, &run), LQ_OK);
    assert_non_null(strstr(fixture->sheet.text, "  \"broker\": null,\n"
                                                "  \"vhost\": null,\n"
                                                "  \"management\": null,\n"));
}

static void the_document_names_every_cause(void **state)
{
    static const struct {
        enum lilyq_cause cause;
        const char *text;
    } cases[] = {{LILYQ_NO_CAUSE, "\"cause\": null"},
                 {LILYQ_CAUSE_CONFLICT, "\"cause\": \"conflict\""},
                 {LILYQ_CAUSE_REFUSED, "\"cause\": \"refused\""},
                 {LILYQ_CAUSE_LOST, "\"cause\": \"lost\""},
                 {LILYQ_CAUSE_STOPPED, "\"cause\": \"stopped\""}};
    struct fixture *const fixture = *state;
    struct run run;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
        fixture->sheet.length = 0;
        run_init(fixture, &run, LILYQ_ENDED_PARTLY, LQ_EXISTING);
        run.report.cause = cases[i].cause;
        assert_int_equal(render_json(fixture, &run), LQ_OK);
        assert_non_null(strstr(fixture->sheet.text, cases[i].text));
    }
}

static void the_document_names_every_ending(void **state)
{
    static const struct {
        enum lilyq_ending ending;
        const char *text;
    } cases[] = {{LILYQ_APPLIED, "\"ending\": \"applied\""},
                 {LILYQ_ENDED_CONFLICT, "\"ending\": \"conflict\""},
                 {LILYQ_ENDED_UNTOUCHED, "\"ending\": \"untouched\""},
                 {LILYQ_ENDED_PARTLY, "\"ending\": \"partly\""},
                 {LILYQ_ENDED_DRY, "\"ending\": \"dry_run\""}};
    struct fixture *const fixture = *state;
    struct run run;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
        fixture->sheet.length = 0;
        run_init(fixture, &run, cases[i].ending, LQ_EXISTING);
        assert_int_equal(render_json(fixture, &run), LQ_OK);
        assert_non_null(strstr(fixture->sheet.text, cases[i].text));
    }
}

static const struct lq_own_policy policy_list[] = {
    {.name = "lilyq-a"}, {.name = "lilyq-b"}, {.name = "lilyq-c"}};
static const struct lq_own_policies policies = {NULL, policy_list, 3};

static void policies_come_first_among_what_is_told(void **state)
{
    struct lq_outcome outcomes[] = {{.result = LQ_CREATED},
                                    {.result = LQ_UPDATED},
                                    {LQ_FAILED, 400, "no \x1b[2J"}};
    struct fixture *const fixture = *state;
    struct run run;

    run_init(fixture, &run, LILYQ_ENDED_PARTLY, LQ_EXISTING);
    run.report.policies = &policies;
    run.report.policy_outcomes = outcomes;
    run.queues[4].result = LQ_NOT_DONE;
    assert_int_equal(render_text(fixture, &run), LQ_OK);
    assert_string_equal(
        fixture->sheet.text,
        "           created  updated  existing  failed  not done\n"
        "exchanges        0        0         3       0         0\n"
        "queues           0        0         4       0         1\n"
        "bindings         0        0         5       0         0\n"
        "policies         1        1         0       1         0\n"
        "failed: policy 'lilyq-c': no \\x1b[2J\n"
        "not done: queue 'orders.created.dlq.v2'\n");
}

static void the_document_counts_policies_that_were_to_be_set(void **state)
{
    struct lq_outcome outcomes[] = {{.result = LQ_UPDATED},
                                    {.result = LQ_EXISTING},
                                    {LQ_FAILED, 400, "no"}};
    struct fixture *const fixture = *state;
    struct run run;

    run_init(fixture, &run, LILYQ_ENDED_PARTLY, LQ_EXISTING);
    run.report.policies = &policies;
    run.report.policy_outcomes = outcomes;
    assert_int_equal(render_json(fixture, &run), LQ_OK);
    assert_non_null(strstr(fixture->sheet.text,
                           "\"policies\": {\"created\": 0, \"updated\": 1, "
                           "\"existing\": 1, \"ensured\": 0, "));
    assert_non_null(strstr(fixture->sheet.text,
                           "  \"policies\": [\n"
                           "    {\"name\": \"lilyq-a\", \"result\": "
                           "\"updated\"},\n"
                           "    {\"name\": \"lilyq-b\", \"result\": "
                           "\"existing\"},\n"
                           "    {\"name\": \"lilyq-c\", \"result\": "
                           "\"failed\", \"code\": 400, \"text\": \"no\"}\n"
                           "  ]\n"));
    assert_null(strstr(strstr(fixture->sheet.text, "\"bindings\": {"),
                       "\"exchanges\": {\"created\": 0, \"updated\""));
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    struct run run;

    run_init(fixture, &run, LILYQ_ENDED_PARTLY, LQ_NOT_DONE);
    run.exchanges[0].text = "why";
    run.bindings[0].text = "why";
    for (size_t limit = 0; limit < 2; ++limit) {
        limit_memory(&fixture->arena, limit);
        (void)render_json(fixture, &run);
        assert_true(fixture->arena.failed);
    }
    limit_memory(&fixture->arena, 0);
    assert_int_equal(render_text(fixture, &run), LQ_OK);
    limit_memory(&fixture->arena, 2);
    assert_int_equal(render_json(fixture, &run), LQ_OK);
}

static void tells_a_sink_that_refuses(void **state)
{
    struct fixture *const fixture = *state;
    struct run run;

    run_init(fixture, &run, LILYQ_APPLIED, LQ_CREATED);
    fixture->sheet.limit = 50;
    assert_int_equal(render_text(fixture, &run), LQ_IO);
    assert_int_equal(render_json(fixture, &run), LQ_IO);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_table_says_that_all_is_well, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            columns_appear_where_there_is_something_to_count, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(names_all_that_is_not_as_planned,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            names_nothing_undone_when_nothing_was_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_dry_run_shows_what_it_would_declare,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_run_without_a_look_counts_what_it_declared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            only_external_bindings_count_as_external, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            the_document_has_counts_and_every_resource, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            the_document_has_no_broker_that_was_not_reached, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_document_names_every_cause, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_document_names_every_ending, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(policies_come_first_among_what_is_told,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            the_document_counts_policies_that_were_to_be_set, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(survives_any_failed_allocation, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(tells_a_sink_that_refuses, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests_name("apply_report", tests, NULL, NULL);
}
