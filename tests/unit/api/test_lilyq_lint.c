#include "../limit.h"
#include "api_fixture.h"

static void counts_what_it_finds(void **state)
{
    static const struct lilyq_lint_options options = {
        .broker_version = "4.3",
        .max_window_millis = 6999,
        .max_disk_bytes = 1,
    };
    struct lilyq *const run = plan_orders();
    struct lilyq_findings findings;

    (void)state;
    assert_int_equal(lilyq_lint(run, NULL, NULL, &findings), LILYQ_OK);
    assert_int_equal(findings.errors, 0);
    assert_int_equal(findings.warnings, 1);
    assert_int_equal(findings.notes, 0);
    assert_int_equal(findings.ignored, 0);
    assert_int_equal(lilyq_lint(run, &options, NULL, &findings), LILYQ_OK);
    assert_int_equal(findings.errors, 2);
    assert_int_equal(lilyq_problem_count(run), 0);
    lilyq_free(run);
}

static void renders_what_was_found_last(void **state)
{
    static const struct {
        enum lilyq_lint_format format;
        const char *part;
    } forms[] = {
        {LILYQ_LINT_TEXT, "orders.ini:1: warning: LQ001 [queue:orders."},
        {LILYQ_LINT_JSON, "\"format\": \"lilyq-lint\""},
        {LILYQ_LINT_SARIF, "\"version\": \"2.1.0\""},
        {LILYQ_LINT_JUNIT, "tests=\"2\" failures=\"1\""},
        {LILYQ_LINT_GITHUB, "::warning file=orders.ini,line=1,"},
    };
    static struct page page;
    struct lilyq *const run = plan_orders();
    struct lilyq_findings findings;

    (void)state;
    assert_int_equal(lilyq_lint(run, NULL, NULL, &findings), LILYQ_OK);
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); ++i) {
        const struct lilyq_sink sink = sink_of(&page);

        assert_int_equal(lilyq_render_lint(run, forms[i].format,
                                           LILYQ_SEVERITY_WARNING, &sink),
                         LILYQ_OK);
        assert_non_null(strstr(page.text, forms[i].part));
    }
    lilyq_free(run);
}

static void keeps_what_comments_ignore_apart(void **state)
{
    static struct page page;
    const struct lilyq_sink sink = sink_of(&page);
    struct lilyq *const run = lilyq_new();
    struct lilyq_findings findings;

    (void)state;
    assert_non_null(run);
    assert_int_equal(
        load_ini(run, "a.ini", "; lilyq:ignore LQ001 never full\n" ORDERS),
        LILYQ_OK);
    assert_int_equal(lilyq_plan(run), LILYQ_OK);
    assert_int_equal(lilyq_lint(run, NULL, NULL, &findings), LILYQ_OK);
    assert_int_equal(findings.warnings, 0);
    assert_int_equal(findings.ignored, 1);
    assert_int_equal(
        lilyq_render_lint(run, LILYQ_LINT_TEXT, LILYQ_SEVERITY_NOTE, &sink),
        LILYQ_OK);
    assert_string_equal(page.text, "");
    lilyq_free(run);
}

static void judges_no_plan_that_is_not_there(void **state)
{
    static struct page page;
    const struct lilyq_sink sink = sink_of(&page);
    struct lilyq *const run = lilyq_new();
    struct lilyq_findings findings;

    (void)state;
    assert_non_null(run);
    assert_int_equal(lilyq_lint(run, NULL, NULL, &findings), LILYQ_INVALID);
    assert_string_equal(message_at(run, 0), "there is no plan to judge");
    assert_int_equal(
        lilyq_render_lint(run, LILYQ_LINT_TEXT, LILYQ_SEVERITY_ERROR, &sink),
        LILYQ_INVALID);
    assert_string_equal(message_at(run, 1), "nothing was judged yet");
    lilyq_free(run);
}

static void refuses_what_is_no_version_or_form(void **state)
{
    static const struct lilyq_lint_options options = {.broker_version = "\x1b"};
    static struct page page;
    struct lilyq_sink sink = sink_of(&page);
    struct lilyq *const run = plan_orders();
    struct lilyq_findings findings;

    (void)state;
    assert_int_equal(lilyq_lint(run, &options, NULL, &findings), LILYQ_INVALID);
    assert_string_equal(
        message_at(run, 0),
        "the broker's version must be like 3.10 or 4.0.5, not '\\x1b'");
    assert_int_equal(lilyq_lint(run, NULL, NULL, &findings), LILYQ_OK);
    assert_int_equal(lilyq_render_lint(run, (enum lilyq_lint_format)9,
                                       LILYQ_SEVERITY_ERROR, &sink),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, 1),
                        "no format of findings has number 9");
    page.room = 10;
    assert_int_equal(
        lilyq_render_lint(run, LILYQ_LINT_SARIF, LILYQ_SEVERITY_ERROR, &sink),
        LILYQ_IO);
    lilyq_free(run);
}

/* What a broker holds: policies of three sorts, and a binding. */
static const char held[] =
    "{\"rabbit_version\":\"4.0.5\",\"policies\":["
    "{\"vhost\":\"/\",\"name\":\"p\",\"pattern\":\"^orders\","
    "\"apply-to\":\"queues\",\"priority\":0,"
    "\"definition\":{\"max-length\":1}},"
    "{\"vhost\":\"/\",\"name\":\"q\",\"pattern\":\"retry\","
    "\"apply-to\":\"queues\",\"priority\":1,"
    "\"definition\":{\"dead-letter-strategy\":\"at-least-once\"}}],"
    "\"exchanges\":[],\"queues\":[{\"vhost\":\"/\",\"name\":\"audit\","
    "\"durable\":true,\"auto_delete\":false,\"arguments\":{}}],"
    "\"bindings\":[{\"vhost\":\"/\",\"source\":\"orders\","
    "\"destination\":\"audit\",\"destination_type\":\"queue\","
    "\"routing_key\":\"orders.created\",\"arguments\":{}}]}";
static const struct lilyq_definitions held_definitions = {
    "d.json", held, sizeof(held) - 1, "/"};
static const struct lilyq_source held_source = {.definitions =
                                                    &held_definitions};

static void judges_what_a_broker_does(void **state)
{
    static const char *const parts[] = {
        "\"broker_version\": \"4.0\"",
        "policy 'p' puts max-length = 1 in force for 'orders.created' "
        "(planned: 100000) and 4 more of the entry",
        "policy 'q' matches 'orders.created.retry.v2.1000ms', but is not "
        "applied to it: classic queues do not support dead-letter-strategy",
        "queue 'audit' is bound to exchange 'orders' with key "
        "'orders.created', which is not planned: it gets a copy of each retry",
    };
    static const struct lilyq_lint_options options = {.source = &held_source};
    static struct page page;
    const struct lilyq_sink sink = sink_of(&page);
    struct lilyq *const run = plan_orders();
    struct lilyq_findings findings;

    (void)state;
    assert_int_equal(lilyq_lint(run, &options, NULL, &findings), LILYQ_OK);
    assert_int_equal(findings.warnings, 4);
    assert_int_equal(
        lilyq_render_lint(run, LILYQ_LINT_JSON, LILYQ_SEVERITY_ERROR, &sink),
        LILYQ_OK);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
        assert_non_null(strstr(page.text, parts[i]));
    }
    lilyq_free(run);
}

static void wants_a_source_that_shows_a_broker_as_a_whole(void **state)
{
    static const struct lilyq_connection connection = {.url = "amqp://h"};
    static const struct lilyq_definitions definitions = {.name = "d.json"};
    static const struct lilyq_source sources[] = {
        {.connection = &connection},
        {.connection = &connection, .definitions = &definitions},
        {.passive_only = true},
    };
    struct lilyq *const run = plan_orders();

    (void)state;
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); ++i) {
        const struct lilyq_lint_options options = {.source = &sources[i]};
        struct lilyq_findings findings;

        assert_int_equal(lilyq_lint(run, &options, NULL, &findings),
                         LILYQ_INVALID);
        assert_string_equal(message_at(run, i),
                            "judging a broker needs its definitions or its "
                            "management API");
    }
    lilyq_free(run);
}

static void survives_any_failed_allocation(void **state)
{
    static const enum lilyq_lint_format formats[] = {
        LILYQ_LINT_TEXT, LILYQ_LINT_SARIF, LILYQ_LINT_JUNIT, LILYQ_LINT_GITHUB};
    static struct page page;

    (void)state;
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); ++i) {
        struct lilyq *const run = plan_orders();
        const struct lilyq_sink sink = sink_of(&page);
        enum lilyq_status status = LILYQ_NOMEM;
        size_t limit = 0;

        while (status == LILYQ_NOMEM) {
            struct lilyq_findings findings;

            page.length = 0;
            limit_memory(&run->arena, limit++);
            status = lilyq_lint(run, NULL, NULL, &findings);
            if (status == LILYQ_OK) {
                status = lilyq_render_lint(run, formats[i], LILYQ_SEVERITY_NOTE,
                                           &sink);
            }
        }
        assert_int_equal(status, LILYQ_OK);
        assert_true(limit > 1);
        lilyq_free(run);
    }
}

static void survives_any_failed_allocation_with_a_broker(void **state)
{
    static const struct lilyq_lint_options options = {.source = &held_source};
    struct lilyq *run = NULL;
    enum lilyq_status status = LILYQ_NOMEM;
    size_t limit = 0;

    (void)state;
    for (; status == LILYQ_NOMEM; ++limit) {
        struct lilyq_findings findings;

        lilyq_free(run);
        run = plan_orders();
        limit_memory(&run->arena, limit);
        status = lilyq_lint(run, &options, NULL, &findings);
    }
    assert_int_equal(status, LILYQ_OK);
    assert_true(limit > 50);
    lilyq_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_it_finds),
        cmocka_unit_test(renders_what_was_found_last),
        cmocka_unit_test(keeps_what_comments_ignore_apart),
        cmocka_unit_test(judges_no_plan_that_is_not_there),
        cmocka_unit_test(refuses_what_is_no_version_or_form),
        cmocka_unit_test(judges_what_a_broker_does),
        cmocka_unit_test(wants_a_source_that_shows_a_broker_as_a_whole),
        cmocka_unit_test(survives_any_failed_allocation),
        cmocka_unit_test(survives_any_failed_allocation_with_a_broker),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
