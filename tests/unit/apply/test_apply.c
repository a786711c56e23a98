#include "../broker/apply_fixture.h"
#include "../limit.h"

static void looks_first_and_then_declares_in_order(void **state)
{
    static const char *const log[] = {
        "check exchange orders",
        "check exchange orders.retry.v2",
        "check exchange orders.dlx.v2",
        "check queue q",
        "check queue q.retry.v2.1000ms",
        "check queue q.dlq.v2",
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
    assert_int_equal(
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_OK);
    assert_log(&fake, log, COUNT(log));
    assert_int_equal(report.ending, LILYQ_APPLIED);
    assert_all(report.exchanges, 3, LQ_CREATED);
    assert_all(report.queues, 3, LQ_CREATED);
    assert_all(report.bindings, 3, LQ_CREATED);
    assert_int_equal(fixture->diags.items.count, 0);
}

static void finds_everything_in_place_the_second_time(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    put_all(&fake, topology);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_OK);
    assert_int_equal(report.ending, LILYQ_APPLIED);
    assert_all(report.exchanges, 3, LQ_EXISTING);
    assert_all(report.queues, 3, LQ_EXISTING);
    assert_all(report.bindings, 3, LQ_ENSURED);
}

static void tells_new_bindings_from_those_it_cannot_know(void **state)
{
    static const enum lq_result bindings[] = {LQ_ENSURED, LQ_CREATED,
                                              LQ_CREATED};
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
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_OK);
    /* q.retry.v2.1000ms and the exchange orders.dlx.v2 are new */
    assert_results(report.bindings, bindings, COUNT(bindings));
}

static void lists_every_conflict_and_writes_nothing(void **state)
{
    static const struct fake_rule rules[] = {
        {LQ_COMPARE_EXCHANGE, "orders", 406,
         "PRECONDITION_FAILED - inequivalent arg 'type' for exchange 'orders' "
         "in vhost '/': received 'direct' but current is 'topic'"},
        {LQ_COMPARE_QUEUE, "q", 406,
         "PRECONDITION_FAILED - inequivalent arg 'x-max-length' for queue 'q' "
         "in vhost '/': received '100000' but current is '1'"},
        {LQ_CHECK_QUEUE, "q.dlq.v2", 405, "RESOURCE_LOCKED"},
    };
    static const char *const lines[] = {
        "exchange 'orders': type is 'topic' there, plan says 'direct'; an "
        "exchange cannot be changed in place: plan another exchange_name, or "
        "delete it while nothing publishes to it and apply",
        "queue 'q': x-max-length is 1 there, plan says 100000; a queue "
        "cannot be changed in place: plan what is there, or stop its "
        "consumers, move its messages away, delete it and apply",
        "queue 'q.dlq.v2': is exclusive to another connection there",
    };
    static const enum lq_result exchanges[] = {LQ_CONFLICT, LQ_NOT_DONE,
                                               LQ_NOT_DONE};
    static const enum lq_result queues[] = {LQ_CONFLICT, LQ_NOT_DONE,
                                            LQ_CONFLICT};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.rules = rules;
    fake.rule_count = COUNT(rules);
    fake_put(&fake, "exchange", "orders");
    fake_put(&fake, "queue", "q");
    assert_int_equal(
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_CONFLICT);
    assert_reported(fixture, lines, COUNT(lines));
    assert_results(report.exchanges, exchanges, COUNT(exchanges));
    assert_results(report.queues, queues, COUNT(queues));
    assert_all(report.bindings, 3, LQ_NOT_DONE);
    assert_int_equal(report.queues[0].code, 406);
    assert_string_equal(report.queues[0].text, rules[1].text);
    assert_int_equal(fake.there.count, 2);
}

static void only_verifies_what_is_external(void **state)
{
    static const char *const log[] = {
        "check exchange orders",
        "check exchange graveyard",
        "check queue q",
        "check queue q.dlq.v2",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = external("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    put_all(&fake, topology);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_OK);
    assert_log(&fake, log, COUNT(log));
    assert_int_equal(report.ending, LILYQ_APPLIED);
    assert_all(report.exchanges, 2, LQ_VERIFIED);
    assert_all(report.queues, 2, LQ_VERIFIED);
    assert_all(report.bindings, 2, LQ_UNVERIFIED);
}

static void writes_nothing_when_something_external_is_missing(void **state)
{
    static const char *const lines[] = {
        "exchange 'graveyard': is external, but does not exist",
        "queue 'q.dlq.v2': is external, but does not exist",
    };
    struct fixture *const fixture = *state;
    struct lq_entry entries[] = {external("q"), with_one_bucket("mine")};
    const struct lq_topology *topology = NULL;
    struct lq_apply_report report;
    struct fake fake;

    entries[1].exchange_name = "mine";
    topology = plan(fixture, entries, COUNT(entries));
    fake_init(&fake, fixture);
    fake_put(&fake, "exchange", "orders");
    fake_put(&fake, "queue", "q");
    assert_int_equal(
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_CONFLICT);
    assert_reported(fixture, lines, COUNT(lines));
    assert_int_equal(report.exchanges[1].result, LQ_FAILED);
    assert_int_equal(report.exchanges[1].code, 404);
    assert_int_equal(fake.there.count, 2);
}

static void is_untouched_by_a_refused_check(void **state)
{
    static const struct fake_rule rules[] = {
        {LQ_CHECK_QUEUE, "q", 403,
         "ACCESS_REFUSED - access to queue 'q' in vhost '/' refused for user "
         "'u'"},
        {LQ_CHECK_QUEUE, "q.dlq.v2", 404, "NOT_FOUND - home node is down"},
    };
    static const enum lq_result queues[] = {LQ_FAILED, LQ_NOT_DONE, LQ_FAILED};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.rules = rules;
    fake.rule_count = COUNT(rules);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_results(report.queues, queues, COUNT(queues));
    assert_int_equal(fixture->diags.error_count, 2);
    assert_int_equal(fake.there.count, 0);
}

static void stops_at_the_first_refused_declaration(void **state)
{
    static const struct fake_rule rules[] = {
        {LQ_DECLARE_QUEUE, "q.retry.v2.1000ms", 403,
         "ACCESS_REFUSED - access to queue 'q.retry.v2.1000ms' in vhost '/' "
         "refused for user 'u'"},
    };
    static const enum lq_result queues[] = {LQ_CREATED, LQ_FAILED, LQ_NOT_DONE};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.rules = rules;
    fake.rule_count = COUNT(rules);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_PARTLY);
    assert_all(report.exchanges, 3, LQ_CREATED);
    assert_results(report.queues, queues, COUNT(queues));
    assert_all(report.bindings, 3, LQ_NOT_DONE);
    assert_one_reported(fixture, "queue 'q.retry.v2.1000ms': user 'u' needs "
                                 "permission to configure and read queue "
                                 "'q.retry.v2.1000ms' in vhost '/'");
}

static void
is_untouched_when_the_very_first_declaration_is_refused(void **state)
{
    static const struct fake_rule rules[] = {
        {LQ_DECLARE_EXCHANGE, NULL, 403, "ACCESS_REFUSED - no"}};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.rules = rules;
    fake.rule_count = COUNT(rules);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_int_equal(fake.there.count, 0);
}

static void reports_a_queue_that_another_made_meanwhile(void **state)
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
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_PARTLY);
    assert_int_equal(report.queues[0].result, LQ_CONFLICT);
}

static void declares_what_vanishes_while_it_looks(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");

    /* after some or all of six checks, and some of six comparisons */
    for (size_t at = 0; at < 12; ++at) {
        const struct lq_topology *topology = NULL;
        struct lq_apply_report report;
        struct fake fake;

        restart(fixture, SIZE_MAX);
        topology = plan(fixture, &entry, 1);
        fake_init(&fake, fixture);
        put_all(&fake, topology);
        fake.vanish_at = at;
        assert_int_equal(
            lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
            LQ_OK);
        assert_int_equal(report.ending, LILYQ_APPLIED);
        assert_int_equal(count_all(&report, LQ_EXISTING), at > 6 ? at - 6 : 0);
        assert_int_equal(count_of(report.exchanges, 3, LQ_CREATED) +
                             count_of(report.queues, 3, LQ_CREATED),
                         at > 6 ? 12 - at : 6);
    }
}

static void writes_nothing_when_all_vanishes_beside_a_conflict(void **state)
{
    static const struct fake_rule rules[] = {
        {LQ_CHECK_QUEUE, "q", 405, "RESOURCE_LOCKED"}};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.rules = rules;
    fake.rule_count = COUNT(rules);
    put_all(&fake, topology);
    fake.vanish_at = 6;
    assert_int_equal(
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_CONFLICT);
    assert_int_equal(fake.there.count, 0);
    assert_int_equal(count_all(&report, LQ_EXISTING), 0);
}

/* Deleted before the comparison, and created by others before it is confirmed:
 * nobody knows how. */
static void does_not_say_which_it_is_of_what_comes_and_goes(void **state)
{
    static const struct fake_rule rules[] = {
        {LQ_COMPARE_QUEUE, "q", 406,
         "PRECONDITION_FAILED - invalid arg 'x-stream-max-segment-size-bytes' "
         "for queue 'q' in vhost '/' of queue type rabbit_classic_queue"}};
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
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_OK);
    assert_int_equal(report.queues[0].result, LQ_DECLARED);
    assert_int_equal(count_all(&report, LQ_EXISTING), 5);
    assert_all(report.bindings, 3, LQ_ENSURED);
}

/* Six checks come first, then nine declarations. */
static void accounts_for_all_wherever_the_connection_is_lost(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");

    for (size_t at = 0; at < 15; ++at) {
        const size_t created = at > 6 ? at - 6 : 0;
        const size_t uncertain = at >= 6;
        struct lq_apply_report report;
        struct fake fake;
        const struct lq_topology *topology = NULL;

        restart(fixture, SIZE_MAX);
        topology = plan(fixture, &entry, 1);
        fake_init(&fake, fixture);
        fake.lost_at = at;
        assert_int_equal(
            lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
            LQ_LOST);
        assert_int_equal(report.ending, uncertain ? LILYQ_ENDED_PARTLY
                                                  : LILYQ_ENDED_UNTOUCHED);
        assert_int_equal(count_all(&report, LQ_CREATED), created);
        assert_int_equal(count_all(&report, LQ_UNCERTAIN), uncertain);
        assert_int_equal(count_all(&report, LQ_NOT_DONE),
                         9 - created - uncertain);
        assert_one_reported(fixture, "lost");
    }
}

static void a_lost_comparison_leaves_nothing_uncertain(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    put_all(&fake, topology);
    fake.lost_at = 8; /* six checks, two of six comparisons */
    assert_int_equal(
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_LOST);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_int_equal(count_all(&report, LQ_EXISTING), 2);
    assert_int_equal(count_all(&report, LQ_NOT_DONE), 7);
}

static void stops_when_asked_and_says_what_is_done(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    bool ended_partly = false;

    for (size_t at = 1; at < 20; ++at) {
        struct watch watch = {.stop_at = at};
        const struct lq_apply_options options = {.stop = stop, .data = &watch};
        struct lq_apply_report report;
        struct fake fake;
        const struct lq_topology *topology = NULL;

        restart(fixture, SIZE_MAX);
        topology = plan(fixture, &entry, 1);
        fake_init(&fake, fixture);
        assert_int_equal(lq_apply(&fake.broker, topology, &options,
                                  &fixture->diags, &report),
                         LQ_REFUSED);
        assert_int_equal(report.ending, count_all(&report, LQ_CREATED)
                                            ? LILYQ_ENDED_PARTLY
                                            : LILYQ_ENDED_UNTOUCHED);
        assert_int_equal(count_all(&report, LQ_CREATED) +
                             count_all(&report, LQ_NOT_DONE),
                         9);
        assert_int_equal(fixture->diags.items.count, 0);
        ended_partly = ended_partly || report.ending == LILYQ_ENDED_PARTLY;
    }
    assert_true(ended_partly);
}

static void shows_progress_up_to_the_end(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct watch watch = {.done = 0};
    const struct lq_apply_options options = {.progress = watch_progress,
                                             .data = &watch};
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &options, &fixture->diags, &report),
        LQ_OK);
    assert_int_equal(watch.total, 15);
    assert_int_equal(watch.done, 15);
}

static void applies_an_empty_topology(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_topology *const topology = plan(fixture, NULL, 0);
    struct lq_apply_report report;
    struct fake fake;

    fake_init(&fake, fixture);
    assert_int_equal(
        lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report),
        LQ_OK);
    assert_int_equal(report.ending, LILYQ_APPLIED);
    assert_int_equal(fake.log.count, 0);
}

static enum lq_status apply_within(struct fixture *fixture, size_t limit,
                                   const struct fake_rule *rule)
{
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *topology = NULL;
    struct lq_apply_report report;
    struct fake fake;

    restart(fixture, SIZE_MAX);
    topology = plan(fixture, &entry, 1);
    fake_init(&fake, fixture);
    fake.rules = rule;
    fake.rule_count = rule != NULL;
    limit_memory(&fixture->arena, limit);
    return lq_apply(&fake.broker, topology, &plain, &fixture->diags, &report);
}

static void survives_any_failed_allocation(void **state)
{
    static const struct fake_rule rule = {LQ_DECLARE_QUEUE, "q", 403, "no"};
    static const struct fake_rule differs = {
        LQ_CHECK_QUEUE, "q", 406,
        "inequivalent arg 'x-max-length' for queue 'q' in vhost '/': received "
        "the value '2' of type 'long' but current is the value '1' of type "
        "'long'"};
    struct fixture *const fixture = *state;
    size_t limit = 0;

    while (apply_within(fixture, limit, NULL) == LQ_NOMEM) {
        ++limit;
    }
    assert_in_range(limit, 10, 200);
    assert_int_equal(apply_within(fixture, limit, NULL), LQ_OK);
    limit = 0;
    while (apply_within(fixture, limit, &rule) == LQ_NOMEM) {
        ++limit;
    }
    assert_in_range(limit, 10, 200);
    assert_int_equal(apply_within(fixture, limit, &rule), LQ_REFUSED);
    limit = 0;
    while (apply_within(fixture, limit, &differs) == LQ_NOMEM) {
        ++limit;
    }
    assert_in_range(limit, 10, 200);
    assert_int_equal(apply_within(fixture, limit, &differs), LQ_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(looks_first_and_then_declares_in_order),
        TEST(finds_everything_in_place_the_second_time),
        TEST(tells_new_bindings_from_those_it_cannot_know),
        TEST(lists_every_conflict_and_writes_nothing),
        TEST(only_verifies_what_is_external),
        TEST(writes_nothing_when_something_external_is_missing),
        TEST(is_untouched_by_a_refused_check),
        TEST(stops_at_the_first_refused_declaration),
        TEST(is_untouched_when_the_very_first_declaration_is_refused),
        TEST(reports_a_queue_that_another_made_meanwhile),
        TEST(declares_what_vanishes_while_it_looks),
        TEST(writes_nothing_when_all_vanishes_beside_a_conflict),
        TEST(does_not_say_which_it_is_of_what_comes_and_goes),
        TEST(accounts_for_all_wherever_the_connection_is_lost),
        TEST(a_lost_comparison_leaves_nothing_uncertain),
        TEST(stops_when_asked_and_says_what_is_done),
        TEST(shows_progress_up_to_the_end),
        TEST(applies_an_empty_topology),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
