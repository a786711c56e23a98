/* What is said of INI documents that are wrong. */
#include "config/load.h"

#include "fixture.h"

static void refuses_lines_of_4097_bytes(void **state)
{
    struct fixture *const fixture = *state;

    assert_int_equal(
        load_ini(fixture, stretch(fixture,
                                  QUEUE("q") RETENTION "durable = true ; @\n"
                                                       "concurrency = 2\n",
                                  'c', 4097 - strlen("durable = true ; "))),
        LQ_INVALID);
    assert_string_equal(problems(fixture),
                        "f.ini:10: [queue:q] line must be at most 4096 bytes, "
                        "not 4097\n");
    assert_int_equal(entry_at(fixture, 0)->lines[LQ_CONCURRENCY], 11);
}

static void reports_a_bad_default_once(void **state)
{
    static const struct refusal rows[] = {
        {"[defaults]\n" RETENTION "retry_attempts = many\n" QUEUE("a")
             QUEUE("b"),
         "f.ini:8: [defaults] 'retry_attempts' must be an integer from 0 to "
         "100, not 'many'\n"},
        {"[defaults]\nretention.main_max_bytes = 0\n" QUEUE("a") RETENTION,
         "f.ini:2: [defaults] 'retention.main_max_bytes' must be an integer "
         "from 1 to 9223372036854775807, not '0'\n"},
    };

    ASSERT_REFUSED(*state, "f.ini", rows);
}

static void refuses_a_second_broker_section(void **state)
{
    struct fixture *const fixture = *state;
    const char *const other = "[broker]\nurl = amqp://b\nvhost =\n";

    assert_int_equal(load_ini(fixture, "[broker]\nurl = amqp://a\n"), LQ_OK);
    assert_int_equal(load_bytes(fixture, "g.ini", other, strlen(other)),
                     LQ_INVALID);
    assert_string_equal(problems(fixture),
                        "g.ini:1: [broker] is already defined at f.ini:1\n"
                        "g.ini:3: [broker] 'vhost' must not be empty\n");
    assert_string_equal(fixture->config.broker.url, "amqp://a");
}

static void refuses_what_comes_twice(void **state)
{
    static const struct refusal rows[] = {
        {"[broker]\nurl = a\n[defaults]\n[broker]\nurl = b\n",
         "f.ini:4: [broker] is already defined at f.ini:1\n"
         "f.ini:5: [broker] 'url' is already set at line 2\n"},
        {"[defaults]\ndurable = true\n[defaults]\ndurable = false\n",
         "f.ini:3: [defaults] is already defined at f.ini:1\n"
         "f.ini:4: [defaults] 'durable' is already set at line 2\n"},
        {QUEUE("q") RETENTION "routing_key = l\n",
         "f.ini:10: [queue:q] 'routing_key' is already set at line 3\n"},
        {QUEUE("q") RETENTION "durable = yes\ndurable = true\n",
         "f.ini:10: [queue:q] 'durable' must be true or false, not 'yes'\n"
         "f.ini:11: [queue:q] 'durable' is already set at line 10\n"},
        {"[defaults]\ntransactional_inbox.a = 1\ntransactional_inbox.a = 2\n"
         "[queue:q]\ntransactional_inbox.a = 3\nexchange_name = x\n"
         "routing_key = k\n" RETENTION,
         "f.ini:3: [defaults] 'transactional_inbox.a' is already set at line "
         "2\n"},
    };

    ASSERT_REFUSED(*state, "f.ini", rows);
}

static void leaves_a_queue_named_twice_to_the_planner(void **state)
{
    struct fixture *const fixture = *state;

    assert_int_equal(
        load_ini(fixture, "[defaults]\n" RETENTION QUEUE("q") QUEUE("q")),
        LQ_OK);
    assert_int_equal(entry_count(fixture), 2);
}

static void refuses_lines_that_are_no_keys(void **state)
{
    static const struct refusal rows[] = {
        {"[defaults]\ndurable\n",
         "f.ini:2: [defaults] line must be 'KEY = VALUE', not 'durable'\n"},
        {"[defaults]\ndurable ; = true\n",
         "f.ini:2: [defaults] line must be 'KEY = VALUE', not 'durable ; = "
         "true'\n"},
        {"[defaults]\n= true\n",
         "f.ini:2: [defaults] line must have a key before the '='\n"},
        {"[defaults]\n: true\n",
         "f.ini:2: [defaults] line must have a key before the '='\n"},
        {"\x1b[31m\n", "f.ini:1: line must be 'KEY = VALUE', not "
                       "'\\x1b[31m'\n"},
    };

    ASSERT_REFUSED(*state, "f.ini", rows);
}

static void refuses_keys_outside_a_section(void **state)
{
    static const struct refusal row = {
        "durable = true\n[defaults]\n",
        "f.ini:1: 'durable' must be below a section header: [broker], "
        "[defaults] or [queue:NAME]\n"};

    assert_refused(*state, "f.ini", &row);
}

static void refuses_keys_without_a_value(void **state)
{
    static const struct refusal rows[] = {
        {"[defaults]\nrouting_key =\nretry_attempts = ; none\n",
         "f.ini:2: [defaults] 'routing_key' must be 1 to 200 bytes, not empty\n"
         "f.ini:3: [defaults] 'retry_attempts' must be an integer from 0 to "
         "100, not empty\n"},
        {"[broker]\nurl =\n", "f.ini:2: [broker] 'url' must not be empty\n"},
    };

    ASSERT_REFUSED(*state, "f.ini", rows);
}

static void refuses_unknown_keys(void **state)
{
    static const struct refusal rows[] = {
        {"[defaults]\nretry_atempts = 3\n",
         "f.ini:2: [defaults] unknown key 'retry_atempts'; did you mean "
         "'retry_attempts'?\n"},
        {"[defaults]\nmain_max_bytes = 3\n",
         "f.ini:2: [defaults] unknown key 'main_max_bytes'; did you mean "
         "'retention.main_max_bytes'?\n"},
        {"[defaults]\ncolour = red\n",
         "f.ini:2: [defaults] unknown key 'colour'; lilyq.ini(5) lists them\n"},
        {"[defaults]\nnam = a\n",
         "f.ini:2: [defaults] unknown key 'nam'; lilyq.ini(5) lists them\n"},
        {"[broker]\nusrname = a\n",
         "f.ini:2: [broker] unknown key 'usrname'; did you mean "
         "'username'?\n"},
        {"[broker]\npassword = a\n",
         "f.ini:2: [broker] 'password' is not a key: put it in a file and name "
         "that with 'password_file'\n"},
        {"[broker]\ncol\x01our = red\n",
         "f.ini:2: [broker] unknown key 'col\\x01our'; lilyq.ini(5) lists "
         "them\n"},
        {"[defaults]\ntransactional_inbox = a\ntransactional_inbox. = b\n",
         "f.ini:2: [defaults] unknown key 'transactional_inbox'; did you mean "
         "'transactional_inbox.KEY'?\n"
         "f.ini:3: [defaults] unknown key 'transactional_inbox.'; "
         "lilyq.ini(5) lists them\n"},
    };

    ASSERT_REFUSED(*state, "f.ini", rows);
}

static void says_where_a_misplaced_key_belongs(void **state)
{
    static const struct refusal rows[] = {
        {"[defaults]\nurl = a\n", "f.ini:2: [defaults] 'url' belongs in "
                                  "[broker]\n"},
        {"[broker]\ndurable = true\n",
         "f.ini:2: [broker] 'durable' belongs in [defaults] or [queue:NAME]\n"},
        {"[defaults]\nname = a\n",
         "f.ini:2: [defaults] 'name' must be in the header: [queue:NAME]\n"},
        {QUEUE("q") RETENTION "name = a\n",
         "f.ini:10: [queue:q] 'name' must be in the header: "
         "[queue:NAME]\n"},
    };

    ASSERT_REFUSED(*state, "f.ini", rows);
}

static void refuses_unknown_sections(void **state)
{
    static const struct refusal rows[] = {
        {"[orders]\ncolour = red\n= 1\n",
         "f.ini:1: unknown section 'orders'; it must be 'broker', 'defaults' "
         "or 'queue:NAME'\n"},
        {"[queues:a]\n", "f.ini:1: unknown section 'queues:a'; did you mean "
                         "'queue:a'?\n"},
        {"[\x01]\n", "f.ini:1: unknown section '\\x01'; it must be 'broker', "
                     "'defaults' or 'queue:NAME'\n"},
    };

    ASSERT_REFUSED(*state, "f.ini", rows);
}

static void takes_a_misspelt_defaults_section_for_what_it_is(void **state)
{
    static const struct refusal rows[] = {
        {"[default]\n" RETENTION "durable = yes\n" QUEUE("q"),
         "f.ini:1: unknown section 'default'; did you mean 'defaults'?\n"
         "f.ini:8: [defaults] 'durable' must be true or false, not 'yes'\n"},
        {"[defaults]\n" RETENTION "[default]\ndurable = yes\n" QUEUE("q"),
         "f.ini:8: unknown section 'default'; did you mean 'defaults'?\n"},
    };

    ASSERT_REFUSED(*state, "f.ini", rows);
}

static void refuses_broken_headers_and_reads_on(void **state)
{
    static const struct refusal rows[] = {
        {"[queue:q] junk\nexchange_name = x\ndurable = yes\nrouting_key = "
         "k\n" RETENTION,
         "f.ini:1: section header must end in ']' or a comment, not 'junk'\n"
         "f.ini:3: [queue:q] 'durable' must be true or false, not 'yes'\n"},
        {"[queue:q\nexchange_name = x\nrouting_key = k\n" RETENTION,
         "f.ini:1: section header '[queue:q' must end in ']'\n"},
        {"[broker ; x\nurl = a\n",
         "f.ini:1: section header '[broker ; x' must end in ']'\n"},
    };

    ASSERT_REFUSED(*state, "f.ini", rows);
}

static void refuses_names_that_are_no_identities(void **state)
{
    static const struct refusal rows[] = {
        {QUEUE(" q") RETENTION, "f.ini:1: [queue: q] 'name' must not begin or "
                                "end with white space, but is ' q'\n"},
        {QUEUE("") RETENTION,
         "f.ini:1: [queue:] 'name' must be 1 to 200 bytes, not empty\n"},
        {QUEUE("a\x7f") RETENTION,
         "f.ini:1: [queue:a\\x7f] 'name' must not contain control characters, "
         "but is 'a\\x7f'\n"},
    };

    ASSERT_REFUSED(*state, "f.ini", rows);
}

static void refuses_a_name_of_201_bytes(void **state)
{
    struct fixture *const fixture = *state;
    const char *const text = stretch(fixture, QUEUE("@") RETENTION, 'n', 201);

    assert_int_equal(load_ini(fixture, text), LQ_INVALID);
    assert_string_equal(problems(fixture),
                        stretch(fixture,
                                "f.ini:1: [queue:@] 'name' must be 1 to 200 "
                                "bytes, not 201\n",
                                'n', 201));
}

static void
asks_for_required_fields_only_where_nothing_hints_at_them(void **state)
{
    static const struct refusal rows[] = {
        {"[queue:q]\n",
         "f.ini:1: [queue:q] 'exchange_name' is required\n"
         "f.ini:1: [queue:q] 'routing_key' is required\n"
         "f.ini:1: [queue:q] 'retention' is required: main_max_messages, "
         "main_max_bytes, retry_bucket_max_messages, retry_bucket_max_bytes, "
         "dead_letter_max_messages and dead_letter_max_bytes\n"},
        {"[queue:q]\nexchnage_name = x\nrouting_key\n" RETENTION,
         "f.ini:2: [queue:q] unknown key 'exchnage_name'; did you mean "
         "'exchange_name'?\n"
         "f.ini:3: [queue:q] line must be 'KEY = VALUE', not 'routing_key'\n"},
        {"[queue:q]\nexchange_name = x\nrouting_key = a\xff\n" RETENTION,
         "f.ini:3:16: [queue:q] line must be UTF-8\n"},
    };

    ASSERT_REFUSED(*state, "f.ini", rows);
}

static void skips_a_section_whose_header_cannot_be_read(void **state)
{
    static const struct refusal row = {QUEUE("q") RETENTION
                                       "[queue:\xff]\nexchange_name = y\n= 1\n",
                                       "f.ini:10:8: line must be UTF-8\n"};

    assert_refused(*state, "f.ini", &row);
}

static void refuses_NUL_and_lone_CR_with_their_columns(void **state)
{
    static const char text[] = "[broker]\nurl = a\0b\nurl = c\rvhost = d\n";
    struct fixture *const fixture = *state;

    assert_int_equal(load_bytes(fixture, "f.ini", text, sizeof(text) - 1),
                     LQ_INVALID);
    assert_string_equal(
        problems(fixture),
        "f.ini:2:8: [broker] line must not contain a NUL byte\n"
        "f.ini:3:8: [broker] line must end in LF or CR LF, not in CR alone\n");
}

static void refuses_a_file_that_ends_its_lines_in_CR(void **state)
{
    static const struct refusal row = {
        "[broker]\rurl = a\r",
        "f.ini:1:9: line must end in LF or CR LF, not in CR alone\n"};

    assert_refused(*state, "f.ini", &row);
}

static void notices_a_JSON_document(void **state)
{
    static const struct refusal rows[] = {
        {"{\"queues\": []}",
         "f.ini: looks like JSON, but is read as INI; use '-i json' or a name "
         "that ends in .json\n"},
        {"\xef\xbb\xbf \r\n\t{",
         "f.ini: looks like JSON, but is read as INI; use '-i json' or a name "
         "that ends in .json\n"},
    };

    ASSERT_REFUSED(*state, "f.ini", rows);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(refuses_lines_of_4097_bytes),
        TEST(reports_a_bad_default_once),
        TEST(refuses_a_second_broker_section),
        TEST(refuses_what_comes_twice),
        TEST(leaves_a_queue_named_twice_to_the_planner),
        TEST(refuses_lines_that_are_no_keys),
        TEST(refuses_keys_outside_a_section),
        TEST(refuses_keys_without_a_value),
        TEST(refuses_unknown_keys),
        TEST(says_where_a_misplaced_key_belongs),
        TEST(refuses_unknown_sections),
        TEST(takes_a_misspelt_defaults_section_for_what_it_is),
        TEST(refuses_broken_headers_and_reads_on),
        TEST(refuses_names_that_are_no_identities),
        TEST(refuses_a_name_of_201_bytes),
        TEST(asks_for_required_fields_only_where_nothing_hints_at_them),
        TEST(skips_a_section_whose_header_cannot_be_read),
        TEST(refuses_NUL_and_lone_CR_with_their_columns),
        TEST(refuses_a_file_that_ends_its_lines_in_CR),
        TEST(notices_a_JSON_document),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
