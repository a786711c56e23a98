#include "lint/lint.h"

#include "../limit.h"
#include "../plan/plan_fixture.h"

static struct lq_lint_report judge(struct fixture *fixture,
                                   const struct lq_entry *entries, size_t count,
                                   const struct lq_lint_settings *settings)
{
    static const struct lq_lint_settings none;
    struct lq_lint_report report;

    assert_int_equal(lq_lint(plan(fixture, entries, count),
                             settings ? settings : &none, &fixture->arena,
                             &report),
                     LQ_OK);
    return report;
}

/* Fails unless just these codes were found, in this order. */
static void assert_codes(const struct lq_lint_report *report,
                         const enum lq_lint_code *codes, size_t count)
{
    for (size_t i = 0; i < count && i < report->findings.count; ++i) {
        assert_string_equal(lq_lint_rule(lq_lint_at(report, i)->code)->code,
                            lq_lint_rule(codes[i])->code);
    }
    assert_int_equal(report->findings.count, count);
}

static void finds_nothing_in_an_entry_without_retries(void **state)
{
    const struct lq_entry entry = entry_at(1, "q");
    const struct lq_lint_report report = judge(*state, &entry, 1, NULL);

    assert_int_equal(report.findings.count, 0);
    assert_int_equal(report.ignored, 0);
}

static void orders_by_entry_and_then_by_severity(void **state)
{
    static const enum lq_lint_code codes[] = {
        LQ_LINT_SHARED_ROUTING_KEY,
        LQ_LINT_TRANSIENT_MAIN,
        LQ_LINT_DLQ_BELOW_BUCKET,
        LQ_LINT_JITTER_WITHOUT_EFFECT,
    };
    struct lq_entry entries[] = {entry_at(1, "a"), retrying_at(5, "b")};
    struct lq_lint_report report;

    entries[1].routing_key = "a";
    entries[1].durable = false;
    entries[1].retry_jitter_ratio = 0.00001;
    entries[1].queue_type = LQ_CLASSIC;
    report = judge(*state, entries, 2, NULL);
    assert_int_equal(lq_lint_at(&report, 2)->code, LQ_LINT_LOSS_FULL_MAIN);
    assert_int_equal(report.counts[LILYQ_SEVERITY_ERROR], 2);
    assert_int_equal(report.counts[LILYQ_SEVERITY_WARNING], 2);
    assert_int_equal(report.counts[LILYQ_SEVERITY_NOTE], 1);
    assert_int_equal(lq_lint_at(&report, 0)->code, codes[0]);
    assert_int_equal(lq_lint_at(&report, 1)->code, codes[1]);
    assert_int_equal(lq_lint_at(&report, 3)->code, codes[2]);
    assert_int_equal(lq_lint_at(&report, 4)->code, codes[3]);
}

static void points_to_the_line_of_a_key_of_the_entry_itself(void **state)
{
    struct lq_entry entries[] = {entry_at(10, "a"), entry_at(20, "b")};
    struct lq_lint_report report;

    for (size_t i = 0; i < 2; ++i) {
        entries[i].message_ttl_ms = 1;
        give(&entries[i], LQ_MESSAGE_TTL_MS, i == 0 ? 12 : 3);
    }
    entries[1].inherited = lq_field_bit(LQ_MESSAGE_TTL_MS);
    report = judge(*state, entries, 2, NULL);
    assert_int_equal(report.findings.count, 4);
    assert_int_equal(lq_lint_at(&report, 1)->place.line, 12);
    assert_int_equal(lq_lint_at(&report, 2)->place.line, 20);
}

static void leaves_out_what_does_not_hold_for_the_version(void **state)
{
    static const enum lq_lint_code unknown[] = {LQ_LINT_DELIVERY_LIMIT_DLQ,
                                                LQ_LINT_QUORUM_OVERSHOOT,
                                                LQ_LINT_DELIVERY_LIMIT_MAIN};
    static const enum lq_lint_code old[] = {LQ_LINT_QUORUM_TTL_VERSION,
                                            LQ_LINT_QUORUM_OVERSHOOT,
                                            LQ_LINT_VERSION_NOT_SHOWN};
    const struct lq_lint_settings before = {.version = {true, 3, 9}};
    const struct lq_lint_settings oldest = {.version = {true, 3, 10}};
    struct lq_entry entry = retrying_at(1, "q");
    struct lq_lint_report report;

    entry.queue_type = LQ_QUORUM;
    entry.dead_letter_max_messages = entry.retry_bucket_max_messages;
    entry.dead_letter_max_bytes = entry.retry_bucket_max_bytes;
    report = judge(*state, &entry, 1, NULL);
    assert_codes(&report, unknown, COUNT(unknown));
    report = judge(*state, &entry, 1, &before);
    assert_codes(&report, old, COUNT(old));
    report = judge(*state, &entry, 1, &oldest);
    assert_codes(&report, &unknown[1], 1);
}

static void lets_the_exchange_be_named_that_every_broker_has(void **state)
{
    static const enum lq_lint_code reserved[] = {LQ_LINT_RESERVED_NAME};
    struct lq_entry entry = entry_at(1, "q");
    struct lq_lint_report report;

    entry.exchange_name = "amq.direct";
    entry.dead_letter_exchange = "amq.direct";
    entry.dead_letter_routing_key = "failed";
    report = judge(*state, &entry, 1, NULL);
    assert_codes(&report, NULL, 0);
    entry.dead_letter_exchange = NULL;
    report = judge(*state, &entry, 1, NULL);
    assert_codes(&report, reserved, 1);
    assert_non_null(strstr(lq_lint_at(&report, 0)->text, "amq.direct.dlx.v2"));
    entry.dead_letter_exchange = "failed";
    entry.retry_attempts = 1;
    report = judge(*state, &entry, 1, NULL);
    assert_int_equal(lq_lint_at(&report, 0)->code, LQ_LINT_RESERVED_NAME);
    assert_non_null(
        strstr(lq_lint_at(&report, 0)->text, "amq.direct.retry.v2"));
}

static void tells_the_versions_that_a_rule_holds_for(void **state)
{
    static const struct {
        enum lq_lint_code code;
        const char *versions;
    } cases[] = {
        {LQ_LINT_LOSS_FULL_MAIN, ""},
        {LQ_LINT_DELIVERY_LIMIT_DLQ, "RabbitMQ 4.0 and later"},
        {LQ_LINT_QUORUM_TTL_VERSION, "RabbitMQ before 3.10"},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(cases); ++i) {
        assert_string_equal(
            lq_lint_rule_versions(lq_lint_rule(cases[i].code), &fixture->arena),
            cases[i].versions);
    }
}

static void counts_no_further_than_an_integer_goes(void **state)
{
    static const struct lq_lint_settings budget = {.max_disk_bytes = INT64_MAX};
    struct fixture *const fixture = *state;
    struct lq_entry entry = entry_at(1, "q");
    struct lq_lint_report report;

    entry.main_max_bytes = INT64_MAX;
    entry.dead_letter_max_bytes = INT64_MAX;
    report = judge(fixture, &entry, 1, &budget);
    assert_int_equal(report.findings.count, 1);
    assert_string_equal(lq_lint_at(&report, 0)->text,
                        "all queues together may hold more than the "
                        "9223372036854775807 bytes of the disk; those of the "
                        "entries before this one fit");
}

static void says_where_the_buckets_of_all_come_near_their_limit(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry *const entries = many(fixture, 120, 116);
    struct lq_lint_report report;
    size_t near = 0;

    report = judge(fixture, entries, 120, NULL);
    for (size_t i = 0; i < report.findings.count; ++i) {
        const struct lq_lint_finding *const finding = lq_lint_at(&report, i);

        if (finding->code == LQ_LINT_BUCKETS_NEAR_LIMIT &&
            finding->field == LQ_FIELD_COUNT) {
            ++near;
            assert_int_equal(finding->place.line, 116);
        }
    }
    assert_int_equal(near, 1);
}

/* A comment at a line that is about another. */
static struct lq_remark remark_at(unsigned line, unsigned about,
                                  const char *text)
{
    return (struct lq_remark){.place = {.file = "lilyq.ini", .line = line},
                              .line = about,
                              .text = text};
}

static void ignores_at_the_line_of_entry_or_key_for_a_reason(void **state)
{
    struct lq_remark remarks[] = {
        remark_at(1, 2, " LQ009 , LQ010 short-lived"),
        remark_at(4, 5, " LQ001 never full"),
        remark_at(5, 5, " LQ024"),
    };
    const struct lq_lint_settings settings = {.remarks = remarks,
                                              .remark_count = 3};
    struct lq_entry entry = retrying_at(2, "q");
    struct lq_lint_report report;

    entry.message_ttl_ms = 1;
    give(&entry, LQ_QUEUE_TYPE, 5);
    report = judge(*state, &entry, 1, &settings);
    assert_int_equal(report.ignored, 3);
    assert_int_equal(report.counts[LILYQ_SEVERITY_WARNING], 3);
    for (size_t i = 0; i < report.findings.count; ++i) {
        const struct lq_lint_finding *const finding = lq_lint_at(&report, i);
        const char *reason = NULL;

        if (finding->code == LQ_LINT_LOSS_FULL_MAIN) {
            reason = "never full";
        } else if (finding->code == LQ_LINT_TTL_BELOW_WINDOW ||
                   finding->code == LQ_LINT_TTL_BELOW_HANDLER) {
            reason = "short-lived";
        }
        if (reason) {
            assert_string_equal(finding->reason, reason);
        } else {
            assert_null(finding->reason);
        }
    }
}

static void ignores_nothing_in_another_file(void **state)
{
    struct lq_remark remarks[] = {remark_at(1, 2, " LQ001 elsewhere"),
                                  remark_at(1, 3, " LQ001 everywhere")};
    const struct lq_lint_settings settings = {.remarks = remarks,
                                              .remark_count = 2};
    struct lq_entry entry = retrying_at(2, "q");
    struct lq_lint_report report;

    remarks[1].for_file = true;
    entry.place.file = "other.ini";
    report = judge(*state, &entry, 1, &settings);
    assert_int_equal(report.ignored, 0);
    assert_int_equal(report.findings.count, 4);
    assert_int_equal(lq_lint_at(&report, 3)->code, LQ_LINT_IGNORE_UNUSED);
    assert_null(lq_lint_at(&report, 3)->logical);
}

static void knows_every_code_by_its_name(void **state)
{
    (void)state;
    for (unsigned i = 0; i < LQ_LINT_CODE_COUNT; ++i) {
        const struct lq_lint_rule *const rule =
            lq_lint_rule((enum lq_lint_code)i);

        assert_int_equal(lq_lint_code_of(rule->code), i);
        assert_true(rule->code[2] != '\0');
        assert_non_null(rule->slug);
        assert_non_null(rule->happens);
        assert_non_null(rule->advice);
        for (unsigned other = 0; other < i; ++other) {
            assert_string_not_equal(
                rule->slug, lq_lint_rule((enum lq_lint_code)other)->slug);
        }
    }
    assert_int_equal(lq_lint_code_of("LQ000"), LQ_LINT_CODE_COUNT);
}

static void survives_any_failed_allocation(void **state)
{
    static const struct lq_lint_settings budget = {.max_disk_bytes = 1,
                                                   .max_window_millis = 1};
    struct fixture *const fixture = *state;
    struct lq_remark remarks[] = {remark_at(1, 1, " LQ001,LQ002 why"),
                                  remark_at(2, 0, " LQ999 why"),
                                  remark_at(3, 0, " LQ003")};
    struct lq_lint_settings settings = budget;
    struct lq_entry entries[] = {retrying_at(1, "a"), retrying_at(5, "b")};
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    settings.remarks = remarks;
    settings.remark_count = COUNT(remarks);
    entries[1].routing_key = "a";
    entries[1].queue_type = LQ_QUORUM;
    while (status == LQ_NOMEM) {
        struct lq_lint_report report;
        const struct lq_topology *topology = NULL;

        restart(fixture, SIZE_MAX);
        topology = plan(fixture, entries, 2);
        limit_memory(&fixture->arena, limit++);
        status = lq_lint(topology, &settings, &fixture->arena, &report);
    }
    assert_int_equal(status, LQ_OK);
    assert_true(limit > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(finds_nothing_in_an_entry_without_retries),
        TEST(orders_by_entry_and_then_by_severity),
        TEST(points_to_the_line_of_a_key_of_the_entry_itself),
        TEST(leaves_out_what_does_not_hold_for_the_version),
        TEST(lets_the_exchange_be_named_that_every_broker_has),
        TEST(tells_the_versions_that_a_rule_holds_for),
        TEST(counts_no_further_than_an_integer_goes),
        TEST(says_where_the_buckets_of_all_come_near_their_limit),
        TEST(ignores_at_the_line_of_entry_or_key_for_a_reason),
        TEST(ignores_nothing_in_another_file),
        TEST(knows_every_code_by_its_name),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
