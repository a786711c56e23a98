/*
 * lilyq_apply() over a broker of the test's own: lq_amqp_open() is replaced
 * here, so nothing goes over a network.
 */
#include "api_fixture.h"

#include "../limit.h"
#include "base/clock.h"
#include "broker/amqp/amqp.h"
#include "live/survey.h"

/* What the broker will do; set by each test. */
static struct {
    unsigned lost_tries;       /* first attempts to connect that fail */
    enum lq_status open;       /* of the next one */
    enum lq_answer_kind first; /* answer to the checks */
    size_t denied_declare;     /* counted from 1; 0: none */
    struct lq_answer denial;   /* ... answered so */
    size_t declares;           /* so far */
    unsigned tries;
    unsigned closes;
    uint64_t last_left;    /* millis until its deadline, at the last try */
    unsigned last_timeout; /* millis, that it was made of */
    const char *password;
    /* the management API */
    unsigned lost_surveys; /* first surveys that fail */
    enum lq_status survey; /* of the next one, which shows an empty vhost */
    unsigned surveys;
} script;

enum lq_status lq_survey(const struct lq_management_settings *settings,
                         const struct lq_survey_wants *wants,
                         struct lq_diags *diags, struct lq_live *out)
{
    assert_false(wants->policies || wants->figures);
    ++script.surveys;
    lq_live_init(out, settings->peer.vhost, diags->arena);
    out->parts = ~0U;
    if (script.lost_surveys > 0) {
        --script.lost_surveys;
        return lq_error(diags, NULL, "survey failed") == LQ_NOMEM ? LQ_NOMEM
                                                                  : LQ_LOST;
    }
    return script.survey;
}

static struct lq_answer answer_to(const struct lq_request *request)
{
    switch (request->kind) {
    case LQ_CHECK_EXCHANGE:
    case LQ_CHECK_QUEUE:
        return script.first == LQ_DENIED
                   ? (struct lq_answer){.kind = LQ_DENIED,
                                        .code = 404,
                                        .text = "NOT_FOUND - no queue 'q' in "
                                                "vhost '/'"}
                   : (struct lq_answer){.kind = script.first};
    case LQ_DECLARE_EXCHANGE:
    case LQ_DECLARE_QUEUE:
    case LQ_BIND_QUEUE:
    case LQ_COMPARE_EXCHANGE:
    case LQ_COMPARE_QUEUE:
        break;
    }
    if (++script.declares == script.denied_declare) {
        return script.denial;
    }
    return (struct lq_answer){.kind = LQ_DONE};
}

static enum lq_status run_batch(struct lq_broker *broker,
                                const struct lq_batch *batch)
{
    bool ended = false;

    (void)broker;
    for (size_t i = 0; i < batch->count; ++i) {
        ended = ended || (batch->tick && batch->tick(batch->data, i));
        batch->answers[i].kind = LQ_UNSENT;
        if (!ended) {
            batch->answers[i] = answer_to(&batch->requests[i]);
        }
        ended = ended || (batch->writes && batch->answers[i].kind == LQ_DENIED);
    }
    return LQ_OK;
}

enum lq_status lq_amqp_open(const struct lq_connection *connection,
                            struct lq_diags *diags, struct lq_broker **out)
{
    static struct lq_broker broker = {.run = run_batch};

    ++script.tries;
    script.last_left = lq_millis_until(lq_connection_deadline(connection));
    script.last_timeout = connection->timeout_millis;
    script.password = connection->password;
    if (script.lost_tries > 0) {
        --script.lost_tries;
        return lq_error(diags, NULL, "try %u failed", script.tries) == LQ_NOMEM
                   ? LQ_NOMEM
                   : LQ_LOST;
    }
    *out = &broker;
    return script.open;
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
    script.first = LQ_DENIED;
    return 0;
}

static const struct lq_answer conflict = {
    .kind = LQ_DENIED,
    .code = 406,
    .text =
        "PRECONDITION_FAILED - inequivalent arg 'x-max-length' for queue 'q' "
        "in "
        "vhost '/': received the value '1' of type 'long' but current is none"};
static const struct lq_answer refusal = {
    .kind = LQ_DENIED,
    .code = 403,
    .text = "ACCESS_REFUSED - access to queue 'q' refused"};

static const struct lilyq_connection anywhere = {.url = "amqp://nowhere"};

static void counts_what_it_created(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    assert_int_equal(lilyq_apply(run, &anywhere, NULL, NULL, &report),
                     LILYQ_OK);
    assert_int_equal(report.ending, LILYQ_APPLIED);
    assert_int_equal(report.exchanges.created, 3);
    assert_int_equal(report.queues.created, 5);
    assert_int_equal(report.bindings.created, 5);
    assert_int_equal(report.queues.not_done, 0);
    assert_string_equal(report.broker, "nowhere:5672");
    assert_int_equal(lilyq_problem_count(run), 0);
    assert_int_equal(script.closes, 1);
    lilyq_free(run);
}

static void counts_what_was_there(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    script.first = LQ_DONE;
    assert_int_equal(lilyq_apply(run, &anywhere, NULL, NULL, &report),
                     LILYQ_OK);
    assert_int_equal(report.exchanges.existing, 3);
    assert_int_equal(report.queues.existing, 5);
    assert_int_equal(report.bindings.ensured, 5);
    lilyq_free(run);
}

static void counts_what_it_declared_without_a_look(void **state)
{
    static const struct lilyq_apply_options blind = {.mode =
                                                         LILYQ_NO_PREFLIGHT};
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    assert_int_equal(lilyq_apply(run, &anywhere, &blind, NULL, &report),
                     LILYQ_OK);
    assert_int_equal(report.ending, LILYQ_APPLIED);
    assert_int_equal(report.exchanges.declared, 3);
    assert_int_equal(report.queues.declared, 5);
    assert_int_equal(report.bindings.declared, 5);
    assert_int_equal(script.declares, 13);
    lilyq_free(run);
}

static void counts_what_a_dry_run_leaves(void **state)
{
    static const struct lilyq_apply_options dry = {.mode = LILYQ_DRY_RUN};
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    assert_int_equal(lilyq_apply(run, &anywhere, &dry, NULL, &report),
                     LILYQ_OK);
    assert_int_equal(report.ending, LILYQ_ENDED_DRY);
    assert_int_equal(report.exchanges.pending, 3);
    assert_int_equal(report.queues.pending, 5);
    assert_int_equal(report.bindings.pending, 5);
    assert_int_equal(script.declares, 0);
    script.first = LQ_DONE;
    assert_int_equal(lilyq_apply(run, &anywhere, &dry, NULL, &report),
                     LILYQ_OK);
    assert_int_equal(report.queues.existing, 5);
    assert_int_equal(report.bindings.unverified, 5);
    lilyq_free(run);
}

static const struct lilyq_connection managed = {
    .url = "amqp://nowhere", .management_url = "http://api:1"};

static void declares_what_the_management_api_does_not_show(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    assert_int_equal(lilyq_apply(run, &managed, NULL, NULL, &report), LILYQ_OK);
    assert_int_equal(report.queues.created, 5);
    assert_int_equal(report.bindings.created, 5);
    assert_string_equal(report.management, "http://api:1");
    assert_string_equal(report.broker, "nowhere:5672");
    assert_int_equal(script.surveys, 1);
    assert_int_equal(script.declares, 13);
    assert_int_equal(script.tries, 1);
    assert_int_equal(script.closes, 1);
    lilyq_free(run);
}

static void a_dry_run_with_a_management_api_opens_no_connection(void **state)
{
    static const struct lilyq_apply_options dry = {.mode = LILYQ_DRY_RUN};
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    assert_int_equal(lilyq_apply(run, &managed, &dry, NULL, &report), LILYQ_OK);
    assert_int_equal(report.bindings.pending, 5);
    assert_null(report.broker);
    assert_int_equal(script.tries, 0);
    assert_int_equal(script.closes, 0);
    lilyq_free(run);
}

static void no_preflight_asks_no_management_api(void **state)
{
    static const struct lilyq_apply_options blind = {.mode =
                                                         LILYQ_NO_PREFLIGHT};
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    assert_int_equal(lilyq_apply(run, &managed, &blind, NULL, &report),
                     LILYQ_OK);
    assert_int_equal(script.surveys, 0);
    assert_null(report.management);
    lilyq_free(run);
}

static void writes_nothing_when_the_management_api_fails(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    script.survey = LQ_REFUSED;
    assert_int_equal(lilyq_apply(run, &managed, NULL, NULL, &report),
                     LILYQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_int_equal(report.queues.not_done, 5);
    assert_null(report.management);
    assert_int_equal(script.tries, 0);
    lilyq_free(run);
}

static void waits_for_a_management_api_to_come(void **state)
{
    const struct lilyq_connection patient = {.management_url = "http://api:1",
                                             .wait_millis = 60000,
                                             .timeout_millis = 60000};
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    script.lost_surveys = 2;
    assert_int_equal(lilyq_apply(run, &patient, NULL, NULL, &report), LILYQ_OK);
    assert_int_equal(script.surveys, 3);
    assert_int_equal(lilyq_problem_count(run), 0);
    lilyq_free(run);
}

static void tells_that_the_broker_is_not_reached_after_the_look(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    script.lost_tries = 1;
    assert_int_equal(lilyq_apply(run, &managed, NULL, NULL, &report),
                     LILYQ_LOST);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_int_equal(report.queues.not_done, 5);
    assert_int_equal(script.closes, 0);
    script.open = LQ_REFUSED;
    assert_int_equal(lilyq_apply(run, &managed, NULL, NULL, &report),
                     LILYQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    lilyq_free(run);
}

static void rejects_a_wrong_management_url(void **state)
{
    const struct lilyq_connection wrong = {.management_url = "amqp://h"};
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    assert_int_equal(lilyq_apply(run, &wrong, NULL, NULL, &report),
                     LILYQ_INVALID);
    assert_int_equal(script.surveys, 0);
    assert_int_equal(script.tries, 0);
    lilyq_free(run);
}

static void tells_a_conflict_before_the_first_write(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    script.first = LQ_DONE;
    script.denied_declare = 4;
    script.denial = conflict;
    assert_int_equal(lilyq_apply(run, &anywhere, NULL, NULL, &report),
                     LILYQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_CONFLICT);
    assert_int_equal(report.cause, LILYQ_CAUSE_CONFLICT);
    assert_int_equal(report.queues.conflicts, 1);
    assert_int_equal(report.queues.existing, 4);
    assert_int_equal(report.bindings.not_done, 5);
    assert_int_equal(lilyq_problem_count(run), 1);
    assert_int_equal(script.closes, 1);
    lilyq_free(run);
}

static void tells_what_was_done_before_a_refusal(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    script.denied_declare = 5;
    script.denial = refusal;
    assert_int_equal(lilyq_apply(run, &anywhere, NULL, NULL, &report),
                     LILYQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_PARTLY);
    assert_int_equal(report.cause, LILYQ_CAUSE_REFUSED);
    assert_int_equal(report.exchanges.created, 3);
    assert_int_equal(report.queues.created, 1);
    assert_int_equal(report.queues.failed, 1);
    assert_int_equal(report.queues.not_done, 3);
    assert_int_equal(report.bindings.not_done, 5);
    lilyq_free(run);
}

static void counts_external_resources(void **state)
{
    struct lilyq *const run = lilyq_new();
    struct lilyq_report report;

    (void)state;
    script.first = LQ_DONE;
    assert_int_equal(load_ini(run, "a.ini",
                              ORDERS "topology_ownership = external\n"
                                     "dead_letter_exchange = d\n"
                                     "dead_letter_routing_key = k\n"),
                     LILYQ_OK);
    assert_int_equal(lilyq_plan(run), LILYQ_OK);
    assert_int_equal(lilyq_apply(run, &anywhere, NULL, NULL, &report),
                     LILYQ_OK);
    assert_int_equal(report.exchanges.verified, 3);
    assert_int_equal(report.queues.verified, 5);
    assert_int_equal(report.bindings.unverified, 5);
    lilyq_free(run);
}

static void tells_why_a_broker_is_not_reached(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    script.lost_tries = 1;
    assert_int_equal(lilyq_apply(run, &anywhere, NULL, NULL, &report),
                     LILYQ_LOST);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_int_equal(report.exchanges.not_done, 3);
    assert_int_equal(report.queues.not_done, 5);
    assert_int_equal(report.bindings.not_done, 5);
    assert_int_equal(lilyq_problem_count(run), 1);
    assert_string_equal(message_at(run, 0), "try 1 failed");
    assert_null(report.broker);
    assert_int_equal(script.closes, 0);
    lilyq_free(run);
}

static void waits_for_a_broker_to_come(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;
    const struct lilyq_connection patient = {.wait_millis = 60000};

    (void)state;
    script.lost_tries = 3;
    assert_int_equal(lilyq_apply(run, &patient, NULL, NULL, &report), LILYQ_OK);
    assert_int_equal(script.tries, 4);
    assert_int_equal(lilyq_problem_count(run), 0);
    lilyq_free(run);
}

static void waits_no_longer_than_it_may(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;
    const struct lilyq_connection patient = {.wait_millis = 300};
    const uint64_t start = lq_now_millis();

    (void)state;
    script.lost_tries = 1000;
    assert_int_equal(lilyq_apply(run, &patient, NULL, NULL, &report),
                     LILYQ_LOST);
    assert_true(lq_now_millis() - start >= 300);
    assert_true(lq_now_millis() - start < 5000);
    assert_true(script.tries > 2);
    assert_int_equal(lilyq_problem_count(run), 1);
    lilyq_free(run);
}

static void waits_within_the_time_of_the_whole_run(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;
    const struct lilyq_connection hasty = {.wait_millis = 60000,
                                           .timeout_millis = 300};

    (void)state;
    script.lost_tries = 1000;
    assert_int_equal(lilyq_apply(run, &hasty, NULL, NULL, &report), LILYQ_LOST);
    assert_true(script.last_left < 300);
    assert_int_equal(script.last_timeout, 300);
    lilyq_free(run);
}

static void does_not_wait_after_a_refusal(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;
    const struct lilyq_connection patient = {.wait_millis = 60000};

    (void)state;
    script.open = LQ_REFUSED;
    assert_int_equal(lilyq_apply(run, &patient, NULL, NULL, &report),
                     LILYQ_REFUSED);
    assert_int_equal(script.tries, 1);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    lilyq_free(run);
}

static bool stop_at_once(void *data)
{
    ++*(unsigned *)data;
    return true;
}

static void stops_waiting_when_told(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;
    unsigned asked = 0;
    const struct lilyq_hooks hooks = {.stop = stop_at_once, .data = &asked};
    const struct lilyq_connection patient = {.wait_millis = 60000};

    (void)state;
    script.lost_tries = 1000;
    assert_int_equal(lilyq_apply(run, &patient, NULL, &hooks, &report),
                     LILYQ_LOST);
    assert_true(asked > 0);
    assert_int_equal(script.tries, 1);
    lilyq_free(run);
}

static void stops_between_declarations_when_told(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;
    unsigned asked = 0;
    const struct lilyq_hooks hooks = {.stop = stop_at_once, .data = &asked};

    (void)state;
    assert_int_equal(lilyq_apply(run, &anywhere, NULL, &hooks, &report),
                     LILYQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_int_equal(report.exchanges.created, 0);
    lilyq_free(run);
}

static void keep_last(void *data, size_t done, size_t total)
{
    size_t *const last = data;

    assert_true(done <= total);
    assert_true(done >= last[0]);
    last[0] = done;
    last[1] = total;
}

static void tells_its_progress(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;
    size_t last[2] = {0, 1};
    const struct lilyq_hooks hooks = {.progress = keep_last, .data = last};

    (void)state;
    assert_int_equal(lilyq_apply(run, &anywhere, NULL, &hooks, &report),
                     LILYQ_OK);
    assert_int_equal(last[0], last[1]);
    lilyq_free(run);
}

static void applies_again(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    script.lost_tries = 1;
    assert_int_equal(lilyq_apply(run, &anywhere, NULL, NULL, &report),
                     LILYQ_LOST);
    assert_int_equal(lilyq_apply(run, &anywhere, NULL, NULL, &report),
                     LILYQ_OK);
    assert_int_equal(report.queues.created, 5);
    lilyq_free(run);
}

static void needs_a_plan(void **state)
{
    struct lilyq *const run = lilyq_new();
    struct lilyq_report report;

    (void)state;
    assert_int_equal(lilyq_apply(run, &anywhere, NULL, NULL, &report),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, 0), "there is no plan to apply");
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_int_equal(script.tries, 0);
    lilyq_free(run);
}

static void rejects_a_wrong_url(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;
    const struct lilyq_connection wrong = {.url = "http://u:secret@h"};

    (void)state;
    assert_int_equal(lilyq_apply(run, &wrong, NULL, NULL, &report),
                     LILYQ_INVALID);
    assert_int_equal(lilyq_problem_count(run), 1);
    assert_null(strstr(message_at(run, 0), "secret"));
    assert_int_equal(report.queues.not_done, 5);
    assert_int_equal(script.tries, 0);
    lilyq_free(run);
}

static void renders_the_report(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;
    struct page page;
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    assert_int_equal(lilyq_render_report(run, LILYQ_REPORT_TEXT, &sink),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, 0), "nothing was applied yet");
    assert_int_equal(lilyq_apply(run, &anywhere, NULL, NULL, &report),
                     LILYQ_OK);
    assert_int_equal(lilyq_render_report(run, LILYQ_REPORT_TEXT, &sink),
                     LILYQ_OK);
    assert_non_null(strstr(page.text, "queues"));
    (void)sink_of(&page);
    assert_int_equal(lilyq_render_report(run, LILYQ_REPORT_JSON, &sink),
                     LILYQ_OK);
    assert_non_null(strstr(page.text, "\"lilyq-apply\""));
    page.room = page.length;
    assert_int_equal(lilyq_render_report(run, LILYQ_REPORT_JSON, &sink),
                     LILYQ_IO);
    lilyq_free(run);
}

static void fail_each_allocation(void **state, const char *management_url)
{
    enum lilyq_status status = LILYQ_NOMEM;

    for (size_t limit = 0; status == LILYQ_NOMEM; ++limit) {
        struct lilyq *const run = plan_orders();
        struct lilyq_report report;
        struct page page;
        const struct lilyq_sink sink = sink_of(&page);
        const struct lilyq_connection patient = {.url = "amqp://u:p@h/v",
                                                 .management_url =
                                                     management_url,
                                                 .wait_millis = 60000};

        assert_true(limit < 5000);
        (void)reset(state);
        script.lost_tries = 1;
        script.denied_declare = 9;
        script.denial = refusal;
        limit_memory(&run->arena, limit);
        status = lilyq_apply(run, &patient, NULL, NULL, &report);
        assert_true(status == LILYQ_NOMEM || status == LILYQ_REFUSED);
        if (status == LILYQ_REFUSED) {
            status = lilyq_render_report(run, LILYQ_REPORT_JSON, &sink);
        }
        if (status == LILYQ_OK) {
            status = lilyq_render_report(run, LILYQ_REPORT_TEXT, &sink);
        }
        lilyq_free(run);
    }
    assert_int_equal(status, LILYQ_OK);
}

static void survives_any_failed_allocation(void **state)
{
    fail_each_allocation(state, NULL);
    fail_each_allocation(state, "http://api:1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(counts_what_it_created, reset),
        cmocka_unit_test_setup(counts_what_was_there, reset),
        cmocka_unit_test_setup(counts_what_it_declared_without_a_look, reset),
        cmocka_unit_test_setup(counts_what_a_dry_run_leaves, reset),
        cmocka_unit_test_setup(declares_what_the_management_api_does_not_show,
                               reset),
        cmocka_unit_test_setup(
            a_dry_run_with_a_management_api_opens_no_connection, reset),
        cmocka_unit_test_setup(no_preflight_asks_no_management_api, reset),
        cmocka_unit_test_setup(writes_nothing_when_the_management_api_fails,
                               reset),
        cmocka_unit_test_setup(waits_for_a_management_api_to_come, reset),
        cmocka_unit_test_setup(
            tells_that_the_broker_is_not_reached_after_the_look, reset),
        cmocka_unit_test_setup(rejects_a_wrong_management_url, reset),
        cmocka_unit_test_setup(tells_a_conflict_before_the_first_write, reset),
        cmocka_unit_test_setup(tells_what_was_done_before_a_refusal, reset),
        cmocka_unit_test_setup(counts_external_resources, reset),
        cmocka_unit_test_setup(tells_why_a_broker_is_not_reached, reset),
        cmocka_unit_test_setup(waits_for_a_broker_to_come, reset),
        cmocka_unit_test_setup(waits_no_longer_than_it_may, reset),
        cmocka_unit_test_setup(waits_within_the_time_of_the_whole_run, reset),
        cmocka_unit_test_setup(does_not_wait_after_a_refusal, reset),
        cmocka_unit_test_setup(stops_waiting_when_told, reset),
        cmocka_unit_test_setup(stops_between_declarations_when_told, reset),
        cmocka_unit_test_setup(tells_its_progress, reset),
        cmocka_unit_test_setup(applies_again, reset),
        cmocka_unit_test_setup(needs_a_plan, reset),
        cmocka_unit_test_setup(rejects_a_wrong_url, reset),
        cmocka_unit_test_setup(renders_the_report, reset),
        cmocka_unit_test_setup(survives_any_failed_allocation, reset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
