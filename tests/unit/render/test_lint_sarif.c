#include "render/lint.h"

#include "fixture.h"

/* What lint may have found at a place, as SARIF has it. */
static const char *sarif(struct fixture *fixture, const struct lq_place *place,
                         const char *reason, const struct lq_logical *logical)
{
    struct lq_lint_report report = {.version = {.known = true}};
    struct lq_lint_finding *const finding =
        lq_alloc(&fixture->arena, sizeof(*finding));
    struct sheet *const sheet = &fixture->sheet;

    assert_non_null(finding);
    *finding = (struct lq_lint_finding){.code = LQ_LINT_LOSS_FULL_MAIN,
                                        .place = *place,
                                        .logical = logical,
                                        .field = LQ_FIELD_COUNT,
                                        .text = "it fills up",
                                        .advice = "drain it",
                                        .reason = reason};
    report.findings = (struct lq_array){.items = finding, .count = 1};
    sheet->length = 0;
    assert_int_equal(
        lq_lint_sarif_render(&report, &fixture->arena, &sheet->sink), LQ_OK);
    return strstr(sheet->text, "\"results\"");
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("no '%s' in %s", part, text);
    }
}

static void files_are_uris(void **state)
{
    static const struct {
        const char *file;
        const char *uri;
    } cases[] = {
        {"a/b-c.ini", "\"uri\": \"a/b-c.ini\""},
        {"/etc/x y.ini", "\"uri\": \"file:///etc/x%20y.ini\""},
        {"50%#?:\xc3\xa9", "\"uri\": \"50%25%23%3F%3A%C3%A9\""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        const struct lq_place place = {.file = cases[i].file, .line = 3};

        assert_has(sarif(*state, &place, NULL, NULL), cases[i].uri);
    }
}

static void a_place_in_json_has_a_path_and_no_region(void **state)
{
    const struct lq_place place = {.file = "q.json", .path = "queues[0]"};
    const struct lq_entry entry = documented_entry();
    const char *text = NULL;

    plan(*state, &entry, 1);
    text = sarif(*state, &place, NULL,
                 &((struct fixture *)*state)->topology->logicals[0]);
    assert_has(text, "\"logicalLocations\": [{\"name\": \"orders.created\", "
                     "\"fullyQualifiedName\": \"queues[0]\"}]");
    assert_null(strstr(text, "startLine"));
}

static void what_is_ignored_is_suppressed_for_its_reason(void **state)
{
    const struct lq_place place = {.file = "q.ini", .line = 7};

    assert_null(strstr(sarif(*state, &place, NULL, NULL), "suppressions"));
    assert_has(sarif(*state, &place, "we \"know\"", NULL),
               "\"region\": {\"startLine\": 7}");
    assert_has(sarif(*state, &place, "we \"know\"", NULL),
               "\"suppressions\": [{\"kind\": \"inSource\", "
               "\"justification\": \"we \\\"know\\\"\"}]");
}

static void what_is_in_no_file_has_no_location(void **state)
{
    const struct lq_place nowhere = {.file = NULL};

    assert_null(strstr(sarif(*state, &nowhere, NULL, NULL), "locations"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(files_are_uris),
        TEST(a_place_in_json_has_a_path_and_no_region),
        TEST(what_is_ignored_is_suppressed_for_its_reason),
        TEST(what_is_in_no_file_has_no_location),
    };

    return cmocka_run_group_tests_name("lint_sarif", tests, NULL, NULL);
}
