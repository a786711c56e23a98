/*
 * What a program asks of a connection before it uses it: the section [broker],
 * what URLs say, and where all of it leads.
 */
#include "../limit.h"
#include "api_fixture.h"

static struct lilyq *load(const char *text)
{
    struct lilyq *const run = lilyq_new();

    assert_non_null(run);
    assert_int_equal(load_ini(run, "b.ini", text), LILYQ_OK);
    return run;
}

static void gives_settings_as_they_are_written(void **state)
{
    static const struct {
        const char *key;
        enum lilyq_setting_kind kind;
        const char *text;
        const char *place;
    } cases[] = {
        {"vhost", LILYQ_SETTING_TEXT, "/shop", "b.ini:2: [broker] 'vhost'"},
        {"url", LILYQ_SETTING_VARIABLE, "RABBIT", "b.ini:3: [broker] 'url'"},
        {"username", LILYQ_SETTING_FILE, "/run/user",
         "b.ini:4: [broker] 'username'"},
        {"management_url", LILYQ_SETTING_ABSENT, NULL, NULL},
    };
    struct lilyq *const run = load("[broker]\n"
                                   "vhost = /shop\n"
                                   "url = ${env:RABBIT}\n"
                                   "username = ${file:/run/user}\n");

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        struct lilyq_setting setting;

        assert_int_equal(lilyq_broker_setting(run, cases[i].key, &setting),
                         LILYQ_OK);
        assert_int_equal(setting.kind, cases[i].kind);
        if (cases[i].text) {
            assert_string_equal(setting.text, cases[i].text);
            assert_string_equal(setting.place, cases[i].place);
        } else {
            assert_null(setting.text);
            assert_null(setting.place);
        }
    }
    lilyq_free(run);
}

static void knows_the_keys_of_the_broker_only(void **state)
{
    struct lilyq *const run = load("");
    struct lilyq_setting setting;

    (void)state;
    assert_int_equal(lilyq_broker_setting(run, "pass\nword", &setting),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, 0),
                        "[broker] has no key 'pass\\x0aword'");
    assert_int_equal(setting.kind, LILYQ_SETTING_ABSENT);
    lilyq_free(run);
}

static void tells_what_urls_say(void **state)
{
    static const struct {
        const char *url;
        struct lilyq_url says;
    } cases[] = {
        {NULL, {.tls = false}},
        {"amqp://localhost", {.tls = false}},
        {"amqp://127.1.2.3", {.tls = false}},
        {"amqp://[::1]", {.tls = false}},
        {"amqp://h", {.is_remote = true}},
        {"amqps://u:p@h",
         {.tls = true, .has_password = true, .is_remote = true}},
        {"amqp://localhost,amqps://localhost", {.tls = true}},
        {"amqp://u@localhost,amqp://u:p@localhost", {.has_password = true}},
        {"amqp://localhost,amqp://h", {.is_remote = true}},
    };
    struct lilyq *const run = load("");

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        const struct lilyq_url *url = NULL;

        assert_int_equal(lilyq_read_url(run, cases[i].url, "--url", &url),
                         LILYQ_OK);
        assert_int_equal(url->tls, cases[i].says.tls);
        assert_int_equal(url->has_password, cases[i].says.has_password);
        assert_int_equal(url->is_remote, cases[i].says.is_remote);
    }
    assert_int_equal(lilyq_problem_count(run), 0);
    lilyq_free(run);
}

static void tells_what_a_management_url_says(void **state)
{
    struct lilyq *const run = load("");
    const struct lilyq_url *url = NULL;

    (void)state;
    assert_int_equal(
        lilyq_read_management_url(run, "https://u:p@h/x", NULL, &url),
        LILYQ_OK);
    assert_true(url->tls && url->has_password && url->is_remote);
    assert_int_equal(
        lilyq_read_management_url(run, "http://localhost", NULL, &url),
        LILYQ_OK);
    assert_false(url->tls || url->has_password || url->is_remote);
    lilyq_free(run);
}

static void names_the_source_of_a_wrong_url(void **state)
{
    struct lilyq *const run = load("");
    char source[] = "$MINE";
    const struct lilyq_url *url = NULL;

    (void)state;
    assert_int_equal(lilyq_read_url(run, "nonsense", source, &url),
                     LILYQ_INVALID);
    source[1] = 'X'; /* it is not kept */
    assert_null(url);
    assert_string_equal(lilyq_problem_at(run, 0)->file, "$MINE");
    assert_string_equal(
        message_at(run, 0),
        "$MINE: broker URL must begin with amqp:// or amqps://");
    assert_int_equal(lilyq_read_management_url(run, "amqp://h", NULL, &url),
                     LILYQ_INVALID);
    assert_string_equal(message_at(run, 1),
                        "management URL must begin with http:// or https://, "
                        "not 'amqp://'");
    lilyq_free(run);
}

static void finds_out_where_a_connection_leads(void **state)
{
    static const struct lilyq_connection none = {0};
    static const struct lilyq_connection given = {
        .url = "amqp://u%0A:p@a/%2Fv,amqp://u%0A:p@b:1/%2Fv",
        .management_url = "https://m/prefix",
    };
    static const struct lilyq_connection certified = {
        .url = "amqps://h", .tls_cert_file = "c", .vhost = "\n"};
    struct lilyq *const run = load("");
    struct lilyq_target target;

    (void)state;
    assert_int_equal(lilyq_resolve(run, &none, &target), LILYQ_OK);
    assert_string_equal(target.addresses, "localhost:5672");
    assert_string_equal(target.vhost, "/");
    assert_string_equal(target.username, "guest");
    assert_true(target.has_password);
    assert_null(target.management);
    assert_int_equal(lilyq_resolve(run, &given, &target), LILYQ_OK);
    assert_string_equal(target.addresses, "a:5672, b:1");
    assert_string_equal(target.vhost, "/v");
    assert_string_equal(target.username, "u\n");
    assert_string_equal(target.management, "https://m:443/prefix");
    assert_int_equal(lilyq_resolve(run, &certified, &target), LILYQ_OK);
    assert_string_equal(target.vhost, "\n");
    assert_null(target.username);
    assert_false(target.has_password);
    lilyq_free(run);
}

static void takes_urls_that_were_read(void **state)
{
    struct lilyq_connection connection = {.url = "amqp://elsewhere",
                                          .management_url = "http://elsewhere"};
    struct lilyq *const run = load("");
    struct lilyq_target target;

    (void)state;
    assert_int_equal(lilyq_read_url(run, "amqp://u:p@a/v,amqp://b", "--url",
                                    &connection.read_url),
                     LILYQ_OK);
    assert_int_equal(lilyq_read_management_url(run, "http://m@c", "--api",
                                               &connection.read_management_url),
                     LILYQ_OK);
    assert_int_equal(lilyq_resolve(run, &connection, &target), LILYQ_INVALID);
    assert_string_equal(message_at(run, 0),
                        "--url: broker URLs must name the same virtual host, "
                        "not 'v' and '/'");
    connection.vhost = "w";
    connection.username = "x";
    connection.password = "y";
    assert_int_equal(lilyq_resolve(run, &connection, &target), LILYQ_INVALID);
    assert_string_equal(message_at(run, 1),
                        "--api: management URL names another user, and "
                        "must have the password too");
    connection.username = "m";
    for (int again = 0; again < 2; ++again) {
        assert_int_equal(lilyq_resolve(run, &connection, &target), LILYQ_OK);
        assert_string_equal(target.addresses, "a:5672, b:5672");
        assert_string_equal(target.vhost, "w");
        assert_string_equal(target.username, "m");
        assert_string_equal(target.management, "http://c:80");
    }
    lilyq_free(run);
}

static enum lilyq_status ask_all(struct lilyq *run)
{
    struct lilyq_connection connection = {.vhost = "w"};
    struct lilyq_setting setting;
    struct lilyq_target target;
    enum lilyq_status status = lilyq_broker_setting(run, "url", &setting);

    if (status == LILYQ_OK) {
        status = lilyq_read_url(run, "amqp://a,amqp://b", "--url",
                                &connection.read_url);
    }
    if (status == LILYQ_OK) {
        status = lilyq_read_management_url(run, "http://c", "--api",
                                           &connection.read_management_url);
    }
    return status == LILYQ_OK ? lilyq_resolve(run, &connection, &target)
                              : status;
}

static void survives_any_failed_allocation(void **state)
{
    enum lilyq_status status = LILYQ_NOMEM;

    (void)state;
    for (size_t limit = 0; status == LILYQ_NOMEM; ++limit) {
        struct lilyq *const run = load("[broker]\nurl = ${env:RABBIT}\n");

        assert_true(limit < 200);
        limit_memory(&run->arena, limit);
        status = ask_all(run);
        lilyq_free(run);
    }
    assert_int_equal(status, LILYQ_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_settings_as_they_are_written),
        cmocka_unit_test(knows_the_keys_of_the_broker_only),
        cmocka_unit_test(tells_what_urls_say),
        cmocka_unit_test(tells_what_a_management_url_says),
        cmocka_unit_test(names_the_source_of_a_wrong_url),
        cmocka_unit_test(finds_out_where_a_connection_leads),
        cmocka_unit_test(takes_urls_that_were_read),
        cmocka_unit_test(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
