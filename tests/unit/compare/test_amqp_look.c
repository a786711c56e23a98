#include "compare/amqp.h"

#include "../broker/apply_fixture.h"
#include "../limit.h"

/* "queue-missing q", or with a field "queue-argument-different q FIELD" */
static const char *line_of(struct fixture *fixture,
                           const struct lq_finding *finding)
{
    return lq_format(&fixture->arena, "%s %s%s%s",
                     lq_finding_code(finding->code), finding->name,
                     finding->field ? " " : "",
                     finding->field ? finding->field : "");
}

static void assert_found(struct fixture *fixture, const struct lq_diff *diff,
                         const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count && i < diff->findings.count; ++i) {
        assert_string_equal(line_of(fixture, lq_diff_at(diff, i)), lines[i]);
    }
    assert_int_equal(diff->findings.count, count);
}

static enum lq_status look_with(struct fake *fake,
                                const struct lq_topology *topology,
                                const struct lq_stage_hooks *hooks,
                                struct lq_diff *out)
{
    struct lq_stages stages = {.broker = &fake->broker,
                               .diags = &fake->fixture->diags,
                               .hooks = *hooks};

    return lq_amqp_diff(&stages, topology, LQ_AMQP_COMPARED, out);
}

static enum lq_status look(struct fake *fake,
                           const struct lq_topology *topology,
                           bool passive_only, struct lq_diff *out)
{
    struct lq_stages stages = {.broker = &fake->broker,
                               .diags = &fake->fixture->diags};

    return lq_amqp_diff(&stages, topology,
                        passive_only ? LQ_AMQP_PASSIVE : LQ_AMQP_COMPARED, out);
}

/* Whether a line of the log begins so. */
static size_t asked(const struct fake *fake, const char *start)
{
    const char *const *const log = fake->log.items;
    size_t count = 0;

    for (size_t i = 0; i < fake->log.count; ++i) {
        count += strncmp(log[i], start, strlen(start)) == 0;
    }
    return count;
}

static void looks_and_then_compares_what_is_there(void **state)
{
    static const char *const log[] = {
        "check exchange orders",         "check exchange orders.retry.v2",
        "check exchange orders.dlx.v2",  "check queue q",
        "check queue q.retry.v2.1000ms", "check queue q.dlq.v2",
        "compare exchange orders",       "compare queue q",
    };
    static const char *const lines[] = {
        "exchange-missing orders.retry.v2",
        "exchange-missing orders.dlx.v2",
        "queue-missing q.retry.v2.1000ms",
        "queue-missing q.dlq.v2",
        "binding-unverified q",
        "binding-missing q.retry.v2.1000ms",
        "binding-missing q.dlq.v2",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    struct lq_diff diff;
    struct fake fake;

    fake_init(&fake, fixture);
    fake_put(&fake, "exchange", "orders");
    fake_put(&fake, "queue", "q");
    assert_int_equal(look(&fake, plan(fixture, &entry, 1), false, &diff),
                     LQ_OK);
    assert_log(&fake, log, COUNT(log));
    assert_found(fixture, &diff, lines, COUNT(lines));
    assert_int_equal(fake.there.count, 2);
}

static void says_of_bindings_that_they_are_not_seen(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_diff diff;
    struct fake fake;

    fake_init(&fake, fixture);
    put_all(&fake, topology);
    assert_int_equal(look(&fake, topology, false, &diff), LQ_OK);
    assert_int_equal(diff.findings.count, 3);
    assert_int_equal(diff.counts[LILYQ_UNVERIFIED], 3);
    assert_int_equal(fixture->diags.items.count, 0);
}

static void reports_the_first_difference_of_each(void **state)
{
    static const struct fake_rule rules[] = {
        {LQ_COMPARE_QUEUE, "q", 406,
         "PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'q' in "
         "vhost '/': received 'true' but current is 'false'"},
        {LQ_COMPARE_QUEUE, "q.dlq.v2", 406,
         "PRECONDITION_FAILED - inequivalent arg 'x-max-length' for queue "
         "'q.dlq.v2' in vhost '/': received '5000' but current is '1'"},
        {LQ_COMPARE_EXCHANGE, "orders", 406,
         "PRECONDITION_FAILED - inequivalent arg 'type' for exchange 'orders' "
         "in vhost '/': received 'direct' but current is 'fanout'"},
        {LQ_CHECK_QUEUE, "q.retry.v2.1000ms", 405, "RESOURCE_LOCKED"},
    };
    static const char *const lines[] = {
        "exchange-property-different orders type",
        "queue-property-different q durable",
        "queue-property-different q.retry.v2.1000ms exclusive",
        "queue-argument-different q.dlq.v2 x-max-length",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_diff diff;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.rules = rules;
    fake.rule_count = COUNT(rules);
    put_all(&fake, topology);
    assert_int_equal(look(&fake, topology, false, &diff), LQ_OK);
    assert_int_equal(diff.findings.count, COUNT(lines) + 3);
    diff.findings.count = COUNT(lines);
    assert_found(fixture, &diff, lines, COUNT(lines));
    assert_string_equal(lq_diff_at(&diff, 3)->planned.text, "5000");
    assert_string_equal(lq_diff_at(&diff, 3)->actual.text, "1");
    assert_string_equal(lq_diff_at(&diff, 3)->actual.type, "integer");
}

static void sends_nothing_but_checks_when_told_so(void **state)
{
    static const char *const lines[] = {
        "property-unverified orders declaration",
        "exchange-missing orders.retry.v2",
        "exchange-missing orders.dlx.v2",
        "property-unverified q declaration",
        "queue-missing q.retry.v2.1000ms",
        "queue-missing q.dlq.v2",
        "binding-unverified q",
        "binding-missing q.retry.v2.1000ms",
        "binding-missing q.dlq.v2",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    struct lq_diff diff;
    struct fake fake;

    fake_init(&fake, fixture);
    fake_put(&fake, "exchange", "orders");
    fake_put(&fake, "queue", "q");
    assert_int_equal(look(&fake, plan(fixture, &entry, 1), true, &diff), LQ_OK);
    assert_int_equal(asked(&fake, "check "), fake.log.count);
    assert_found(fixture, &diff, lines, COUNT(lines));
}

static void never_compares_what_is_external(void **state)
{
    static const char *const lines[] = {
        "external-exchange-missing graveyard",
        "external-queue-missing out.dlq.v2",
        "external-binding-missing out.dlq.v2",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = external("out");
    struct lq_diff diff;
    struct fake fake;

    fake_init(&fake, fixture);
    fake_put(&fake, "exchange", "orders");
    fake_put(&fake, "queue", "out");
    assert_int_equal(look(&fake, plan(fixture, &entry, 1), false, &diff),
                     LQ_OK);
    assert_int_equal(asked(&fake, "check "), fake.log.count);
    assert_int_equal(diff.counts[LILYQ_UNVERIFIED], 1);
    assert_int_equal(diff.counts[LILYQ_MISSING], 3);
    for (size_t i = 0, seen = 0; i < diff.findings.count && seen < 3; ++i) {
        const struct lq_finding *const finding = lq_diff_at(&diff, i);

        if (lq_finding_kind(finding->code) == LILYQ_MISSING) {
            assert_string_equal(line_of(fixture, finding), lines[seen++]);
        }
    }
    assert_int_equal(diff.counts[LILYQ_MISSING], 3);
}

static void asks_no_more_of_what_is_external_than_to_be_there(void **state)
{
    static const struct fake_rule locked[] = {
        {LQ_CHECK_QUEUE, "out", 405, "RESOURCE_LOCKED"}};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = external("out");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);

    for (int passive_only = 0; passive_only < 2; ++passive_only) {
        struct lq_diff diff;
        struct fake fake;

        fake_init(&fake, fixture);
        fake.rules = locked;
        fake.rule_count = COUNT(locked);
        put_all(&fake, topology);
        assert_int_equal(look(&fake, topology, passive_only, &diff), LQ_OK);
        assert_int_equal(diff.findings.count, topology->binding_count);
        assert_int_equal(diff.counts[LILYQ_UNVERIFIED],
                         topology->binding_count);
    }
}

/* What the barrier answers with when there is nothing. */
static const struct fake_rule nothing_there[] = {
    {LQ_COMPARE_QUEUE, "q", 406,
     "PRECONDITION_FAILED - invalid arg 'x-stream-max-segment-size-bytes' "
     "for queue 'q' in vhost '/' of queue type rabbit_classic_queue"},
    {LQ_COMPARE_EXCHANGE, "orders", 406,
     "PRECONDITION_FAILED - invalid type 'long' for arg "
     "'alternate-exchange' in exchange 'orders' in vhost '/'"},
};

/* A broker that loses everything once it was looked at. */
static enum lq_status vanish(struct lq_broker *broker,
                             const struct lq_batch *batch)
{
    struct fake *const fake = (struct fake *)broker;
    const enum lq_status status = fake_run(broker, batch);

    fake->there.count = 0;
    return status;
}

static void calls_missing_what_vanishes_between_two_looks(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = entry_at(1, "q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_diff diff;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.broker.run = vanish;
    put_all(&fake, topology);
    assert_int_equal(look(&fake, topology, false, &diff), LQ_OK);
    assert_string_equal(line_of(fixture, lq_diff_at(&diff, 0)),
                        "exchange-missing orders");
    assert_int_equal(diff.counts[LILYQ_MISSING], diff.findings.count);
    assert_int_equal(diff.findings.count, 6);
    assert_int_equal(fake.there.count, 0);
    assert_int_equal(asked(&fake, "declare "), 0);
}

static void calls_nothing_missing_that_is_there_after_all(void **state)
{
    static const char *const lines[] = {
        "property-unverified orders declaration",
        "property-unverified q declaration",
        "binding-unverified q",
        "binding-unverified q.dlq.v2",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = entry_at(1, "q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_diff diff;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.rules = nothing_there;
    fake.rule_count = COUNT(nothing_there);
    put_all(&fake, topology);
    assert_int_equal(look(&fake, topology, false, &diff), LQ_OK);
    assert_found(fixture, &diff, lines, COUNT(lines));
    assert_int_equal(asked(&fake, "check queue q"), 3);
}

static void reports_all_that_is_denied_and_finds_nothing_then(void **state)
{
    static const struct fake_rule rules[] = {
        {LQ_COMPARE_QUEUE, NULL, 403,
         "ACCESS_REFUSED - configure access to queue 'q' in vhost '/' refused "
         "for user 'u'"},
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entry = entry_at(1, "q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    struct lq_diff diff;
    struct fake fake;

    fake_init(&fake, fixture);
    fake.rules = rules;
    fake.rule_count = COUNT(rules);
    put_all(&fake, topology);
    assert_int_equal(look(&fake, topology, false, &diff), LQ_REFUSED);
    assert_int_equal(diff.findings.count, 0);
    assert_int_equal(fixture->diags.error_count, 2);
    assert_string_equal(lq_diags_at(&fixture->diags, 0)->text,
                        "queue 'q': user 'u' needs permission to configure "
                        "queue 'q' in vhost '/'");
    assert_int_equal(look(&fake, topology, true, &diff), LQ_OK);
}

static void ends_when_the_broker_is_lost(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);

    for (size_t i = 0; i < 12; ++i) {
        struct lq_diff diff;
        struct fake fake;

        fake_init(&fake, fixture);
        put_all(&fake, topology);
        fake.lost_at = i;
        assert_int_equal(look(&fake, topology, false, &diff), LQ_LOST);
        assert_int_equal(diff.findings.count, 0);
    }
}

static void ends_when_told_to_stop(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(fixture, &entry, 1);
    size_t asked_before = 0;

    for (size_t i = 1; i < 12; ++i) {
        struct watch watch = {.stop_at = i};
        const struct lq_stage_hooks stopping = {.stop = stop, .data = &watch};
        struct lq_diff diff;
        struct fake fake;

        fake_init(&fake, fixture);
        put_all(&fake, topology);
        assert_int_equal(look_with(&fake, topology, &stopping, &diff),
                         LQ_REFUSED);
        assert_true(fake.log.count <= i && fake.log.count >= asked_before);
        asked_before = fake.log.count;
    }
}

static void shows_how_far_it_is_up_to_the_end(void **state)
{
    struct watch watch = {.stop_at = SIZE_MAX};
    const struct lq_stage_hooks options = {.progress = watch_progress,
                                           .data = &watch};
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    struct lq_diff diff;
    struct fake fake;

    fake_init(&fake, fixture);
    assert_int_equal(
        look_with(&fake, plan(fixture, &entry, 1), &options, &diff), LQ_OK);
    assert_int_equal(watch.done, watch.total);
    assert_int_equal(watch.total, 12);
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = with_one_bucket("q");
    enum lq_status status = LQ_NOMEM;

    for (size_t limit = 0; status == LQ_NOMEM; ++limit) {
        const struct lq_topology *topology = NULL;
        struct lq_diff diff;
        struct fake fake;

        restart(fixture, SIZE_MAX);
        topology = plan(fixture, &entry, 1);
        fake_init(&fake, fixture);
        fake_put(&fake, "exchange", "orders");
        fake_put(&fake, "queue", "q");
        limit_memory(&fixture->arena, limit);
        status = look(&fake, topology, false, &diff);
    }
    assert_int_equal(status, LQ_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(looks_and_then_compares_what_is_there),
        TEST(says_of_bindings_that_they_are_not_seen),
        TEST(reports_the_first_difference_of_each),
        TEST(sends_nothing_but_checks_when_told_so),
        TEST(never_compares_what_is_external),
        TEST(asks_no_more_of_what_is_external_than_to_be_there),
        TEST(calls_missing_what_vanishes_between_two_looks),
        TEST(calls_nothing_missing_that_is_there_after_all),
        TEST(reports_all_that_is_denied_and_finds_nothing_then),
        TEST(ends_when_the_broker_is_lost),
        TEST(ends_when_told_to_stop),
        TEST(shows_how_far_it_is_up_to_the_end),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
