/*
 * Loading with every allocation failing in turn: ours, by the arena's limit,
 * and jansson's, by an allocator of the test's own.
 */
#include "config/load.h"

#include "../limit.h"
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>

/* Documents that come by every allocation, good and bad. */
static const char good_ini[] =
    "[broker]\nurl = amqp://h\n[defaults]\n" RETENTION QUEUE(
        "q") "transactional_inbox.a = 1\n";
static const char bad_ini[] =
    "stray = 1\n[broker]\nurl =\nfoo = 1\ndurable = true\n[broker]\n"
    "[defaults]\nretry_attempts = 3 # three\nqueue_type = qourum\nname = n\n"
    "url = x\ntransactional_inbox = 1\n[defaults]\nretry_attempts = 4\n"
    "[queue: q]\nretry_atempts = 1\ncolour = red\n= 1\nx\nexchange_name = "
    "\xff\ntransactional_inbox.a = 1\ntransactional_inbox.a = 2\n"
    "routing_key = ${secret:a}\n[queue:r]\n[queue:s\n[queue:t] u\n[queues:v]\n"
    "[default]\n[orders]\n[\xff]\n[queue:w]\n" RETENTION;
static const char good_json[] =
    "{\"queues\":[{" JSON_FIELDS ",\"retry_attempts\":2,"
    "\"retry_jitter_ratio\":0.25,\"transactional_inbox\":{\"a\":[null]},"
    "\"dead_letter_exchange\":\"a-string-that-takes-more-than-a-buffer-of-"
    "sixty-four-bytes-to-hold\"}]}";
static const char bad_json[] =
    "{\"rabbitmq\":{\"topology\":{\"queue\":1,\"x\":2,\"queues\":[5,{\"name\":"
    "\"\\u0000\",\"retention\":[],\"colour\":1,\"retry_atempts\":1,"
    "\"main_max_bytes\":1,\"retenton\":1,\"durable\":0,\"queue_type\":\"x\","
    "\"transactional_inbox\":1,\"concurrency\":\"1\"},{" JSON_NAMES
    ",\"retention\":{\"x\":1}}]}}}";

/* How often a limit was met before a document was read as far as it can be. */
static size_t sweep_arena(struct fixture *fixture, const char *name,
                          const char *text, enum lq_status expected)
{
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    for (; status == LQ_NOMEM; ++limit) {
        start_again(fixture);
        limit_memory(&fixture->arena, limit);
        status = lq_arena_status(&fixture->arena,
                                 load_bytes(fixture, name, text, strlen(text)));
    }
    assert_int_equal(status, expected);
    return limit;
}

static void survives_any_failed_allocation(void **state)
{
    static const char *const bad_documents[] = {
        "[]",
        "{\"queues\":1}",
        "{}",
        "",
        "{\"a\":1,}",
        "{} x",
        "{\"a\":\xff}",
        "{\"queues\":[],\"rabbitmq\":{\"topology\":{\"queues\":[]}}}",
        "{\"rabbitmq\":{\"topology\":1}}"};

    assert_true(sweep_arena(*state, "f.ini", good_ini, LQ_OK) > 10);
    assert_true(sweep_arena(*state, "f.ini", bad_ini, LQ_INVALID) > 100);
    assert_true(sweep_arena(*state, "f.json", good_json, LQ_OK) > 10);
    assert_true(sweep_arena(*state, "f.json", bad_json, LQ_INVALID) > 50);
    assert_true(sweep_arena(*state, "f.ini", "{", LQ_INVALID) > 1);
    for (size_t i = 0; i < sizeof(bad_documents) / sizeof(bad_documents[0]);
         ++i) {
        assert_true(
            sweep_arena(*state, "f.json", bad_documents[i], LQ_INVALID) > 3);
    }
}

static enum lq_status load(struct fixture *fixture, const char *path)
{
    const enum lq_status status =
        lq_load_file(&fixture->config, path, LILYQ_INPUT_AUTO, &fixture->diags);

    return lq_arena_status(&fixture->arena, status);
}

static void survives_a_failed_allocation_for_a_file(void **state)
{
    struct fixture *const fixture = *state;

    for (size_t limit = 0; limit < 2; ++limit) {
        limit_memory(&fixture->arena, limit);
        assert_int_equal(load(fixture, "/dev/null"), LQ_NOMEM);
        limit_memory(&fixture->arena, limit);
        assert_int_equal(load(fixture, "/nonexistent"), LQ_NOMEM);
    }
    limit_memory(&fixture->arena, 1);
    assert_int_equal(load(fixture, "/dev/zero"), LQ_NOMEM);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(survives_any_failed_allocation),
        TEST(survives_a_failed_allocation_for_a_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
