#include "letter/table.h"

#include "wire.h"

/* A table with a field of every type. */
static void fill(struct wire *wire)
{
    static const char types[] = "bBsuIilL";
    const size_t from = put_begin(wire);
    size_t inner = 0;

    for (size_t i = 0; types[i]; ++i) {
        put_integer(wire, "n", types[i], -1);
    }
    put_field(wire, "t", 't');
    put_number(wire, 1, 1);
    put_field(wire, "f", 'f');
    put_number(wire, 0, 4);
    put_field(wire, "d", 'd');
    put_number(wire, 0, 8);
    put_field(wire, "D", 'D');
    put_number(wire, 2, 1);
    put_number(wire, 314, 4);
    put_field(wire, "T", 'T');
    put_number(wire, 1700000000, 8);
    put_text(wire, "S", "text");
    put_field(wire, "x", 'x');
    put_number(wire, 2, 4);
    put(wire, "\0\xff", 2);
    put_field(wire, "V", 'V');
    put_field(wire, "A", 'A');
    inner = put_begin(wire);
    put_field(wire, NULL, 'V');
    put_text(wire, NULL, "in an array");
    put_end(wire, inner);
    put_field(wire, "F", 'F');
    inner = put_begin(wire);
    put_text(wire, "k", "v");
    put_end(wire, inner);
    put_end(wire, from);
}

static void walks_through_every_type(void **state)
{
    static const char types[] = "bBsuIilLtfdDTSxVAF";
    struct wire wire = {.length = 0};
    struct lq_fields fields;
    struct lq_field field;
    size_t whole = 4;

    (void)state;
    fill(&wire);
    fields = lq_fields_of(bytes_of(&wire), true);
    for (size_t i = 0; types[i]; ++i) {
        assert_true(lq_fields_next(&fields, &field));
        assert_int_equal(field.type, types[i]);
        assert_ptr_equal(field.whole.at, wire.bytes + whole);
        whole += field.whole.length;
    }
    assert_false(lq_fields_next(&fields, &field));
    assert_false(fields.bad);
    assert_int_equal(whole, wire.length);
}

static void reads_integers_of_any_width(void **state)
{
    static const struct {
        char type;
        int64_t given;
        int64_t expected;
    } cases[] = {
        {'b', -1, -1},
        {'B', 255, 255},
        {'s', -2, -2},
        {'u', 65535, 65535},
        {'I', -3, -3},
        {'i', 4294967295, 4294967295},
        {'l', INT64_MIN, INT64_MIN},
        {'L', INT64_MAX, INT64_MAX},
        {'b', 127, 127},
        {'I', INT32_MAX, INT32_MAX},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        struct wire wire = {.length = 0};
        const size_t from = put_begin(&wire);
        struct lq_field field;
        int64_t number = 0;

        put_integer(&wire, "n", cases[i].type, cases[i].given);
        put_end(&wire, from);
        assert_true(lq_fields_find(bytes_of(&wire), "n", &field));
        assert_true(lq_field_integer(&field, &number));
        assert_int_equal(number, cases[i].expected);
    }
}

static void an_unsigned_number_beyond_int64_is_no_integer(void **state)
{
    struct wire wire = {.length = 0};
    const size_t from = put_begin(&wire);
    struct lq_field field;
    int64_t number = 0;

    (void)state;
    put_integer(&wire, "n", 'L', -1);
    put_text(&wire, "s", "1");
    put_end(&wire, from);
    assert_true(lq_fields_find(bytes_of(&wire), "n", &field));
    assert_false(lq_field_integer(&field, &number));
    assert_true(lq_fields_find(bytes_of(&wire), "s", &field));
    assert_false(lq_field_integer(&field, &number));
    assert_bytes(lq_field_text(&field), "1");
    assert_false(lq_fields_find(bytes_of(&wire), "t", &field));
    assert_false(lq_field_integer(&field, &number));
    assert_int_equal(lq_field_text(&field).length, 0);
}

static void measures_what_is_nested(void **state)
{
    struct wire wire = {.length = 0};
    struct lq_extent extent;

    (void)state;
    fill(&wire);
    assert_true(lq_table_measure(bytes_of(&wire), &extent));
    assert_int_equal(extent.fields, 18);
    assert_int_equal(extent.elements, 3);
    assert_int_equal(extent.depth, 2);
    assert_int_equal(extent.longest_name, 1);
    assert_int_equal(extent.longest_value,
                     4 + 1 + 1 + 4 + strlen("in an array"));
    assert_false(extent.odd_name);
}

static void a_table_that_is_cut_anywhere_is_bad(void **state)
{
    struct wire wire = {.length = 0};
    struct lq_extent extent;

    (void)state;
    fill(&wire);
    for (size_t length = 0; length < wire.length; ++length) {
        /* on its own, so that what is read beyond it is found out */
        uint8_t *const cut = malloc(length + 1);

        assert_non_null(cut);
        memcpy(cut, wire.bytes, length);
        assert_false(lq_table_measure((struct lq_bytes){cut, length}, &extent));
        free(cut);
    }
}

static void any_byte_may_be_wrong(void **state)
{
    struct wire wire = {.length = 0};

    (void)state;
    fill(&wire);
    for (size_t i = 0; i < wire.length; ++i) {
        const uint8_t before = wire.bytes[i];

        for (unsigned byte = 0; byte < 256; ++byte) {
            struct lq_extent extent;

            wire.bytes[i] = (uint8_t)byte;
            (void)lq_table_measure(bytes_of(&wire), &extent);
        }
        wire.bytes[i] = before;
    }
}

static void an_unknown_type_is_bad(void **state)
{
    struct wire wire = {.length = 0};
    const size_t from = put_begin(&wire);
    struct lq_extent extent;

    (void)state;
    put_field(&wire, "a", 'Z');
    put_end(&wire, from);
    assert_false(lq_table_measure(bytes_of(&wire), &extent));
}

/* A table with `depth` arrays in one another. */
static void nest(struct wire *wire, size_t depth)
{
    size_t starts[64];
    const size_t from = put_begin(wire);

    for (size_t i = 0; i < depth; ++i) {
        put_field(wire, i ? NULL : "a", 'A');
        starts[i] = put_begin(wire);
    }
    for (size_t i = depth; i > 0; --i) {
        put_end(wire, starts[i - 1]);
    }
    put_end(wire, from);
}

static void goes_no_deeper_than_it_says(void **state)
{
    struct wire wire = {.length = 0};
    struct lq_extent extent;

    (void)state;
    nest(&wire, LQ_DEPTH_MAX - 1);
    assert_true(lq_table_measure(bytes_of(&wire), &extent));
    assert_int_equal(extent.depth, LQ_DEPTH_MAX);
    wire.length = 0;
    nest(&wire, LQ_DEPTH_MAX);
    assert_false(lq_table_measure(bytes_of(&wire), &extent));
}

static void tells_names_that_are_odd(void **state)
{
    static const char *const names[] = {"", "a b", "\x7f", "\xc3\xa9"};

    (void)state;
    for (size_t i = 0; i < COUNT(names); ++i) {
        struct wire wire = {.length = 0};
        const size_t from = put_begin(&wire);
        struct lq_extent extent;

        put_field(&wire, names[i], 'V');
        put_end(&wire, from);
        assert_true(lq_table_measure(bytes_of(&wire), &extent));
        assert_true(extent.odd_name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_through_every_type),
        cmocka_unit_test(reads_integers_of_any_width),
        cmocka_unit_test(an_unsigned_number_beyond_int64_is_no_integer),
        cmocka_unit_test(measures_what_is_nested),
        cmocka_unit_test(a_table_that_is_cut_anywhere_is_bad),
        cmocka_unit_test(any_byte_may_be_wrong),
        cmocka_unit_test(an_unknown_type_is_bad),
        cmocka_unit_test(goes_no_deeper_than_it_says),
        cmocka_unit_test(tells_names_that_are_odd),
    };

    return cmocka_run_group_tests_name("field tables", tests, NULL, NULL);
}
