#include "letter/replay.h"

#include "wire.h"

static const struct lq_replay_how how = {"orders", "orders.created", "run-1",
                                         "operator"};
static struct wire wire;

/* The replay of the letter in `wire`. */
static struct lq_letter replay(struct lq_arena *arena)
{
    const struct lq_message letter = message_of(&wire, "body");
    struct lq_message message;
    struct lq_letter made;

    assert_true(lq_replay_message(&how, &letter, arena, &message));
    assert_bytes(message.exchange, "orders");
    assert_bytes(message.routing_key, "orders.created");
    assert_bytes(message.body, "body");
    assert_true(lq_replay_is_of_run(&message, "run-1"));
    assert_false(lq_replay_is_of_run(&message, "run-2"));
    lq_letter_read(&message, "orders.created", &made);
    assert_false(made.malformed);
    return made;
}

static void removes_what_failures_and_the_broker_added(void **state)
{
    static const char *const gone[] = {
        LQ_RETRY_COUNT,
        LQ_FAILED_ATTEMPT,
        LQ_REJECTION_CODE,
        "x-death",
        "x-first-death-queue",
        "x-last-death-reason",
        "x-delivery-count",
        "x-acquired-count",
        "CC",
        "BCC",
    };
    struct lq_arena *const arena = *state;
    struct lq_letter made;
    struct lq_field field;

    put_headers(&wire);
    for (size_t i = 0; i < COUNT(gone); ++i) {
        put_integer(&wire, gone[i], 'I', 1);
        put_text(&wire, "kept", "x");
    }
    put_end(&wire, 6);
    made = replay(arena);
    for (size_t i = 0; i < COUNT(gone); ++i) {
        assert_false(
            lq_fields_find(made.properties.parts[LQ_HEADERS], gone[i], &field));
    }
    assert_true(
        lq_fields_find(made.properties.parts[LQ_HEADERS], "kept", &field));
}

static void headers_that_stay_are_the_same_bytes_in_the_same_order(void **state)
{
    struct lq_arena *const arena = *state;
    struct lq_bytes headers;
    size_t length = 0;

    put_headers(&wire);
    put_identity(&wire);
    put_integer(&wire, "u64", 'L', -1);
    put_field(&wire, "nan", 'd');
    put_number(&wire, UINT64_C(0x7ff8000000000001), 8);
    put_text(&wire, "", "\xff");
    length = wire.length - 6;
    put_end(&wire, 6);
    headers = replay(arena).properties.parts[LQ_HEADERS];
    assert_true(headers.length > 4 + length);
    assert_memory_equal(headers.at + 4, wire.bytes + 6, length);
}

static void counts_replays_whatever_was_there(void **state)
{
    struct lq_arena *const arena = *state;

    put_headers(&wire);
    put_end(&wire, 6);
    assert_int_equal(replay(arena).replays, 1);
    put_headers(&wire);
    put_integer(&wire, LQ_REPLAY_COUNT, 'I', 4);
    put_text(&wire, LQ_REPLAY_ID, "an earlier run");
    put_end(&wire, 6);
    assert_int_equal(replay(arena).replays, 5);
    put_headers(&wire);
    put_text(&wire, LQ_REPLAY_COUNT, "many");
    put_end(&wire, 6);
    assert_int_equal(replay(arena).replays, 1);
    put_headers(&wire);
    put_integer(&wire, LQ_REPLAY_COUNT, 'l', INT64_MAX);
    put_end(&wire, 6);
    assert_int_equal(replay(arena).replays, 1);
}

/* Properties with a delivery mode, an expiration and a user. */
static void put_some(const char *user)
{
    wire.length = 0;
    put_number(&wire, 0x1910, 2);
    put_number(&wire, 1, 1); /* delivery_mode */
    put_number(&wire, 9, 1); /* priority */
    put(&wire,
        "\x04"
        "1000",
        5);                             /* expiration */
    put_number(&wire, strlen(user), 1); /* user_id */
    put(&wire, user, strlen(user));
}

static void a_replay_is_persistent_and_does_not_expire(void **state)
{
    struct lq_arena *const arena = *state;
    struct lq_letter made;

    put_some("operator");
    made = replay(arena);
    assert_int_equal(made.properties.parts[LQ_DELIVERY_MODE].at[0], 2);
    assert_int_equal(made.properties.parts[LQ_PRIORITY].at[0], 9);
    assert_int_equal(made.properties.parts[LQ_EXPIRATION].length, 0);
    assert_bytes(lq_property_text(&made.properties, LQ_USER_ID), "operator");
}

static void another_users_id_would_close_the_channel(void **state)
{
    struct lq_arena *const arena = *state;

    put_some("operators");
    assert_int_equal(replay(arena).properties.parts[LQ_USER_ID].length, 0);
}

static void what_is_malformed_is_not_replayed(void **state)
{
    struct lq_message message = {.exchange = {NULL, 0}};
    struct lq_message made;

    assert_false(lq_replay_message(&how, &message, *state, &made));
    put_headers(&wire);
    put_field(&wire, "a", 'Z');
    put_end(&wire, 6);
    message = message_of(&wire, "");
    assert_false(lq_replay_message(&how, &message, *state, &made));
}

static int set_up(void **state)
{
    static struct lq_arena arena;

    lq_arena_init(&arena);
    *state = &arena;
    return 0;
}

static int tear_down(void **state)
{
    lq_arena_free(*state);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(removes_what_failures_and_the_broker_added),
        TEST(headers_that_stay_are_the_same_bytes_in_the_same_order),
        TEST(counts_replays_whatever_was_there),
        TEST(a_replay_is_persistent_and_does_not_expire),
        TEST(another_users_id_would_close_the_channel),
        TEST(what_is_malformed_is_not_replayed),
    };

    return cmocka_run_group_tests_name("replays", tests, NULL, NULL);
}
