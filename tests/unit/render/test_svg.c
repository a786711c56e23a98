#include "render/svg.h"

#include "fixture.h"

static void names_cannot_end_an_element_or_an_attribute(void **state)
{
    struct sheet *const sheet = &((struct fixture *)*state)->sheet;
    struct lq_writer writer;

    lq_writer_init(&writer, &sheet->sink);
    lq_svg_label(&writer, "name", (struct lq_point){1, 2.5},
                 "<a href='x'>\"&\xff\x01");
    assert_int_equal(lq_writer_end(&writer), LQ_OK);
    assert_string_equal(sheet->text,
                        "<text class=\"name\" x=\"1\" y=\"2.5\">"
                        "&lt;a href=&#39;x&#39;&gt;&quot;&amp;\\xff\\x01"
                        "</text>\n");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            names_cannot_end_an_element_or_an_attribute, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("svg", tests, NULL, NULL);
}
