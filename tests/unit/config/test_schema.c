#include "base/text.h"
#include "model/entry.h"
#include "model/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void lists_the_broker_section_first(void **state)
{
    size_t broker_keys = 0;

    (void)state;
    while (lq_keys[broker_keys].section == LQ_SECTION_BROKER) {
        ++broker_keys;
    }
    assert_int_equal(broker_keys, LQ_BROKER_KEY_COUNT);
    for (size_t i = broker_keys; i < lq_key_count; ++i) {
        assert_int_equal(lq_keys[i].section, LQ_SECTION_QUEUE);
    }
}

static void has_one_row_for_every_field(void **state)
{
    (void)state;
    assert_int_equal(lq_key_count, LQ_BROKER_KEY_COUNT + LQ_FIELD_COUNT);
    for (unsigned field = 0; field < LQ_FIELD_COUNT; ++field) {
        assert_int_equal(lq_key_of((enum lq_field)field)->field, field);
    }
}

static void finds_every_row_by_its_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < lq_key_count; ++i) {
        const struct lq_key *const key = &lq_keys[i];

        assert_ptr_equal(lq_key_find(key->section, key->name), key);
    }
}

static void finds_a_name_in_its_own_section_only(void **state)
{
    (void)state;
    assert_null(lq_key_find(LQ_SECTION_QUEUE, "url"));
    assert_null(lq_key_find(LQ_SECTION_BROKER, "durable"));
    assert_null(lq_key_find(LQ_SECTION_QUEUE, "main_max_bytes"));
}

static void stores_each_key_in_a_place_of_its_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < lq_key_count; ++i) {
        for (size_t j = 0; j < i; ++j) {
            assert_true(lq_keys[i].section != lq_keys[j].section ||
                        lq_keys[i].offset != lq_keys[j].offset);
        }
    }
}

static void has_a_default_within_its_own_range(void **state)
{
    (void)state;
    for (size_t i = 0; i < lq_key_count; ++i) {
        const struct lq_key *const key = &lq_keys[i];
        uint64_t value = 0;

        if (key->type == LQ_KEY_INTEGER) {
            assert_true(key->min <= key->max);
        }
        if (key->type == LQ_KEY_INTEGER && key->default_text) {
            assert_int_equal(lq_parse_u64(key->default_text, &value),
                             LQ_NUMBER_OK);
            assert_in_range(value, key->min, key->max);
        }
        assert_false(key->required && key->default_text);
    }
}

static void explains_every_key_in_one_sentence_without_a_stop(void **state)
{
    (void)state;
    for (size_t i = 0; i < lq_key_count; ++i) {
        const char *const help = lq_keys[i].help;

        assert_non_null(help);
        assert_null(strchr(help, '\n'));
        assert_true(help[0] && help[strlen(help) - 1] != '.');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_the_broker_section_first),
        cmocka_unit_test(has_one_row_for_every_field),
        cmocka_unit_test(finds_every_row_by_its_name),
        cmocka_unit_test(finds_a_name_in_its_own_section_only),
        cmocka_unit_test(stores_each_key_in_a_place_of_its_own),
        cmocka_unit_test(has_a_default_within_its_own_range),
        cmocka_unit_test(explains_every_key_in_one_sentence_without_a_stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
