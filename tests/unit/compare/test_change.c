#include "compare/compare.h"

#include "../limit.h"
#include "../plan/plan_fixture.h"
#include "base/text.h"

static struct lq_diff change(struct fixture *fixture,
                             const struct lq_topology *before,
                             const struct lq_topology *after)
{
    struct lq_diff diff;

    assert_int_equal(lq_change(before, after, &fixture->arena, &diff), LQ_OK);
    return diff;
}

static struct lq_diff change_one(struct fixture *fixture,
                                 const struct lq_entry *before,
                                 const struct lq_entry *after)
{
    return change(fixture, plan(fixture, before, 1), plan(fixture, after, 1));
}

/* "queue-created q.dlq.v2", or with a field "queue-argument-changed q FIELD" */
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

static void finds_nothing_between_a_plan_and_itself(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entries[] = {retrying_at(1, "a"), external_at(2, "b"),
                                       entry_at(3, "c")};
    const struct lq_topology *const topology = plan(fixture, entries, 3);
    const struct lq_diff diff = change(fixture, topology, topology);

    assert_int_equal(diff.findings.count, 0);
}

static void takes_what_only_the_runtime_uses_for_no_change(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry before = retrying_at(1, "q");
    struct lq_entry after = before;
    struct lq_diff diff;

    after.concurrency = 7;
    after.prefetch_count = 100;
    after.settlement_timeout_millis = 1;
    diff = change_one(fixture, &before, &after);
    assert_int_equal(diff.findings.count, 0);
}

static void creates_what_the_plan_before_lacks(void **state)
{
    static const char *const lines[] = {
        "queue-created q.retry.v2.4000ms",
        "binding-created q.retry.v2.4000ms",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry before = retrying_at(1, "q");
    struct lq_entry after = before;
    struct lq_diff diff;

    after.retry_attempts = 3;
    diff = change_one(fixture, &before, &after);
    assert_found(fixture, &diff, lines, COUNT(lines));
    assert_int_equal(diff.counts[LILYQ_MISSING], 2);
    assert_int_equal(lq_finding_remedy(lq_diff_at(&diff, 0)->code),
                     LQ_REMEDY_APPLY);
}

static void leaves_orphans_whose_messages_still_return(void **state)
{
    static const char *const lines[] = {
        "queue-orphaned q.retry.v2.4000ms",
        "binding-orphaned q.retry.v2.4000ms",
    };
    struct fixture *const fixture = *state;
    struct lq_entry before = retrying_at(1, "q");
    const struct lq_entry after = before;
    struct lq_diff diff;

    before.retry_attempts = 3;
    diff = change_one(fixture, &before, &after);
    assert_found(fixture, &diff, lines, COUNT(lines));
    assert_int_equal(diff.counts[LILYQ_UNEXPECTED], 2);
    assert_string_equal(lq_diff_at(&diff, 0)->logical->entry->name, "q");
    assert_int_equal(lq_diff_at(&diff, 0)->logical->entry->retry_attempts, 2);
    assert_non_null(strstr(lq_finding_advice(lq_diff_at(&diff, 0)),
                           "messages in it still return"));
}

static void leaves_all_of_an_entry_that_is_gone(void **state)
{
    static const char *const lines[] = {
        "exchange-orphaned orders.retry.v2",
        "queue-orphaned gone",
        "queue-orphaned gone.retry.v2.1000ms",
        "queue-orphaned gone.retry.v2.2000ms",
        "queue-orphaned gone.dlq.v2",
        "binding-orphaned gone",
        "binding-orphaned gone.retry.v2.1000ms",
        "binding-orphaned gone.retry.v2.2000ms",
        "binding-orphaned gone.dlq.v2",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entries[] = {entry_at(1, "stays"),
                                       retrying_at(2, "gone")};
    const struct lq_diff diff =
        change(fixture, plan(fixture, entries, 2), plan(fixture, entries, 1));

    assert_found(fixture, &diff, lines, COUNT(lines));
    for (size_t i = 0; i < diff.findings.count; ++i) {
        assert_null(lq_diff_at(&diff, i)->logical);
    }
}

static void tells_of_a_binding_that_stays_behind(void **state)
{
    static const char *const lines[] = {
        "queue-argument-changed q.retry.v2.1000ms x-dead-letter-routing-key",
        "queue-argument-changed q.retry.v2.2000ms x-dead-letter-routing-key",
        "binding-created q",
        "binding-left q",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry before = retrying_at(1, "q");
    struct lq_entry after = before;
    struct lq_diff diff;

    after.routing_key = "new.key";
    diff = change_one(fixture, &before, &after);
    assert_found(fixture, &diff, lines, COUNT(lines));
    assert_string_equal(lq_diff_at(&diff, 3)->binding->routing_key, "q");
    assert_string_equal(lq_diff_at(&diff, 2)->binding->routing_key, "new.key");
}

static void says_that_apply_would_refuse_another_argument(void **state)
{
    static const char *const lines[] = {
        "queue-property-changed q auto_delete",
        "queue-argument-changed q x-max-length",
        "queue-argument-changed q x-max-priority",
        "queue-argument-changed q x-message-ttl",
        "queue-argument-changed q x-single-active-consumer",
        "queue-argument-changed q.dlq.v2 x-max-length-bytes",
    };
    struct fixture *const fixture = *state;
    struct lq_entry before = entry_at(1, "q");
    struct lq_entry after = entry_at(1, "q");
    struct lq_diff diff;

    before.single_active_consumer = true;
    before.max_priority = 3;
    before.message_ttl_ms = 5;
    after.auto_delete = true;
    after.main_max_messages = 7;
    after.dead_letter_max_bytes = 8;
    diff = change_one(fixture, &before, &after);
    assert_found(fixture, &diff, lines, COUNT(lines));
    assert_string_equal(lq_diff_at(&diff, 1)->planned.text, "7");
    assert_string_equal(lq_diff_at(&diff, 1)->actual.text, "100000");
    assert_null(lq_diff_at(&diff, 2)->planned.text);
    for (size_t i = 0; i < diff.findings.count; ++i) {
        assert_non_null(
            strstr(lq_finding_advice(lq_diff_at(&diff, i)), "exit status 4"));
        assert_false(lq_finding_in_place(lq_diff_at(&diff, i)->code));
    }
}

static void says_whose_owner_changes_and_compares_nothing_then(void **state)
{
    static const char *const lines[] = {
        "owner-enters outer topology_ownership",
        "owner-enters outer.dlx topology_ownership",
        "owner-enters q topology_ownership",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry before = external_at(1, "q");
    struct lq_entry after = before;
    struct lq_diff diff;

    after.topology_ownership = LQ_FRAMEWORK_MANAGED;
    after.main_max_messages = 7;
    diff = change_one(fixture, &before, &after);
    assert_found(fixture, &diff, lines, COUNT(lines));
    assert_string_equal(lq_diff_at(&diff, 2)->actual.text, "external");
    assert_string_equal(lq_diff_at(&diff, 2)->planned.text,
                        "framework_managed");
    diff = change_one(fixture, &after, &before);
    assert_int_equal(diff.findings.count, 3);
    assert_int_equal(lq_diff_at(&diff, 0)->code, LQ_OWNER_LEAVES);
}

static void leaves_what_is_external_to_its_owner(void **state)
{
    static const char *const wanted[] = {
        "external-exchange-wanted outer", "external-exchange-wanted outer.dlx",
        "external-queue-wanted b",        "external-queue-wanted b.dlq.v2",
        "external-binding-wanted b",      "external-binding-wanted b.dlq.v2",
    };
    static const char *const dropped[] = {
        "external-exchange-dropped outer",
        "external-exchange-dropped outer.dlx",
        "external-queue-dropped b",
        "external-queue-dropped b.dlq.v2",
        "external-binding-dropped b",
        "external-binding-dropped b.dlq.v2",
    };
    struct fixture *const fixture = *state;
    const struct lq_entry entries[] = {entry_at(1, "a"), external_at(2, "b")};
    const struct lq_topology *const few = plan(fixture, entries, 1);
    const struct lq_topology *const all = plan(fixture, entries, 2);
    struct lq_diff diff = change(fixture, few, all);

    assert_found(fixture, &diff, wanted, COUNT(wanted));
    diff = change(fixture, all, few);
    assert_found(fixture, &diff, dropped, COUNT(dropped));
}

static void knows_the_exchanges_that_every_broker_has(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry other = entry_at(1, "q");
    struct lq_entry reserved = entry_at(1, "q");
    struct lq_diff diff;

    reserved.exchange_name = "amq.direct";
    diff = change_one(fixture, &other, &reserved);
    for (size_t i = 0; i < diff.findings.count; ++i) {
        assert_string_not_equal(lq_diff_at(&diff, i)->name, "amq.direct");
    }
    diff = change_one(fixture, &reserved, &other);
    for (size_t i = 0; i < diff.findings.count; ++i) {
        assert_string_not_equal(lq_diff_at(&diff, i)->name, "amq.direct");
    }
    reserved.exchange_name = "amq.topic";
    diff = change_one(fixture, &other, &reserved);
    assert_string_equal(line_of(fixture, lq_diff_at(&diff, 0)),
                        "exchange-property-different amq.topic type");
}

/* A few plans that have names in common. */
static const struct lq_topology *some(struct fixture *fixture, unsigned seed)
{
    struct lq_entry *const entries =
        lq_alloc_array(&fixture->arena, 4, sizeof(*entries));
    static const char *const names[] = {"a", "b", "c", "d"};
    size_t count = 0;

    for (unsigned i = 0; i < 4; ++i) {
        const unsigned bits = seed >> (2 * i) & 3;

        if (bits) {
            entries[count] = entry_at(i + 1, names[i]);
            entries[count].retry_attempts = bits;
            entries[count].exchange_name = bits & 1 ? "orders" : "bills";
            ++count;
        }
    }
    return plan(fixture, entries, count);
}

static void orphans_one_way_what_it_creates_the_other_way(void **state)
{
    struct fixture *const fixture = *state;

    for (unsigned i = 0; i < 60; ++i) {
        const struct lq_topology *const one = some(fixture, i * 37 % 256);
        const struct lq_topology *const two = some(fixture, i * 101 % 256);
        const struct lq_diff there = change(fixture, one, two);
        const struct lq_diff back = change(fixture, two, one);

        assert_int_equal(there.counts[LILYQ_MISSING],
                         back.counts[LILYQ_UNEXPECTED]);
        assert_int_equal(there.counts[LILYQ_UNEXPECTED],
                         back.counts[LILYQ_MISSING]);
        assert_int_equal(there.counts[LILYQ_DIFFERENT],
                         back.counts[LILYQ_DIFFERENT]);
        assert_int_equal(there.findings.count == 0,
                         i * 37 % 256 == i * 101 % 256);
    }
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry before = retrying_at(1, "q");
    const struct lq_entry after = external_at(1, "q");
    enum lq_status status = LQ_NOMEM;

    before.message_ttl_ms = 9;
    for (size_t limit = 0; status == LQ_NOMEM; ++limit) {
        const struct lq_topology *one = NULL;
        const struct lq_topology *two = NULL;
        struct lq_diff diff;

        restart(fixture, SIZE_MAX);
        one = plan(fixture, &before, 1);
        two = plan(fixture, &after, 1);
        limit_memory(&fixture->arena, limit);
        status = lq_change(one, two, &fixture->arena, &diff);
    }
    assert_int_equal(status, LQ_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(finds_nothing_between_a_plan_and_itself),
        TEST(takes_what_only_the_runtime_uses_for_no_change),
        TEST(creates_what_the_plan_before_lacks),
        TEST(leaves_orphans_whose_messages_still_return),
        TEST(leaves_all_of_an_entry_that_is_gone),
        TEST(tells_of_a_binding_that_stays_behind),
        TEST(says_that_apply_would_refuse_another_argument),
        TEST(says_whose_owner_changes_and_compares_nothing_then),
        TEST(leaves_what_is_external_to_its_owner),
        TEST(knows_the_exchanges_that_every_broker_has),
        TEST(orphans_one_way_what_it_creates_the_other_way),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
