#include "../limit.h"
#include "api_fixture.h"

/* What a broker exports that holds the entry of the fixture and no bindings. */
#define EXPORTED                                                               \
    "{\"exchanges\":[{\"name\":\"orders\",\"type\":\"fanout\",\"durable\":"    \
    "true,\"auto_delete\":false,\"internal\":false,\"arguments\":{}}],"        \
    "\"queues\":[],\"policies\":[]}"

static enum lilyq_status diff_text(struct lilyq *run, const char *text,
                                   struct lilyq_drift *out)
{
    const struct lilyq_definitions definitions = {"x.json", text, strlen(text),
                                                  NULL};
    const struct lilyq_source source = {.definitions = &definitions};

    return lilyq_diff(run, &source, NULL, out);
}

static void counts_what_it_finds(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_drift drift;

    (void)state;
    assert_int_equal(diff_text(run, EXPORTED, &drift), LILYQ_OK);
    assert_int_equal(drift.counts[LILYQ_MISSING], 7);
    assert_int_equal(drift.counts[LILYQ_DIFFERENT], 1);
    assert_int_equal(drift.counts[LILYQ_UNEXPECTED], 0);
    assert_true(drift.counts[LILYQ_UNVERIFIED] >= 5);
    assert_string_equal(drift.source, "x.json");
    assert_string_equal(drift.vhost, "/");
    lilyq_free(run);
}

/* A quorum queue, and a broker that has none of it. */
static struct lilyq *plan_quorum(void)
{
    static const char text[] =
        "[queue:q]\nexchange_name=x\nrouting_key=k\nqueue_type=quorum\n"
        "retention.main_max_messages=1\nretention.main_max_bytes=1\n"
        "retention.retry_bucket_max_messages=1\n"
        "retention.retry_bucket_max_bytes=1\n"
        "retention.dead_letter_max_messages=1\n"
        "retention.dead_letter_max_bytes=1\n";
    struct lilyq *const run = lilyq_new();

    assert_int_equal(
        lilyq_load_text(run, "q.ini", text, sizeof(text) - 1, LILYQ_INPUT_INI),
        LILYQ_OK);
    assert_int_equal(lilyq_plan(run), LILYQ_OK);
    return run;
}

static void compares_policies_when_asked(void **state)
{
    static const char nothing[] = "{\"rabbit_version\":\"4.0.5\","
                                  "\"exchanges\":[],\"queues\":[],"
                                  "\"bindings\":[],\"policies\":[]}";
    static const struct lilyq_policy_options usual;
    static const struct lilyq_policy_options native = {.native_retry = true};
    const struct lilyq_definitions definitions = {"x.json", nothing,
                                                  sizeof(nothing) - 1, NULL};
    struct lilyq_source source = {.definitions = &definitions};
    struct lilyq *const run = plan_quorum();
    struct lilyq_drift drift;

    (void)state;
    assert_int_equal(lilyq_diff(run, &source, NULL, &drift), LILYQ_OK);
    assert_int_equal(drift.counts[LILYQ_MISSING], 6);
    assert_true(drift.policies_left_out);
    source.policies = &usual;
    assert_int_equal(lilyq_diff(run, &source, NULL, &drift), LILYQ_OK);
    assert_int_equal(drift.counts[LILYQ_MISSING], 8);
    assert_false(drift.policies_left_out);
    source.policies = &native;
    assert_int_equal(lilyq_diff(run, &source, NULL, &drift), LILYQ_INVALID);
    assert_string_equal(lilyq_problem_at(run, 0)->text,
                        "native retry cannot be combined with v2");
    lilyq_free(run);
}

static void renders_every_form(void **state)
{
    static const char *const starts[] = {
        [LILYQ_DIFF_TEXT] = "orders.created\n  ~ exchange 'orders': type is "
                            "'fanout', plan says 'direct'\n",
        [LILYQ_DIFF_JSON] = "{\n  \"format\": \"lilyq-diff\",\n",
        [LILYQ_DIFF_JUNIT] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        [LILYQ_DIFF_GITHUB] = "::error file=orders.ini,line=1,title="
                              "orders.created%3A exchange property different::",
    };
    static struct page page;
    struct lilyq *const run = plan_orders();
    struct lilyq_drift drift;

    (void)state;
    assert_int_equal(diff_text(run, EXPORTED, &drift), LILYQ_OK);
    for (unsigned i = 0; i < sizeof(starts) / sizeof(starts[0]); ++i) {
        const struct lilyq_sink sink = sink_of(&page);

        assert_int_equal(
            lilyq_render_diff(run, (enum lilyq_diff_format)i, NULL, &sink),
            LILYQ_OK);
        assert_int_equal(strncmp(page.text, starts[i], strlen(starts[i])), 0);
    }
    lilyq_free(run);
}

static void a_style_says_what_counts(void **state)
{
    static struct page page;
    const struct lilyq_diff_style style = {.fail_on = 1U << LILYQ_UNEXPECTED};
    struct lilyq *const run = plan_orders();
    const struct lilyq_sink sink = sink_of(&page);
    struct lilyq_drift drift;

    (void)state;
    assert_int_equal(diff_text(run, EXPORTED, &drift), LILYQ_OK);
    assert_int_equal(lilyq_render_diff(run, LILYQ_DIFF_JSON, &style, &sink),
                     LILYQ_OK);
    assert_non_null(strstr(page.text, "\"fail_on\": [\"unexpected\"],\n"
                                      "  \"drift\": false,\n"));
    lilyq_free(run);
}

static void tells_a_sink_that_refuses(void **state)
{
    static struct page page;
    struct lilyq *const run = plan_orders();
    struct lilyq_sink sink = sink_of(&page);
    struct lilyq_drift drift;

    (void)state;
    page.room = 0;
    assert_int_equal(diff_text(run, EXPORTED, &drift), LILYQ_OK);
    for (unsigned i = 0; i <= LILYQ_DIFF_GITHUB; ++i) {
        assert_int_equal(
            lilyq_render_diff(run, (enum lilyq_diff_format)i, NULL, &sink),
            LILYQ_IO);
    }
    lilyq_free(run);
}

static void needs_somewhere_to_look(void **state)
{
    static const struct lilyq_connection nowhere;
    static const struct lilyq_definitions definitions;
    static const struct lilyq_earlier earlier;
    const struct lilyq_source cases[] = {
        {.connection = NULL},
        {.connection = &nowhere, .definitions = &definitions},
        {.connection = &nowhere, .earlier = &earlier},
        {.definitions = &definitions, .earlier = &earlier},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        struct lilyq *const run = plan_orders();
        struct lilyq_drift drift;

        assert_int_equal(lilyq_diff(run, &cases[i], NULL, &drift),
                         LILYQ_INVALID);
        assert_string_equal(message_at(run, 0),
                            "a diff needs a connection, definitions or "
                            "an earlier plan");
        assert_null(drift.source);
        lilyq_free(run);
    }
}

static enum lilyq_status diff_earlier(struct lilyq *run, const char *name,
                                      const char *text, struct lilyq_drift *out)
{
    const struct lilyq_earlier earlier = {name, text, text ? strlen(text) : 0};
    const struct lilyq_source source = {.earlier = &earlier};

    return lilyq_diff(run, &source, NULL, out);
}

static void compares_with_a_plan_that_was_saved(void **state)
{
    static struct page page;
    struct lilyq *const run = plan_orders();
    const struct lilyq_sink sink = sink_of(&page);
    struct lilyq_drift drift;

    (void)state;
    assert_int_equal(lilyq_render(run, LILYQ_FORMAT_JSON, NULL, &sink),
                     LILYQ_OK);
    assert_int_equal(diff_earlier(run, "old", page.text, &drift), LILYQ_OK);
    assert_int_equal(drift.kind, LILYQ_SOURCE_EARLIER);
    assert_string_equal(drift.source, "old");
    assert_null(drift.vhost);
    for (unsigned i = 0; i < LILYQ_FINDING_COUNT; ++i) {
        assert_int_equal(drift.counts[i], 0);
    }
    assert_int_equal(diff_earlier(run, "old", "", &drift), LILYQ_OK);
    assert_true(drift.counts[LILYQ_MISSING] > 10);
    lilyq_free(run);
}

static void says_what_is_wrong_with_an_earlier_plan(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_drift drift;

    (void)state;
    assert_int_equal(diff_earlier(run, "old", "[queue]\n", &drift),
                     LILYQ_INVALID);
    assert_int_equal(strncmp(message_at(run, 0), "old:1: ", 7), 0);
    assert_int_equal(diff_earlier(run, "old",
                                  "\xef\xbb\xbf {\"format\": \"lilyq-plan\"}",
                                  &drift),
                     LILYQ_INVALID);
    assert_int_equal(diff_earlier(run, "old",
                                  "\n{\"exchanges\": [], \"queues\": [], "
                                  "\"bindings\": []}",
                                  &drift),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, lilyq_problem_count(run) - 1),
                        "old: document is a broker's definitions, not queue "
                        "entries or a plan");
    assert_int_equal(diff_earlier(run, "old", "{\"queues\": 1}", &drift),
                     LILYQ_INVALID);
    assert_int_equal(diff_earlier(run, "does/not/exist", NULL, &drift),
                     LILYQ_IO);
    assert_null(drift.source);
    lilyq_free(run);
}

static void needs_a_plan_and_then_a_comparison(void **state)
{
    static struct page page;
    const struct lilyq_sink sink = sink_of(&page);
    struct lilyq *const run = lilyq_new();
    struct lilyq_drift drift;

    (void)state;
    assert_non_null(run);
    assert_int_equal(diff_text(run, EXPORTED, &drift), LILYQ_INVALID);
    assert_string_equal(message_at(run, 0), "there is no plan to compare");
    assert_int_equal(lilyq_render_diff(run, LILYQ_DIFF_TEXT, NULL, &sink),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, 1), "nothing was compared yet");
    lilyq_free(run);
}

static void a_failed_comparison_leaves_nothing_to_render(void **state)
{
    static struct page page;
    const struct lilyq_sink sink = sink_of(&page);
    struct lilyq *const run = plan_orders();
    struct lilyq_drift drift;

    (void)state;
    assert_int_equal(diff_text(run, EXPORTED, &drift), LILYQ_OK);
    assert_int_equal(diff_text(run, "{\"queues\": 1}", &drift), LILYQ_INVALID);
    assert_string_equal(message_at(run, 0),
                        "x.json: queues: must be an array, not 1");
    assert_int_equal(lilyq_render_diff(run, LILYQ_DIFF_TEXT, NULL, &sink),
                     LILYQ_INVALID);
    lilyq_free(run);
}

static void refuses_what_it_does_not_know(void **state)
{
    static struct page page;
    const struct lilyq_sink sink = sink_of(&page);
    const struct lilyq_definitions missing = {.name = "does/not/exist.json"};
    const struct lilyq_definitions odd = {"x.json", EXPORTED,
                                          sizeof(EXPORTED) - 1, "\xff"};
    const struct lilyq_source no_file = {.definitions = &missing};
    const struct lilyq_source no_vhost = {.definitions = &odd};
    struct lilyq *const run = plan_orders();
    struct lilyq_drift drift;

    (void)state;
    assert_int_equal(lilyq_diff(run, &no_file, NULL, &drift), LILYQ_IO);
    assert_string_equal(message_at(run, 0), "cannot read 'does/not/exist.json':"
                                            " No such file or directory");
    assert_int_equal(lilyq_diff(run, &no_vhost, NULL, &drift), LILYQ_INVALID);
    assert_string_equal(message_at(run, 1),
                        "vhost must be at most 255 bytes of "
                        "UTF-8, not '\\xff'");
    assert_int_equal(diff_text(run, EXPORTED, &drift), LILYQ_OK);
    assert_int_equal(
        lilyq_render_diff(run, (enum lilyq_diff_format)99, NULL, &sink),
        LILYQ_INVALID);
    assert_string_equal(message_at(run, 2),
                        "no format of a diff has number 99");
    lilyq_free(run);
}

static void survives_any_failed_allocation(void **state)
{
    static struct page page;
    enum lilyq_status status = LILYQ_NOMEM;
    size_t limit = 0;

    (void)state;
    for (; status != LILYQ_OK && limit < 5000; ++limit) {
        const struct lilyq_sink sink = sink_of(&page);
        struct lilyq *const run = plan_orders();
        struct lilyq_drift drift;

        limit_memory(&run->arena, limit);
        status = diff_text(run, EXPORTED, &drift);
        for (unsigned i = 0; i <= LILYQ_DIFF_GITHUB && status == LILYQ_OK;
             ++i) {
            page.length = 0;
            status =
                lilyq_render_diff(run, (enum lilyq_diff_format)i, NULL, &sink);
        }
        assert_true(status == LILYQ_OK || status == LILYQ_NOMEM);
        lilyq_free(run);
    }
    assert_int_equal(status, LILYQ_OK);
    assert_true(limit > 100);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_it_finds),
        cmocka_unit_test(compares_policies_when_asked),
        cmocka_unit_test(renders_every_form),
        cmocka_unit_test(a_style_says_what_counts),
        cmocka_unit_test(tells_a_sink_that_refuses),
        cmocka_unit_test(needs_somewhere_to_look),
        cmocka_unit_test(compares_with_a_plan_that_was_saved),
        cmocka_unit_test(says_what_is_wrong_with_an_earlier_plan),
        cmocka_unit_test(needs_a_plan_and_then_a_comparison),
        cmocka_unit_test(a_failed_comparison_leaves_nothing_to_render),
        cmocka_unit_test(refuses_what_it_does_not_know),
        cmocka_unit_test(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests_name("lilyq_diff", tests, NULL, NULL);
}
