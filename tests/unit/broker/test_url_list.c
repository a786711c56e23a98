#include "../limit.h"
#include "broker/url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

struct fixture {
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_connection *list;
    size_t count;
};

static void begin(struct fixture *fixture)
{
    lq_arena_init(&fixture->arena);
    lq_diags_init(&fixture->diags, &fixture->arena);
}

static void end(struct fixture *fixture)
{
    lq_arena_free(&fixture->arena);
}

static enum lq_status parse(struct fixture *fixture, const char *urls)
{
    return lq_url_list_parse(urls, &fixture->diags, &fixture->list,
                             &fixture->count);
}

static void reads_one_url_as_before(void **state)
{
    struct fixture fixture;

    (void)state;
    begin(&fixture);
    assert_int_equal(parse(&fixture, "amqp://u:p@h:1/v"), LQ_OK);
    assert_int_equal(fixture.count, 1);
    assert_string_equal(fixture.list[0].host, "h");
    assert_int_equal(fixture.list[0].port, 1);
    end(&fixture);
}

static void reads_urls_with_commas_between_them(void **state)
{
    static const char *const cases[] = {
        "amqp://a/v,amqps://b:2/v,amqp://c/v",
        "amqp://a/v, AMQPS://b:2/v,\tAmqp://c/v",
        "amqp://u:x,y@a/v,amqps://u:,@b:2/v,amqp://a,b:amqp@c/v",
    };
    struct fixture fixture;

    (void)state;
    begin(&fixture);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        assert_int_equal(parse(&fixture, cases[i]), LQ_OK);
        assert_int_equal(fixture.count, 3);
        assert_string_equal(fixture.list[0].host, "a");
        assert_string_equal(fixture.list[1].host, "b");
        assert_true(fixture.list[1].tls);
        assert_int_equal(fixture.list[1].port, 2);
        assert_string_equal(fixture.list[2].host, "c");
        assert_false(fixture.list[2].tls);
        assert_string_equal(fixture.list[2].vhost, "v");
    }
    end(&fixture);
}

static void keeps_commas_in_passwords(void **state)
{
    struct fixture fixture;

    (void)state;
    begin(&fixture);
    assert_int_equal(parse(&fixture, "amqp://u:,amqp,@h"), LQ_OK);
    assert_int_equal(fixture.count, 1);
    assert_string_equal(fixture.list[0].password, ",amqp,");
    end(&fixture);
}

/* What is left over would be taken for a part of a name. */
static void rejects_commas_that_separate_nothing(void **state)
{
    static const char *const cases[] = {
        "amqp://a,",     "amqp://a,b",        "amqp://a/v,",
        "amqp://a/v,w",  "amqp://a:5672,b:1", "amqp://[::1],amqp:/b",
        "amqp://a/,amq", "amqp://u:p@a,b",
    };
    struct fixture fixture;

    (void)state;
    begin(&fixture);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        assert_int_equal(parse(&fixture, cases[i]), LQ_INVALID);
        assert_int_equal(fixture.diags.items.count, i + 1);
        assert_string_equal(
            lq_diags_at(&fixture.diags, i)->text,
            "broker URL takes ',' only before another whole URL, as in "
            "amqp://one,amqp://two (in a name it is %2C)");
    }
    end(&fixture);
}

static void says_which_of_several_is_wrong(void **state)
{
    struct fixture fixture;

    (void)state;
    begin(&fixture);
    assert_int_equal(
        parse(&fixture, "amqp://a:x,amqp://b,,amqp://c,amqp://d?e"),
        LQ_INVALID);
    assert_int_equal(fixture.diags.items.count, 3);
    assert_string_equal(lq_diags_at(&fixture.diags, 0)->text,
                        "broker URL 1 of 4 must have a port from 1 to 65535");
    assert_string_equal(
        lq_diags_at(&fixture.diags, 1)->text,
        "broker URL 2 of 4 takes ',' only before another whole URL, as in "
        "amqp://one,amqp://two (in a name it is %2C)");
    assert_string_equal(
        lq_diags_at(&fixture.diags, 2)->text,
        "broker URL 4 of 4 must end with the virtual host: it takes no '?' "
        "query and no '#' fragment");
    end(&fixture);
}

static void survives_any_failed_allocation(void **state)
{
    enum lq_status status = LQ_NOMEM;

    (void)state;
    for (size_t limit = 0; status == LQ_NOMEM; ++limit) {
        struct fixture fixture;

        assert_true(limit < 100);
        begin(&fixture);
        limit_memory(&fixture.arena, limit);
        status = parse(&fixture, "amqp://u:p@a/v,amqp://b:x");
        end(&fixture);
    }
    assert_int_equal(status, LQ_INVALID);
}

static void writes_addresses_as_urls_do(void **state)
{
    static const struct {
        struct lq_connection connection;
        const char *want;
    } cases[] = {
        {{.host = "h", .port = 1}, "h:1"},
        {{.host = "127.0.0.1", .port = 5672}, "127.0.0.1:5672"},
        {{.host = "::1", .port = 65535}, "[::1]:65535"},
        {{.host = "a\nb", .port = 1}, "a\\x0ab:1"},
    };
    struct fixture fixture;

    (void)state;
    begin(&fixture);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        assert_string_equal(
            lq_connection_address(&fixture.arena, &cases[i].connection),
            cases[i].want);
    }
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_one_url_as_before),
        cmocka_unit_test(reads_urls_with_commas_between_them),
        cmocka_unit_test(keeps_commas_in_passwords),
        cmocka_unit_test(rejects_commas_that_separate_nothing),
        cmocka_unit_test(says_which_of_several_is_wrong),
        cmocka_unit_test(survives_any_failed_allocation),
        cmocka_unit_test(writes_addresses_as_urls_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
