#include "../limit.h"
#include "api_fixture.h"

static const struct lilyq_account every_kind[] = {{LILYQ_CONSUMER, "a b"},
                                                  {LILYQ_CONSUMER, NULL}};

static enum lilyq_status render(struct lilyq *run, const char *vhost,
                                const struct lilyq_account *list, size_t count,
                                struct page *page)
{
    const struct lilyq_accounts accounts = {vhost, list, count};
    const struct lilyq_sink sink = sink_of(page);

    return lilyq_render_permissions(run, LILYQ_PERMISSIONS_RABBITMQCTL,
                                    &accounts, &sink);
}

static void renders_every_role_unless_told_otherwise(void **state)
{
    static struct page page;
    static struct page same;
    struct lilyq *const run = plan_orders();
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    assert_int_equal(lilyq_render_permissions(
                         run, LILYQ_PERMISSIONS_RABBITMQCTL, NULL, &sink),
                     LILYQ_OK);
    assert_non_null(strstr(page.text, " -p / lilyq-deployer "));
    assert_non_null(strstr(page.text, " -p / lilyq-publisher "));
    assert_non_null(strstr(page.text, " -p / lilyq-consumer "));
    assert_non_null(strstr(page.text, " -p / lilyq-operator "));
    assert_int_equal(render(run, NULL, NULL, 0, &same), LILYQ_OK);
    assert_string_equal(same.text, page.text);
    lilyq_free(run);
}

static void renders_the_accounts_it_is_given(void **state)
{
    static struct page page;
    struct lilyq *const run = plan_orders();

    (void)state;
    assert_int_equal(render(run, "shop", every_kind, 2, &page), LILYQ_OK);
    assert_non_null(strstr(page.text, " -p shop 'a b' "));
    assert_non_null(strstr(page.text, " -p shop lilyq-consumer "));
    assert_null(strstr(page.text, "deployer"));
    lilyq_free(run);
}

static void renders_json(void **state)
{
    static struct page page;
    struct lilyq *const run = plan_orders();
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    assert_int_equal(
        lilyq_render_permissions(run, LILYQ_PERMISSIONS_JSON, NULL, &sink),
        LILYQ_OK);
    assert_non_null(strstr(page.text, "\"format\": \"lilyq-permissions\""));
    lilyq_free(run);
}

static void rejects_what_no_broker_has(void **state)
{
    static const struct {
        const char *vhost;
        struct lilyq_account account;
        const char *message;
    } cases[] = {
        {"\xff",
         {LILYQ_CONSUMER, NULL},
         "vhost must be at most 255 bytes of UTF-8, not '\\xff'"},
        {NULL,
         {LILYQ_CONSUMER, ""},
         "a user's name must be UTF-8 and not empty, not ''"},
        {NULL,
         {LILYQ_CONSUMER, "a\xff"},
         "a user's name must be UTF-8 and not empty, not 'a\\xff'"},
        {NULL, {(enum lilyq_role)4, NULL}, "no role has number 4"},
        {NULL, {(enum lilyq_role) - 1, NULL}, "no role has number -1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        static struct page page;
        struct lilyq *const run = plan_orders();

        assert_int_equal(
            render(run, cases[i].vhost, &cases[i].account, 1, &page),
            LILYQ_INVALID);
        assert_int_equal(page.length, 0);
        assert_int_equal(lilyq_problem_count(run), 1);
        assert_string_equal(message_at(run, 0), cases[i].message);
        lilyq_free(run);
    }
}

static void rejects_a_format_that_does_not_exist(void **state)
{
    static struct page page;
    struct lilyq *const run = plan_orders();
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    assert_int_equal(lilyq_render_permissions(
                         run, (enum lilyq_permissions_format)9, NULL, &sink),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, 0),
                        "no format of permissions has number 9");
    lilyq_free(run);
}

static void has_nothing_to_render_without_a_plan(void **state)
{
    static struct page page;
    struct lilyq *const run = lilyq_new();

    (void)state;
    assert_int_equal(render(run, NULL, NULL, 0, &page), LILYQ_INVALID);
    assert_string_equal(message_at(run, 0), "there is no plan to render");
    lilyq_free(run);
}

static void tells_when_the_sink_refuses(void **state)
{
    static struct page page;
    struct lilyq *const run = plan_orders();
    const struct lilyq_sink sink = sink_of(&page);

    (void)state;
    page.room = 10;
    assert_int_equal(
        lilyq_render_permissions(run, LILYQ_PERMISSIONS_JSON, NULL, &sink),
        LILYQ_IO);
    lilyq_free(run);
}

static void survives_any_failed_allocation(void **state)
{
    static struct page page;
    enum lilyq_status status = LILYQ_NOMEM;
    size_t limit = 0;

    (void)state;
    for (; status == LILYQ_NOMEM; ++limit) {
        struct lilyq *const run = plan_orders();

        limit_memory(&run->arena, limit);
        status = render(run, NULL, NULL, 0, &page);
        lilyq_free(run);
    }
    assert_int_equal(status, LILYQ_OK);
    assert_true(limit > 20);
    for (status = LILYQ_NOMEM, limit = 0; status == LILYQ_NOMEM; ++limit) {
        static const struct lilyq_account nameless = {LILYQ_CONSUMER, ""};
        struct lilyq *const run = plan_orders();

        limit_memory(&run->arena, limit);
        status = render(run, NULL, &nameless, 1, &page);
        lilyq_free(run);
    }
    assert_int_equal(status, LILYQ_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renders_every_role_unless_told_otherwise),
        cmocka_unit_test(renders_the_accounts_it_is_given),
        cmocka_unit_test(renders_json),
        cmocka_unit_test(rejects_what_no_broker_has),
        cmocka_unit_test(rejects_a_format_that_does_not_exist),
        cmocka_unit_test(has_nothing_to_render_without_a_plan),
        cmocka_unit_test(tells_when_the_sink_refuses),
        cmocka_unit_test(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
