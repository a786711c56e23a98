#include "json/write.h"

#include "../render/fixture.h"
#include "base/text.h"

#include <jansson.h>

#include <stdio.h>

/* UTF-8, with a NUL behind it. */
static void encode(uint32_t code, char *out)
{
    if (code < 0x80) {
        (void)snprintf(out, 2, "%c", (int)code);
    } else if (code < 0x800) {
        (void)snprintf(out, 3, "%c%c", (int)(0xc0 | code >> 6),
                       (int)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        (void)snprintf(out, 4, "%c%c%c", (int)(0xe0 | code >> 12),
                       (int)(0x80 | (code >> 6 & 0x3f)),
                       (int)(0x80 | (code & 0x3f)));
    } else {
        (void)snprintf(out, 5, "%c%c%c%c", (int)(0xf0 | code >> 18),
                       (int)(0x80 | (code >> 12 & 0x3f)),
                       (int)(0x80 | (code >> 6 & 0x3f)),
                       (int)(0x80 | (code & 0x3f)));
    }
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
        {"\x7f", "\"\\u007F\""},
        {"\xc2\x9b", "\"\\u009B\""},
        {"a\xe2\x80\xae", "\"a\\u202E\""},
        {"\xf3\xa0\x80\x81", "\"\\uDB40\\uDC01\""},
        {"a\xff", "\"a\\\\xff\""},
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

/* Every code point, with another one on each side of it. */
static void every_text_comes_back_as_it_was(void **state)
{
    (void)state;
    for (uint32_t code = 1; code < 0x110000; code += code < 0x3000 ? 1 : 13) {
        char text[16] = "a";
        struct sheet sheet;
        struct lq_json json;
        json_t *read = NULL;

        if (code >= 0xd800 && code < 0xe000) {
            continue;
        }
        encode(code, text + 1);
        (void)strcat(text, "b");
        sheet_init(&sheet, SIZE_MAX);
        lq_json_begin(&json, &sheet.sink);
        lq_json_text(&json, "a", text);
        assert_int_equal(lq_json_end(&json), LQ_OK);
        read = json_loads(sheet.text, 0, NULL);
        assert_string_equal(json_string_value(json_object_get(read, "a")),
                            text);
        assert_true(lq_is_shown(code) == (strstr(sheet.text, text) != NULL) ||
                    code == '"' || code == '\\');
        json_decref(read);
        sheet_free(&sheet);
    }
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
        cmocka_unit_test(every_text_comes_back_as_it_was),
        cmocka_unit_test(tells_a_sink_that_refuses_amid_a_text),
    };

    return cmocka_run_group_tests_name("write", tests, NULL, NULL);
}
