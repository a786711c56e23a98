#include "live/live.h"

#include "fixture.h"

static void set_up_live(struct fixture *fixture, struct lq_live *live)
{
    lq_live_init(live, "/", &fixture->arena);
}

static void holds_nothing_at_first(void **state)
{
    struct lq_live live;

    set_up_live(*state, &live);
    assert_null(lq_live_exchange(&live, "orders"));
    assert_null(lq_live_queue(&live, "orders"));
    assert_null(lq_live_bindings_to(&live, "orders"));
    assert_int_equal(live.parts, 0);
}

static void finds_what_was_added_by_name_and_in_order(void **state)
{
    struct lq_live live;
    struct lq_live_exchange exchange = {.name = "x"};
    struct lq_live_queue first = {.name = "a"};
    struct lq_live_queue second = {.name = ""};

    set_up_live(*state, &live);
    assert_int_equal(lq_live_add_exchange(&live, &exchange), LQ_OK);
    assert_int_equal(lq_live_add_queue(&live, &first), LQ_OK);
    assert_int_equal(lq_live_add_queue(&live, &second), LQ_OK);
    assert_ptr_equal(lq_live_exchange(&live, "x"), &exchange);
    assert_null(lq_live_exchange(&live, "a"));
    assert_ptr_equal(lq_live_queue(&live, ""), &second);
    assert_ptr_equal(lq_live_queue_at(&live, 0), &first);
    assert_ptr_equal(lq_live_queue_at(&live, 1), &second);
}

static void takes_a_name_once(void **state)
{
    struct lq_live live;
    struct lq_live_exchange exchanges[] = {{.name = "x"}, {.name = "x"}};
    struct lq_live_queue queues[] = {{.name = "q"}, {.name = "q"}};

    set_up_live(*state, &live);
    assert_int_equal(lq_live_add_exchange(&live, &exchanges[0]), LQ_OK);
    assert_int_equal(lq_live_add_exchange(&live, &exchanges[1]), LQ_INVALID);
    assert_int_equal(lq_live_add_queue(&live, &queues[0]), LQ_OK);
    assert_int_equal(lq_live_add_queue(&live, &queues[1]), LQ_INVALID);
    assert_int_equal(live.exchanges.count, 1);
    assert_int_equal(live.queues.count, 1);
}

static void chains_the_bindings_of_a_queue(void **state)
{
    struct lq_live live;
    struct lq_live_binding bindings[] = {
        {.source = "a", .destination = "q", .routing_key = "1"},
        {.source = "b", .destination = "other", .routing_key = "2"},
        {.source = "c", .destination = "q", .routing_key = "3"},
        {.source = "d", .destination = "q", .to_exchange = true},
        {.source = "e", .destination = "q", .routing_key = "4"},
    };
    size_t count = 0;

    set_up_live(*state, &live);
    for (size_t i = 0; i < COUNT(bindings); ++i) {
        assert_int_equal(lq_live_add_binding(&live, &bindings[i]), LQ_OK);
    }
    for (const struct lq_live_binding *at = lq_live_bindings_to(&live, "q"); at;
         at = at->next) {
        assert_string_equal(at->destination, "q");
        assert_false(at->to_exchange);
        ++count;
    }
    assert_int_equal(count, 3);
    assert_ptr_equal(lq_live_bindings_to(&live, "other"), &bindings[1]);
    assert_ptr_equal(lq_live_binding_at(&live, 3), &bindings[3]);
}

static void orders_arguments_and_finds_them(void **state)
{
    struct lq_live live;
    struct lq_live_argument items[] = {
        {.key = "x-c"}, {.key = "x-a"}, {.key = "x-b"}, {.key = ""}};
    struct lq_live_queue queue = {.name = "q", .arguments = {items, 4, true}};

    set_up_live(*state, &live);
    assert_int_equal(lq_live_add_queue(&live, &queue), LQ_OK);
    assert_string_equal(items[0].key, "");
    assert_string_equal(items[3].key, "x-c");
    assert_ptr_equal(lq_live_argument(&queue.arguments, "x-b"), &items[2]);
    assert_ptr_equal(lq_live_argument(&queue.arguments, ""), &items[0]);
    assert_null(lq_live_argument(&queue.arguments, "x-d"));
}

static void finds_no_argument_among_none(void **state)
{
    const struct lq_live_arguments none = {0};

    (void)state;
    assert_null(lq_live_argument(&none, "x-a"));
}

static void keeps_policies_and_operator_policies_apart(void **state)
{
    struct lq_live live;
    struct lq_live_argument items[] = {{.key = "b"}, {.key = "a"}};
    struct lq_live_policy policy = {.name = "p",
                                    .definition = {items, 2, true}};
    struct lq_live_policy operators = {.name = "p"};

    set_up_live(*state, &live);
    assert_int_equal(lq_live_add_policy(&live, &live.policies, &policy), LQ_OK);
    assert_int_equal(
        lq_live_add_policy(&live, &live.operator_policies, &operators), LQ_OK);
    assert_ptr_equal(lq_live_policy_at(&live.policies, 0), &policy);
    assert_ptr_equal(lq_live_policy_at(&live.operator_policies, 0), &operators);
    assert_string_equal(policy.definition.items[0].key, "a");
}

static void knows_which_version_comes_first(void **state)
{
    static const struct {
        const char *version;
        unsigned major;
        unsigned minor;
        bool before;
    } rows[] = {
        {"3.10.8", 3, 11, true}, {"3.10.8", 3, 10, false},
        {"3.10.8", 4, 0, true},  {"3.9", 3, 10, true},
        {"4.0.5", 3, 13, false}, {"4.0.5", 4, 1, true},
        {"4.3.6", 4, 1, false},  {"4.3.6", 4, 3, false},
        {"4", 4, 1, false},      {"", 4, 1, false},
        {"beta", 4, 1, false},   {NULL, 4, 1, false},
        {"10.0.0", 4, 1, false}, {"3.10.8", 0, 0, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); ++i) {
        const struct lq_live live = {.version = rows[i].version};

        assert_int_equal(lq_live_is_before(&live, rows[i].major, rows[i].minor),
                         rows[i].before);
    }
}

/* Adds one of each kind. */
static enum lq_status add_all(struct lq_live *live)
{
    static struct lq_live_exchange exchange = {.name = "x"};
    static struct lq_live_queue queue = {.name = "q"};
    static struct lq_live_binding binding = {.source = "x", .destination = "q"};
    static struct lq_live_policy policy = {.name = "p"};
    enum lq_status status = lq_live_add_exchange(live, &exchange);

    if (status == LQ_OK) {
        status = lq_live_add_queue(live, &queue);
    }
    if (status == LQ_OK) {
        status = lq_live_add_binding(live, &binding);
    }
    return status == LQ_OK ? lq_live_add_policy(live, &live->policies, &policy)
                           : status;
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status != LQ_OK && limit < 100; ++limit) {
        struct lq_live live;

        restart(fixture, limit);
        set_up_live(fixture, &live);
        status = add_all(&live);
        assert_true(status == LQ_OK || status == LQ_NOMEM);
    }
    assert_in_range(limit, 5, 99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(holds_nothing_at_first),
        TEST(finds_what_was_added_by_name_and_in_order),
        TEST(takes_a_name_once),
        TEST(chains_the_bindings_of_a_queue),
        TEST(orders_arguments_and_finds_them),
        TEST(finds_no_argument_among_none),
        TEST(keeps_policies_and_operator_policies_apart),
        TEST(knows_which_version_comes_first),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
