/* What lq_apply() does when told to look and write less, or to wait. */
#include "../broker/apply_fixture.h"
#include "../limit.h"

static const struct lq_apply_options blind = {.mode = LILYQ_NO_PREFLIGHT};
static const struct lq_apply_options dry = {.mode = LILYQ_DRY_RUN};

static void declares_at_once_without_a_look(void **state)
{
    static const char *const log[] = {
        "declare exchange orders",
        "declare exchange orders.retry.v2",
        "declare exchange orders.dlx.v2",
        "declare queue q",
        "declare queue q.retry.v2.1000ms",
        "declare queue q.dlq.v2",
        "bind q",
        "bind q.retry.v2.1000ms",
        "bind q.dlq.v2",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake_put(&fake, "exchange", "orders");
    assert_int_equal(
        lq_apply(&fake.broker, topology, &blind, &fixture->diags, &report),
        LQ_OK);
    assert_log(&fake, log, COUNT(log));
    assert_int_equal(report.mode, LILYQ_NO_PREFLIGHT);
    assert_int_equal(report.ending, LILYQ_APPLIED);
    assert_int_equal(count_all(&report, LQ_DECLARED), 9);
}

static void still_looks_at_what_is_external(void **state)
{
    static const char *const log[] = {
        "check exchange orders", "check exchange graveyard",
        "check queue q",         "check queue q.dlq.v2",
        "declare exchange mine", "declare exchange mine.retry.v2",
    };
    struct fixture *const fixture = *state;
    struct lq_entry entries[] = {external("q"), with_one_bucket("mine")};
    const struct lq_topology *topology = NULL;
    struct lq_apply_report report;
    struct fake fake;

    entries[1].exchange_name = "mine";
    topology = plan(fixture, entries, COUNT(entries));
    fake_init(&fake, fixture);
    put_all(&fake, topology);
    fake.lost_at = COUNT(log);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &blind, &fixture->diags, &report),
        LQ_LOST);
    assert_log(&fake, log, COUNT(log));
    assert_all(report.exchanges, 2, LQ_VERIFIED);
    assert_all(report.queues, 2, LQ_VERIFIED);
    assert_int_equal(report.ending, LILYQ_ENDED_PARTLY);
}

static void declares_nothing_when_something_external_is_missing(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entries[] = {external("q"), with_one_bucket("mine")};
    const struct lq_topology *topology = NULL;
    struct lq_apply_report report;
    struct fake fake;

    entries[1].exchange_name = "mine";
    topology = plan(fixture, entries, COUNT(entries));
    fake_init(&fake, fixture);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &blind, &fixture->diags, &report),
        LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_CONFLICT);
    assert_int_equal(fake.log.count, 4);
    assert_int_equal(fake.there.count, 0);
}

static void finds_a_conflict_only_among_the_declarations(void **state)
{
    static const struct fake_rule rules[] = {
        {LQ_DECLARE_QUEUE, "q", 406,
         "PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'q' in "
         "vhost '/': received 'true' but current is 'false'"}};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.rules = rules;
    fake.rule_count = COUNT(rules);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &blind, &fixture->diags, &report),
        LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_PARTLY);
    assert_all(report.exchanges, 3, LQ_DECLARED);
    assert_int_equal(report.queues[0].result, LQ_CONFLICT);
    assert_int_equal(count_all(&report, LQ_NOT_DONE), 5);
}

static void a_dry_run_only_looks(void **state)
{
    static const char *const log[] = {
        "check exchange orders",         "check exchange orders.retry.v2",
        "check exchange orders.dlx.v2",  "check queue q",
        "check queue q.retry.v2.1000ms", "check queue q.dlq.v2",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &dry, &fixture->diags, &report),
        LQ_OK);
    assert_log(&fake, log, COUNT(log));
    assert_int_equal(report.ending, LILYQ_ENDED_DRY);
    assert_int_equal(count_all(&report, LQ_PENDING), 9);
    assert_int_equal(fake.there.count, 0);
}

static void a_dry_run_compares_what_it_finds(void **state)
{
    static const enum lq_result exchanges[] = {LQ_EXISTING, LQ_EXISTING,
                                               LQ_PENDING};
    static const enum lq_result queues[] = {LQ_EXISTING, LQ_PENDING,
                                            LQ_EXISTING};
    static const enum lq_result bindings[] = {LQ_UNVERIFIED, LQ_PENDING,
                                              LQ_PENDING};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake_put(&fake, "exchange", "orders");
    fake_put(&fake, "exchange", "orders.retry.v2");
    fake_put(&fake, "queue", "q");
    fake_put(&fake, "queue", "q.dlq.v2");
    assert_int_equal(
        lq_apply(&fake.broker, topology, &dry, &fixture->diags, &report),
        LQ_OK);
    assert_results(report.exchanges, exchanges, COUNT(exchanges));
    assert_results(report.queues, queues, COUNT(queues));
    assert_results(report.bindings, bindings, COUNT(bindings));
    assert_int_equal(fake.log.count, 10);
    assert_int_equal(fake.there.count, 4);
}

static void a_dry_run_tells_conflicts_and_what_is_missing(void **state)
{
    static const struct fake_rule rules[] = {
        {LQ_COMPARE_QUEUE, "q", 406,
         "PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'q' in "
         "vhost '/': received 'true' but current is 'false'"}};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.rules = rules;
    fake.rule_count = COUNT(rules);
    fake_put(&fake, "queue", "q");
    assert_int_equal(
        lq_apply(&fake.broker, topology, &dry, &fixture->diags, &report),
        LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_CONFLICT);
    assert_int_equal(report.queues[0].result, LQ_CONFLICT);
    assert_int_equal(count_all(&report, LQ_PENDING), 8);
}

static void a_dry_run_creates_nothing_that_vanishes(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    put_all(&fake, topology);
    fake.vanish_at = 6;
    assert_int_equal(
        lq_apply(&fake.broker, topology, &dry, &fixture->diags, &report),
        LQ_OK);
    assert_int_equal(count_all(&report, LQ_PENDING), 9);
    assert_int_equal(fake.there.count, 0);
}

static void a_dry_run_does_not_verify_what_comes_and_goes(void **state)
{
    static const struct fake_rule rules[] = {
        {LQ_COMPARE_QUEUE, "q", 406,
         "PRECONDITION_FAILED - invalid arg 'x-stream-max-segment-size-bytes' "
         "for queue 'q' in vhost '/' of queue type rabbit_classic_queue"},
        {LQ_COMPARE_EXCHANGE, "orders", 406,
         "PRECONDITION_FAILED - invalid type 'long' for arg "
         "'alternate-exchange' in exchange 'orders' in vhost '/'"}};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.rules = rules;
    fake.rule_count = COUNT(rules);
    put_all(&fake, topology);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &dry, &fixture->diags, &report),
        LQ_OK);
    assert_int_equal(report.exchanges[0].result, LQ_UNVERIFIED);
    assert_int_equal(report.queues[0].result, LQ_UNVERIFIED);
    assert_int_equal(count_all(&report, LQ_EXISTING), 4);
}

static void a_dry_run_reports_what_it_may_not_compare(void **state)
{
    static const struct fake_rule rules[] = {
        {LQ_COMPARE_QUEUE, "q", 403,
         "ACCESS_REFUSED - configure access to queue 'q' in vhost '/' refused "
         "for user 'u'"}};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = entry_at(1, "q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.rules = rules;
    fake.rule_count = COUNT(rules);
    put_all(&fake, topology);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &dry, &fixture->diags, &report),
        LQ_REFUSED);
    assert_int_equal(report.queues[0].result, LQ_FAILED);
    assert_int_equal(report.queues[0].code, 403);
    assert_one_reported(fixture, "queue 'q': user 'u' needs permission to "
                                 "configure queue 'q' in vhost '/'");
}

static void a_dry_run_that_is_stopped_guesses_nothing(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct watch watch = {.stop_at = 4};
    const struct lq_apply_options options = {
        .mode = LILYQ_DRY_RUN, .stop = stop, .data = &watch};
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &options, &fixture->diags, &report),
        LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_int_equal(count_all(&report, LQ_PENDING), 0);
    assert_int_equal(fixture->diags.items.count, 0);
}

static void a_dry_run_verifies_what_is_external(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = external("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    put_all(&fake, topology);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &dry, &fixture->diags, &report),
        LQ_OK);
    assert_int_equal(report.ending, LILYQ_ENDED_DRY);
    assert_all(report.queues, 2, LQ_VERIFIED);
    assert_all(report.bindings, 2, LQ_UNVERIFIED);
}

static void passes_on_how_much_may_be_in_flight(void **state)
{
    static const struct lq_apply_options options = {.max_in_flight = 7};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &options, &fixture->diags, &report),
        LQ_OK);
    assert_int_equal(fake.max_in_flight, 7);
}

/* What was told, a notice a line. */
struct told {
    char text[512];
};

static void keep_notice(void *data, const char *text)
{
    struct told *const told = data;

    strncat(told->text, text, sizeof(told->text) - strlen(told->text) - 1);
    strncat(told->text, "\n", sizeof(told->text) - strlen(told->text) - 1);
}

static void says_that_it_waits_for_an_alarm_to_end(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct told told = {""};
    const struct lq_apply_options options = {.notice = keep_notice,
                                             .data = &told};
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.blocked_at = 8;
    assert_int_equal(
        lq_apply(&fake.broker, topology, &options, &fixture->diags, &report),
        LQ_OK);
    assert_int_equal(report.ending, LILYQ_APPLIED);
    assert_string_equal(told.text,
                        "the broker is blocked by an alarm (low on memory): "
                        "waiting for its end\n"
                        "the broker is no longer blocked: going on\n");
}

static void waits_without_a_word_when_nobody_listens(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.blocked_at = 8;
    assert_int_equal(
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_OK);
    assert_int_equal(report.ending, LILYQ_APPLIED);
}

static void ends_at_an_alarm_when_told_to(void **state)
{
    static const struct lq_apply_options options = {.fail_when_blocked = true};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.blocked_at = 8;
    assert_int_equal(
        lq_apply(&fake.broker, topology, &options, &fixture->diags, &report),
        LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_PARTLY);
    assert_int_equal(count_all(&report, LQ_CREATED), 2);
    assert_int_equal(count_all(&report, LQ_NOT_DONE), 7);
    assert_one_reported(fixture,
                        "the broker is blocked by an alarm (low on memory)");
}

static enum lq_status apply_within(struct fixture *fixture, size_t limit,
                                   const struct lq_apply_options *options)
{
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *topology = NULL;
    struct lq_apply_report report;
    struct fake fake;

    restart(fixture, SIZE_MAX);
    topology = plan(fixture, &entry, 1);
    fake_init(&fake, fixture);
    fake.blocked_at = 2;
    limit_memory(&fixture->arena, limit);
    return lq_apply(&fake.broker, topology, options, &fixture->diags, &report);
}

static void survives_any_failed_allocation(void **state)
{
    static const struct {
        struct lq_apply_options options;
        enum lq_status status;
    } cases[] = {
        {{.mode = LILYQ_DRY_RUN}, LQ_OK},
        {{.mode = LILYQ_NO_PREFLIGHT}, LQ_OK},
        {{.mode = LILYQ_DRY_RUN, .fail_when_blocked = true}, LQ_REFUSED},
    };

    for (size_t i = 0; i < COUNT(cases); ++i) {
        size_t limit = 0;

        while (apply_within(*state, limit, &cases[i].options) == LQ_NOMEM) {
            ++limit;
        }
        assert_in_range(limit, 5, 200);
        assert_int_equal(apply_within(*state, limit, &cases[i].options),
                         cases[i].status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(declares_at_once_without_a_look),
        TEST(still_looks_at_what_is_external),
        TEST(declares_nothing_when_something_external_is_missing),
        TEST(finds_a_conflict_only_among_the_declarations),
        TEST(a_dry_run_only_looks),
        TEST(a_dry_run_compares_what_it_finds),
        TEST(a_dry_run_tells_conflicts_and_what_is_missing),
        TEST(a_dry_run_creates_nothing_that_vanishes),
        TEST(a_dry_run_does_not_verify_what_comes_and_goes),
        TEST(a_dry_run_reports_what_it_may_not_compare),
        TEST(a_dry_run_that_is_stopped_guesses_nothing),
        TEST(a_dry_run_verifies_what_is_external),
        TEST(passes_on_how_much_may_be_in_flight),
        TEST(says_that_it_waits_for_an_alarm_to_end),
        TEST(waits_without_a_word_when_nobody_listens),
        TEST(ends_at_an_alarm_when_told_to),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
