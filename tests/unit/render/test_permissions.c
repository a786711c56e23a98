#include "render/permissions.h"

#include "fixture.h"

static const struct lq_account accounts_list[] = {
    {LILYQ_DEPLOYER, "ci", {{"^(a\\.b)$", "^(it's)$", "^$"}}},
    {LILYQ_PUBLISHER, "shop", {{"^$", "^(a)$", "^$"}}},
    {LILYQ_CONSUMER, "-o'k \"x\"", {{"^$", "^$", "^(\\xC3\\xA9)$"}}},
    {LILYQ_OPERATOR, "", {{"^$", "^$", "^$"}}},
};

static struct lq_accounts accounts_in(const char *vhost)
{
    return (struct lq_accounts){
        vhost, accounts_list, sizeof(accounts_list) / sizeof(accounts_list[0])};
}

static void writes_a_line_for_each_account(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_accounts accounts = accounts_in("/");

    assert_int_equal(
        lq_permissions_json_render(&accounts, &fixture->sheet.sink), LQ_OK);
    assert_string_equal(
        fixture->sheet.text,
        "{\n"
        "  \"format\": \"lilyq-permissions\",\n"
        "  \"format_version\": 1,\n"
        "  \"topology_version\": \"v2\",\n"
        "  \"permissions\": [\n"
        "    {\"role\": \"deployer\", \"user\": \"ci\", \"vhost\": \"/\", "
        "\"configure\": \"^(a\\\\.b)$\", \"write\": \"^(it's)$\", "
        "\"read\": \"^$\"},\n"
        "    {\"role\": \"publisher\", \"user\": \"shop\", \"vhost\": \"/\", "
        "\"configure\": \"^$\", \"write\": \"^(a)$\", \"read\": \"^$\"},\n"
        "    {\"role\": \"consumer\", \"user\": \"-o'k \\\"x\\\"\", "
        "\"vhost\": \"/\", \"configure\": \"^$\", \"write\": \"^$\", "
        "\"read\": \"^(\\\\xC3\\\\xA9)$\"},\n"
        "    {\"role\": \"operator\", \"user\": \"\", \"vhost\": \"/\", "
        "\"configure\": \"^$\", \"write\": \"^$\", \"read\": \"^$\"}\n"
        "  ]\n"
        "}\n");
}

static void quotes_for_the_shell(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_accounts accounts = accounts_in("/");

    assert_int_equal(
        lq_permissions_shell_render(&accounts, &fixture->sheet.sink), LQ_OK);
    assert_string_equal(
        fixture->sheet.text,
        "# deployer: declares the topology\n"
        "rabbitmqctl set_permissions -p / ci \\\n"
        "    '^(a\\.b)$' \\\n"
        "    '^(it'\\''s)$' \\\n"
        "    '^$'\n"
        "\n"
        "# publisher: publishes to the main exchanges\n"
        "rabbitmqctl set_permissions -p / shop \\\n"
        "    '^$' \\\n"
        "    '^(a)$' \\\n"
        "    '^$'\n"
        "\n"
        "# consumer: declares the topology, consumes, hands on what failed\n"
        "rabbitmqctl set_permissions -p / -- '-o'\\''k \"x\"' \\\n"
        "    '^$' \\\n"
        "    '^$' \\\n"
        "    '^(\\xC3\\xA9)$'\n"
        "\n"
        "# operator: reads dead letters, publishes them again\n"
        "rabbitmqctl set_permissions -p / '' \\\n"
        "    '^$' \\\n"
        "    '^$' \\\n"
        "    '^$'\n");
}

static void quotes_a_vhost_where_it_must(void **state)
{
    static const struct {
        const char *vhost;
        const char *command;
    } cases[] = {
        {"/", "rabbitmqctl set_permissions -p / ci "},
        {"shop.1", "rabbitmqctl set_permissions -p shop.1 ci "},
        {"", "rabbitmqctl set_permissions -p '' ci "},
        {"a b", "rabbitmqctl set_permissions -p 'a b' ci "},
        {"a$b", "rabbitmqctl set_permissions -p 'a$b' ci "},
        {"'", "rabbitmqctl set_permissions -p ''\\''' ci "},
        {"-v", "rabbitmqctl set_permissions --vhost=-v ci "},
        {"- v", "rabbitmqctl set_permissions --vhost='- v' ci "},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        const struct lq_accounts accounts = {cases[i].vhost, accounts_list, 1};

        fixture->sheet.length = 0;
        assert_int_equal(
            lq_permissions_shell_render(&accounts, &fixture->sheet.sink),
            LQ_OK);
        assert_non_null(strstr(fixture->sheet.text, cases[i].command));
    }
}

static void tells_a_sink_that_refuses_at_any_byte(void **state)
{
    static enum lq_status (*const renders[])(const struct lq_accounts *,
                                             const struct lilyq_sink *) = {
        lq_permissions_json_render, lq_permissions_shell_render};
    struct fixture *const fixture = *state;
    const struct lq_accounts accounts = accounts_in("/");

    for (size_t i = 0; i < 2; ++i) {
        size_t length = 0;

        fixture->sheet.limit = SIZE_MAX;
        fixture->sheet.length = 0;
        assert_int_equal(renders[i](&accounts, &fixture->sheet.sink), LQ_OK);
        length = fixture->sheet.length;
        for (fixture->sheet.limit = 0; fixture->sheet.limit < length;
             ++fixture->sheet.limit) {
            fixture->sheet.length = 0;
            assert_int_equal(renders[i](&accounts, &fixture->sheet.sink),
                             LQ_IO);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(writes_a_line_for_each_account, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(quotes_for_the_shell, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(quotes_a_vhost_where_it_must, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(tells_a_sink_that_refuses_at_any_byte,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests_name("permissions formats", tests, NULL,
                                       NULL);
}
