/*
 * lilyq_diff() over a broker of the test's own: lq_amqp_open() is replaced
 * here, so nothing goes over a network.
 */
#include "api_fixture.h"

#include "../limit.h"
#include "broker/amqp/amqp.h"

/* What the broker does; set by each test. */
static struct {
    enum lq_status open;
    bool empty;          /* nothing exists */
    bool denied;         /* nothing may be configured */
    bool lost;           /* the connection ends at the first request */
    size_t declarations; /* that could create something */
    size_t comparisons;  /* that could not */
    unsigned closes;
    size_t stop_after; /* questions of the hooks' stop; 0: never */
    size_t asked;
    size_t done; /* as progress was told */
    size_t total;
} script;

static struct lq_answer deny(int code, const char *text)
{
    return (struct lq_answer){.kind = LQ_DENIED, .code = code, .text = text};
}

static struct lq_answer answer_to(const struct lq_request *request)
{
    switch (request->kind) {
    case LQ_CHECK_EXCHANGE:
    case LQ_CHECK_QUEUE:
        return script.empty ? deny(404, "NOT_FOUND - no queue 'q' in vhost '/'")
                            : (struct lq_answer){.kind = LQ_DONE};
    case LQ_COMPARE_EXCHANGE:
    case LQ_COMPARE_QUEUE:
        ++script.comparisons;
        return script.denied ? deny(403, "ACCESS_REFUSED - no")
                             : (struct lq_answer){.kind = LQ_DONE};
    case LQ_DECLARE_EXCHANGE:
    case LQ_DECLARE_QUEUE:
    case LQ_BIND_QUEUE:
        break;
    }
    ++script.declarations;
    return (struct lq_answer){.kind = LQ_DONE};
}

static enum lq_status run_batch(struct lq_broker *broker,
                                const struct lq_batch *batch)
{
    bool ended = false;

    (void)broker;
    assert_false(batch->writes);
    for (size_t i = 0; i < batch->count; ++i) {
        ended = ended || (batch->tick && batch->tick(batch->data, i));
        batch->answers[i] = (struct lq_answer){.kind = LQ_UNSENT};
        if (script.lost) {
            batch->answers[i].kind = LQ_UNKNOWN;
        } else if (!ended) {
            batch->answers[i] = answer_to(&batch->requests[i]);
        }
    }
    return script.lost ? LQ_LOST : LQ_OK;
}

enum lq_status lq_amqp_open(const struct lq_connection *connection,
                            struct lq_diags *diags, struct lq_broker **out)
{
    static struct lq_broker broker = {.run = run_batch};

    (void)connection;
    *out = &broker;
    return script.open == LQ_OK ||
                   lq_error(diags, NULL, "no way there") != LQ_NOMEM
               ? script.open
               : LQ_NOMEM;
}

void lq_amqp_close(struct lq_broker *broker)
{
    assert_non_null(broker);
    ++script.closes;
}

static int reset(void **state)
{
    (void)state;
    memset(&script, 0, sizeof(script));
    return 0;
}

static enum lilyq_status diff(struct lilyq *run, bool passive_only,
                              const struct lilyq_hooks *hooks,
                              struct lilyq_drift *out)
{
    static const struct lilyq_connection shop = {.url = "amqp://nowhere/shop"};
    const struct lilyq_source source = {.connection = &shop,
                                        .passive_only = passive_only};

    return lilyq_diff(run, &source, hooks, out);
}

static void knows_what_it_cannot_see(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_drift drift;

    (void)state;
    assert_int_equal(diff(run, false, NULL, &drift), LILYQ_OK);
    assert_int_equal(drift.kind, LILYQ_SOURCE_AMQP);
    assert_string_equal(drift.source, "nowhere:5672");
    assert_string_equal(drift.vhost, "shop");
    assert_int_equal(drift.counts[LILYQ_MISSING], 0);
    /* five bindings, what is not planned, and policies */
    assert_true(drift.counts[LILYQ_UNVERIFIED] > 5);
    assert_int_equal(script.comparisons, 8);
    assert_int_equal(script.declarations, 0);
    assert_int_equal(script.closes, 1);
    lilyq_free(run);
}

static void finds_all_that_is_missing(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_drift drift;

    (void)state;
    script.empty = true;
    assert_int_equal(diff(run, false, NULL, &drift), LILYQ_OK);
    assert_int_equal(drift.counts[LILYQ_MISSING], 13);
    assert_int_equal(script.comparisons, 0);
    assert_int_equal(script.declarations, 0);
    lilyq_free(run);
}

static void compares_nothing_when_it_may_only_look(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_drift drift;

    (void)state;
    script.denied = true;
    assert_int_equal(diff(run, true, NULL, &drift), LILYQ_OK);
    assert_true(drift.counts[LILYQ_UNVERIFIED] > 13);
    assert_int_equal(script.comparisons, 0);
    lilyq_free(run);
}

static void leaves_nothing_to_render_when_it_fails(void **state)
{
    static struct page page;
    const struct lilyq_sink sink = sink_of(&page);
    struct lilyq *const run = plan_orders();
    struct lilyq_drift drift;

    (void)state;
    script.denied = true;
    assert_int_equal(diff(run, false, NULL, &drift), LILYQ_REFUSED);
    assert_int_equal(lilyq_problem_count(run), 8);
    assert_int_equal(lilyq_render_diff(run, LILYQ_DIFF_TEXT, NULL, &sink),
                     LILYQ_INVALID);
    script.lost = true;
    assert_int_equal(diff(run, false, NULL, &drift), LILYQ_LOST);
    assert_int_equal(script.closes, 2);
    script.open = LQ_LOST;
    assert_int_equal(diff(run, false, NULL, &drift), LILYQ_LOST);
    assert_null(drift.source);
    assert_int_equal(script.closes, 2);
    lilyq_free(run);
}

static void needs_settings_that_can_be_read(void **state)
{
    static const struct lilyq_connection wrong = {.url = "http://h"};
    const struct lilyq_source source = {.connection = &wrong};
    struct lilyq *const run = plan_orders();
    struct lilyq_drift drift;

    (void)state;
    assert_int_equal(lilyq_diff(run, &source, NULL, &drift), LILYQ_INVALID);
    assert_int_equal(script.closes, 0);
    lilyq_free(run);
}

static bool stop(void *data)
{
    (void)data;
    return ++script.asked == script.stop_after;
}

static void show(void *data, size_t done, size_t total)
{
    (void)data;
    script.done = done;
    script.total = total;
}

static void asks_its_hooks(void **state)
{
    static const struct lilyq_hooks hooks = {.stop = stop, .progress = show};
    struct lilyq *const run = plan_orders();
    struct lilyq_drift drift;

    (void)state;
    assert_int_equal(diff(run, false, &hooks, &drift), LILYQ_OK);
    assert_int_equal(script.done, 16);
    assert_int_equal(script.total, 16);
    script.stop_after = script.asked + 3;
    assert_int_equal(diff(run, false, &hooks, &drift), LILYQ_REFUSED);
    lilyq_free(run);
}

static void survives_any_failed_allocation(void **state)
{
    enum lilyq_status status = LILYQ_NOMEM;

    (void)state;
    for (size_t limit = 0; status == LILYQ_NOMEM; ++limit) {
        struct lilyq *const run = plan_orders();
        struct lilyq_drift drift;

        limit_memory(&run->arena, limit);
        status = diff(run, false, NULL, &drift);
        lilyq_free(run);
    }
    assert_int_equal(status, LILYQ_OK);
}

#define TEST(name) cmocka_unit_test_setup(name, reset)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(knows_what_it_cannot_see),
        TEST(finds_all_that_is_missing),
        TEST(compares_nothing_when_it_may_only_look),
        TEST(leaves_nothing_to_render_when_it_fails),
        TEST(needs_settings_that_can_be_read),
        TEST(asks_its_hooks),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
