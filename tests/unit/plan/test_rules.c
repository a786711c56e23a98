#include "plan/draft.h"

#include "fixture.h"

static void check(struct fixture *fixture, const struct lq_entry *entry,
                  const char *line)
{
    restart(fixture, SIZE_MAX);
    if (line) {
        assert_int_equal(lq_rules_check(entry, &fixture->diags), LQ_INVALID);
        assert_one_reported(fixture, line);
    } else {
        assert_int_equal(lq_rules_check(entry, &fixture->diags), LQ_OK);
        assert_int_equal(fixture->diags.items.count, 0);
    }
}

/* The same entry passes once the field counts as reported already. */
static void check_unless_broken(struct fixture *fixture, struct lq_entry *entry,
                                enum lq_field field, const char *line)
{
    check(fixture, entry, line);
    entry->broken = lq_field_bit(field);
    check(fixture, entry, NULL);
    entry->broken = 0;
}

static void passes_the_defaults(void **state)
{
    const struct lq_entry entry = entry_at(3, "orders");

    check(*state, &entry, NULL);
}

static void refuses_an_exclusive_queue(void **state)
{
    struct lq_entry entry = entry_at(3, "orders");

    entry.exclusive = true;
    give(&entry, LQ_EXCLUSIVE, 5);
    check_unless_broken(
        *state, &entry, LQ_EXCLUSIVE,
        "lilyq.ini:5: [queue:orders] 'exclusive' must be false, not 'true': an "
        "exclusive queue cannot outlive the connection declaring it");
}

static struct lq_entry external(void)
{
    struct lq_entry entry = entry_at(3, "orders");

    entry.topology_ownership = LQ_EXTERNAL;
    give(&entry, LQ_TOPOLOGY_OWNERSHIP, 4);
    entry.dead_letter_exchange = "dlx";
    entry.dead_letter_routing_key = "failed";
    return entry;
}

static void passes_a_complete_external_entry(void **state)
{
    const struct lq_entry entry = external();

    check(*state, &entry, NULL);
}

static void requires_an_external_dead_letter_exchange(void **state)
{
    const char *const line =
        "lilyq.ini:3: [queue:orders] 'dead_letter_exchange' is required when "
        "topology_ownership is external";
    struct lq_entry entry = external();

    entry.dead_letter_exchange = NULL;
    check_unless_broken(*state, &entry, LQ_DEAD_LETTER_EXCHANGE, line);
    check_unless_broken(*state, &entry, LQ_TOPOLOGY_OWNERSHIP, line);
}

static void requires_an_external_dead_letter_key(void **state)
{
    const char *const line =
        "lilyq.ini:3: [queue:orders] 'dead_letter_routing_key' is required "
        "when topology_ownership is external";
    struct lq_entry entry = external();

    entry.dead_letter_routing_key = NULL;
    check_unless_broken(*state, &entry, LQ_DEAD_LETTER_ROUTING_KEY, line);
    check_unless_broken(*state, &entry, LQ_TOPOLOGY_OWNERSHIP, line);
}

static void passes_a_buffer_as_big_as_the_prefetch(void **state)
{
    struct lq_entry entry = entry_at(3, "orders");

    entry.delivery_buffer_capacity = 10;
    check(*state, &entry, NULL);
}

static void refuses_a_buffer_over_the_prefetch(void **state)
{
    struct lq_entry entry = entry_at(3, "orders");

    entry.delivery_buffer_capacity = 11;
    give(&entry, LQ_DELIVERY_BUFFER_CAPACITY, 7);
    check_unless_broken(
        *state, &entry, LQ_PREFETCH_COUNT,
        "lilyq.ini:7: [queue:orders] 'delivery_buffer_capacity' must not "
        "exceed prefetch_count (10 by default), not '11'");
    give(&entry, LQ_PREFETCH_COUNT, 6);
    check_unless_broken(
        *state, &entry, LQ_DELIVERY_BUFFER_CAPACITY,
        "lilyq.ini:7: [queue:orders] 'delivery_buffer_capacity' must not "
        "exceed prefetch_count (10), not '11'");
}

static void passes_a_cap_equal_to_the_backoff(void **state)
{
    struct lq_entry entry = entry_at(3, "orders");

    entry.max_retry_backoff_millis = 1000;
    check(*state, &entry, NULL);
}

static void refuses_a_cap_under_the_backoff(void **state)
{
    struct lq_entry entry = entry_at(3, "orders");

    entry.max_retry_backoff_millis = 999;
    give(&entry, LQ_MAX_RETRY_BACKOFF_MILLIS, 8);
    check_unless_broken(
        *state, &entry, LQ_RETRY_BACKOFF_MILLIS,
        "lilyq.ini:8: [queue:orders] 'max_retry_backoff_millis' must be at "
        "least retry_backoff_millis (1000 by default), not '999'");
    give(&entry, LQ_RETRY_BACKOFF_MILLIS, 7);
    check_unless_broken(
        *state, &entry, LQ_MAX_RETRY_BACKOFF_MILLIS,
        "lilyq.ini:8: [queue:orders] 'max_retry_backoff_millis' must be at "
        "least retry_backoff_millis (1000), not '999'");
}

static void refuses_a_backoff_over_the_default_cap(void **state)
{
    struct lq_entry entry = entry_at(3, "orders");

    entry.retry_backoff_millis = 60001;
    give(&entry, LQ_RETRY_BACKOFF_MILLIS, 7);
    check_unless_broken(
        *state, &entry, LQ_RETRY_BACKOFF_MILLIS,
        "lilyq.ini:7: [queue:orders] 'retry_backoff_millis' must not exceed "
        "max_retry_backoff_millis (60000 by default), not '60001'");
}

static struct lq_entry quorum(void)
{
    struct lq_entry entry = entry_at(3, "orders");

    entry.queue_type = LQ_QUORUM;
    return entry;
}

static void passes_a_plain_quorum_queue(void **state)
{
    const struct lq_entry entry = quorum();

    check(*state, &entry, NULL);
}

static void wants_quorum_queues_durable(void **state)
{
    const char *const line = "lilyq.ini:5: [queue:orders] 'durable' must be "
                             "true on a quorum queue, not 'false'";
    struct lq_entry entry = quorum();

    entry.durable = false;
    give(&entry, LQ_DURABLE, 5);
    check_unless_broken(*state, &entry, LQ_DURABLE, line);
    check_unless_broken(*state, &entry, LQ_QUEUE_TYPE, line);
}

static void wants_quorum_queues_kept(void **state)
{
    const char *const line = "lilyq.ini:5: [queue:orders] 'auto_delete' must "
                             "be false on a quorum queue, not 'true'";
    struct lq_entry entry = quorum();

    entry.auto_delete = true;
    give(&entry, LQ_AUTO_DELETE, 5);
    check_unless_broken(*state, &entry, LQ_AUTO_DELETE, line);
    check_unless_broken(*state, &entry, LQ_QUEUE_TYPE, line);
}

static void wants_no_priority_on_quorum_queues(void **state)
{
    const char *const line = "lilyq.ini:5: [queue:orders] 'max_priority' must "
                             "be absent on a quorum queue";
    struct lq_entry entry = quorum();

    entry.max_priority = 3;
    give(&entry, LQ_MAX_PRIORITY, 5);
    check_unless_broken(*state, &entry, LQ_QUEUE_TYPE, line);
    /* one out of range is no better */
    entry.broken = lq_field_bit(LQ_MAX_PRIORITY);
    check(*state, &entry, line);
}

static void lets_classic_queues_have_all_three(void **state)
{
    struct lq_entry entry = entry_at(3, "orders");

    entry.durable = false;
    entry.auto_delete = true;
    entry.max_priority = 16;
    check(*state, &entry, NULL);
}

/* Breaks every rule that one entry can break at once. */
static struct lq_entry wrong(void)
{
    struct lq_entry entry = entry_at(3, "orders");

    entry.exclusive = true;
    entry.topology_ownership = LQ_EXTERNAL;
    entry.delivery_buffer_capacity = 11;
    entry.max_retry_backoff_millis = 999;
    entry.queue_type = LQ_QUORUM;
    entry.durable = false;
    entry.auto_delete = true;
    entry.max_priority = 3;
    return entry;
}

static void reports_every_broken_rule(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = wrong();

    assert_int_equal(lq_rules_check(&entry, &fixture->diags), LQ_INVALID);
    assert_int_equal(fixture->diags.error_count, 8);
}

static void passes_over_rules_of_broken_fields(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = wrong();

    entry.broken = ~UINT64_C(0);
    assert_int_equal(lq_rules_check(&entry, &fixture->diags), LQ_OK);
    assert_int_equal(fixture->diags.items.count, 0);
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry entry = wrong();
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status == LQ_NOMEM; ++limit) {
        restart(fixture, limit);
        status = lq_rules_check(&entry, &fixture->diags);
        status = lq_arena_status(&fixture->arena, status);
    }
    assert_int_equal(status, LQ_INVALID);
    assert_in_range(limit, 30, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(passes_the_defaults),
        TEST(refuses_an_exclusive_queue),
        TEST(passes_a_complete_external_entry),
        TEST(requires_an_external_dead_letter_exchange),
        TEST(requires_an_external_dead_letter_key),
        TEST(passes_a_buffer_as_big_as_the_prefetch),
        TEST(refuses_a_buffer_over_the_prefetch),
        TEST(passes_a_cap_equal_to_the_backoff),
        TEST(refuses_a_cap_under_the_backoff),
        TEST(refuses_a_backoff_over_the_default_cap),
        TEST(passes_a_plain_quorum_queue),
        TEST(wants_quorum_queues_durable),
        TEST(wants_quorum_queues_kept),
        TEST(wants_no_priority_on_quorum_queues),
        TEST(lets_classic_queues_have_all_three),
        TEST(reports_every_broken_rule),
        TEST(passes_over_rules_of_broken_fields),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
