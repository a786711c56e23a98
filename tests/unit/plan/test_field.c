#include "model/entry.h"

#include "fixture.h"

static const char *place_of(struct fixture *fixture,
                            const struct lq_entry *entry, enum lq_field field)
{
    const struct lq_place place = lq_field_place(entry, field, &fixture->arena);

    return lq_place_text(&fixture->arena, &place);
}

static void names_every_field_once(void **state)
{
    (void)state;
    for (unsigned i = 0; i < LQ_FIELD_COUNT; ++i) {
        assert_non_null(lq_field_name((enum lq_field)i));
        for (unsigned j = 0; j < i; ++j) {
            assert_string_not_equal(lq_field_name((enum lq_field)i),
                                    lq_field_name((enum lq_field)j));
        }
    }
    assert_string_equal(lq_field_name(LQ_NAME), "name");
    assert_string_equal(lq_field_name(LQ_MAIN_MAX_BYTES),
                        "retention.main_max_bytes");
}

static void places_a_given_field_at_its_line(void **state)
{
    struct lq_entry entry = entry_at(3, "orders");

    give(&entry, LQ_DURABLE, 9);
    assert_string_equal(place_of(*state, &entry, LQ_DURABLE), "lilyq.ini:9");
}

static void places_an_absent_field_at_its_entry(void **state)
{
    struct lq_entry entry = entry_at(3, "orders");

    entry.place.column = 7;
    assert_string_equal(place_of(*state, &entry, LQ_DURABLE), "lilyq.ini:3:7");
    entry.given = lq_field_bit(LQ_DURABLE);
    assert_string_equal(place_of(*state, &entry, LQ_DURABLE), "lilyq.ini:3:7");
}

static void appends_a_given_field_to_a_path(void **state)
{
    struct lq_entry entry = entry_at(0, "orders");

    entry.place = (struct lq_place){.file = "a.json", .path = "queues[3]"};
    give(&entry, LQ_MAIN_MAX_BYTES, 0);
    assert_string_equal(place_of(*state, &entry, LQ_MAIN_MAX_BYTES),
                        "a.json: queues[3].retention.main_max_bytes");
    assert_string_equal(place_of(*state, &entry, LQ_DURABLE),
                        "a.json: queues[3]");
}

static void labels_an_entry_safely(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_entry plain = entry_at(3, "orders");
    const struct lq_entry odd = entry_at(3, "a\x1b[31m");
    const struct lq_entry none = entry_at(3, NULL);

    assert_string_equal(lq_entry_label(&fixture->arena, &plain),
                        "[queue:orders]");
    assert_string_equal(lq_entry_label(&fixture->arena, &odd),
                        "[queue:a\\x1b[31m]");
    assert_string_equal(lq_entry_label(&fixture->arena, &none), "[queue:]");
}

static void reports_at_the_field_with_the_label(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = entry_at(3, "orders");

    give(&entry, LQ_DURABLE, 9);
    assert_int_equal(lq_entry_error(&fixture->diags, &entry, LQ_DURABLE,
                                    "'durable' is %s", "odd"),
                     LQ_INVALID);
    assert_one_reported(fixture,
                        "lilyq.ini:9: [queue:orders] 'durable' is odd");
}

static void survives_any_failed_allocation(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_entry entry = entry_at(0, "orders");
    enum lq_status status = LQ_NOMEM;
    size_t limit = 0;

    entry.place = (struct lq_place){.file = "a.json", .path = "queues[3]"};
    give(&entry, LQ_DURABLE, 0);
    for (; status == LQ_NOMEM; ++limit) {
        restart(fixture, limit);
        status = lq_entry_error(&fixture->diags, &entry, LQ_DURABLE, "x");
        status = lq_arena_status(&fixture->arena, status);
    }
    assert_int_equal(status, LQ_INVALID);
    assert_in_range(limit, 6, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names_every_field_once),
        TEST(places_a_given_field_at_its_line),
        TEST(places_an_absent_field_at_its_entry),
        TEST(appends_a_given_field_to_a_path),
        TEST(labels_an_entry_safely),
        TEST(reports_at_the_field_with_the_label),
        TEST(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests_name("field", tests, NULL, NULL);
}
