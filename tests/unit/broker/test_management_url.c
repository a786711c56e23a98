#include "broker/http/management.h"
#include "broker/url.h"

#include "../plan/fixture.h"

#define AMBIGUOUS                                                              \
    "must write '/', '?', '#' and '@' in a user name or password as %2F, "     \
    "%3F, %23 and %40, and any other '@' behind the host as %40"
#define SECRET "s3cret"

/* NULL: the URL does not name it. */
struct wanted {
    const char *url;
    const char *host;
    unsigned port;
    const char *username;
    const char *password;
    const char *prefix;
    bool tls;
};

static void assert_text(const char *got, const char *want)
{
    assert_string_equal(got ? got : "(none)", want ? want : "(none)");
}

static void reads_every_part(void **state)
{
    static const struct wanted rows[] = {
        {"http://host", "host", 0, NULL, NULL, "", false},
        {"HTTPS://host:15671/", "host", 15671, NULL, NULL, "", true},
        {"http://u:p@127.0.0.1:15672", "127.0.0.1", 15672, "u", "p", "", false},
        {"http://u%40:%3a%2F@h", "h", 0, "u@", ":/", "", false},
        {"http://[::1]:15672/api", "::1", 15672, NULL, NULL, "", false},
        {"http://[fe80::1%25eth0]", "fe80::1%eth0", 0, NULL, NULL, "", false},
        {"https://h/rabbit/", "h", 0, NULL, NULL, "/rabbit", true},
        {"https://h/a/b%2Fc/api//", "h", 0, NULL, NULL, "/a/b%2Fc", true},
        {"https://h/myapi", "h", 0, NULL, NULL, "/myapi", true},
        {"http://", NULL, 0, NULL, NULL, "", false},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(rows); ++i) {
        struct lq_management_settings got = {.prefix = NULL};

        assert_int_equal(
            lq_management_url_parse(rows[i].url, &fixture->diags, &got), LQ_OK);
        assert_text(got.peer.host, rows[i].host);
        assert_int_equal(got.peer.port, rows[i].port);
        assert_text(got.peer.username, rows[i].username);
        assert_text(got.peer.password, rows[i].password);
        assert_text(got.prefix, rows[i].prefix);
        assert_int_equal(got.peer.tls, rows[i].tls);
        assert_null(got.peer.vhost);
    }
}

static void leaves_alone_what_a_url_does_not_name(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_management_settings got = {
        .peer = {.vhost = "v", .username = "u", .port = 7}};

    assert_int_equal(lq_management_url_parse("http://h", &fixture->diags, &got),
                     LQ_OK);
    assert_string_equal(got.peer.vhost, "v");
    assert_string_equal(got.peer.username, "u");
    assert_int_equal(got.peer.port, 7);
}

static const struct {
    const char *url;
    const char *text;
} refused[] = {
    {"", "must begin with http:// or https://"},
    {"host:15672", "must begin with http:// or https://"},
    {"amqp://host", "must begin with http:// or https://, not 'amqp://'"},
    {"httpss://host", "must begin with http:// or https://, not 'httpss://'"},
    {"http://h /", "must not contain blanks or control characters"},
    {"http://h:0", "must have a port from 1 to 65535"},
    {"http://u:" SECRET, "must have a port from 1 to 65535"},
    {"http://u:" SECRET "/x@h", AMBIGUOUS},
    {"http://u:" SECRET "@x@h", "must write '@' in a user name or password as "
                                "%40"},
    {"http://h/?x=1", "takes no '?' query and no '#' fragment"},
    {"http://h#x", "takes no '?' query and no '#' fragment"},
    {"http://[h]", "must have an IPv6 address between '[' and ']'"},
    {"http://u:" SECRET "%@h", "must write '%' itself as %25"},
};

static void refuses_what_is_malformed_and_shows_no_password(void **state)
{
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < COUNT(refused); ++i) {
        struct lq_management_settings got = {.prefix = "old"};
        const char *text = NULL;

        assert_int_equal(
            lq_management_url_parse(refused[i].url, &fixture->diags, &got),
            LQ_INVALID);
        text = lq_diags_at(&fixture->diags, i)->text;
        assert_memory_equal(text, "management URL ", 15);
        assert_string_equal(text + 15, refused[i].text);
        assert_null(strstr(text, SECRET));
        assert_string_equal(got.prefix, "old");
        assert_null(got.peer.host);
    }
}

static void encodes_everything_but_what_urls_reserve_for_names(void **state)
{
    struct fixture *const fixture = *state;

    assert_string_equal(lq_url_encode(&fixture->arena, ""), "");
    assert_string_equal(lq_url_encode(&fixture->arena, "azAZ09-_~"),
                        "azAZ09-_~");
    assert_string_equal(lq_url_encode(&fixture->arena, "/.%?#&=+ \x01\x7f"),
                        "%2F%2E%25%3F%23%26%3D%2B%20%01%7F");
    assert_string_equal(lq_url_encode(&fixture->arena, "\xc3\xa9\xff"),
                        "%C3%A9%FF");
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status == LQ_NOMEM && limit < 50; ++limit) {
        struct lq_management_settings got = {.prefix = NULL};

        restart(fixture, limit);
        status = lq_management_url_parse("http://u:p@h:1/prefix",
                                         &fixture->diags, &got);
        status = lq_arena_status(&fixture->arena, status);
    }
    assert_int_equal(status, LQ_OK);
    assert_in_range(limit, 4, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads_every_part),
        TEST(leaves_alone_what_a_url_does_not_name),
        TEST(refuses_what_is_malformed_and_shows_no_password),
        TEST(encodes_everything_but_what_urls_reserve_for_names),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
