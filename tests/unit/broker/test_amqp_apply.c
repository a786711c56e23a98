/* lq_apply() through the AMQP client, with a peer at the other end. */
#include "amqp_fixture.h"
#include "apply_fixture.h"

/* Exchanges, queues and bindings of one entry with one bucket. */
#define EACH ((size_t)3)

static enum lq_status apply(struct amqp_fixture *fixture,
                            const struct lq_apply_options *options,
                            struct lq_apply_report *report)
{
    const struct lq_entry entry = with_one_bucket("q");
    const struct lq_topology *const topology = plan(&fixture->base, &entry, 1);

    return lq_apply(fixture->broker, topology, options, &fixture->base.diags,
                    report);
}

static void creates_all_that_is_missing(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct lq_apply_report report;

    fixture->peer.empty = true;
    open_well(fixture, NULL, 0);
    assert_int_equal(apply(fixture, &plain, &report), LQ_OK);
    assert_int_equal(report.ending, LILYQ_APPLIED);
    assert_int_equal(count_all(&report, LQ_CREATED), 3 * EACH);
    assert_int_equal(fixture->base.diags.items.count, 0);
    end(fixture);
    assert_int_equal(fixture->peer.checks, 2 * EACH);
    assert_int_equal(fixture->peer.requests, 5 * EACH);
    assert_true(fixture->peer.has_goodbye);
}

static void finds_all_in_place(void **state)
{
    struct amqp_fixture *const fixture = *state;
    struct lq_apply_report report;

    open_well(fixture, NULL, 0);
    assert_int_equal(apply(fixture, &plain, &report), LQ_OK);
    assert_int_equal(report.ending, LILYQ_APPLIED);
    assert_int_equal(count_all(&report, LQ_EXISTING), 2 * EACH);
    assert_all(report.bindings, EACH, LQ_ENSURED);
}

static void a_dry_run_only_looks(void **state)
{
    const struct lq_apply_options dry = {.mode = LILYQ_DRY_RUN};
    struct amqp_fixture *const fixture = *state;
    struct lq_apply_report report;

    fixture->peer.empty = true;
    open_well(fixture, NULL, 0);
    assert_int_equal(apply(fixture, &dry, &report), LQ_OK);
    assert_int_equal(report.ending, LILYQ_ENDED_DRY);
    end(fixture);
    assert_int_equal(fixture->peer.requests, fixture->peer.checks);
}

static void writes_nothing_after_a_conflict(void **state)
{
    static const struct peer_rule rule = {
        PEER_QUEUE_DECLARE,
        EACH,
        PEER_DENIES,
        406,
        "PRECONDITION_FAILED - inequivalent arg 'x-max-length' for queue 'q' "
        "in vhost '/': received '100000' but current is '1'",
        0};
    struct amqp_fixture *const fixture = *state;
    struct lq_apply_report report;

    open_well(fixture, &rule, 1);
    assert_int_equal(apply(fixture, &plain, &report), LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_CONFLICT);
    assert_int_equal(report.queues[0].result, LQ_CONFLICT);
    assert_int_equal(report.queues[0].code, 406);
    assert_int_equal(fixture->base.diags.error_count, 1);
    assert_non_null(strstr(lq_diags_at(&fixture->base.diags, 0)->text,
                           "queue 'q': x-max-length is 1 there, plan says "
                           "100000"));
}

static void says_which_permission_is_missing(void **state)
{
    static const struct peer_rule rule = {
        PEER_EXCHANGE_DECLARE,
        EACH,
        PEER_DENIES,
        403,
        "ACCESS_REFUSED - access to exchange 'orders' in vhost '/' refused for "
        "user 'u'",
        0};
    struct amqp_fixture *const fixture = *state;
    struct lq_apply_report report;

    fixture->peer.empty = true;
    open_well(fixture, &rule, 1);
    assert_int_equal(apply(fixture, &plain, &report), LQ_REFUSED);
    assert_int_equal(report.exchanges[0].result, LQ_FAILED);
    assert_int_equal(report.exchanges[0].code, 403);
    assert_int_equal(fixture->base.diags.error_count, 1);
    assert_non_null(strstr(lq_diags_at(&fixture->base.diags, 0)->text,
                           "exchange 'orders': user 'u' needs permission"));
}

static void accounts_for_all_when_the_connection_ends(void **state)
{
    struct amqp_fixture *const fixture = *state;

    for (size_t after = 0; after < 5 * EACH; ++after) {
        const struct peer_rule rule = {
            .on = PEER_REQUEST, .skip = after, .act = PEER_HANGS_UP};
        const size_t written = after < 2 * EACH ? 0 : after - 2 * EACH;
        struct lq_apply_report report;

        again(fixture);
        fixture->peer.empty = true;
        open_well(fixture, &rule, 1);
        assert_int_equal(apply(fixture, &plain, &report), LQ_LOST);
        assert_said(fixture, "the peer hung up");
        assert_int_equal(report.ending, after < 2 * EACH ? LILYQ_ENDED_UNTOUCHED
                                                         : LILYQ_ENDED_PARTLY);
        assert_int_equal(count_all(&report, LQ_CREATED), written);
        assert_int_equal(count_all(&report, LQ_NOT_DONE) +
                             count_all(&report, LQ_UNCERTAIN),
                         3 * EACH - written);
    }
}

struct notices {
    size_t count;
    const char *first;
};

static void note(void *data, const char *text)
{
    struct notices *const notices = data;

    if (notices->count++ == 0) {
        notices->first = text;
    }
}

static void waits_for_an_alarm_to_end_and_says_so(void **state)
{
    static const struct peer_rule rule = {.on = PEER_QUEUE_BIND,
                                          .act = PEER_BLOCKS,
                                          .code = 100,
                                          .text = "low on memory"};
    struct notices notices = {.count = 0};
    const struct lq_apply_options options = {.notice = note, .data = &notices};
    struct amqp_fixture *const fixture = *state;
    struct lq_apply_report report;

    fixture->peer.empty = true;
    open_well(fixture, &rule, 1);
    assert_int_equal(apply(fixture, &options, &report), LQ_OK);
    assert_int_equal(report.ending, LILYQ_APPLIED);
    assert_true(notices.count >= 1);
    assert_non_null(strstr(notices.first, "low on memory"));
}

static void ends_at_an_alarm_when_told_to(void **state)
{
    static const struct peer_rule rule = {.on = PEER_EXCHANGE_DECLARE,
                                          .skip = EACH,
                                          .act = PEER_BLOCKS,
                                          .code = 60,
                                          .text = "low on memory"};
    const struct lq_apply_options options = {.fail_when_blocked = true};
    struct amqp_fixture *const fixture = *state;
    struct lq_apply_report report;

    fixture->peer.empty = true;
    open_well(fixture, &rule, 1);
    assert_int_equal(apply(fixture, &options, &report), LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_PARTLY);
    assert_all(report.bindings, EACH, LQ_NOT_DONE);
}

static void ends_when_asked_to_stop(void **state)
{
    struct watch watch = {.stop_at = 1};
    const struct lq_apply_options options = {.stop = stop, .data = &watch};
    struct amqp_fixture *const fixture = *state;
    struct lq_apply_report report;

    open_well(fixture, NULL, 0);
    assert_int_equal(apply(fixture, &options, &report), LQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_int_equal(count_all(&report, LQ_NOT_DONE), 3 * EACH);
    end(fixture);
    assert_int_equal(fixture->peer.requests, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AMQP_TEST(creates_all_that_is_missing),
        AMQP_TEST(finds_all_in_place),
        AMQP_TEST(a_dry_run_only_looks),
        AMQP_TEST(writes_nothing_after_a_conflict),
        AMQP_TEST(says_which_permission_is_missing),
        AMQP_TEST(accounts_for_all_when_the_connection_ends),
        AMQP_TEST(waits_for_an_alarm_to_end_and_says_so),
        AMQP_TEST(ends_at_an_alarm_when_told_to),
        AMQP_TEST(ends_when_asked_to_stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
