#include "broker/http/curl.h"
#include "broker/http/management.h"

#include "../plan/fixture.h"

static void loads_every_function(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_curl curl;

    memset(&curl, 0, sizeof(curl));
    assert_int_equal(lq_curl_load(LQ_CURL_LIBRARY, &fixture->diags, &curl),
                     LQ_OK);
    assert_non_null(curl.global_init);
    assert_non_null(curl.slist_free_all);
    assert_string_equal(curl.easy_strerror(CURLE_OK), "No error");
}

static void says_that_there_is_no_libcurl(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_curl curl;

    assert_int_equal(lq_curl_load("libabsent.so.4", &fixture->diags, &curl),
                     LQ_IO);
    assert_one_reported(
        fixture, "cannot load libcurl, which reads the management API (Debian "
                 "has it in the package libcurl4): libabsent.so.4: cannot open "
                 "shared object file: No such file or directory");
}

static void says_that_a_library_is_another_one(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_curl curl;

    assert_int_equal(lq_curl_load("libm.so.6", &fixture->diags, &curl), LQ_IO);
    assert_non_null(strstr(lq_diags_at(&fixture->diags, 0)->text,
                           "undefined symbol: curl_global_init"));
}

/* Opens and closes again; what is said, or "" when it opens. */
static const char *open_with(struct fixture *fixture,
                             const struct lq_management_settings *settings,
                             enum lq_status status)
{
    struct lq_management *management = NULL;
    const size_t before = fixture->diags.items.count;

    assert_int_equal(lq_management_open(settings, &fixture->diags, &management),
                     status);
    lq_management_close(management);
    return status == LQ_OK ? "" : lq_diags_at(&fixture->diags, before)->text;
}

static void opens_without_connecting(void **state)
{
    const struct lq_management_settings settings = {.prefix = NULL};

    assert_string_equal(open_with(*state, &settings, LQ_OK), "");
    lq_management_close(NULL);
}

static void refuses_settings_that_cannot_work(void **state)
{
    static const struct {
        struct lq_connection peer;
        const char *text;
    } rows[] = {
        {{.host = "a b"},
         "management API http://a b:80 (vhost '/', user 'guest'): this is no "
         "host name or address"},
        {{.host = "h/p"},
         "management API http://h/p:80 (vhost '/', user 'guest'): this is no "
         "host name or address"},
        {{.host = ""},
         "management API http://:80 (vhost '/', user 'guest'): this is no host "
         "name or address"},
        {{.vhost = ""},
         "management API http://localhost:80 (vhost '', user 'guest'): the "
         "virtual host must have a name in UTF-8"},
        {{.vhost = "\xff"},
         "management API http://localhost:80 (vhost '\\xff', user 'guest'): "
         "the virtual host must have a name in UTF-8"},
        {{.username = "u"},
         "management API http://localhost:80 (vhost '/', user 'u'): the user "
         "has no password"},
        {{.username = "u:v", .password = "p"},
         "management API http://localhost:80 (vhost '/', user 'u:v'): HTTP "
         "cannot send a user name with ':'"},
        {{.host = "::1", .port = 15672, .tls_ca_file = "ca.pem"},
         "management API http://[::1]:15672 (vhost '/', user 'guest'): "
         "certificates need an https:// URL"},
        {{.tls = true, .host = "fe80::1%lo", .tls_key_file = "k"},
         "management API https://[fe80::1%25lo]:443 (vhost '/', user "
         "'guest'): a client key needs a client certificate"},
        {{.tls = true, .tls_cert_file = "c", .vhost = ""},
         "management API https://localhost:443 (vhost '', user of the "
         "certificate): the virtual host must have a name in UTF-8"},
    };

    for (size_t i = 0; i < COUNT(rows); ++i) {
        const struct lq_management_settings settings = {.peer = rows[i].peer};

        assert_string_equal(open_with(*state, &settings, LQ_INVALID),
                            rows[i].text);
    }
}

static void survives_any_failed_allocation_while_opening(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_management_settings settings = {
        .peer = {.host = "::1", .username = "u", .password = "p"}};
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status == LQ_NOMEM && limit < 50; ++limit) {
        struct lq_management *management = NULL;

        restart(fixture, limit);
        status = lq_management_open(&settings, &fixture->diags, &management);
        status = lq_arena_status(&fixture->arena, status);
        lq_management_close(management);
    }
    assert_int_equal(status, LQ_OK);
    assert_in_range(limit, 5, 50);
}

static void tells_denials_from_other_answers(void **state)
{
    static const struct {
        int status;
        bool denied;
    } rows[] = {{200, false}, {401, true},  {403, true},
                {404, false}, {400, false}, {500, false}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); ++i) {
        const struct lq_response response = {.status = rows[i].status};

        assert_int_equal(lq_management_denies(&response), rows[i].denied);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(loads_every_function),
        TEST(says_that_there_is_no_libcurl),
        TEST(says_that_a_library_is_another_one),
        TEST(opens_without_connecting),
        TEST(refuses_settings_that_cannot_work),
        TEST(survives_any_failed_allocation_while_opening),
        TEST(tells_denials_from_other_answers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
