#include "plan_fixture.h"

static void plans_nothing_from_nothing(void **state)
{
    const struct lq_topology *const topology = plan(*state, NULL, 0);

    assert_int_equal(topology->logical_count, 0);
    assert_int_equal(topology->exchange_count, 0);
    assert_int_equal(topology->queue_count, 0);
    assert_int_equal(topology->binding_count, 0);
    assert_int_equal(topology->bucket_count, 0);
    assert_true(topology->capacity.messages.known);
}

static void declares_main_retry_and_dead_letter_exchange(void **state)
{
    static const char *const names[] = {"orders", "orders.retry.v2",
                                        "orders.dlx.v2"};
    const struct lq_entry entry = retrying_at(3, "a");
    const struct lq_topology *const topology = plan(*state, &entry, 1);

    assert_int_equal(topology->exchange_count, COUNT(names));
    for (size_t i = 0; i < COUNT(names); ++i) {
        assert_string_equal(topology->exchanges[i].name, names[i]);
        assert_int_equal(topology->exchanges[i].role, i);
        assert_int_equal(topology->exchanges[i].ownership,
                         LQ_FRAMEWORK_MANAGED);
        assert_ptr_equal(topology->exchanges[i].logical,
                         &topology->logicals[0]);
    }
}

static void declares_a_name_once_at_its_first_appearance(void **state)
{
    static const struct {
        const char *name;
        enum lq_role role;
    } expected[] = {
        {"orders", LQ_ROLE_MAIN},
        {"orders.dlx.v2", LQ_ROLE_DEAD_LETTER},
        {"orders.retry.v2", LQ_ROLE_RETRY},
    };
    struct lq_entry entries[] = {entry_at(3, "a"), retrying_at(9, "b"),
                                 entry_at(15, "c")};
    const struct lq_topology *topology = NULL;

    entries[2].exchange_name = "orders.retry.v2";
    entries[2].dead_letter_exchange = "orders";
    topology = plan(*state, entries, COUNT(entries));
    assert_int_equal(topology->exchange_count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); ++i) {
        assert_string_equal(topology->exchanges[i].name, expected[i].name);
        assert_int_equal(topology->exchanges[i].role, expected[i].role);
    }
    assert_ptr_equal(topology->exchanges[2].logical, &topology->logicals[1]);
}

static void declares_queues_and_bindings_entry_by_entry(void **state)
{
    static const struct {
        const char *queue;
        const char *source;
        const char *key;
        enum lq_role role;
    } expected[] = {
        {"a", "orders", "key.a", LQ_ROLE_MAIN},
        {"a.retry.v2.1000ms", "orders.retry.v2", "a.retry.1000ms",
         LQ_ROLE_RETRY},
        {"a.retry.v2.2000ms", "orders.retry.v2", "a.retry.2000ms",
         LQ_ROLE_RETRY},
        {"a.dlq.v2", "orders.dlx.v2", "a", LQ_ROLE_DEAD_LETTER},
        {"b", "orders", "b", LQ_ROLE_MAIN},
        {"b.dlq.v2", "orders.dlx.v2", "b", LQ_ROLE_DEAD_LETTER},
    };
    struct lq_entry entries[] = {retrying_at(3, "a"), entry_at(9, "b")};
    const struct lq_topology *topology = NULL;

    entries[0].routing_key = "key.a";
    topology = plan(*state, entries, COUNT(entries));
    assert_int_equal(topology->queue_count, COUNT(expected));
    assert_int_equal(topology->binding_count, COUNT(expected));
    assert_int_equal(topology->bucket_count, 2);
    for (size_t i = 0; i < COUNT(expected); ++i) {
        const struct lq_binding *const binding = &topology->bindings[i];

        assert_string_equal(topology->queues[i].name, expected[i].queue);
        assert_int_equal(topology->queues[i].role, expected[i].role);
        assert_string_equal(binding->source, expected[i].source);
        assert_string_equal(binding->destination, expected[i].queue);
        assert_string_equal(binding->routing_key, expected[i].key);
        assert_int_equal(binding->role, expected[i].role);
        assert_ptr_equal(binding->logical, topology->queues[i].logical);
    }
}

static void assert_arguments(const struct lq_queue *queue,
                             const struct lq_argument *expected, size_t count)
{
    assert_int_equal(queue->argument_count, count);
    for (size_t i = 0; i < count; ++i) {
        const struct lq_argument *const argument = &queue->arguments[i];

        assert_string_equal(argument->key, expected[i].key);
        assert_int_equal(argument->type, expected[i].type);
        assert_int_equal(argument->number, expected[i].number);
        if (expected[i].text) {
            assert_string_equal(argument->text, expected[i].text);
        } else {
            assert_null(argument->text);
        }
    }
}

static void gives_a_main_queue_its_arguments(void **state)
{
    static const struct lq_argument expected[] = {
        {"x-queue-type", LQ_LONGSTR, "classic", 0},
        {"x-max-length", LQ_INT64, NULL, 100000},
        {"x-max-length-bytes", LQ_INT64, NULL, 1073741824},
        {"x-overflow", LQ_LONGSTR, "reject-publish", 0},
        {"x-dead-letter-exchange", LQ_LONGSTR, "orders.dlx.v2", 0},
        {"x-dead-letter-routing-key", LQ_LONGSTR, "a", 0},
        {"x-message-ttl", LQ_INT64, NULL, 4294967295},
        {"x-single-active-consumer", LQ_BOOL, NULL, 1},
        {"x-max-priority", LQ_INT32, NULL, 16},
    };
    struct lq_entry entry = entry_at(3, "a");
    const struct lq_topology *topology = NULL;

    entry.message_ttl_ms = 4294967295;
    entry.single_active_consumer = true;
    entry.max_priority = 16;
    topology = plan(*state, &entry, 1);
    assert_arguments(&topology->queues[0], expected, COUNT(expected));
}

static void leaves_absent_arguments_out(void **state)
{
    const struct lq_entry entry = entry_at(3, "a");
    const struct lq_topology *const topology = plan(*state, &entry, 1);

    assert_int_equal(topology->queues[0].argument_count, 6);
}

static void gives_a_bucket_its_arguments(void **state)
{
    static const struct lq_argument expected[] = {
        {"x-queue-type", LQ_LONGSTR, "quorum", 0},
        {"x-max-length", LQ_INT64, NULL, 10000},
        {"x-max-length-bytes", LQ_INT64, NULL, 268435456},
        {"x-overflow", LQ_LONGSTR, "reject-publish", 0},
        {"x-dead-letter-exchange", LQ_LONGSTR, "orders", 0},
        {"x-dead-letter-routing-key", LQ_LONGSTR, "key.a", 0},
        {"x-message-ttl", LQ_INT64, NULL, 2000},
    };
    struct lq_entry entry = retrying_at(3, "a");
    const struct lq_topology *topology = NULL;

    entry.queue_type = LQ_QUORUM;
    entry.routing_key = "key.a";
    entry.message_ttl_ms = 5;
    entry.single_active_consumer = true;
    topology = plan(*state, &entry, 1);
    assert_arguments(&topology->queues[2], expected, COUNT(expected));
}

static void gives_a_dead_letter_queue_its_arguments(void **state)
{
    static const struct lq_argument expected[] = {
        {"x-queue-type", LQ_LONGSTR, "classic", 0},
        {"x-max-length", LQ_INT64, NULL, 5000},
        {"x-max-length-bytes", LQ_INT64, NULL, 134217728},
        {"x-overflow", LQ_LONGSTR, "reject-publish", 0},
    };
    const struct lq_entry entry = entry_at(3, "a");
    const struct lq_topology *const topology = plan(*state, &entry, 1);

    assert_arguments(&topology->queues[1], expected, COUNT(expected));
}

static void keeps_flags_to_the_main_queue(void **state)
{
    struct lq_entry entry = retrying_at(3, "a");
    const struct lq_topology *topology = NULL;

    entry.durable = false;
    entry.auto_delete = true;
    topology = plan(*state, &entry, 1);
    assert_false(topology->queues[0].durable);
    assert_true(topology->queues[0].auto_delete);
    for (size_t i = 1; i < topology->queue_count; ++i) {
        assert_true(topology->queues[i].durable);
        assert_false(topology->queues[i].auto_delete);
    }
}

static void keeps_the_ownership_of_an_entry(void **state)
{
    const struct lq_entry entries[] = {entry_at(3, "a"), external_at(9, "b")};
    const struct lq_topology *const topology =
        plan(*state, entries, COUNT(entries));

    assert_int_equal(topology->exchange_count, 4);
    assert_int_equal(topology->exchanges[2].ownership, LQ_EXTERNAL);
    assert_int_equal(lq_owner(topology->queues[2].logical), LQ_EXTERNAL);
    assert_int_equal(lq_owner(topology->bindings[3].logical), LQ_EXTERNAL);
    assert_int_equal(lq_owner(topology->queues[0].logical),
                     LQ_FRAMEWORK_MANAGED);
}

static void sums_up_the_worst_case(void **state)
{
    const struct lq_entry entries[] = {retrying_at(3, "a"), entry_at(9, "b")};
    const struct lq_topology *const topology =
        plan(*state, entries, COUNT(entries));

    assert_int_equal(topology->logicals[0].capacity.messages.value, 125000);
    assert_int_equal(topology->logicals[1].capacity.messages.value, 105000);
    assert_int_equal(topology->capacity.messages.value, 230000);
}

static void plans_with_a_warning_when_the_sum_does_not_fit(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = entry_at(3, "a");
    const struct lq_topology *topology = NULL;

    entry.main_max_bytes = INT64_MAX;
    topology = plan(fixture, &entry, 1);
    assert_false(topology->capacity.bytes.known);
    assert_int_equal(fixture->diags.items.count, 2);
}

static void accepts_4096_buckets(void **state)
{
    const struct lq_entry *const entries = many(*state, 200, 128);
    const struct lq_topology *const topology = plan(*state, entries, 200);

    assert_int_equal(topology->bucket_count, 4096);
    assert_int_equal(topology->queue_count, 4096 + 2 * 200);
}

static void plans_10000_entries(void **state)
{
    const struct lq_entry *const entries = many(*state, 10000, 0);
    const struct lq_topology *const topology = plan(*state, entries, 10000);

    assert_int_equal(topology->queue_count, 20000);
    assert_int_equal(topology->exchange_count, 2);
    assert_string_equal(topology->bindings[19999].destination,
                        "queue-9999.dlq.v2");
}

static void allows_the_name_of_a_retry_exchange_without_retries(void **state)
{
    struct lq_entry entries[] = {entry_at(3, "a"), external_at(30, "b")};

    entries[1].exchange_name = "orders.retry.v2";
    assert_int_equal(plan(*state, entries, COUNT(entries))->exchange_count, 4);
}

static void survives_any_failed_allocation(void **state)
{
    struct lq_entry entries[] = {retrying_at(3, "a"), external_at(9, "b")};
    size_t allocations = 0;

    entries[0].main_max_bytes = INT64_MAX;
    assert_int_equal(sweep(*state, entries, COUNT(entries), &allocations),
                     LQ_OK);
    assert_in_range(allocations, 30, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(plans_nothing_from_nothing),
        TEST(declares_main_retry_and_dead_letter_exchange),
        TEST(declares_a_name_once_at_its_first_appearance),
        TEST(declares_queues_and_bindings_entry_by_entry),
        TEST(gives_a_main_queue_its_arguments),
        TEST(leaves_absent_arguments_out),
        TEST(gives_a_bucket_its_arguments),
        TEST(gives_a_dead_letter_queue_its_arguments),
        TEST(keeps_flags_to_the_main_queue),
        TEST(keeps_the_ownership_of_an_entry),
        TEST(sums_up_the_worst_case),
        TEST(plans_with_a_warning_when_the_sum_does_not_fit),
        TEST(accepts_4096_buckets),
        TEST(plans_10000_entries),
        TEST(allows_the_name_of_a_retry_exchange_without_retries),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
