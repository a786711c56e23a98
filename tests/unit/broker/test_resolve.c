/*
 * How the settings of a connection become the ways to a broker.
 */
#include "../limit.h"
#include "broker/resolve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

struct fixture {
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_route route;
};

static int set_up(void **state)
{
    struct fixture *const fixture = calloc(1, sizeof(*fixture));

    if (!fixture) {
        return -1;
    }
    lq_arena_init(&fixture->arena);
    lq_diags_init(&fixture->diags, &fixture->arena);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *const fixture = *state;

    lq_arena_free(&fixture->arena);
    free(fixture);
    return 0;
}

static enum lq_status resolve(struct fixture *fixture,
                              const struct lilyq_connection *connection)
{
    return lq_resolve(connection, &fixture->diags, &fixture->route);
}

static void prefers_settings_to_the_urls(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_connection *out = NULL;
    const struct lilyq_connection given = {
        .url = "amqps://u:p@h/v",
        .vhost = "/shop",
        .username = "deployer",
        .password = "other",
        .tls_ca_file = "ca",
        .tls_cert_file = "cert",
        .tls_key_file = "key",
        .insecure = true,
        .connect_timeout_millis = 1,
        .timeout_millis = 2,
        .wait_millis = 3,
    };

    assert_int_equal(resolve(fixture, &given), LQ_OK);
    assert_int_equal(fixture->route.count, 1);
    assert_int_equal(fixture->route.wait_millis, 3);
    out = fixture->route.ways;
    assert_string_equal(out->host, "h");
    assert_int_equal(out->port, 5671);
    assert_string_equal(out->vhost, "/shop");
    assert_string_equal(out->username, "deployer");
    assert_string_equal(out->password, "other");
    assert_string_equal(out->tls_ca_file, "ca");
    assert_string_equal(out->tls_cert_file, "cert");
    assert_string_equal(out->tls_key_file, "key");
    assert_true(out->tls && out->insecure);
    assert_int_equal(out->connect_timeout_millis, 1);
    assert_int_equal(out->timeout_millis, 2);
}

static void goes_to_localhost_by_default(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_connection *out = NULL;
    const struct lilyq_connection none = {0};

    assert_int_equal(resolve(fixture, &none), LQ_OK);
    assert_int_equal(fixture->route.count, 1);
    out = fixture->route.ways;
    assert_string_equal(out->host, "localhost");
    assert_int_equal(out->port, 5672);
    assert_string_equal(out->vhost, "/");
    assert_string_equal(out->username, "guest");
    assert_string_equal(out->password, "guest");
    assert_false(out->tls);
    assert_int_equal(out->connect_timeout_millis, 10000);
}

static void leaves_the_user_to_the_certificate(void **state)
{
    struct fixture *const fixture = *state;
    const struct lilyq_connection certified = {.url = "amqps://h",
                                               .tls_cert_file = "cert"};

    assert_int_equal(resolve(fixture, &certified), LQ_OK);
    assert_null(fixture->route.ways[0].username);
}

static void keeps_the_order_of_several_urls(void **state)
{
    struct fixture *const fixture = *state;
    const struct lilyq_connection given = {
        .url = "amqp://u:p@c:1/v,amqp://u:q@a/v, amqp://u:p@b:3/v"};
    const struct lq_connection *ways = NULL;

    assert_int_equal(resolve(fixture, &given), LQ_OK);
    assert_int_equal(fixture->route.count, 3);
    ways = fixture->route.ways;
    assert_string_equal(ways[0].host, "c");
    assert_string_equal(ways[1].host, "a");
    assert_string_equal(ways[2].host, "b");
    assert_int_equal(ways[1].port, 5672);
    assert_string_equal(ways[1].password, "q");
}

static void gives_each_of_several_urls_the_settings(void **state)
{
    struct fixture *const fixture = *state;
    const struct lilyq_connection given = {
        .url = "amqps://u:p@a/v,amqps://b",
        .vhost = "shop",
        .username = "deployer",
        .password = "secret",
        .tls_ca_file = "ca",
    };

    assert_int_equal(resolve(fixture, &given), LQ_OK);
    for (size_t i = 0; i < 2; ++i) {
        assert_string_equal(fixture->route.ways[i].vhost, "shop");
        assert_string_equal(fixture->route.ways[i].username, "deployer");
        assert_string_equal(fixture->route.ways[i].password, "secret");
        assert_string_equal(fixture->route.ways[i].tls_ca_file, "ca");
    }
}

static void rejects_urls_that_do_not_lead_to_the_same(void **state)
{
    static const struct {
        struct lilyq_connection given;
        const char *says;
    } cases[] = {
        {{.url = "amqp://a/v,amqp://b"},
         "broker URLs must name the same virtual host, not 'v' and '/'"},
        {{.url = "amqp://a/v,amqp://b/v,amqp://c/"},
         "broker URLs must name the same virtual host, not 'v' and ''"},
        {{.url = "amqp://a/%0A,amqp://b"},
         "broker URLs must name the same virtual host, not '\\x0a' and '/'"},
        {{.url = "amqp://u:p@a,amqp://v:p@b"},
         "broker URLs must name the same user, not 'u' and 'v'"},
        {{.url = "amqp://a,amqp://v:p@b"},
         "broker URLs must name the same user, not 'guest' and 'v'"},
        {{.url = "amqps://a,amqps://u:p@b", .tls_cert_file = "c"},
         "broker URLs must name the same user, not 'that of the certificate' "
         "and 'u'"},
        {{.url = "amqp://u:p@a,amqp://u@b"},
         "broker URLs must all have a password, or none"},
        {{.url = "amqps://a,amqp://b"},
         "broker URLs must all begin with amqps://, or all with amqp://"},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        assert_int_equal(resolve(fixture, &cases[i].given), LQ_INVALID);
        assert_int_equal(fixture->diags.items.count, i + 1);
        assert_string_equal(lq_diags_at(&fixture->diags, i)->text,
                            cases[i].says);
    }
}

static void needs_no_password_in_any_url(void **state)
{
    struct fixture *const fixture = *state;
    const struct lilyq_connection given = {.url = "amqp://u@a,amqp://u@b"};

    assert_int_equal(resolve(fixture, &given), LQ_OK);
    assert_null(fixture->route.ways[1].password);
}

static void survives_any_failed_allocation(void **state)
{
    const struct lilyq_connection given = {.url = "amqp://a/v,amqp://b/w"};
    enum lq_status status = LQ_NOMEM;

    (void)state;
    for (size_t limit = 0; status == LQ_NOMEM; ++limit) {
        struct lq_arena arena;
        struct lq_diags diags;
        struct lq_route route;

        assert_true(limit < 100);
        lq_arena_init(&arena);
        lq_diags_init(&diags, &arena);
        limit_memory(&arena, limit);
        status = lq_resolve(&given, &diags, &route);
        lq_arena_free(&arena);
    }
    assert_int_equal(status, LQ_INVALID);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static enum lq_status manage(struct fixture *fixture,
                             const struct lilyq_connection *connection,
                             struct lq_management_settings *out)
{
    assert_int_equal(resolve(fixture, connection), LQ_OK);
    return lq_resolve_management(connection, &fixture->route, &fixture->diags,
                                 out);
}

static void shares_what_the_management_url_leaves_open(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_management_settings out;
    const struct lilyq_connection given = {
        .url = "amqps://u:p@h/v",
        .management_url = "https://m:1/rabbit/api",
        .tls_ca_file = "ca",
        .tls_cert_file = "cert",
        .tls_key_file = "key",
        .insecure = true,
        .connect_timeout_millis = 1,
        .timeout_millis = 2,
    };

    assert_int_equal(manage(fixture, &given, &out), LQ_OK);
    assert_string_equal(out.peer.vhost, "v");
    assert_string_equal(out.peer.username, "u");
    assert_string_equal(out.peer.password, "p");
    assert_string_equal(out.peer.tls_ca_file, "ca");
    assert_string_equal(out.peer.tls_cert_file, "cert");
    assert_string_equal(out.peer.tls_key_file, "key");
    assert_true(out.peer.insecure);
    assert_int_equal(out.peer.connect_timeout_millis, 1);
    assert_int_equal(out.peer.timeout_millis, 2);
    assert_string_equal(lq_management_address(&fixture->arena, &out),
                        "https://m:1/rabbit");
}

static void has_the_defaults_of_a_management_api(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_management_settings out;
    const struct lilyq_connection plain = {.management_url = "http://"};
    const struct lilyq_connection safe = {.management_url = "https://[::1]"};

    assert_int_equal(manage(fixture, &plain, &out), LQ_OK);
    assert_string_equal(out.peer.username, "guest");
    assert_string_equal(out.peer.vhost, "/");
    assert_string_equal(lq_management_address(&fixture->arena, &out),
                        "http://localhost:80");
    assert_int_equal(manage(fixture, &safe, &out), LQ_OK);
    assert_string_equal(lq_management_address(&fixture->arena, &out),
                        "https://[::1]:443");
}

static void a_management_user_has_a_password_of_its_own(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_management_settings out;
    const struct lilyq_connection own = {.url = "amqp://u:p@h",
                                         .management_url = "http://m:q@h"};
    const struct lilyq_connection same = {.url = "amqp://u:p@h",
                                          .management_url = "http://u@h"};
    const struct lilyq_connection none = {.url = "amqp://u:p@h",
                                          .management_url = "http://m@h"};

    assert_int_equal(manage(fixture, &own, &out), LQ_OK);
    assert_string_equal(out.peer.username, "m");
    assert_string_equal(out.peer.password, "q");
    assert_int_equal(manage(fixture, &same, &out), LQ_OK);
    assert_string_equal(out.peer.password, "p");
    assert_int_equal(manage(fixture, &none, &out), LQ_INVALID);
    assert_string_equal(lq_diags_at(&fixture->diags, 0)->text,
                        "management URL names another user, and must "
                        "have the password too");
}

/* One of the two may be without TLS. */
static void certificates_go_where_there_is_tls(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_management_settings out;
    const struct lilyq_connection api = {
        .url = "amqp://h", .management_url = "https://h", .tls_ca_file = "ca"};
    const struct lilyq_connection broker = {
        .url = "amqps://h", .management_url = "http://h", .tls_ca_file = "ca"};

    assert_int_equal(manage(fixture, &api, &out), LQ_OK);
    assert_string_equal(out.peer.tls_ca_file, "ca");
    assert_null(fixture->route.ways[0].tls_ca_file);
    assert_int_equal(manage(fixture, &broker, &out), LQ_OK);
    assert_null(out.peer.tls_ca_file);
    assert_string_equal(fixture->route.ways[0].tls_ca_file, "ca");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(shares_what_the_management_url_leaves_open),
        TEST(has_the_defaults_of_a_management_api),
        TEST(a_management_user_has_a_password_of_its_own),
        TEST(certificates_go_where_there_is_tls),
        TEST(prefers_settings_to_the_urls),
        TEST(goes_to_localhost_by_default),
        TEST(leaves_the_user_to_the_certificate),
        TEST(keeps_the_order_of_several_urls),
        TEST(gives_each_of_several_urls_the_settings),
        TEST(rejects_urls_that_do_not_lead_to_the_same),
        TEST(needs_no_password_in_any_url),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
