#include "lint/lint.h"

#include "../plan/plan_fixture.h"

/* What lint says of a binding of the broker that is not planned, or NULL. */
static const char *told(struct fixture *fixture,
                        const struct lq_topology *topology,
                        enum lq_finding_code code, bool owned)
{
    const struct lq_binding binding = {
        .source = "orders", .destination = "spy\t", .routing_key = "k"};
    const struct lq_finding finding = {.code = code,
                                       .resource = LQ_BINDING,
                                       .name = "spy\t",
                                       .binding = &binding,
                                       .logical =
                                           owned ? topology->logicals : NULL};
    struct lq_diff drift = {.counts = {0}};
    struct lq_lint_settings settings = {.drift = &drift};
    struct lq_lint_report report;

    lq_array_init(&drift.findings, sizeof(finding));
    lq_diff_add(&drift, &finding, &fixture->arena);
    assert_int_equal(lq_lint(topology, &settings, &fixture->arena, &report),
                     LQ_OK);
    for (size_t i = 0; i < report.findings.count; ++i) {
        const struct lq_lint_finding *const found = lq_lint_at(&report, i);

        if (found->code == LQ_LINT_FOREIGN_BINDING) {
            assert_ptr_equal(found->logical, finding.logical);
            return found->text;
        }
    }
    return NULL;
}

static void tells_what_each_kind_of_binding_does(void **state)
{
    static const struct {
        enum lq_finding_code code;
        const char *effect;
    } cases[] = {
        {LQ_MAIN_KEY_SHARED, "it gets a copy of each retry"},
        {LQ_RETRY_SHARED, "it may get what is to wait for a retry"},
        {LQ_DEAD_LETTERS_SHARED, "it may get dead letters"},
        {LQ_RETRY_FED, "what others publish there is retried"},
        {LQ_DEAD_LETTERS_FED, "what others publish there is a dead letter"},
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = retrying_at(1, "q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);

    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_string_equal(
            told(fixture, topology, cases[i].code, true),
            lq_format(&fixture->arena,
                      "queue 'spy\\x09' is bound to exchange 'orders' with key "
                      "'k', which is not planned: %s",
                      cases[i].effect));
    }
}

static void tells_of_bindings_that_concern_no_entry_too(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = retrying_at(1, "q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);

    assert_non_null(told(fixture, topology, LQ_DEAD_LETTERS_FED, false));
    assert_null(told(fixture, topology, LQ_MAIN_KEY_SHARED, false));
}

static void leaves_alone_what_shares_a_main_queue_without_retries(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = entry_at(1, "q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);

    assert_null(told(fixture, topology, LQ_MAIN_KEY_SHARED, true));
    assert_null(told(fixture, topology, LQ_BINDING_ORPHANED, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tells_what_each_kind_of_binding_does),
        TEST(tells_of_bindings_that_concern_no_entry_too),
        TEST(leaves_alone_what_shares_a_main_queue_without_retries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
