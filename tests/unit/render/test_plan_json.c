#include "render/plan.h"

#include "../limit.h"
#include "fixture.h"

#include <jansson.h>

static enum lq_status render(struct fixture *fixture)
{
    return lq_plan_json_render(fixture->topology, &fixture->diags,
                               &fixture->sheet.sink);
}

/* Renders and reads the document back; the caller owns it. */
static json_t *document_of(struct fixture *fixture)
{
    json_t *document = NULL;

    assert_int_equal(render(fixture), LQ_OK);
    document = json_loads(fixture->sheet.text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(document);
    return document;
}

/* The value at a path such as "queues", 2, "name" as compact JSON. */
static void assert_at(const json_t *document, const char *array, size_t index,
                      const char *key, const char *want)
{
    json_t *const item =
        json_array_get(json_object_get(document, array), index);
    char *const got =
        json_dumps(json_object_get(item, key), JSON_COMPACT | JSON_ENCODE_ANY);

    assert_non_null(got);
    assert_string_equal(got, want);
    free(got);
}

static void has_its_members_in_the_documented_order(void **state)
{
    static const char *const keys[] = {
        "format",  "format_version", "topology_version",
        "summary", "logical_queues", "exchanges",
        "queues",  "bindings",       "warnings",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = documented_entry();
    json_t *document = NULL;
    void *at = NULL;

    plan(fixture, &entry, 1);
    document = document_of(fixture);
    at = json_object_iter(document);
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); ++i) {
        assert_string_equal(json_object_iter_key(at), keys[i]);
        at = json_object_iter_next(document, at);
    }
    assert_null(at);
    json_decref(document);
}

static void describes_a_logical_queue(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = documented_entry();

    plan(fixture, &entry, 1);
    assert_int_equal(render(fixture), LQ_OK);
    assert_non_null(strstr(
        fixture->sheet.text,
        "  \"summary\": {\"logical_queues\": 1, \"exchanges\": 3, "
        "\"queues\": 5, \"bindings\": 5, \"buckets\": 3, "
        "\"worst_case\": {\"messages\": 15, \"bytes\": 20}},\n"
        "  \"logical_queues\": [\n"
        "    {\"name\": \"orders.created\", "
        "\"ownership\": \"framework_managed\", \"queue_type\": \"classic\", "
        "\"exchange\": \"orders\", \"routing_key\": \"orders.created\", "
        "\"retry_exchange\": \"orders.retry.v2\", "
        "\"delays_millis\": [[1000], [2000], [4000]], \"buckets\": ["
        "{\"delay_millis\": 1000, "
        "\"queue\": \"orders.created.retry.v2.1000ms\", "
        "\"routing_key\": \"orders.created.retry.1000ms\"}, "
        "{\"delay_millis\": 2000, "
        "\"queue\": \"orders.created.retry.v2.2000ms\", "
        "\"routing_key\": \"orders.created.retry.2000ms\"}, "
        "{\"delay_millis\": 4000, "
        "\"queue\": \"orders.created.retry.v2.4000ms\", "
        "\"routing_key\": \"orders.created.retry.4000ms\"}], "
        "\"retry_window\": {\"min_wait_millis\": 7000, "
        "\"max_wait_millis\": 7000}, \"dead_letter\": "
        "{\"exchange\": \"orders.dlx.v2\", "
        "\"queue\": \"orders.created.dlq.v2\", "
        "\"routing_key\": \"orders.created\"}, "
        "\"worst_case\": {\"messages\": 15, \"bytes\": 20}}\n"
        "  ],\n"));
}

static void says_what_each_resource_is_for(void **state)
{
    static const struct {
        const char *array;
        size_t index;
        const char *role;
    } cases[] = {
        {"exchanges", 0, "\"main\""},
        {"exchanges", 1, "\"retry\""},
        {"exchanges", 2, "\"dead_letter\""},
        {"queues", 0, "\"main\""},
        {"queues", 1, "\"retry_bucket\""},
        {"queues", 4, "\"dead_letter\""},
        {"bindings", 0, "\"main\""},
        {"bindings", 1, "\"retry_bucket\""},
        {"bindings", 4, "\"dead_letter\""},
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = documented_entry();
    json_t *document = NULL;

    plan(fixture, &entry, 1);
    document = document_of(fixture);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
        assert_at(document, cases[i].array, cases[i].index, "role",
                  cases[i].role);
        assert_at(document, cases[i].array, cases[i].index, "logical_queue",
                  "\"orders.created\"");
        assert_at(document, cases[i].array, cases[i].index, "ownership",
                  "\"framework_managed\"");
    }
    json_decref(document);
}

static void says_null_where_there_are_no_retries(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = external_entry();
    json_t *document = NULL;

    plan(fixture, &entry, 1);
    document = document_of(fixture);
    assert_at(document, "logical_queues", 0, "retry_exchange", "null");
    assert_at(document, "logical_queues", 0, "delays_millis", "[]");
    assert_at(document, "logical_queues", 0, "buckets", "[]");
    assert_at(document, "logical_queues", 0, "retry_window",
              "{\"min_wait_millis\":0,\"max_wait_millis\":0}");
    assert_at(document, "logical_queues", 0, "ownership", "\"external\"");
    assert_at(document, "exchanges", 1, "ownership", "\"external\"");
    assert_at(document, "queues", 1, "ownership", "\"external\"");
    assert_at(document, "bindings", 1, "ownership", "\"external\"");
    json_decref(document);
}

static void says_null_for_a_sum_beyond_int64_and_warns(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = documented_entry();
    json_t *document = NULL;

    entry.main_max_bytes = INT64_MAX;
    plan(fixture, &entry, 1);
    document = document_of(fixture);
    assert_at(document, "logical_queues", 0, "worst_case",
              "{\"messages\":15,\"bytes\":null}");
    assert_true(json_array_size(json_object_get(document, "warnings")) > 0);
    json_decref(document);
}

static void lists_warnings_but_neither_errors_nor_places(void **state)
{
    static const struct lq_place place = {.file = "secret.ini", .line = 7};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = documented_entry();

    plan(fixture, &entry, 1);
    assert_int_equal(lq_error(&fixture->diags, &place, "an error"), LQ_INVALID);
    lq_warning(&fixture->diags, &place, "odd \xff\n");
    lq_warning(&fixture->diags, NULL, "odder");
    assert_int_equal(render(fixture), LQ_OK);
    assert_non_null(strstr(fixture->sheet.text,
                           "  \"warnings\": [\n"
                           "    {\"text\": \"odd \\\\xff\\\\x0a\"},\n"
                           "    {\"text\": \"odder\"}\n"
                           "  ]\n"
                           "}\n"));
    assert_null(strstr(fixture->sheet.text, "secret"));
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = documented_entry();
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    plan(fixture, &entry, 1);
    lq_warning(&fixture->diags, NULL, "odd");
    lq_warning(&fixture->diags, NULL, "odder");
    for (; status == LQ_NOMEM; ++limit) {
        limit_memory(&fixture->arena, limit);
        fixture->sheet.length = 0;
        status = lq_arena_status(&fixture->arena, render(fixture));
    }
    assert_int_equal(status, LQ_OK);
    assert_int_equal(limit, 3);
}

static void tells_a_sink_that_refuses_at_any_byte(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = documented_entry();
    size_t length = 0;

    plan(fixture, &entry, 1);
    assert_int_equal(render(fixture), LQ_OK);
    length = fixture->sheet.length;
    for (fixture->sheet.limit = 0; fixture->sheet.limit < length;
         ++fixture->sheet.limit) {
        fixture->sheet.length = 0;
        assert_int_equal(render(fixture), LQ_IO);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(has_its_members_in_the_documented_order,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(describes_a_logical_queue, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(says_what_each_resource_is_for, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(says_null_where_there_are_no_retries,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            says_null_for_a_sum_beyond_int64_and_warns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            lists_warnings_but_neither_errors_nor_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(survives_any_failed_allocation, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(tells_a_sink_that_refuses_at_any_byte,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests_name("plan_json", tests, NULL, NULL);
}
