#include "model/schema.h"

#include "../limit.h"
#include "fixture.h"

static struct lq_keys keys_of(struct fixture *fixture, enum lq_section section,
                              const char *prefix)
{
    struct lq_keys keys;

    assert_int_equal(lq_keys_init(&keys, section, prefix, &fixture->arena),
                     LQ_OK);
    return keys;
}

static void finds_every_row_of_its_section(void **state)
{
    const struct lq_keys broker = keys_of(*state, LQ_SECTION_BROKER, "");
    const struct lq_keys queue = keys_of(*state, LQ_SECTION_QUEUE, "");

    for (size_t i = 0; i < lq_key_count; ++i) {
        const struct lq_key *const key = &lq_keys[i];
        const bool in_broker = key->section == LQ_SECTION_BROKER;

        assert_ptr_equal(lq_keys_get(&broker, key->name),
                         in_broker ? key : NULL);
        assert_ptr_equal(lq_keys_get(&queue, key->name),
                         in_broker ? NULL : key);
    }
}

static void finds_rows_by_their_names_less_a_prefix(void **state)
{
    const struct lq_keys keys = keys_of(*state, LQ_SECTION_QUEUE, "retention.");

    assert_ptr_equal(lq_keys_get(&keys, "main_max_bytes"),
                     lq_key_of(LQ_MAIN_MAX_BYTES));
    assert_null(lq_keys_get(&keys, "retention.main_max_bytes"));
    assert_null(lq_keys_get(&keys, "durable"));
}

static void suggests_a_row_of_its_own(void **state)
{
    const struct lq_keys broker = keys_of(*state, LQ_SECTION_BROKER, "");
    const struct lq_keys queue = keys_of(*state, LQ_SECTION_QUEUE, "");
    const struct lq_keys retention =
        keys_of(*state, LQ_SECTION_QUEUE, "retention.");

    assert_string_equal(lq_keys_suggest(&broker, "usrname")->name, "username");
    assert_string_equal(lq_keys_suggest(&queue, "retry_atempts")->name,
                        "retry_attempts");
    assert_string_equal(lq_keys_suggest(&retention, "main_max_byte")->name,
                        "retention.main_max_bytes");
    assert_null(lq_keys_suggest(&broker, "retry_attempts"));
    assert_null(lq_keys_suggest(&queue, "colour"));
}

static void says_when_memory_runs_out(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_keys keys;

    for (size_t limit = 0; limit < 2; ++limit) {
        limit_memory(&fixture->arena, limit);
        assert_int_equal(
            lq_keys_init(&keys, LQ_SECTION_BROKER, "", &fixture->arena),
            LQ_NOMEM);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(finds_every_row_of_its_section),
        TEST(finds_rows_by_their_names_less_a_prefix),
        TEST(suggests_a_row_of_its_own),
        TEST(says_when_memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
