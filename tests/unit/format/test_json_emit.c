#include "format/json_emit.h"

#include "fixture.h"

#include <jansson.h>

#include <stdio.h>

static size_t allocations_left;

static void *limited_alloc(size_t size)
{
    if (allocations_left == 0) {
        return NULL;
    }
    --allocations_left;
    return malloc(size);
}

static void lays_a_document_out_by_lines(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_json json;

    lq_json_begin(&json, &fixture->sheet.sink);
    lq_json_text(&json, "text", "a");
    lq_json_object_begin(&json, "object");
    lq_json_bool(&json, "yes", true);
    lq_json_bool(&json, "no", false);
    lq_json_null(&json, "nothing");
    lq_json_object_end(&json);
    lq_json_lines_begin(&json, "none");
    lq_json_lines_end(&json);
    lq_json_lines_begin(&json, "lines");
    lq_json_array_begin(&json, NULL);
    lq_json_count(&json, NULL, 1);
    lq_json_count(&json, NULL, 2);
    lq_json_array_end(&json);
    lq_json_object_begin(&json, NULL);
    lq_json_object_end(&json);
    lq_json_lines_end(&json);
    lq_json_array_begin(&json, "array");
    lq_json_object_begin(&json, NULL);
    lq_json_object_end(&json);
    lq_json_array_end(&json);
    assert_int_equal(lq_json_end(&json), LQ_OK);
    assert_string_equal(
        fixture->sheet.text,
        "{\n"
        "  \"text\": \"a\",\n"
        "  \"object\": {\"yes\": true, \"no\": false, \"nothing\": null},\n"
        "  \"none\": [],\n"
        "  \"lines\": [\n"
        "    [1, 2],\n"
        "    {}\n"
        "  ],\n"
        "  \"array\": [{}]\n"
        "}\n");
}

static void writes_whole_numbers_exactly(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_json json;

    lq_json_begin(&json, &fixture->sheet.sink);
    lq_json_integer(&json, "a", INT64_MAX);
    lq_json_integer(&json, "b", INT64_MIN);
    lq_json_count(&json, "c", UINT64_MAX);
    assert_int_equal(lq_json_end(&json), LQ_OK);
    assert_string_equal(fixture->sheet.text, "{\n"
                                             "  \"a\": 9223372036854775807,\n"
                                             "  \"b\": -9223372036854775808,\n"
                                             "  \"c\": 18446744073709551615\n"
                                             "}\n");
}

static void escapes_no_more_than_json_needs(void **state)
{
    static const struct {
        const char *text;
        const char *written;
    } cases[] = {
        {"", "\"\""},
        {"a/b'c", "\"a/b'c\""},
        {"gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\x87",
         "\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\x87\""},
        {"\x7f", "\"\x7f\""},
        {"say \"hi\"", "\"say \\\"hi\\\"\""},
        {"a\\", "\"a\\\\\""},
        {"a\tb\n", "\"a\\tb\\n\""},
        {"\x01 \x1f", "\"\\u0001 \\u001F\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
        struct sheet sheet;
        struct lq_json json;
        char want[100];

        (void)snprintf(want, sizeof(want), "{\n  \"a\": %s\n}\n",
                       cases[i].written);
        sheet_init(&sheet, SIZE_MAX);
        lq_json_begin(&json, &sheet.sink);
        lq_json_text(&json, "a", cases[i].text);
        assert_int_equal(lq_json_end(&json), LQ_OK);
        assert_string_equal(sheet.text, want);
        sheet_free(&sheet);
    }
}

static enum lq_status write_two_texts(const struct lq_sink *sink)
{
    struct lq_json json;

    lq_json_begin(&json, sink);
    lq_json_text(&json, "a", "\"");
    lq_json_text(&json, "b", "\\");
    return lq_json_end(&json);
}

static void survives_any_failed_allocation_of_jansson(void **state)
{
    size_t limit = 0;
    enum lq_status status = LQ_NOMEM;

    (void)state;
    json_set_alloc_funcs(limited_alloc, free);
    for (; status != LQ_OK; ++limit) {
        struct sheet sheet;

        sheet_init(&sheet, SIZE_MAX);
        allocations_left = limit;
        status = write_two_texts(&sheet.sink);
        assert_true(status == LQ_OK || status == LQ_NOMEM);
        assert_true(status == LQ_OK || sheet.length == 0);
        sheet_free(&sheet);
    }
    json_set_alloc_funcs(malloc, free);
    assert_true(limit > 4);
}

/* Two buffers' worth of what needs an escape. */
static void tells_a_sink_that_refuses_amid_a_text(void **state)
{
    static char text[LQ_WRITER_BYTES + 2];

    (void)state;
    memset(text, '"', sizeof(text) - 1);
    for (size_t limit = 0; limit <= (size_t)2 * LQ_WRITER_BYTES;
         limit += LQ_WRITER_BYTES) {
        struct sheet sheet;
        struct lq_json json;

        sheet_init(&sheet, limit);
        lq_json_begin(&json, &sheet.sink);
        lq_json_text(&json, "a", text);
        assert_int_equal(lq_json_end(&json), LQ_IO);
        sheet_free(&sheet);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lays_a_document_out_by_lines, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(writes_whole_numbers_exactly, set_up,
                                        tear_down),
        cmocka_unit_test(escapes_no_more_than_json_needs),
        cmocka_unit_test(survives_any_failed_allocation_of_jansson),
        cmocka_unit_test(tells_a_sink_that_refuses_amid_a_text),
    };

    return cmocka_run_group_tests_name("json_emit", tests, NULL, NULL);
}
