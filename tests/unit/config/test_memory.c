/*
 * Loading with every allocation failing in turn: ours, by the arena's limit,
 * and jansson's, by an allocator of the test's own.
 */
#include "config/load.h"

#include "fixture.h"

#include <jansson.h>
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
        fixture->arena.limit = limit;
        status = load_bytes(fixture, name, text, strlen(text));
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

static void survives_a_failed_allocation_for_a_file(void **state)
{
    struct fixture *const fixture = *state;

    for (size_t limit = 0; limit < 2; ++limit) {
        fixture->arena.limit = limit;
        assert_int_equal(lq_load_file(&fixture->config, "/dev/null",
                                      LILYQ_INPUT_AUTO, &fixture->diags),
                         LQ_NOMEM);
        fixture->arena.limit = limit;
        assert_int_equal(lq_load_file(&fixture->config, "/nonexistent",
                                      LILYQ_INPUT_AUTO, &fixture->diags),
                         LQ_NOMEM);
    }
    fixture->arena.limit = 1;
    assert_int_equal(lq_load_file(&fixture->config, "/dev/zero",
                                  LILYQ_INPUT_AUTO, &fixture->diags),
                     LQ_NOMEM);
}

/* The allocator that jansson is given. */
static size_t fail_at; /* the allocation that fails, from 1 */
static bool fail_rest; /* all later ones fail too */
static size_t seen;
static size_t held; /* blocks not released */

static void *count_malloc(size_t size)
{
    void *block = NULL;

    ++seen;
    if (seen == fail_at || (fail_rest && seen > fail_at)) {
        return NULL;
    }
    block = malloc(size);
    held += block != NULL;
    return block;
}

static void count_free(void *block)
{
    held -= block != NULL;
    free(block);
}

/* Fails jansson's allocations in turn; returns how many there are. */
static size_t sweep_jansson(struct fixture *fixture, const char *text,
                            enum lq_status expected, bool rest)
{
    enum lq_status status = LQ_NOMEM;

    fail_rest = rest;
    for (fail_at = 1; status == LQ_NOMEM; ++fail_at) {
        start_again(fixture);
        seen = 0;
        status = load_json(fixture, text);
        assert_int_equal(held, 0);
        assert_true(status == LQ_NOMEM ? seen >= fail_at : seen < fail_at);
        assert_int_equal(fixture->diags.error_count > 0, status == LQ_INVALID);
    }
    assert_int_equal(status, expected);
    return seen;
}

static void survives_any_failed_allocation_of_jansson(void **state)
{
    json_set_alloc_funcs(count_malloc, count_free);
    for (int rest = 0; rest < 2; ++rest) {
        assert_true(sweep_jansson(*state, good_json, LQ_OK, rest) > 50);
        assert_true(sweep_jansson(*state, bad_json, LQ_INVALID, rest) > 50);
    }
    json_set_alloc_funcs(malloc, free);
}

/* jansson drops a byte, here of each length of token, and goes on. */
static void notices_that_jansson_lost_a_byte(void **state)
{
    static char text[1024];
    struct fixture *const fixture = *state;
    char name[201] = "";

    json_set_alloc_funcs(count_malloc, count_free);
    for (size_t length = 1; length <= 200; ++length) {
        name[length - 1] = 'n';
        (void)snprintf(text, sizeof(text),
                       "{\"queues\":[{\"name\":\"%s\",\"exchange_name\":"
                       "\"x\",\"routing_key\":\"k\"," JSON_RETENTION "}]}",
                       name);
        (void)sweep_jansson(fixture, text, LQ_OK, false);
        assert_string_equal(entry_at(fixture, 0)->name, name);
    }
    json_set_alloc_funcs(malloc, free);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(survives_any_failed_allocation),
        TEST(survives_a_failed_allocation_for_a_file),
        TEST(survives_any_failed_allocation_of_jansson),
        TEST(notices_that_jansson_lost_a_byte),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
