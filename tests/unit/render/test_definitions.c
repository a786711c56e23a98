#include "render/plan.h"

#include "fixture.h"

#include <jansson.h>

static enum lq_status render(struct fixture *fixture, const char *vhost)
{
    return lq_definitions_render(fixture->topology, vhost, NULL,
                                 &fixture->sheet.sink);
}

static void puts_every_object_into_the_vhost(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = entry_of("a", "x", "k");

    entry.queue_type = LQ_QUORUM;
    plan(fixture, &entry, 1);
    assert_int_equal(render(fixture, "a \"b\""), LQ_OK);
    assert_string_equal(
        fixture->sheet.text,
        "{\n"
        "  \"exchanges\": [\n"
        "    {\"name\": \"x\", \"vhost\": \"a \\\"b\\\"\", "
        "\"type\": \"direct\", \"durable\": true, \"auto_delete\": false, "
        "\"internal\": false, \"arguments\": {}},\n"
        "    {\"name\": \"x.dlx.v2\", \"vhost\": \"a \\\"b\\\"\", "
        "\"type\": \"direct\", \"durable\": true, \"auto_delete\": false, "
        "\"internal\": false, \"arguments\": {}}\n"
        "  ],\n"
        "  \"queues\": [\n"
        "    {\"name\": \"a\", \"vhost\": \"a \\\"b\\\"\", "
        "\"durable\": true, \"auto_delete\": false, \"arguments\": "
        "{\"x-queue-type\": \"quorum\", \"x-max-length\": 1, "
        "\"x-max-length-bytes\": 2, \"x-overflow\": \"reject-publish\", "
        "\"x-dead-letter-exchange\": \"x.dlx.v2\", "
        "\"x-dead-letter-routing-key\": \"a\"}},\n"
        "    {\"name\": \"a.dlq.v2\", \"vhost\": \"a \\\"b\\\"\", "
        "\"durable\": true, \"auto_delete\": false, \"arguments\": "
        "{\"x-queue-type\": \"quorum\", \"x-max-length\": 5, "
        "\"x-max-length-bytes\": 6, \"x-overflow\": \"reject-publish\"}}\n"
        "  ],\n"
        "  \"bindings\": [\n"
        "    {\"source\": \"x\", \"vhost\": \"a \\\"b\\\"\", "
        "\"destination\": \"a\", \"destination_type\": \"queue\", "
        "\"routing_key\": \"k\", \"arguments\": {}},\n"
        "    {\"source\": \"x.dlx.v2\", \"vhost\": \"a \\\"b\\\"\", "
        "\"destination\": \"a.dlq.v2\", \"destination_type\": \"queue\", "
        "\"routing_key\": \"a\", \"arguments\": {}}\n"
        "  ]\n"
        "}\n");
}

static void leaves_out_what_is_external(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = external_entry();

    plan(fixture, &entry, 1);
    assert_int_equal(render(fixture, "/"), LQ_OK);
    assert_string_equal(fixture->sheet.text, "{\n"
                                             "  \"exchanges\": [],\n"
                                             "  \"queues\": [],\n"
                                             "  \"bindings\": []\n"
                                             "}\n");
}

static void gives_each_argument_its_own_type(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = entry_of("a", "x", "k");
    json_t *document = NULL;
    const json_t *arguments = NULL;

    entry.single_active_consumer = true;
    entry.max_priority = 7;
    entry.main_max_bytes = INT64_MAX;
    plan(fixture, &entry, 1);
    assert_int_equal(render(fixture, "/"), LQ_OK);
    document = json_loads(fixture->sheet.text, 0, NULL);
    assert_non_null(document);
    arguments = json_object_get(
        json_array_get(json_object_get(document, "queues"), 0), "arguments");
    assert_true(
        json_is_true(json_object_get(arguments, "x-single-active-consumer")));
    assert_int_equal(
        json_integer_value(json_object_get(arguments, "x-max-priority")), 7);
    assert_int_equal(
        json_integer_value(json_object_get(arguments, "x-max-length-bytes")),
        INT64_MAX);
    json_decref(document);
}

static void tells_a_sink_that_refuses_at_any_byte(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = documented_entry();
    size_t length = 0;

    plan(fixture, &entry, 1);
    assert_int_equal(render(fixture, "/"), LQ_OK);
    length = fixture->sheet.length;
    for (fixture->sheet.limit = 0; fixture->sheet.limit < length;
         ++fixture->sheet.limit) {
        fixture->sheet.length = 0;
        assert_int_equal(render(fixture, "/"), LQ_IO);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(puts_every_object_into_the_vhost,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_out_what_is_external, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(gives_each_argument_its_own_type,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(tells_a_sink_that_refuses_at_any_byte,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests_name("definitions", tests, NULL, NULL);
}
