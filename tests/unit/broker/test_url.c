#include "../limit.h"
#include "broker/url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(items) (sizeof(items) / sizeof((items)[0]))

struct fixture {
    struct lq_arena arena;
    struct lq_diags diags;
};

static int set_up(void **state)
{
    struct fixture *const fixture = malloc(sizeof(*fixture));

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

/* NULL: the URL does not name it. */
struct wanted {
    const char *url;
    const char *host;
    unsigned port;
    const char *username;
    const char *password;
    const char *vhost;
};

static const char *or_nothing(const char *text)
{
    return text ? text : "nothing";
}

static void is_text(const char *url, const char *got, const char *want)
{
    if (strcmp(or_nothing(got), or_nothing(want)) != 0) {
        fail_msg("%s: got %s, not %s", url, or_nothing(got), or_nothing(want));
    }
}

static void check(struct fixture *fixture, const struct wanted *wanted)
{
    struct lq_connection got = {0};

    assert_int_equal(lq_url_parse(wanted->url, &fixture->diags, &got), LQ_OK);
    is_text(wanted->url, got.host, wanted->host);
    is_text(wanted->url, got.username, wanted->username);
    is_text(wanted->url, got.password, wanted->password);
    is_text(wanted->url, got.vhost, wanted->vhost);
    assert_int_equal(got.port, wanted->port);
    assert_int_equal(fixture->diags.error_count, 0);
}

static void check_all(void **state, const struct wanted *cases, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        check(*state, &cases[i]);
    }
}

/* The examples of the AMQP URI specification, less its invalid one. */
static void reads_the_examples_of_the_specification(void **state)
{
    static const struct wanted cases[] = {
        {"amqp://user:pass@host:10000/vhost", "host", 10000, "user", "pass",
         "vhost"},
        {"amqp://user%61:%61pass@ho%61st:10000/v%2fhost", "hoast", 10000,
         "usera", "apass", "v/host"},
        {"amqp://", NULL, 0, NULL, NULL, NULL},
        {"amqp://:@/", NULL, 0, "", "", ""},
        {"amqp://user@", NULL, 0, "user", NULL, NULL},
        {"amqp://user:pass@", NULL, 0, "user", "pass", NULL},
        {"amqp://host", "host", 0, NULL, NULL, NULL},
        {"amqp://:10000", NULL, 10000, NULL, NULL, NULL},
        {"amqp:///vhost", NULL, 0, NULL, NULL, "vhost"},
        {"amqp://host/", "host", 0, NULL, NULL, ""},
        {"amqp://host/%2F", "host", 0, NULL, NULL, "/"},
        {"amqp://[::1]", "::1", 0, NULL, NULL, NULL},
    };

    check_all(state, cases, COUNT(cases));
}

static void reads_what_else_is_well_formed(void **state)
{
    static const struct wanted cases[] = {
        {"amqp://[::1]:5673/v", "::1", 5673, NULL, NULL, "v"},
        {"amqp://[fe80::1%25eth0]/", "fe80::1%eth0", 0, NULL, NULL, ""},
        {"amqp://[::ffff:10.0.0.1]", "::ffff:10.0.0.1", 0, NULL, NULL, NULL},
        {"amqp://10.0.0.1:1", "10.0.0.1", 1, NULL, NULL, NULL},
        {"amqp://h:65535", "h", 65535, NULL, NULL, NULL},
        {"amqp://h:", "h", 0, NULL, NULL, NULL},
        {"amqp://u:a:b@h", "h", 0, "u", "a:b", NULL},
        {"amqp://u:%40%2F%3A%3f%23%25@h", "h", 0, "u", "@/:?#%", NULL},
        {"amqp://u:%ff%80@h", "h", 0, "u", "\xff\x80", NULL},
        {"amqp://h/caf%C3%A9", "h", 0, NULL, NULL, "caf\xc3\xa9"},
        {"amqp://h/caf\xc3\xa9", "h", 0, NULL, NULL, "caf\xc3\xa9"},
        {"amqp://h/a+b", "h", 0, NULL, NULL, "a+b"},
    };

    check_all(state, cases, COUNT(cases));
}

static void takes_the_scheme_in_any_case(void **state)
{
    static const struct {
        const char *url;
        bool tls;
    } cases[] = {
        {"amqp://h", false}, {"AMQP://h", false}, {"aMqP://h", false},
        {"amqps://h", true}, {"AMQPS://h", true},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(cases); ++i) {
        struct lq_connection got = {.tls = !cases[i].tls};

        assert_int_equal(lq_url_parse(cases[i].url, &fixture->diags, &got),
                         LQ_OK);
        assert_int_equal(got.tls, cases[i].tls);
    }
}

static void keeps_what_the_url_does_not_name(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_connection got = {.host = "old",
                                .port = 7,
                                .vhost = "v",
                                .username = "u",
                                .password = "p",
                                .tls_ca_file = "ca"};

    assert_int_equal(lq_url_parse("amqp://new", &fixture->diags, &got), LQ_OK);
    assert_string_equal(got.host, "new");
    assert_int_equal(got.port, 7);
    assert_string_equal(got.vhost, "v");
    assert_string_equal(got.username, "u");
    assert_string_equal(got.password, "p");
    assert_string_equal(got.tls_ca_file, "ca");
}

#define AMBIGUOUS                                                              \
    "must write '/', '?', '#' and '@' in a user name or password as %2F, "     \
    "%3F, %23 and %40, and any other '@' behind the host as %40"
#define SECRET "s3cret"

static const struct {
    const char *url;
    const char *text; /* of the error */
} refused[] = {
    {"", "must begin with amqp:// or amqps://"},
    {"host", "must begin with amqp:// or amqps://"},
    {"amqp:host", "must begin with amqp:// or amqps://"},
    {"amqp:/host", "must begin with amqp:// or amqps://"},
    {"://host", "must begin with amqp:// or amqps://"},
    {"u:" SECRET "@h", "must begin with amqp:// or amqps://"},
    {"u:" SECRET "@h://", "must begin with amqp:// or amqps://"},
    {"http://host", "must begin with amqp:// or amqps://, not 'http://'"},
    {"amqpss://host", "must begin with amqp:// or amqps://, not 'amqpss://'"},
    {"amqp://h v", "must not contain blanks or control characters"},
    {" amqp://h", "must not contain blanks or control characters"},
    {"amqp://h\n", "must not contain blanks or control characters"},
    {"amqp://h\x7f", "must not contain blanks or control characters"},
    {"amqp://h/v?heartbeat=5", "must end with the virtual host: it takes no "
                               "'?' query and no '#' fragment"},
    {"amqp://h?x", "must end with the virtual host: it takes no '?' query and "
                   "no '#' fragment"},
    {"amqp://h/v#x", "must end with the virtual host: it takes no '?' query "
                     "and no '#' fragment"},
    {"amqp://u:" SECRET "/x@h/v", AMBIGUOUS},
    {"amqp://u:" SECRET "?@h", AMBIGUOUS},
    {"amqp://u:12/" SECRET "@h", AMBIGUOUS},
    {"amqp://u:#" SECRET "@h", AMBIGUOUS},
    {"amqp://u:a@" SECRET "/b@h", AMBIGUOUS},
    {"amqp://h/v@" SECRET, AMBIGUOUS},
    {"amqp://u:" SECRET "@x@h", "must write '@' in a user name or password as "
                                "%40"},
    {"amqp://h/a/b", "must write '/' in the virtual host's name as %2F"},
    {"amqp://h//", "must write '/' in the virtual host's name as %2F"},
    {"amqp://h:0", "must have a port from 1 to 65535"},
    {"amqp://h:65536", "must have a port from 1 to 65535"},
    {"amqp://h:99999999999999999999", "must have a port from 1 to 65535"},
    {"amqp://h:-1", "must have a port from 1 to 65535"},
    {"amqp://h:+5672", "must have a port from 1 to 65535"},
    {"amqp://h:56x2", "must have a port from 1 to 65535"},
    {"amqp://u:" SECRET, "must have a port from 1 to 65535"},
    {"amqp://::1", "must write an IPv6 address as [address]"},
    {"amqp://::1:5672", "must write an IPv6 address as [address]"},
    {"amqp://[::1", "must write an IPv6 address as [address]"},
    {"amqp://[::1]x", "must write an IPv6 address as [address]"},
    {"amqp://[]", "must have an IPv6 address between '[' and ']'"},
    {"amqp://[host]", "must have an IPv6 address between '[' and ']'"},
    {"amqp://[127.0.0.1]", "must have an IPv6 address between '[' and ']'"},
    {"amqp://[1:2:3:4:5:6:7:8:1:2:3:4:5:6:7:8:1:2:3:4:5:6:7:8:9]",
     "must have an IPv6 address between '[' and ']'"},
    {"amqp://h/%", "must write '%' itself as %25"},
    {"amqp://h/%2", "must write '%' itself as %25"},
    {"amqp://h/%2g", "must write '%' itself as %25"},
    {"amqp://h/%g2", "must write '%' itself as %25"},
    {"amqp://u:" SECRET "%@h", "must write '%' itself as %25"},
    {"amqp://h/a%00b", "must not contain %00"},
    {"amqp://u:" SECRET "%00@h", "must not contain %00"},
    {"amqp://h/%ff", "must name a virtual host of at most 255 bytes of UTF-8"},
};

static void refuses_what_is_malformed(void **state)
{
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(refused); ++i) {
        struct lq_connection got = {.host = "old"};
        const struct lq_connection before = got;
        const char *text = NULL;

        assert_int_equal(lq_url_parse(refused[i].url, &fixture->diags, &got),
                         LQ_INVALID);
        assert_int_equal(fixture->diags.items.count, i + 1);
        text = lq_diags_at(&fixture->diags, i)->text;
        assert_memory_equal(text, "broker URL ", strlen("broker URL "));
        assert_string_equal(text + strlen("broker URL "), refused[i].text);
        assert_memory_equal(&got, &before, sizeof(got));
    }
}

static void never_shows_a_password(void **state)
{
    struct fixture *const fixture = *state;
    size_t secrets = 0;

    for (size_t i = 0; i < COUNT(refused); ++i) {
        struct lq_connection got = {0};

        secrets += strstr(refused[i].url, SECRET) != NULL;
        assert_int_equal(lq_url_parse(refused[i].url, &fixture->diags, &got),
                         LQ_INVALID);
        assert_null(strstr(lq_diags_at(&fixture->diags, i)->text, SECRET));
    }
    assert_int_equal(secrets, 12);
}

static void takes_a_vhost_of_255_bytes_and_no_more(void **state)
{
    struct fixture *const fixture = *state;
    char url[512] = "amqp://h/";
    struct lq_connection got = {0};

    memset(url + strlen(url), 'v', 255);
    assert_int_equal(lq_url_parse(url, &fixture->diags, &got), LQ_OK);
    assert_int_equal(strlen(got.vhost), 255);
    url[strlen(url)] = 'v';
    assert_int_equal(lq_url_parse(url, &fixture->diags, &got), LQ_INVALID);
}

/* A fresh arena that fails after so many allocations. */
static enum lq_status parse_within(const char *url, size_t limit)
{
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_connection got = {0};
    enum lq_status status = LQ_OK;

    lq_arena_init(&arena);
    limit_memory(&arena, limit);
    lq_diags_init(&diags, &arena);
    status = lq_arena_status(&arena, lq_url_parse(url, &diags, &got));
    lq_arena_free(&arena);
    return status;
}

static void survives_any_failed_allocation(void **state)
{
    static const struct {
        const char *url;
        enum lq_status status; /* with memory enough */
    } cases[] = {
        {"amqp://user:pass@host:1/vhost", LQ_OK},
        {"http://host", LQ_INVALID},
        {"amqp://h:0", LQ_INVALID},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        size_t limit = 0;

        while (parse_within(cases[i].url, limit) == LQ_NOMEM) {
            ++limit;
        }
        assert_true(limit >= 1);
        assert_int_equal(parse_within(cases[i].url, limit), cases[i].status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_the_examples_of_the_specification,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_what_else_is_well_formed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(takes_the_scheme_in_any_case, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(keeps_what_the_url_does_not_name,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_what_is_malformed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(never_shows_a_password, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(takes_a_vhost_of_255_bytes_and_no_more,
                                        set_up, tear_down),
        cmocka_unit_test(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
