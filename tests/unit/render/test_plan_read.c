#include "render/saved.h"
#include "json/read.h"

#include "../limit.h"
#include "fixture.h"
#include "render/plan.h"

/* Reads a text as a saved plan. */
static enum lq_status read_text(struct fixture *fixture, const char *text,
                                struct lq_diags *warnings,
                                const struct lq_topology **out)
{
    const struct lq_json_source source = {"old.json", text, strlen(text)};
    const struct lq_node *document = NULL;
    enum lq_status status =
        lq_json_read(&source, NULL, &fixture->diags, &document);

    lq_diags_init(warnings, &fixture->arena);
    if (status == LQ_OK) {
        assert_true(lq_plan_is_saved(document));
        status =
            lq_plan_read(document, "old.json", &fixture->diags, warnings, out);
    }
    return status;
}

static void render(struct fixture *fixture)
{
    assert_int_equal(lq_plan_json_render(fixture->topology, &fixture->diags,
                                         &fixture->sheet.sink),
                     LQ_OK);
}

/* Plans, writes, reads and writes again. */
static void assert_kept(struct fixture *fixture, const struct lq_entry *entries,
                        size_t count)
{
    const struct lq_topology *again = NULL;
    struct lq_diags warnings;
    struct sheet sheet;

    sheet_init(&sheet, SIZE_MAX);
    plan(fixture, entries, count);
    render(fixture);
    assert_int_equal(read_text(fixture, fixture->sheet.text, &warnings, &again),
                     LQ_OK);
    assert_int_equal(lq_plan_json_render(again, &warnings, &sheet.sink), LQ_OK);
    assert_string_equal(sheet.text, fixture->sheet.text);
    sheet_free(&sheet);
}

static void gives_the_plan_that_was_written(void **state)
{
    struct lq_entry entries[] = {documented_entry(), external_entry(),
                                 entry_of("q\u00e9 \"x\"\\", "e", "k")};

    entries[0].max_priority = 4;
    entries[0].message_ttl_ms = 4294967295;
    entries[0].single_active_consumer = true;
    entries[0].retry_jitter_ratio = 0.3;
    entries[2].queue_type = LQ_QUORUM;
    entries[2].main_max_bytes = INT64_MAX;
    assert_kept(*state, entries, 3);
}

static void keeps_sums_that_are_not_known_and_the_warning_of_it(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = documented_entry();

    entry.main_max_bytes = INT64_MAX;
    entry.dead_letter_max_bytes = INT64_MAX;
    assert_kept(fixture, &entry, 1);
    assert_non_null(strstr(fixture->sheet.text, "\"bytes\": null"));
    assert_non_null(strstr(fixture->sheet.text, "{\"text\": "));
}

static void keeps_a_plan_of_nothing(void **state)
{
    assert_kept(*state, NULL, 0);
}

/* The document with a piece of it exchanged. */
static const char *changed(struct fixture *fixture, const char *from,
                           const char *to)
{
    const char *const at = strstr(fixture->sheet.text, from);

    assert_non_null(at);
    return lq_format(&fixture->arena, "%.*s%s%s",
                     (int)(at - fixture->sheet.text), fixture->sheet.text, to,
                     at + strlen(from));
}

static const struct {
    const char *from;
    const char *to;
    const char *error;
} cases[] = {
    {"\"format_version\": 1", "\"format_version\": 2",
     "old.json: format_version: must be 1, the only version known here, "
     "not 2"},
    {"\"format_version\": 1", "\"format_version\": \"1\"",
     "old.json: format_version: must be an integer of 0 or more, not '1'"},
    {"\"format_version\": 1,", "",
     "old.json: document must have 'format_version'"},
    {"\"v2\"", "\"v3\"", "old.json: topology_version: must be 'v2', not 'v3'"},
    {"\"topology_version\": \"v2\",", "",
     "old.json: document must have 'topology_version'"},
    {"\"warnings\": []", "\"warnings\": [], \"more\": 1",
     "old.json: more: is not a field of a plan"},
    {"\"warnings\": []", "\"warnings\": [{}]",
     "old.json: warnings[0]: must have 'text'"},
    {"\"warnings\": []", "\"warnings\": [{\"text\": \"a\", \"b\": 1}]",
     "old.json: warnings[0].b: is not a field of a plan"},
    {"\"warnings\": []", "\"warnings\": {}",
     "old.json: warnings: must be an array, not an object"},
    {"\"queues\": 5", "\"queues\": 4",
     "old.json: summary.queues: must be 5, not 4"},
    {"\"queues\": 5", "\"queues\": 5.0",
     "old.json: summary.queues: must be 5, not 5.0"},
    {"{\"messages\": 15, ", "{\"messages\": -15, ",
     "old.json: summary.worst_case.messages: must be an integer of 0 or "
     "more, not -15"},
    {"\"ownership\": \"framework_managed\"", "\"ownership\": \"mine\"",
     "old.json: logical_queues[0].ownership: must be 'framework_managed' "
     "or 'external', not 'mine'"},
    {"\"ownership\": \"framework_managed\"", "\"ownership\": \"external\"",
     "old.json: queues[0].ownership: must be 'external', not "
     "'framework_managed'"},
    {"[[1000], ", "[[1000, 1, 2, 3], ",
     "old.json: logical_queues[0].delays_millis[0]: must have 1 to 3 "
     "delays"},
    {"[[1000], ", "[[], ",
     "old.json: logical_queues[0].delays_millis[0]: must have 1 to 3 "
     "delays"},
    {"[[1000], ", "[\"1000\", ",
     "old.json: logical_queues[0].delays_millis[0]: must be an array, not "
     "'1000'"},
    {"\"retry_exchange\": \"orders.retry.v2\"", "\"retry_exchange\": \"\"",
     "old.json: logical_queues[0].retry_exchange: must be 1 to 200 bytes"},
    {"{\"name\": \"orders\"", "{\"name\": \"orders\\u0000\"",
     "old.json: exchanges[0].name: must be UTF-8"},
    {"{\"name\": \"orders\"", "{\"name\": \"orders.dlx.v2\"",
     "old.json: exchanges[2]: has a name that is there already"},
    {"\"type\": \"direct\"", "\"type\": \"topic\"",
     "old.json: exchanges[0].type: must be 'direct', not 'topic'"},
    {"\"role\": \"main\", \"logical_queue\": \"orders.created\"",
     "\"role\": \"main\", \"logical_queue\": \"x\"",
     "old.json: exchanges[0].logical_queue: must be one of "
     "'logical_queues', not 'x'"},
    {"\"role\": \"main\"", "\"role\": \"retry_bucket\"",
     "old.json: exchanges[0].role: must be 'main' or 'dead_letter', not "
     "'retry_bucket'"},
    {"\"x-max-length\": 1,", "\"x-max-length\": 1.5,",
     "old.json: queues[0].arguments.x-max-length: must be an x-argument of "
     "the type that plans have, not 1.5"},
    {"\"x-max-length\": 1,", "\"x\\\"\": 1,",
     "old.json: queues[0].arguments.x\": must be an x-argument of "
     "the type that plans have, not 1"},
    {"\"durable\": true, \"auto_delete\": false, \"arguments\": {\"x-q",
     "\"durable\": 1, \"auto_delete\": false, \"arguments\": {\"x-q",
     "old.json: queues[0].durable: must be true or false, not 1"},
    {"\"queue\": \"orders.created.retry.v2.1000ms\"", "\"queue\": \"x\"",
     "old.json: logical_queues[0]: queue 'x' must be in the plan"},
    {"\"retry_exchange\": \"orders.retry.v2\"", "\"retry_exchange\": \"x\"",
     "old.json: logical_queues[0]: exchange 'x' must be in the plan"},
    {"\"buckets\": [{\"delay_millis\": 1000, \"queue\": "
     "\"orders.created.retry.v2.1000ms\", \"routing_key\": "
     "\"orders.created.retry.1000ms\"}, ",
     "\"buckets\": [",
     "old.json: document must have 4 queues and bindings, as its logical "
     "queues have"},
    {"\"x-overflow\": \"reject-publish\"", "\"x-overflow\": 1",
     "old.json: queues[0].arguments.x-overflow: must be an x-argument of "
     "the type that plans have, not 1"},
    {"\"destination_type\": \"queue\"", "\"destination_type\": \"exchange\"",
     "old.json: bindings[0].destination_type: must be 'queue', not "
     "'exchange'"},
};

static void refuses_what_was_changed_by_hand_and_says_where(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = documented_entry();

    plan(fixture, &entry, 1);
    render(fixture);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
        const char *const text = changed(fixture, cases[i].from, cases[i].to);
        const struct lq_topology *again = NULL;
        struct lq_diags warnings;

        lq_diags_init(&fixture->diags, &fixture->arena);
        assert_int_equal(read_text(fixture, text, &warnings, &again),
                         LQ_INVALID);
        assert_null(again);
        assert_int_equal(fixture->diags.items.count, 1);
        assert_string_equal(
            lq_diag_line(&fixture->arena, lq_diags_at(&fixture->diags, 0)),
            cases[i].error);
    }
}

static void takes_members_in_any_order(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = documented_entry();
    const struct lq_topology *again = NULL;
    struct lq_diags warnings;

    plan(fixture, &entry, 1);
    render(fixture);
    assert_int_equal(
        read_text(fixture,
                  changed(fixture,
                          "\"format\": \"lilyq-plan\",\n"
                          "  \"format_version\": 1,",
                          "\"format_version\": 1,\"format\": \"lilyq-plan\","),
                  &warnings, &again),
        LQ_OK);
    assert_true(
        again && again->queue_count == fixture->topology->queue_count &&
        strcmp(again->logicals[0].entry->place.path, "logical_queues[0]") == 0);
}

static void tells_a_plan_from_any_other_document(void **state)
{
    static const char *const texts[] = {"{}",
                                        "[]",
                                        "1",
                                        "{\"queues\": []}",
                                        "{\"format\": 1}",
                                        "{\"format\": \"lilyq-apply\"}",
                                        "[{\"format\": \"lilyq-plan\"}]"};
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); ++i) {
        const struct lq_json_source source = {"a", texts[i], strlen(texts[i])};
        const struct lq_node *document = NULL;

        assert_int_equal(
            lq_json_read(&source, NULL, &fixture->diags, &document), LQ_OK);
        assert_false(lq_plan_is_saved(document));
    }
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = documented_entry();
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    entry.main_max_bytes = INT64_MAX; /* for a warning */
    plan(fixture, &entry, 1);
    render(fixture);
    for (; status == LQ_NOMEM; ++limit) {
        const struct lq_topology *again = NULL;
        struct lq_diags warnings;

        lq_arena_free(&fixture->arena);
        limit_memory(&fixture->arena, limit);
        lq_diags_init(&fixture->diags, &fixture->arena);
        status = read_text(fixture, fixture->sheet.text, &warnings, &again);
        assert_true((status == LQ_OK) == (again != NULL));
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 20);
    limit_memory(&fixture->arena, SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(gives_the_plan_that_was_written, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            keeps_sums_that_are_not_known_and_the_warning_of_it, set_up,
            tear_down),
        cmocka_unit_test_setup_teardown(keeps_a_plan_of_nothing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            refuses_what_was_changed_by_hand_and_says_where, set_up, tear_down),
        cmocka_unit_test_setup_teardown(takes_members_in_any_order, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(tells_a_plan_from_any_other_document,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(survives_any_failed_allocation, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
