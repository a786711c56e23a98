#include "base/writer.h"

#include "../render/fixture.h"

static void hands_small_pieces_on_together(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_writer writer;

    lq_writer_init(&writer, &fixture->sheet.sink);
    lq_write_text(&writer, "a");
    lq_write_texts(&writer, "b", "", "c", NULL);
    lq_write_number(&writer, 0);
    lq_write_number(&writer, UINT64_MAX);
    assert_int_equal(fixture->sheet.writes, 0);
    assert_int_equal(lq_writer_end(&writer), LQ_OK);
    assert_int_equal(fixture->sheet.writes, 1);
    assert_string_equal(fixture->sheet.text, "abc018446744073709551615");
}

static void writes_nothing_when_there_is_nothing(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_writer writer;

    lq_writer_init(&writer, &fixture->sheet.sink);
    lq_write_text(&writer, "");
    assert_int_equal(lq_writer_end(&writer), LQ_OK);
    assert_int_equal(fixture->sheet.writes, 0);
}

/* A small piece, one of `length` bytes, and a small one again. */
static enum lq_status write_around(struct sheet *sheet, size_t length)
{
    char *const piece = malloc(length);
    struct lq_writer writer;
    enum lq_status status = LQ_OK;

    assert_non_null(piece);
    memset(piece, 'x', length);
    lq_writer_init(&writer, &sheet->sink);
    lq_write_text(&writer, "<");
    lq_write_bytes(&writer, piece, length);
    lq_write_text(&writer, ">");
    status = lq_writer_end(&writer);
    free(piece);
    return status;
}

static void keeps_pieces_of_any_size_whole_and_in_order(void **state)
{
    static const size_t lengths[] = {
        1,
        LQ_WRITER_BYTES - 2,
        LQ_WRITER_BYTES - 1,
        LQ_WRITER_BYTES,
        LQ_WRITER_BYTES + 1,
        (size_t)3 * LQ_WRITER_BYTES,
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); ++i) {
        struct sheet sheet;

        sheet_init(&sheet, SIZE_MAX);
        assert_int_equal(write_around(&sheet, lengths[i]), LQ_OK);
        assert_int_equal(sheet.length, lengths[i] + 2);
        assert_int_equal(sheet.text[0], '<');
        assert_int_equal(strspn(sheet.text + 1, "x"), lengths[i]);
        assert_string_equal(sheet.text + lengths[i] + 1, ">");
        sheet_free(&sheet);
    }
}

static void a_sink_that_refuses_is_asked_no_more(void **state)
{
    (void)state;
    for (size_t limit = 0; limit < 2; ++limit) {
        struct sheet sheet;

        sheet_init(&sheet, limit);
        assert_int_equal(write_around(&sheet, LQ_WRITER_BYTES + 1), LQ_IO);
        assert_int_equal(sheet.length, limit);
        assert_int_equal(sheet.writes, limit + 1);
        sheet_free(&sheet);
    }
}

static void keeps_the_first_failure(void **state)
{
    struct fixture *const fixture = *state;
    struct lq_writer writer;

    lq_writer_init(&writer, &fixture->sheet.sink);
    lq_write_text(&writer, "a");
    lq_writer_fail(&writer, LQ_NOMEM);
    lq_writer_fail(&writer, LQ_IO);
    assert_int_equal(lq_writer_end(&writer), LQ_NOMEM);
    assert_int_equal(fixture->sheet.writes, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(hands_small_pieces_on_together, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(writes_nothing_when_there_is_nothing,
                                        set_up, tear_down),
        cmocka_unit_test(keeps_pieces_of_any_size_whole_and_in_order),
        cmocka_unit_test(a_sink_that_refuses_is_asked_no_more),
        cmocka_unit_test_setup_teardown(keeps_the_first_failure, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests_name("writer", tests, NULL, NULL);
}
