#include "render/plan.h"

#include "../limit.h"
#include "fixture.h"
#include "render/graph.h"

#include <stdio.h>

struct renderer {
    enum lq_status (*render)(const struct lq_topology *topology,
                             struct lq_arena *arena,
                             const struct lilyq_sink *sink);
};

static const struct renderer renderers[] = {{lq_dot_render},
                                            {lq_mermaid_render}};
static const struct renderer *const dot = &renderers[0];
static const struct renderer *const mermaid = &renderers[1];

static const char *render(struct fixture *fixture,
                          const struct renderer *renderer)
{
    fixture->sheet.length = 0;
    assert_int_equal(renderer->render(fixture->topology, &fixture->arena,
                                      &fixture->sheet.sink),
                     LQ_OK);
    return fixture->sheet.text;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (text = strstr(text, part); text; text = strstr(text + 1, part)) {
        ++count;
    }
    return count;
}

static void build(struct fixture *fixture, struct lq_graph *graph)
{
    assert_int_equal(lq_graph_build(fixture->topology, &fixture->arena, graph),
                     LQ_OK);
}

static void has_an_edge_for_every_way_of_a_message(void **state)
{
    static const struct {
        const char *from;
        const char *to;
        enum lq_edge_kind kind;
        uint64_t millis;
    } want[] = {
        {"x", "a", LQ_EDGE_BINDING, 0},
        {"a", "x.retry.v2", LQ_EDGE_RETRY, 0},
        {"x.retry.v2", "a.retry.v2.1000ms", LQ_EDGE_BINDING, 0},
        {"a.retry.v2.1000ms", "x", LQ_EDGE_RETURN, 1000},
        {"x.retry.v2", "a.retry.v2.2000ms", LQ_EDGE_BINDING, 0},
        {"a.retry.v2.2000ms", "x", LQ_EDGE_RETURN, 2000},
        {"a", "x.dlx.v2", LQ_EDGE_DEAD_LETTER, 500},
        {"x.dlx.v2", "a.dlq.v2", LQ_EDGE_BINDING, 0},
    };
    struct fixture *const fixture = *state;
    struct lq_entry entry = entry_of("a", "x", "k");
    struct lq_graph graph;

    entry.retry_attempts = 2;
    entry.message_ttl_ms = 500;
    plan(fixture, &entry, 1);
    build(fixture, &graph);
    assert_int_equal(graph.edge_count, sizeof(want) / sizeof(*want));
    for (size_t i = 0; i < graph.edge_count; ++i) {
        assert_string_equal(graph.edges[i].from->name, want[i].from);
        assert_string_equal(graph.edges[i].to->name, want[i].to);
        assert_int_equal(graph.edges[i].kind, want[i].kind);
        assert_int_equal(graph.edges[i].millis, want[i].millis);
    }
    assert_string_equal(graph.edges[0].key, "k");
    assert_string_equal(graph.edges[7].key, "a");
}

/* b's main exchange is a's dead-letter exchange; c has one of its own. */
static void draws_shared_exchanges_first_and_once(void **state)
{
    static const char *const want[] = {
        "x.dlx.v2", "x", "a",        "a.dlq.v2", "x.dlx.v2.dlx.v2", "b",
        "b.dlq.v2", "y", "y.dlx.v2", "c",        "c.dlq.v2",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entries[] = {entry_of("a", "x", "a"),
                                       entry_of("b", "x.dlx.v2", "b"),
                                       entry_of("c", "y", "c")};
    struct lq_graph graph;

    plan(fixture, entries, 3);
    build(fixture, &graph);
    assert_int_equal(graph.node_count, sizeof(want) / sizeof(*want));
    for (size_t i = 0; i < graph.node_count; ++i) {
        assert_string_equal(graph.nodes[graph.drawing[i]].name, want[i]);
    }
    assert_null(graph.nodes[graph.drawing[0]].logical);
    assert_ptr_equal(graph.nodes[graph.drawing[1]].logical,
                     graph.nodes[graph.drawing[2]].logical);
}

static void dot_draws_the_documented_example(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = documented_entry();
    const char *text = NULL;

    entry.retry_attempts = 1;
    plan(fixture, &entry, 1);
    text = strstr(render(fixture, dot), "  subgraph");
    assert_non_null(text);
    assert_string_equal(
        text,
        "  subgraph cluster_0 {\n"
        "    label=\"orders.created\"\n"
        "    \"exchange orders\" [label=\"orders\", shape=ellipse, "
        "fillcolor=\"#d5e8d4\"]\n"
        "    \"exchange orders.retry.v2\" [label=\"orders.retry.v2\", "
        "shape=ellipse, fillcolor=\"#fff2cc\"]\n"
        "    \"exchange orders.dlx.v2\" [label=\"orders.dlx.v2\", "
        "shape=ellipse, fillcolor=\"#f8cecc\"]\n"
        "    \"queue orders.created\" [label=\"orders.created\", shape=box, "
        "fillcolor=\"#d5e8d4\"]\n"
        "    \"queue orders.created.retry.v2.1000ms\" "
        "[label=\"orders.created.retry.v2.1000ms\", shape=box, "
        "fillcolor=\"#fff2cc\"]\n"
        "    \"queue orders.created.dlq.v2\" "
        "[label=\"orders.created.dlq.v2\", shape=box, "
        "fillcolor=\"#f8cecc\"]\n"
        "  }\n"
        "  \"exchange orders\" -> \"queue orders.created\" "
        "[label=\"orders.created\"]\n"
        "  \"queue orders.created\" -> \"exchange orders.retry.v2\" "
        "[label=\"retry\", style=bold]\n"
        "  \"exchange orders.retry.v2\" -> "
        "\"queue orders.created.retry.v2.1000ms\" "
        "[label=\"orders.created.retry.1000ms\"]\n"
        "  \"queue orders.created.retry.v2.1000ms\" -> \"exchange orders\" "
        "[label=\"after 1000 ms\"]\n"
        "  \"queue orders.created\" -> \"exchange orders.dlx.v2\" "
        "[label=\"rejected\", style=dashed]\n"
        "  \"exchange orders.dlx.v2\" -> \"queue orders.created.dlq.v2\" "
        "[label=\"orders.created\"]\n"
        "}\n");
}

static void mermaid_draws_the_documented_example(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = documented_entry();
    const char *text = NULL;

    entry.retry_attempts = 1;
    plan(fixture, &entry, 1);
    text = strstr(render(fixture, mermaid), "  subgraph");
    assert_non_null(text);
    assert_string_equal(text,
                        "  subgraph g0[\"orders.created\"]\n"
                        "    x0([\"orders\"]):::main\n"
                        "    x1([\"orders.retry.v2\"]):::retry\n"
                        "    x2([\"orders.dlx.v2\"]):::deadLetter\n"
                        "    q0[\"orders.created\"]:::main\n"
                        "    q1[\"orders.created.retry.v2.1000ms\"]:::retry\n"
                        "    q2[\"orders.created.dlq.v2\"]:::deadLetter\n"
                        "  end\n"
                        "  x0 -->|\"orders.created\"| q0\n"
                        "  q0 ==>|\"retry\"| x1\n"
                        "  x1 -->|\"orders.created.retry.1000ms\"| q1\n"
                        "  q1 -->|\"after 1000 ms\"| x0\n"
                        "  q0 -.->|\"rejected\"| x2\n"
                        "  x2 -->|\"orders.created\"| q2\n");
}

static void tells_a_ttl_of_the_main_queue(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = entry_of("a", "x", "k");

    entry.message_ttl_ms = 60000;
    plan(fixture, &entry, 1);
    assert_int_equal(
        count_of(render(fixture, dot), "label=\"rejected or after 60000 ms\""),
        1);
    assert_int_equal(
        count_of(render(fixture, mermaid), "|\"rejected or after 60000 ms\"|"),
        1);
}

static void marks_what_is_external(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = external_entry();

    plan(fixture, &entry, 1);
    assert_int_equal(count_of(render(fixture, dot), "style=\"filled,dashed\""),
                     4);
    assert_int_equal(count_of(render(fixture, mermaid), " external\n"), 4);
}

/* Two entries that share all their exchanges, and one that shares none. */
static void draws_a_shared_exchange_once_and_outside(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entries[] = {entry_of("a", "x", "a"),
                                       entry_of("b", "x", "b"),
                                       entry_of("c", "y", "c")};
    const char *text = NULL;

    plan(fixture, entries, 3);
    text = render(fixture, dot);
    assert_int_equal(count_of(text, "\n  \"exchange x\" [label"), 1);
    assert_int_equal(count_of(text, "[label=\"x.dlx.v2\""), 1);
    assert_int_equal(count_of(text, "\n  subgraph cluster_"), 3);
    assert_int_equal(count_of(text, "\n  }\n"), 3);
    text = render(fixture, mermaid);
    assert_int_equal(count_of(text, "\n  x0([\"x\"])"), 1);
    assert_int_equal(count_of(text, "\n  subgraph g"), 3);
    assert_int_equal(count_of(text, "\n  end\n"), 3);
}

static void dot_escapes_what_would_end_or_change_a_text(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry =
        entry_of("a\"b\\", "<x>&lt;", "\\n\xc3\xa4 {|}");
    const char *text = NULL;

    plan(fixture, &entry, 1);
    text = render(fixture, dot);
    assert_non_null(
        strstr(text, "    \"queue a\\\"b\\\\\" [label=\"a\\\"b\\\\\", "));
    assert_non_null(strstr(text, "\"exchange <x>&amp;lt;\" -> "
                                 "\"queue a\\\"b\\\\\" "
                                 "[label=\"\\\\n\xc3\xa4 {|}\"]\n"));
}

static void mermaid_writes_what_is_not_plain_as_entities(void **state)
{
    static const struct {
        const char *key;
        const char *label;
    } cases[] = {
        {"Az09.a-b_c", "Az09.a-b_c"},
        {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
        {"a b", "a#32;b"},
        {"\"#;", "#34;#35;#59;"},
        {"`a`", "#96;a#96;"},
        {"_a_", "#95;a_"},
        {"-a--", "#45;a-#45;"},
        {"www.a", "www#46;a"},
        {"1. a", "1.#32;a"},
        {"<a:b>&%%{x}\\", "#60;a#58;b#62;#38;#37;#37;#123;x#125;#92;"},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
        const struct lq_entry entry = entry_of("a", "x", cases[i].key);
        char want[200];

        (void)snprintf(want, sizeof(want), "  x0 -->|\"%s\"| q0\n",
                       cases[i].label);
        plan(fixture, &entry, 1);
        assert_int_equal(count_of(render(fixture, mermaid), want), 1);
    }
}

static void draws_an_empty_plan(void **state)
{
    struct fixture *const fixture = *state;

    plan(fixture, NULL, 0);
    assert_non_null(strstr(render(fixture, dot), "}\n"));
    assert_null(strstr(render(fixture, mermaid), "subgraph"));
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = documented_entry();

    plan(fixture, &entry, 1);
    for (size_t i = 0; i < sizeof(renderers) / sizeof(*renderers); ++i) {
        enum lq_status status = LQ_NOMEM;
        size_t limit = 0;

        for (; status == LQ_NOMEM; ++limit) {
            limit_memory(&fixture->arena, limit);
            fixture->sheet.length = 0;
            status = renderers[i].render(fixture->topology, &fixture->arena,
                                         &fixture->sheet.sink);
        }
        assert_int_equal(status, LQ_OK);
        assert_int_equal(limit, 5);
    }
}

static void tells_a_sink_that_refuses_at_any_byte(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = entry_of("a", "x", "k");

    plan(fixture, &entry, 1);
    for (size_t i = 0; i < sizeof(renderers) / sizeof(*renderers); ++i) {
        const size_t length = strlen(render(fixture, &renderers[i]));

        for (size_t limit = 0; limit < length; ++limit) {
            struct sheet sheet;

            sheet_init(&sheet, limit);
            assert_int_equal(renderers[i].render(fixture->topology,
                                                 &fixture->arena, &sheet.sink),
                             LQ_IO);
            sheet_free(&sheet);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(has_an_edge_for_every_way_of_a_message,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(draws_shared_exchanges_first_and_once,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(dot_draws_the_documented_example,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(mermaid_draws_the_documented_example,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(tells_a_ttl_of_the_main_queue, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(marks_what_is_external, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            draws_a_shared_exchange_once_and_outside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            dot_escapes_what_would_end_or_change_a_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            mermaid_writes_what_is_not_plain_as_entities, set_up, tear_down),
        cmocka_unit_test_setup_teardown(draws_an_empty_plan, set_up, tear_down),
        cmocka_unit_test_setup_teardown(survives_any_failed_allocation, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(tells_a_sink_that_refuses_at_any_byte,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
