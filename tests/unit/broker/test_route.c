/*
 * Several ways to a broker: lq_amqp_open() is replaced here, and what a way
 * leads to is in the name of its host.
 */
#include "broker/route.h"

#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define MAX_TRIES 64

static struct {
    const char *tried[MAX_TRIES];
    size_t tries;
    size_t wakes_at;    /* the try from which on "sleeper" answers */
    uint64_t last_left; /* millis until its deadline, at the last try */
} script;

static struct lq_broker peer;

static bool is(const char *host, const char *name)
{
    return strcmp(host, name) == 0;
}

enum lq_status lq_amqp_open(const struct lq_connection *connection,
                            struct lq_diags *diags, struct lq_broker **out)
{
    const char *const host = connection->host;
    const struct timespec nap = {.tv_nsec = 100 * 1000000L};

    script.tried[script.tries++ % MAX_TRIES] = host;
    script.last_left = lq_millis_until(lq_connection_deadline(connection));
    if (is(host, "up") ||
        (is(host, "sleeper") && script.tries >= script.wakes_at)) {
        *out = &peer;
        return LQ_OK;
    }
    if (is(host, "slow")) {
        (void)nanosleep(&nap, NULL);
    }
    if (lq_error(diags, NULL, "%s", host) == LQ_NOMEM) {
        return LQ_NOMEM;
    }
    return is(host, "closed") ? LQ_REFUSED : LQ_LOST;
}

void lq_amqp_close(struct lq_broker *broker)
{
    (void)broker;
}

struct fixture {
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_connection ways[3];
    struct lq_route route;
    struct lq_broker *broker;
    const struct lq_connection *used;
};

static void begin(struct fixture *fixture, const char *a, const char *b,
                  const char *c)
{
    memset(&script, 0, sizeof(script));
    memset(fixture, 0, sizeof(*fixture));
    lq_arena_init(&fixture->arena);
    lq_diags_init(&fixture->diags, &fixture->arena);
    fixture->ways[0].host = a;
    fixture->ways[1].host = b;
    fixture->ways[2].host = c;
    fixture->route = (struct lq_route){
        .ways = fixture->ways, .count = 3, .begun = lq_now_millis()};
}

static void end(struct fixture *fixture)
{
    lq_arena_free(&fixture->arena);
}

static enum lq_status reach(struct fixture *fixture)
{
    static const struct lilyq_hooks no_hooks;

    return lq_route_open(&fixture->route, &no_hooks, &fixture->diags,
                         &fixture->used, &fixture->broker);
}

static const struct lq_diag *diag_at(const struct fixture *fixture, size_t i)
{
    assert_true(i < fixture->diags.items.count);
    return lq_diags_at(&fixture->diags, i);
}

static void takes_the_first_that_leads_there(void **state)
{
    struct fixture fixture;

    (void)state;
    begin(&fixture, "down", "up", "up");
    assert_int_equal(reach(&fixture), LQ_OK);
    assert_int_equal(script.tries, 2);
    assert_ptr_equal(fixture.used, &fixture.ways[1]);
    assert_ptr_equal(fixture.broker, &peer);
    end(&fixture);
}

static void warns_of_those_it_passed_over(void **state)
{
    struct fixture fixture;

    (void)state;
    begin(&fixture, "down", "slow", "up");
    assert_int_equal(reach(&fixture), LQ_OK);
    assert_int_equal(fixture.diags.items.count, 2);
    assert_int_equal(fixture.diags.error_count, 0);
    assert_int_equal(diag_at(&fixture, 0)->severity, LQ_WARNING);
    assert_string_equal(diag_at(&fixture, 0)->text, "down");
    assert_int_equal(diag_at(&fixture, 1)->severity, LQ_WARNING);
    assert_string_equal(diag_at(&fixture, 1)->text, "slow");
    end(&fixture);
}

static void lists_every_reason_when_none_leads_there(void **state)
{
    struct fixture fixture;

    (void)state;
    begin(&fixture, "one", "two", "three");
    assert_int_equal(reach(&fixture), LQ_LOST);
    assert_int_equal(fixture.diags.error_count, 3);
    assert_string_equal(diag_at(&fixture, 0)->text, "one");
    assert_string_equal(diag_at(&fixture, 1)->text, "two");
    assert_string_equal(diag_at(&fixture, 2)->text, "three");
    end(&fixture);
}

static void asks_no_other_after_a_broker_said_no(void **state)
{
    struct fixture fixture;

    (void)state;
    begin(&fixture, "down", "closed", "up");
    assert_int_equal(reach(&fixture), LQ_REFUSED);
    assert_int_equal(script.tries, 2);
    assert_int_equal(fixture.diags.error_count, 2);
    assert_null(fixture.broker);
    end(&fixture);
}

static void starts_over_for_as_long_as_it_may_wait(void **state)
{
    struct fixture fixture;

    (void)state;
    begin(&fixture, "down", "sleeper", "down");
    script.wakes_at = 8;
    fixture.route.wait_millis = 60000;
    assert_int_equal(reach(&fixture), LQ_OK);
    assert_int_equal(script.tries, 8);
    assert_string_equal(script.tried[3], "down");
    assert_string_equal(script.tried[4], "sleeper");
    assert_ptr_equal(fixture.used, &fixture.ways[1]);
    assert_int_equal(fixture.diags.items.count, 1);
    assert_int_equal(fixture.diags.error_count, 0);
    end(&fixture);
}

static void keeps_the_reasons_of_the_last_round_only(void **state)
{
    struct fixture fixture;

    (void)state;
    begin(&fixture, "one", "two", "three");
    fixture.route.wait_millis = 200;
    assert_int_equal(reach(&fixture), LQ_LOST);
    assert_true(script.tries >= 6);
    assert_int_equal(script.tries % 3, 0);
    assert_int_equal(fixture.diags.items.count, 3);
    assert_int_equal(fixture.diags.error_count, 3);
    end(&fixture);
}

static void tries_no_more_when_the_time_of_the_run_is_over(void **state)
{
    struct fixture fixture;

    (void)state;
    begin(&fixture, "slow", "slow", "up");
    for (size_t i = 0; i < 3; ++i) {
        fixture.ways[i].timeout_millis = 150;
    }
    assert_int_equal(reach(&fixture), LQ_LOST);
    assert_int_equal(script.tries, 2);
    assert_true(script.last_left <= 50);
    assert_int_equal(fixture.diags.error_count, 2);
    end(&fixture);
}

static bool stop_at_once(void *data)
{
    (void)data;
    return true;
}

static void tries_no_more_when_told_to_stop(void **state)
{
    const struct lilyq_hooks hooks = {.stop = stop_at_once};
    struct fixture fixture;

    (void)state;
    begin(&fixture, "down", "up", "up");
    assert_int_equal(lq_route_open(&fixture.route, &hooks, &fixture.diags,
                                   &fixture.used, &fixture.broker),
                     LQ_LOST);
    assert_int_equal(script.tries, 1);
    end(&fixture);
}

/* Goes on behind the first way, which said something and was lost. */
static enum lq_status reach_on(struct fixture *fixture,
                               const struct lilyq_hooks *hooks)
{
    const struct lq_said said = {&fixture->diags, fixture->diags};

    fixture->used = &fixture->ways[0];
    assert_int_equal(lq_error(&fixture->diags, NULL, "no answer"), LQ_INVALID);
    return lq_route_go_on(&fixture->route, hooks, &said, &fixture->used,
                          &fixture->broker);
}

static void goes_on_by_the_ways_that_are_left(void **state)
{
    static const struct lilyq_hooks no_hooks;
    struct fixture fixture;

    (void)state;
    begin(&fixture, "lost", "down", "up");
    assert_int_equal(reach_on(&fixture, &no_hooks), LQ_OK);
    assert_int_equal(script.tries, 2);
    assert_ptr_equal(fixture.used, &fixture.ways[2]);
    assert_int_equal(fixture.diags.error_count, 0);
    assert_int_equal(fixture.diags.items.count, 2);
    assert_string_equal(diag_at(&fixture, 0)->text, "no answer");
    assert_int_equal(diag_at(&fixture, 0)->severity, LQ_WARNING);
    end(&fixture);
}

static void says_everything_when_no_way_is_left(void **state)
{
    static const struct lilyq_hooks no_hooks;
    struct fixture fixture;

    (void)state;
    begin(&fixture, "lost", "down", "down");
    assert_int_equal(reach_on(&fixture, &no_hooks), LQ_LOST);
    assert_int_equal(fixture.diags.error_count, 3);
    assert_int_equal(script.tries, 2);
    end(&fixture);
    begin(&fixture, "lost", "up", "up");
    fixture.route.count = 1;
    assert_int_equal(reach_on(&fixture, &no_hooks), LQ_LOST);
    assert_int_equal(script.tries, 0);
    end(&fixture);
}

static void goes_on_by_none_when_told_to_stop(void **state)
{
    const struct lilyq_hooks hooks = {.stop = stop_at_once};
    struct fixture fixture;

    (void)state;
    begin(&fixture, "lost", "up", "up");
    assert_int_equal(reach_on(&fixture, &hooks), LQ_LOST);
    assert_int_equal(script.tries, 0);
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_first_that_leads_there),
        cmocka_unit_test(warns_of_those_it_passed_over),
        cmocka_unit_test(lists_every_reason_when_none_leads_there),
        cmocka_unit_test(asks_no_other_after_a_broker_said_no),
        cmocka_unit_test(starts_over_for_as_long_as_it_may_wait),
        cmocka_unit_test(keeps_the_reasons_of_the_last_round_only),
        cmocka_unit_test(tries_no_more_when_the_time_of_the_run_is_over),
        cmocka_unit_test(tries_no_more_when_told_to_stop),
        cmocka_unit_test(goes_on_by_the_ways_that_are_left),
        cmocka_unit_test(says_everything_when_no_way_is_left),
        cmocka_unit_test(goes_on_by_none_when_told_to_stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
