#include "../limit.h"
#include "api_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void tells_the_version_it_was_built_as(void **state)
{
    (void)state;
    assert_string_equal(lilyq_version(), LILYQ_VERSION);
}

static void frees_nothing(void **state)
{
    (void)state;
    lilyq_free(NULL);
}

static void starts_without_problems(void **state)
{
    struct lilyq *const run = lilyq_new();

    (void)state;
    assert_non_null(run);
    assert_int_equal(lilyq_problem_count(run), 0);
    assert_null(lilyq_problem_at(run, 0));
    lilyq_free(run);
}

static void renders_every_format(void **state)
{
    static const struct {
        enum lilyq_format format;
        const char *part;
    } cases[] = {
        {LILYQ_FORMAT_JSON, "\"lilyq-plan\""},
        {LILYQ_FORMAT_TREE, "     -> orders.created.retry.v2.4000ms\n"},
        {LILYQ_FORMAT_DEFINITIONS, "\"vhost\": \"/\""},
        {LILYQ_FORMAT_DOT, "digraph"},
        {LILYQ_FORMAT_MERMAID, "flowchart"},
    };
    struct lilyq *const run = plan_orders();
    struct page page;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        const struct lilyq_sink sink = sink_of(&page);

        assert_int_equal(lilyq_render(run, cases[i].format, NULL, &sink),
                         LILYQ_OK);
        assert_non_null(strstr(page.text, cases[i].part));
    }
    assert_int_equal(lilyq_problem_count(run), 0);
    lilyq_free(run);
}

static void renders_the_same_again(void **state)
{
    struct lilyq *const run = plan_orders();
    struct page first;
    struct page second;
    const struct lilyq_sink sink = sink_of(&first);
    const struct lilyq_sink again = sink_of(&second);

    (void)state;
    assert_int_equal(lilyq_render(run, LILYQ_FORMAT_JSON, NULL, &sink),
                     LILYQ_OK);
    assert_int_equal(lilyq_render(run, LILYQ_FORMAT_JSON, NULL, &again),
                     LILYQ_OK);
    assert_string_equal(first.text, second.text);
    lilyq_free(run);
}

static void names_the_vhost_of_a_definitions_file(void **state)
{
    struct lilyq *const run = plan_orders();
    struct page page;
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    assert_int_equal(
        lilyq_render(run, LILYQ_FORMAT_DEFINITIONS, "/shop", &sink), LILYQ_OK);
    assert_non_null(strstr(page.text, "\"vhost\": \"/shop\""));
    lilyq_free(run);
}

static void rejects_a_vhost_that_no_broker_has(void **state)
{
    static char longest[257];
    struct lilyq *const run = plan_orders();
    struct page page;
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    memset(longest, 'v', 255);
    assert_int_equal(
        lilyq_render(run, LILYQ_FORMAT_DEFINITIONS, longest, &sink), LILYQ_OK);
    longest[255] = 'v';
    assert_int_equal(
        lilyq_render(run, LILYQ_FORMAT_DEFINITIONS, longest, &sink),
        LILYQ_INVALID);
    assert_int_equal(
        lilyq_render(run, LILYQ_FORMAT_DEFINITIONS, "a\xff", &sink),
        LILYQ_INVALID);
    assert_int_equal(lilyq_problem_count(run), 2);
    assert_null(lilyq_problem_at(run, 1)->file);
    assert_string_equal(
        message_at(run, 1),
        "vhost must be at most 255 bytes of UTF-8, not 'a\\xff'");
    lilyq_free(run);
}

static void rejects_a_format_that_does_not_exist(void **state)
{
    struct lilyq *const run = plan_orders();
    struct page page;
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    assert_int_equal(lilyq_render(run, (enum lilyq_format)9, NULL, &sink),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, 0), "no output format has number 9");
    lilyq_free(run);
}

static void tells_when_the_sink_refuses(void **state)
{
    struct lilyq *const run = plan_orders();

    (void)state;
    for (int format = LILYQ_FORMAT_JSON; format <= LILYQ_FORMAT_MERMAID;
         ++format) {
        struct page page;
        const struct lilyq_sink sink = sink_of(&page);

        page.room = 10;
        assert_int_equal(
            lilyq_render(run, (enum lilyq_format)format, NULL, &sink),
            LILYQ_IO);
    }
    lilyq_free(run);
}

static void has_nothing_to_render_without_a_plan(void **state)
{
    struct lilyq *const run = lilyq_new();
    struct page page;
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    assert_int_equal(lilyq_render(run, LILYQ_FORMAT_TREE, NULL, &sink),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, 0), "there is no plan to render");
    assert_int_equal(page.length, 0);
    lilyq_free(run);
}

static void plans_several_documents_as_one_topology(void **state)
{
    static const char json[] =
        "{\"queues\": [{\"name\": \"b\", \"exchange_name\": \"e\","
        "\"routing_key\": \"k\", \"retention\": {"
        "\"main_max_messages\": 1, \"main_max_bytes\": 1,"
        "\"retry_bucket_max_messages\": 1, \"retry_bucket_max_bytes\": 1,"
        "\"dead_letter_max_messages\": 1, \"dead_letter_max_bytes\": 1}}]}";
    struct lilyq *const run = lilyq_new();
    struct page page;
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    assert_int_equal(load_ini(run, "orders.ini", ORDERS), LILYQ_OK);
    assert_int_equal(
        lilyq_load_text(run, "b.json", json, strlen(json), LILYQ_INPUT_AUTO),
        LILYQ_OK);
    assert_int_equal(lilyq_plan(run), LILYQ_OK);
    assert_int_equal(lilyq_render(run, LILYQ_FORMAT_TREE, NULL, &sink),
                     LILYQ_OK);
    assert_non_null(strstr(page.text, "orders.created\n"));
    assert_non_null(strstr(page.text, "\nb\n  -> e.dlx.v2\n"));
    lilyq_free(run);
}

static void plans_once(void **state)
{
    struct lilyq *const run = plan_orders();

    (void)state;
    assert_int_equal(lilyq_plan(run), LILYQ_OK);
    assert_int_equal(load_ini(run, "late.ini", ORDERS), LILYQ_INVALID);
    assert_string_equal(message_at(run, 0),
                        "nothing can be added once the topology is planned");
    assert_int_equal(lilyq_load_file(run, "late.ini", LILYQ_INPUT_AUTO),
                     LILYQ_INVALID);
    assert_int_equal(lilyq_plan(run), LILYQ_OK);
    lilyq_free(run);
}

static void loads_a_file(void **state)
{
    char path[] = "/tmp/lilyq-test-XXXXXX";
    const int file = mkstemp(path);
    struct lilyq *const run = lilyq_new();

    (void)state;
    assert_true(file >= 0);
    assert_int_equal(write(file, ORDERS, strlen(ORDERS)), strlen(ORDERS));
    assert_int_equal(close(file), 0);
    assert_int_equal(lilyq_load_file(run, path, LILYQ_INPUT_AUTO), LILYQ_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(lilyq_plan(run), LILYQ_OK);
    lilyq_free(run);
}

static void says_which_file_cannot_be_read(void **state)
{
    struct lilyq *const run = lilyq_new();

    (void)state;
    assert_int_equal(lilyq_load_file(run, "/nowhere.ini", LILYQ_INPUT_AUTO),
                     LILYQ_IO);
    assert_int_equal(lilyq_problem_count(run), 1);
    assert_string_equal(
        message_at(run, 0),
        "cannot read '/nowhere.ini': No such file or directory");
    assert_int_equal(lilyq_plan(run), LILYQ_INVALID);
    lilyq_free(run);
}

static void gives_problems_their_place(void **state)
{
    struct lilyq *const run = lilyq_new();
    const struct lilyq_problem *problem = NULL;

    (void)state;
    assert_int_equal(load_ini(run, "a.ini", ORDERS "retry_jitter_ratio = 2\n"),
                     LILYQ_INVALID);
    assert_int_equal(lilyq_problem_count(run), 1);
    problem = lilyq_problem_at(run, 0);
    assert_string_equal(problem->file, "a.ini");
    assert_int_equal(problem->line, 11);
    assert_false(problem->warning);
    assert_non_null(strstr(problem->text, "'retry_jitter_ratio' must be"));
    assert_non_null(strstr(problem->message, "a.ini:11: "));
    assert_non_null(strstr(problem->message, problem->text));
    assert_null(lilyq_problem_at(run, 1));
    lilyq_free(run);
}

static void orders_problems_by_place(void **state)
{
    struct lilyq *const run = lilyq_new();

    (void)state;
    /* the planner's problem with line 1 comes after the loader's with 12 */
    assert_int_equal(load_ini(run, "a.ini",
                              "[queue:a]\n"
                              "exchange_name = e\n"
                              "routing_key = k\n"
                              "exclusive = true\n"
                              "retry_attempts = many\n"
                              "\n"
                              "[queue:b]\n"
                              "colour = red\n"),
                     LILYQ_INVALID);
    assert_int_equal(load_ini(run, "b.ini", "colour = red\n"), LILYQ_INVALID);
    assert_int_equal(lilyq_plan(run), LILYQ_INVALID);
    assert_true(lilyq_problem_count(run) > 4);
    for (size_t i = 1; i < lilyq_problem_count(run); ++i) {
        const struct lilyq_problem *const before = lilyq_problem_at(run, i - 1);
        const struct lilyq_problem *const problem = lilyq_problem_at(run, i);
        const int order = strcmp(before->file, problem->file);

        assert_true(order < 0 || (order == 0 && before->line <= problem->line));
    }
    lilyq_free(run);
}

static void keeps_problems_that_were_handed_out(void **state)
{
    struct lilyq *const run = lilyq_new();
    const struct lilyq_problem *problem = NULL;

    (void)state;
    assert_int_equal(load_ini(run, "a.ini", "colour = red\n"), LILYQ_INVALID);
    problem = lilyq_problem_at(run, 0);
    for (size_t i = 0; i < 40; ++i) {
        assert_int_equal(load_ini(run, "b.ini", "colour = red\n"),
                         LILYQ_INVALID);
    }
    assert_int_equal(lilyq_plan(run), LILYQ_INVALID);
    assert_string_equal(problem->file, "a.ini");
    assert_int_equal(lilyq_problem_count(run), 41);
    lilyq_free(run);
}

static void finds_the_planners_problems_after_a_failed_load(void **state)
{
    struct lilyq *const run = lilyq_new();
    bool found = false;

    (void)state;
    assert_int_equal(load_ini(run, "a.ini", ORDERS "colour = red\n"),
                     LILYQ_INVALID);
    assert_int_equal(load_ini(run, "b.ini", ORDERS), LILYQ_OK);
    assert_int_equal(lilyq_plan(run), LILYQ_INVALID);
    assert_int_equal(lilyq_plan(run), LILYQ_INVALID);
    for (size_t i = 0; i < lilyq_problem_count(run); ++i) {
        found = found || strcmp(lilyq_problem_at(run, i)->file, "b.ini") == 0;
    }
    assert_true(found);
    lilyq_free(run);
}

static void tells_warnings_from_errors(void **state)
{
    struct lilyq *const run = lilyq_new();
    struct page page;
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    assert_int_equal(
        load_ini(run, "a.ini",
                 "[queue:a]\n"
                 "exchange_name = e\n"
                 "routing_key = k\n"
                 "retention.main_max_messages = 9223372036854775807\n"
                 "retention.main_max_bytes = 1\n"
                 "retention.retry_bucket_max_messages = 1\n"
                 "retention.retry_bucket_max_bytes = 1\n"
                 "retention.dead_letter_max_messages = 1\n"
                 "retention.dead_letter_max_bytes = 1\n"),
        LILYQ_OK);
    assert_int_equal(lilyq_plan(run), LILYQ_OK);
    assert_true(lilyq_problem_count(run) > 0);
    assert_true(lilyq_problem_at(run, 0)->warning);
    assert_non_null(strstr(message_at(run, 0), "a.ini:1: warning: "));
    assert_int_equal(lilyq_render(run, LILYQ_FORMAT_JSON, NULL, &sink),
                     LILYQ_OK);
    assert_non_null(strstr(page.text, "\"warnings\": [\n"));
    lilyq_free(run);
}

/* Loads good and bad text and a file, plans and renders. */
static enum lilyq_status run_all(struct lilyq *run, bool good)
{
    struct page page;
    const struct lilyq_sink sink = sink_of(&page);
    enum lilyq_status status = load_ini(run, "a.ini", ORDERS);

    if (status == LILYQ_OK && !good) {
        status = load_ini(run, "b.ini", "colour = red\n[queue:b]\nx = y\n");
        status = status == LILYQ_INVALID ? LILYQ_OK : status;
    }
    if (status == LILYQ_OK && !good) {
        status = lilyq_load_file(run, "/nowhere.ini", LILYQ_INPUT_AUTO);
        status = status == LILYQ_IO ? LILYQ_OK : status;
    }
    if (status == LILYQ_OK) {
        status = lilyq_plan(run);
    }
    for (int format = LILYQ_FORMAT_JSON;
         status == LILYQ_OK && format <= LILYQ_FORMAT_MERMAID; ++format) {
        (void)sink_of(&page);
        status = lilyq_render(run, (enum lilyq_format)format, NULL, &sink);
    }
    return status;
}

static void survives_any_failed_allocation(void **state)
{
    (void)state;
    for (int good = 0; good < 2; ++good) {
        const enum lilyq_status wanted = good ? LILYQ_OK : LILYQ_INVALID;
        enum lilyq_status status = LILYQ_NOMEM;

        for (size_t limit = 0; status == LILYQ_NOMEM; ++limit) {
            struct lilyq *const run = lilyq_new();

            assert_non_null(run);
            assert_true(limit < 20000);
            limit_memory(&run->arena, limit);
            status = run_all(run, good);
            assert_true(status == LILYQ_NOMEM || status == wanted);
            lilyq_free(run);
        }
        assert_int_equal(status, wanted);
    }
}

static void rejects_a_vhost_whatever_memory_there_is(void **state)
{
    enum lilyq_status status = LILYQ_NOMEM;

    (void)state;
    for (size_t limit = 0; status == LILYQ_NOMEM; ++limit) {
        struct lilyq *const run = plan_orders();
        struct page page;
        const struct lilyq_sink sink = sink_of(&page);

        assert_true(limit < 100);
        limit_memory(&run->arena, limit);
        status = lilyq_render(run, LILYQ_FORMAT_DEFINITIONS, "\xff", &sink);
        assert_int_equal(page.length, 0);
        lilyq_free(run);
    }
    assert_int_equal(status, LILYQ_INVALID);
}

static void counts_what_is_planned(void **state)
{
    struct lilyq *const run = lilyq_new();
    struct lilyq_planned planned;

    (void)state;
    lilyq_count_planned(run, &planned);
    assert_int_equal(planned.logical_queues, 0);
    assert_int_equal(load_ini(run, "a.ini",
                              ORDERS "queue_type = quorum\n"
                                     "[queue:theirs]\n"
                                     "topology_ownership = external\n"
                                     "exchange_name = orders.theirs\n"
                                     "routing_key = theirs\n"
                                     "dead_letter_exchange = dlx\n"
                                     "dead_letter_routing_key = dead\n"
                                     "retention.main_max_messages = 1\n"
                                     "retention.main_max_bytes = 1\n"
                                     "retention.retry_bucket_max_messages = 1\n"
                                     "retention.retry_bucket_max_bytes = 1\n"
                                     "retention.dead_letter_max_messages = 1\n"
                                     "retention.dead_letter_max_bytes = 1\n"),
                     LILYQ_OK);
    assert_int_equal(lilyq_plan(run), LILYQ_OK);
    lilyq_count_planned(run, &planned);
    assert_int_equal(planned.logical_queues, 2);
    assert_int_equal(planned.external, 1);
    assert_int_equal(planned.exchanges, run->topology->exchange_count);
    assert_int_equal(planned.queues, run->topology->queue_count);
    assert_int_equal(planned.bindings, run->topology->binding_count);
    assert_true(planned.has_quorum_dlq);
    lilyq_free(run);
}

static void counts_no_dlq_that_is_classic(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_planned planned;

    (void)state;
    lilyq_count_planned(run, &planned);
    assert_int_equal(planned.logical_queues, 1);
    assert_int_equal(planned.external, 0);
    assert_int_equal(planned.queues, 5);
    assert_false(planned.has_quorum_dlq);
    lilyq_free(run);
}

static void never_plans_what_memory_cut_short(void **state)
{
    struct lilyq *const run = lilyq_new();

    (void)state;
    limit_memory(&run->arena, 3);
    assert_int_equal(load_ini(run, "a.ini", ORDERS), LILYQ_NOMEM);
    limit_memory(&run->arena, SIZE_MAX);
    assert_int_equal(load_ini(run, "a.ini", ORDERS), LILYQ_NOMEM);
    assert_int_equal(lilyq_plan(run), LILYQ_NOMEM);
    lilyq_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_the_version_it_was_built_as),
        cmocka_unit_test(frees_nothing),
        cmocka_unit_test(starts_without_problems),
        cmocka_unit_test(renders_every_format),
        cmocka_unit_test(renders_the_same_again),
        cmocka_unit_test(names_the_vhost_of_a_definitions_file),
        cmocka_unit_test(rejects_a_vhost_that_no_broker_has),
        cmocka_unit_test(rejects_a_format_that_does_not_exist),
        cmocka_unit_test(tells_when_the_sink_refuses),
        cmocka_unit_test(has_nothing_to_render_without_a_plan),
        cmocka_unit_test(plans_several_documents_as_one_topology),
        cmocka_unit_test(plans_once),
        cmocka_unit_test(loads_a_file),
        cmocka_unit_test(says_which_file_cannot_be_read),
        cmocka_unit_test(gives_problems_their_place),
        cmocka_unit_test(orders_problems_by_place),
        cmocka_unit_test(keeps_problems_that_were_handed_out),
        cmocka_unit_test(finds_the_planners_problems_after_a_failed_load),
        cmocka_unit_test(tells_warnings_from_errors),
        cmocka_unit_test(survives_any_failed_allocation),
        cmocka_unit_test(rejects_a_vhost_whatever_memory_there_is),
        cmocka_unit_test(counts_what_is_planned),
        cmocka_unit_test(counts_no_dlq_that_is_classic),
        cmocka_unit_test(never_plans_what_memory_cut_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
