/*
 * lilyq_apply() with policies, over a broker and a management API of the test's
 * own: lq_amqp_open(), lq_survey() and lq_management_*() are replaced here.
 */
#include "../api/api_fixture.h"

#include "../limit.h"
#include "broker/amqp/amqp.h"
#include "live/survey.h"

#define QUORUM ORDERS "queue_type = quorum\n"

struct lq_management {
    struct lq_diags *diags;
};

/* What the peers will do, and what became of it; set by each test. */
static struct {
    const char *version;
    bool blind;          /* policies are not shown */
    bool conflict;       /* an exchange is there, but not as planned */
    bool rival;          /* somebody's policy is in the way of ours */
    bool second;         /* our second policy is there as wanted */
    size_t bad_put;      /* counted from 1; 0: none */
    enum lq_status put;  /* what that one comes to */
    int status;          /* of HTTP, of all that is answered */
    enum lq_status open; /* of the management API, for writing */
    size_t puts;         /* so far */
    size_t declares;     /* so far */
    size_t puts_before;  /* the first declaration */
    char paths[4][128];  /* of what was put */
    unsigned opened;
    unsigned closed;
} script;

/* One for queues, with a number for a key. */
static enum lq_status add_policy(struct lq_live *live,
                                 struct lq_live_policy policy, const char *key,
                                 int64_t number)
{
    struct lq_live_policy *const item = lq_alloc(live->arena, sizeof(*item));
    struct lq_live_argument *const value =
        lq_alloc(live->arena, sizeof(*value));

    if (!item || !value) {
        return LQ_NOMEM;
    }
    *value = (struct lq_live_argument){
        .key = key, .type = LQ_LIVE_INTEGER, .number = number};
    value->text = lq_format(live->arena, "%d", (int)number);
    *item = policy;
    item->scope = LQ_LIVE_QUEUES;
    item->definition = (struct lq_live_arguments){value, 1, true};
    return value->text ? lq_live_add_policy(live, &live->policies, item)
                       : LQ_NOMEM;
}

static enum lq_status add_policies(struct lq_live *live)
{
    const struct lq_live_policy rival = {
        .name = "theirs", .pattern = "retry", .priority = 9};
    const struct lq_live_policy second = {
        .name = "lilyq-dlq", .pattern = "^(orders\\.created\\.dlq\\.v2)\\z"};

    if (script.rival && add_policy(live, rival, "max-length", 9) != LQ_OK) {
        return LQ_NOMEM;
    }
    return script.second ? add_policy(live, second, "delivery-limit", -1)
                         : LQ_OK;
}

enum lq_status lq_survey(const struct lq_management_settings *settings,
                         const struct lq_survey_wants *wants,
                         struct lq_diags *diags, struct lq_live *out)
{
    static struct lq_live_exchange other = {.name = "orders",
                                            .type = "topic",
                                            .durable = LQ_LIVE_YES,
                                            .auto_delete = LQ_LIVE_NO,
                                            .internal = LQ_LIVE_NO,
                                            .arguments.known = true};

    assert_true(wants->policies);
    lq_live_init(out, settings->peer.vhost, diags->arena);
    out->parts = ~0U;
    out->version = script.version;
    if (script.blind) {
        out->parts &= ~(unsigned)LQ_LIVE_HAS_POLICIES;
    }
    if (add_policies(out) != LQ_OK) {
        return LQ_NOMEM;
    }
    return script.conflict ? lq_live_add_exchange(out, &other) : LQ_OK;
}

enum lq_status lq_management_open(const struct lq_management_settings *settings,
                                  struct lq_diags *diags,
                                  struct lq_management **out)
{
    static struct lq_management management;

    assert_string_equal(settings->peer.host, "api");
    ++script.opened;
    management.diags = diags;
    *out = &management;
    return script.open == LQ_OK ? LQ_OK
                                : lq_error(diags, NULL, "cannot be opened");
}

void lq_management_close(struct lq_management *management)
{
    script.closed += management != NULL;
}

void lq_management_tell(struct lq_management *management,
                        struct lq_diags *diags)
{
    management->diags = diags;
}

enum lq_status lq_management_put(struct lq_management *management,
                                 const char *path, const char *body,
                                 struct lq_response *out)
{
    const size_t number = ++script.puts;
    const bool bad = number == script.bad_put;

    assert_int_equal(body[0], '{');
    assert_true(number <= 4);
    strncpy(script.paths[number - 1], path, sizeof(script.paths[0]) - 1);
    *out = (struct lq_response){0};
    if (bad && script.put != LQ_OK) {
        return lq_error(management->diags, NULL, "lost on the way") == LQ_NOMEM
                   ? LQ_NOMEM
                   : script.put;
    }
    out->status = bad ? script.status : 201;
    return LQ_OK;
}

enum lq_status lq_management_accept(const struct lq_management *management,
                                    const struct lq_response *response)
{
    if (response->status < 300) {
        return LQ_OK;
    }
    if (lq_error(management->diags, NULL, "refused (%d)", response->status) ==
        LQ_NOMEM) {
        return LQ_NOMEM;
    }
    return response->status >= 500 ? LQ_LOST : LQ_REFUSED;
}

bool lq_management_denies(const struct lq_response *response)
{
    return response->status == 401;
}

static enum lq_status run_batch(struct lq_broker *broker,
                                const struct lq_batch *batch)
{
    (void)broker;
    if (script.declares == 0) {
        script.puts_before = script.puts;
    }
    script.declares += batch->count;
    for (size_t i = 0; i < batch->count; ++i) {
        batch->answers[i] = (struct lq_answer){.kind = LQ_DONE};
    }
    return LQ_OK;
}

enum lq_status lq_amqp_open(const struct lq_connection *connection,
                            struct lq_diags *diags, struct lq_broker **out)
{
    static struct lq_broker broker = {.run = run_batch};

    (void)connection;
    (void)diags;
    *out = &broker;
    return LQ_OK;
}

void lq_amqp_close(struct lq_broker *broker)
{
    assert_non_null(broker);
}

static int reset(void **state)
{
    (void)state;
    memset(&script, 0, sizeof(script));
    script.version = "4.0.5";
    return 0;
}

static const struct lilyq_connection managed = {
    .url = "amqp://nowhere/a%2Fb", .management_url = "http://api:1"};
static const struct lilyq_policy_options defaults;
static const struct lilyq_apply_options hardened = {.policies = &defaults};

static struct lilyq *plan_quorum(void)
{
    struct lilyq *const run = lilyq_new();

    assert_non_null(run);
    assert_int_equal(load_ini(run, "orders.ini", QUORUM), LILYQ_OK);
    assert_int_equal(lilyq_plan(run), LILYQ_OK);
    return run;
}

static void sets_policies_before_anything_is_declared(void **state)
{
    struct lilyq *const run = plan_quorum();
    struct lilyq_report report;

    (void)state;
    assert_int_equal(lilyq_apply(run, &managed, &hardened, NULL, &report),
                     LILYQ_OK);
    assert_int_equal(report.ending, LILYQ_APPLIED);
    assert_int_equal(report.policies.created, 2);
    assert_int_equal(report.queues.created, 5);
    assert_string_equal(report.version, "4.0.5");
    assert_int_equal(script.puts_before, 2);
    assert_string_equal(script.paths[0], "policies/a%2Fb/lilyq-at-least-once");
    assert_string_equal(script.paths[1], "policies/a%2Fb/lilyq-dlq");
    assert_int_equal(script.closed, 1);
    assert_int_equal(lilyq_problem_count(run), 0);
    lilyq_free(run);
}

static void has_no_delivery_limit_for_a_broker_it_does_not_know(void **state)
{
    static const char *const versions[] = {"3.10.8", NULL, "unreadable"};

    for (size_t i = 0; i < 3; ++i) {
        struct lilyq *const run = plan_quorum();
        struct lilyq_report report;

        (void)reset(state);
        script.version = versions[i];
        assert_int_equal(lilyq_apply(run, &managed, &hardened, NULL, &report),
                         LILYQ_OK);
        assert_int_equal(report.policies.created, 1);
        assert_true((report.version != NULL) == (i == 0));
        lilyq_free(run);
    }
}

static void a_dry_run_sets_nothing(void **state)
{
    const struct lilyq_apply_options dry = {.mode = LILYQ_DRY_RUN,
                                            .policies = &defaults};
    struct lilyq *const run = plan_quorum();
    struct lilyq_report report;

    (void)state;
    assert_int_equal(lilyq_apply(run, &managed, &dry, NULL, &report), LILYQ_OK);
    assert_int_equal(report.ending, LILYQ_ENDED_DRY);
    assert_int_equal(report.policies.pending, 2);
    assert_int_equal(script.puts, 0);
    assert_int_equal(script.opened, 0);
    lilyq_free(run);
}

static void sets_nothing_where_a_declaration_would_conflict(void **state)
{
    struct lilyq *const run = plan_quorum();
    struct lilyq_report report;

    (void)state;
    script.conflict = true;
    assert_int_equal(lilyq_apply(run, &managed, &hardened, NULL, &report),
                     LILYQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_CONFLICT);
    assert_int_equal(report.exchanges.conflicts, 1);
    assert_int_equal(report.policies.not_done, 2);
    assert_int_equal(script.puts, 0);
    lilyq_free(run);
}

static void sets_nothing_where_another_policy_is_in_the_way(void **state)
{
    static const enum lilyq_apply_mode modes[] = {LILYQ_PREFLIGHT,
                                                  LILYQ_DRY_RUN};

    for (size_t i = 0; i < 2; ++i) {
        const struct lilyq_apply_options options = {.mode = modes[i],
                                                    .policies = &defaults};
        struct lilyq *const run = plan_quorum();
        struct lilyq_report report;

        (void)reset(state);
        script.rival = true;
        assert_int_equal(lilyq_apply(run, &managed, &options, NULL, &report),
                         LILYQ_REFUSED);
        assert_int_equal(report.ending, LILYQ_ENDED_CONFLICT);
        assert_int_equal(report.policies.conflicts, 1);
        assert_int_equal(script.puts, 0);
        assert_int_equal(script.opened, 0);
        assert_int_equal(script.declares, 0);
        lilyq_free(run);
    }
}

static void leaves_a_policy_alone_that_is_as_wanted(void **state)
{
    struct lilyq *const run = plan_quorum();
    struct lilyq_report report;

    (void)state;
    script.second = true;
    assert_int_equal(lilyq_apply(run, &managed, &hardened, NULL, &report),
                     LILYQ_OK);
    assert_int_equal(report.policies.created, 1);
    assert_int_equal(report.policies.existing, 1);
    assert_int_equal(script.puts, 1);
    assert_string_equal(script.paths[0], "policies/a%2Fb/lilyq-at-least-once");
    lilyq_free(run);
}

static void may_have_set_the_first_when_there_is_no_answer(void **state)
{
    struct lilyq *const run = plan_quorum();
    struct lilyq_report report;

    (void)state;
    script.bad_put = 1;
    script.put = LQ_LOST;
    assert_int_equal(lilyq_apply(run, &managed, &hardened, NULL, &report),
                     LILYQ_LOST);
    assert_int_equal(report.policies.uncertain, 1);
    assert_int_equal(report.policies.not_done, 1);
    assert_int_equal(report.ending, LILYQ_ENDED_PARTLY);
    lilyq_free(run);
}

/* The second one; the first is set. */
static void fail_second(enum lq_status put, int status,
                        struct lilyq_report *report)
{
    struct lilyq *const run = plan_quorum();

    script.bad_put = 2;
    script.put = put;
    script.status = status;
    assert_int_not_equal(lilyq_apply(run, &managed, &hardened, NULL, report),
                         LILYQ_OK);
    assert_int_equal(report->ending, LILYQ_ENDED_PARTLY);
    assert_int_equal(report->policies.created, 1);
    assert_int_equal(report->queues.not_done, 5);
    assert_int_equal(script.declares, 0);
    assert_int_equal(script.closed, 1);
    assert_non_null(strstr(message_at(run, 0), "policy 'lilyq-dlq': "));
    lilyq_free(run);
}

static void declares_nothing_after_a_refusal(void **state)
{
    struct lilyq_report report;

    (void)state;
    fail_second(LQ_OK, 400, &report);
    assert_int_equal(report.policies.failed, 1);
}

static void does_not_know_what_became_of_one_without_an_answer(void **state)
{
    struct lilyq_report report;

    fail_second(LQ_LOST, 0, &report);
    assert_int_equal(report.policies.uncertain, 1);
    (void)reset(state);
    fail_second(LQ_OK, 500, &report);
    assert_int_equal(report.policies.uncertain, 1);
}

static void nothing_is_written_when_the_first_is_refused(void **state)
{
    struct lilyq *const run = plan_quorum();
    struct lilyq_report report;

    (void)state;
    script.bad_put = 1;
    script.status = 401;
    assert_int_equal(lilyq_apply(run, &managed, &hardened, NULL, &report),
                     LILYQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_string_equal(message_at(run, 0),
                        "policy 'lilyq-at-least-once': refused (401); the "
                        "user needs the tag policymaker");
    lilyq_free(run);
}

static void tells_why_the_api_cannot_be_written_to(void **state)
{
    struct lilyq *const run = plan_quorum();
    struct lilyq_report report;

    (void)state;
    script.open = LQ_INVALID;
    assert_int_equal(lilyq_apply(run, &managed, &hardened, NULL, &report),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, 0), "cannot be opened");
    lilyq_free(run);
}

static bool stop_always(void *data)
{
    (void)data;
    return true;
}

static void sets_nothing_once_it_is_stopped(void **state)
{
    const struct lilyq_hooks hooks = {.stop = stop_always};
    struct lilyq *const run = plan_quorum();
    struct lilyq_report report;

    (void)state;
    assert_int_equal(lilyq_apply(run, &managed, &hardened, &hooks, &report),
                     LILYQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_int_equal(report.policies.not_done, 2);
    assert_int_equal(script.puts, 0);
    lilyq_free(run);
}

static void needs_to_see_policies(void **state)
{
    struct lilyq *const run = plan_quorum();
    struct lilyq_report report;

    (void)state;
    script.blind = true;
    assert_int_equal(lilyq_apply(run, &managed, &hardened, NULL, &report),
                     LILYQ_REFUSED);
    assert_int_equal(report.ending, LILYQ_ENDED_UNTOUCHED);
    assert_string_equal(message_at(run, 0),
                        "the management API does not show policies to this "
                        "user, who needs the tag policymaker");
    lilyq_free(run);
}

static void rejects_what_policies_do_not_go_with(void **state)
{
    static const struct lilyq_connection unmanaged = {.url = "amqp://nowhere"};
    static const struct lilyq_policy_options native = {.native_retry = true};
    static const struct lilyq_policy_options odd = {.name = "a b"};
    static const struct {
        const struct lilyq_connection *connection;
        struct lilyq_apply_options options;
        const char *message;
    } cases[] = {
        {&unmanaged,
         {.policies = &defaults},
         "setting policies needs the URL of the management API, and "
         "a preflight"},
        {&managed,
         {.mode = LILYQ_NO_PREFLIGHT, .policies = &defaults},
         "setting policies needs the URL of the management API, and "
         "a preflight"},
        {&managed,
         {.policies = &native},
         "native retry cannot be combined with v2"},
        {&managed,
         {.policies = &odd},
         "the name of policies must be 1 to 100 letters, digits, '.', '_' and "
         "'-', not 'a b'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        struct lilyq *const run = plan_quorum();
        struct lilyq_report report;

        assert_int_equal(lilyq_apply(run, cases[i].connection,
                                     &cases[i].options, NULL, &report),
                         LILYQ_INVALID);
        assert_string_equal(message_at(run, 0), cases[i].message);
        assert_int_equal(script.puts, 0);
        assert_int_equal(script.declares, 0);
        lilyq_free(run);
    }
}

static void a_topology_without_any_needs_no_writing(void **state)
{
    struct lilyq *const run = plan_orders();
    struct lilyq_report report;

    (void)state;
    assert_int_equal(lilyq_apply(run, &managed, &hardened, NULL, &report),
                     LILYQ_OK);
    assert_int_equal(report.policies.created, 0);
    assert_int_equal(report.queues.created, 5);
    assert_int_equal(script.opened, 0);
    lilyq_free(run);
}

static void survives_any_failed_allocation(void **state)
{
    enum lilyq_status status = LILYQ_NOMEM;

    for (size_t limit = 0; status == LILYQ_NOMEM; ++limit) {
        struct lilyq *const run = plan_quorum();
        struct lilyq_report report;
        struct page page;
        const struct lilyq_sink sink = sink_of(&page);

        assert_true(limit < 5000);
        (void)reset(state);
        script.bad_put = 2;
        script.status = 401;
        limit_memory(&run->arena, limit);
        status = lilyq_apply(run, &managed, &hardened, NULL, &report);
        assert_true(status == LILYQ_NOMEM || status == LILYQ_REFUSED);
        if (status == LILYQ_REFUSED) {
            status = lilyq_render_report(run, LILYQ_REPORT_JSON, &sink);
        }
        lilyq_free(run);
    }
    assert_int_equal(status, LILYQ_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(sets_policies_before_anything_is_declared,
                               reset),
        cmocka_unit_test_setup(
            has_no_delivery_limit_for_a_broker_it_does_not_know, reset),
        cmocka_unit_test_setup(a_dry_run_sets_nothing, reset),
        cmocka_unit_test_setup(sets_nothing_where_a_declaration_would_conflict,
                               reset),
        cmocka_unit_test_setup(sets_nothing_where_another_policy_is_in_the_way,
                               reset),
        cmocka_unit_test_setup(leaves_a_policy_alone_that_is_as_wanted, reset),
        cmocka_unit_test_setup(may_have_set_the_first_when_there_is_no_answer,
                               reset),
        cmocka_unit_test_setup(declares_nothing_after_a_refusal, reset),
        cmocka_unit_test_setup(
            does_not_know_what_became_of_one_without_an_answer, reset),
        cmocka_unit_test_setup(nothing_is_written_when_the_first_is_refused,
                               reset),
        cmocka_unit_test_setup(tells_why_the_api_cannot_be_written_to, reset),
        cmocka_unit_test_setup(sets_nothing_once_it_is_stopped, reset),
        cmocka_unit_test_setup(needs_to_see_policies, reset),
        cmocka_unit_test_setup(rejects_what_policies_do_not_go_with, reset),
        cmocka_unit_test_setup(a_topology_without_any_needs_no_writing, reset),
        cmocka_unit_test_setup(survives_any_failed_allocation, reset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
