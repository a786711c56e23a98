#include "topology/plan.h"

#include "fixture.h"

/* Plans entries that have nothing wrong. */
static const struct lq_topology *
plan(struct fixture *fixture, const struct lq_entry *entries, size_t count)
{
    const struct lq_topology *topology = NULL;

    assert_int_equal(lq_plan_build(entries, count, &fixture->diags, &topology),
                     LQ_OK);
    assert_int_equal(fixture->diags.error_count, 0);
    assert_non_null(topology);
    return topology;
}

static void assert_invalid(struct fixture *fixture,
                           const struct lq_entry *entries, size_t count)
{
    const struct lq_topology *topology = NULL;

    assert_int_equal(lq_plan_build(entries, count, &fixture->diags, &topology),
                     LQ_INVALID);
    assert_null(topology);
}

static struct lq_entry retrying_at(unsigned line, const char *name)
{
    struct lq_entry entry = entry_at(line, name);

    entry.retry_attempts = 2;
    return entry;
}

static struct lq_entry external_at(unsigned line, const char *name)
{
    struct lq_entry entry = entry_at(line, name);

    entry.topology_ownership = LQ_EXTERNAL;
    entry.exchange_name = "outer";
    entry.dead_letter_exchange = "outer.dlx";
    entry.dead_letter_routing_key = "failed";
    return entry;
}

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

static void reports_both_places_of_a_duplicate(void **state)
{
    struct lq_entry entries[] = {entry_at(3, "a"), entry_at(9, "b"),
                                 retrying_at(30, "a")};

    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(
        *state, "lilyq.ini:30: [queue:a] is already defined at lilyq.ini:3");
}

static void reports_a_duplicate_without_a_file(void **state)
{
    struct lq_entry entries[] = {entry_at(0, "a"), entry_at(0, "a")};

    entries[0].place = (struct lq_place){.file = NULL};
    entries[1].place = entries[0].place;
    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(*state, "[queue:a] is already defined");
}

static void reports_the_collision_of_a_main_queue(void **state)
{
    const struct lq_entry entries[] = {entry_at(3, "a"),
                                       entry_at(9, "a.dlq.v2")};

    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(*state,
                        "lilyq.ini:9: [queue:a.dlq.v2] main queue 'a.dlq.v2' "
                        "has the name of the dead-letter queue of [queue:a] at "
                        "lilyq.ini:3");
}

static void reports_the_collision_of_a_bucket(void **state)
{
    struct lq_entry entries[] = {entry_at(0, "a.retry.v2.2000ms"),
                                 retrying_at(0, "a")};

    entries[0].place = (struct lq_place){.file = "a.json", .path = "queues[0]"};
    entries[1].place = (struct lq_place){.file = "a.json", .path = "queues[1]"};
    give(&entries[0], LQ_NAME, 0);
    give(&entries[1], LQ_NAME, 0);
    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(*state,
                        "a.json: queues[1].name: [queue:a] retry bucket "
                        "'a.retry.v2.2000ms' has the name of the main queue of "
                        "[queue:a.retry.v2.2000ms] at a.json: queues[0].name");
}

static void reports_the_collision_of_two_derived_queues(void **state)
{
    struct lq_entry entries[] = {retrying_at(3, "a"),
                                 retrying_at(9, "a.retry.v2.1000ms")};

    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(*state,
                        "lilyq.ini:9: [queue:a.retry.v2.1000ms] main queue "
                        "'a.retry.v2.1000ms' has the name of the retry bucket "
                        "of [queue:a] at lilyq.ini:3");
}

static void reports_two_ownerships_of_a_main_exchange(void **state)
{
    struct lq_entry entries[] = {entry_at(3, "a"), external_at(30, "b")};

    entries[1].exchange_name = "orders";
    give(&entries[0], LQ_EXCHANGE_NAME, 4);
    give(&entries[1], LQ_EXCHANGE_NAME, 31);
    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(
        *state, "lilyq.ini:31: [queue:b] main exchange 'orders' cannot be "
                "external: it is framework_managed as the main exchange of "
                "[queue:a] at lilyq.ini:4");
}

static void reports_two_ownerships_of_a_dead_letter_exchange(void **state)
{
    struct lq_entry entries[] = {external_at(3, "a"), entry_at(30, "b")};

    entries[1].dead_letter_exchange = "outer.dlx";
    give(&entries[0], LQ_DEAD_LETTER_EXCHANGE, 5);
    give(&entries[1], LQ_DEAD_LETTER_EXCHANGE, 32);
    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(
        *state, "lilyq.ini:32: [queue:b] dead-letter exchange 'outer.dlx' "
                "cannot be framework_managed: it is external as the "
                "dead-letter exchange of [queue:a] at lilyq.ini:5");
}

static void reports_two_ownerships_of_a_retry_exchange(void **state)
{
    struct lq_entry entries[] = {retrying_at(3, "a"), external_at(30, "b")};

    entries[1].exchange_name = "orders.retry.v2";
    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(
        *state, "lilyq.ini:30: [queue:b] main exchange 'orders.retry.v2' "
                "cannot be external: it is framework_managed as the retry "
                "exchange of [queue:a] at lilyq.ini:3");
}

static void reports_two_ownerships_without_a_file(void **state)
{
    struct lq_entry entries[] = {entry_at(0, "a"), external_at(0, "b")};

    entries[0].place = (struct lq_place){.file = NULL};
    entries[1].place = entries[0].place;
    entries[1].exchange_name = "orders";
    assert_invalid(*state, entries, COUNT(entries));
    assert_one_reported(
        *state, "[queue:b] main exchange 'orders' cannot be external: it is "
                "framework_managed as the main exchange of [queue:a]");
}

static void allows_the_name_of_a_retry_exchange_without_retries(void **state)
{
    struct lq_entry entries[] = {entry_at(3, "a"), external_at(30, "b")};

    entries[1].exchange_name = "orders.retry.v2";
    assert_int_equal(plan(*state, entries, COUNT(entries))->exchange_count, 4);
}

/* So many entries; the first `full` of them have 32 buckets each. */
static struct lq_entry *many(struct fixture *fixture, size_t count, size_t full)
{
    struct lq_entry *const entries =
        lq_alloc_array(&fixture->arena, count, sizeof(*entries));

    for (size_t i = 0; i < count; ++i) {
        entries[i] = entry_at((unsigned)i + 1,
                              lq_format(&fixture->arena, "queue-%zu", i));
        if (i < full) {
            entries[i].retry_attempts = 32;
            entries[i].retry_backoff_millis = 100;
            entries[i].max_retry_backoff_millis = 900000;
            entries[i].retry_jitter_ratio = 0.0001;
        }
    }
    return entries;
}

static void accepts_4096_buckets(void **state)
{
    const struct lq_entry *const entries = many(*state, 200, 128);
    const struct lq_topology *const topology = plan(*state, entries, 200);

    assert_int_equal(topology->bucket_count, 4096);
    assert_int_equal(topology->queue_count, 4096 + 2 * 200);
}

static void refuses_4097_buckets(void **state)
{
    struct lq_entry *const entries = many(*state, 200, 128);

    entries[150].retry_attempts = 1;
    entries[160].retry_attempts = 2;
    give(&entries[150], LQ_RETRY_ATTEMPTS, 999);
    assert_invalid(*state, entries, 200);
    assert_one_reported(
        *state, "lilyq.ini:999: [queue:queue-150] brings the topology to 4097 "
                "retry buckets (of 4099 in all), over the limit of 4096: lower "
                "retry_attempts or retry_jitter_ratio, or split the topology");
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

static void plans_nothing_while_a_field_is_broken(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entries[] = {entry_at(3, "a"), entry_at(9, "b")};

    entries[1].broken = lq_field_bit(LQ_CONCURRENCY);
    assert_invalid(fixture, entries, COUNT(entries));
    assert_int_equal(fixture->diags.items.count, 0);
}

static void claims_nothing_for_broken_names(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entries[] = {entry_at(3, "a"), entry_at(9, "a"),
                                 external_at(12, "b")};

    entries[1].broken = lq_field_bit(LQ_NAME);
    entries[2].exchange_name = "orders";
    entries[2].broken = lq_field_bit(LQ_EXCHANGE_NAME);
    assert_invalid(fixture, entries, COUNT(entries));
    assert_int_equal(fixture->diags.items.count, 0);
    entries[2].broken = lq_field_bit(LQ_TOPOLOGY_OWNERSHIP);
    assert_invalid(fixture, entries, COUNT(entries));
    assert_int_equal(fixture->diags.items.count, 0);
}

/* One of each: duplicate, collision, conflict, rule, limit, long name. */
static size_t all_wrong(struct lq_entry *entries)
{
    entries[0] = entry_at(10, "a");
    entries[1] = entry_at(20, "a");
    entries[2] = entry_at(30, "a.dlq.v2");
    entries[3] = external_at(40, "b");
    entries[3].exchange_name = "orders";
    entries[4] = entry_at(50, "c");
    entries[4].exclusive = true;
    entries[5] = entry_at(60, "d");
    entries[5].retry_attempts = 100;
    entries[5].retry_backoff_millis = 100;
    entries[5].max_retry_backoff_millis = 900000;
    entries[5].retry_jitter_ratio = 0.2;
    entries[6] = entry_at(70, BYTES_200);
    return 7;
}

static void reports_every_problem_of_every_entry(void **state)
{
    static const unsigned lines[] = {20, 30, 40, 50, 60, 70};
    struct fixture *const fixture = *state;
    struct lq_entry entries[7];
    const size_t count = all_wrong(entries);

    assert_invalid(fixture, entries, count);
    assert_int_equal(lq_diags_sort(&fixture->diags), LQ_OK);
    assert_int_equal(fixture->diags.error_count, COUNT(lines));
    for (size_t i = 0; i < COUNT(lines); ++i) {
        assert_int_equal(lq_diags_at(&fixture->diags, i)->place.line, lines[i]);
    }
}

/* Fails every allocation in turn; returns how it ends with enough of them. */
static enum lq_status sweep(struct fixture *fixture,
                            const struct lq_entry *entries, size_t count,
                            size_t *allocations)
{
    const struct lq_topology *topology = NULL;
    enum lq_status status = LQ_NOMEM;

    for (*allocations = 0; status == LQ_NOMEM; ++*allocations) {
        restart(fixture, *allocations);
        status = lq_plan_build(entries, count, &fixture->diags, &topology);
        assert_true((status == LQ_OK) == (topology != NULL));
    }
    return status;
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

static void survives_any_failed_allocation_of_a_report(void **state)
{
    struct lq_entry entries[7];
    const size_t count = all_wrong(entries);
    size_t allocations = 0;

    assert_int_equal(sweep(*state, entries, count, &allocations), LQ_INVALID);
    assert_in_range(allocations, 50, 200);
    for (size_t i = 0; i < count; ++i) {
        entries[i].place = (struct lq_place){.file = "a.json", .path = "q[0]"};
        give(&entries[i], LQ_NAME, 0);
    }
    assert_int_equal(sweep(*state, entries, count, &allocations), LQ_INVALID);
    assert_in_range(allocations, 50, 200);
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
        TEST(reports_both_places_of_a_duplicate),
        TEST(reports_a_duplicate_without_a_file),
        TEST(reports_the_collision_of_a_main_queue),
        TEST(reports_the_collision_of_a_bucket),
        TEST(reports_the_collision_of_two_derived_queues),
        TEST(reports_two_ownerships_of_a_main_exchange),
        TEST(reports_two_ownerships_of_a_dead_letter_exchange),
        TEST(reports_two_ownerships_of_a_retry_exchange),
        TEST(reports_two_ownerships_without_a_file),
        TEST(allows_the_name_of_a_retry_exchange_without_retries),
        TEST(accepts_4096_buckets),
        TEST(refuses_4097_buckets),
        TEST(plans_10000_entries),
        TEST(plans_nothing_while_a_field_is_broken),
        TEST(claims_nothing_for_broken_names),
        TEST(reports_every_problem_of_every_entry),
        TEST(survives_any_failed_allocation),
        TEST(survives_any_failed_allocation_of_a_report),
    };

    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
