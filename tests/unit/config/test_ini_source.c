#include "config/ini_source.h"

#include "fixture.h"

#include <ini.h>
#include <locale.h>

static const struct lq_entry *only_entry(struct fixture *fixture,
                                         const char *text)
{
    start_again(fixture);
    assert_int_equal(load_ini(fixture, text), LQ_OK);
    assert_string_equal(problems(fixture), "");
    assert_int_equal(entry_count(fixture), 1);
    return entry_at(fixture, 0);
}

/* The text with `count` times `byte` in place of the '@'. */
static const char *stretch(struct fixture *fixture, const char *text, char byte,
                           size_t count)
{
    const char *const at = strchr(text, '@');
    char *const run = lq_alloc(&fixture->arena, count + 1);
    const char *stretched = NULL;

    assert_non_null(run);
    memset(run, byte, count);
    stretched = lq_format(&fixture->arena, "%.*s%s%s", (int)(at - text), text,
                          run, at + 1);
    assert_non_null(stretched);
    return stretched;
}

static void assert_refusals(struct fixture *fixture, const struct refusal *rows,
                            size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        assert_refused(fixture, "f.ini", &rows[i]);
    }
}

#define ASSERT_REFUSALS(state, rows)                                           \
    assert_refusals((state), (rows), sizeof(rows) / sizeof((rows)[0]))

static void reads_every_key_of_a_queue(void **state)
{
    const struct lq_entry *const entry =
        only_entry(*state, "[queue:q]\n"
                           "exchange_name = x\n"
                           "routing_key = k\n"
                           "exchange_kind = direct\n"
                           "queue_type = quorum\n"
                           "topology_ownership = external\n"
                           "durable = true\n"
                           "auto_delete = false\n"
                           "exclusive = true\n"
                           "single_active_consumer = true\n"
                           "max_priority = 9\n"
                           "message_ttl_ms = 10\n"
                           "dead_letter_exchange = dx\n"
                           "dead_letter_routing_key = dk\n" RETENTION
                           "retry_attempts = 11\n"
                           "retry_backoff_millis = 1200\n"
                           "max_retry_backoff_millis = 13000\n"
                           "retry_jitter_ratio = 0.25\n"
                           "concurrency = 14\n"
                           "prefetch_count = 15\n"
                           "delivery_buffer_capacity = 16\n"
                           "delivery_execution_timeout_millis = 17000\n"
                           "settlement_timeout_millis = 18\n"
                           "max_message_size_bytes = 19\n"
                           "transactional_inbox.table = inbox\n");

    assert_string_equal(entry->name, "q");
    assert_string_equal(entry->exchange_name, "x");
    assert_string_equal(entry->routing_key, "k");
    assert_int_equal(entry->queue_type, LQ_QUORUM);
    assert_int_equal(entry->topology_ownership, LQ_EXTERNAL);
    assert_true(entry->durable && !entry->auto_delete && entry->exclusive);
    assert_true(entry->single_active_consumer);
    assert_int_equal(entry->max_priority, 9);
    assert_int_equal(entry->message_ttl_ms, 10);
    assert_string_equal(entry->dead_letter_exchange, "dx");
    assert_string_equal(entry->dead_letter_routing_key, "dk");
    assert_int_equal(entry->main_max_messages, 1);
    assert_int_equal(entry->main_max_bytes, 2);
    assert_int_equal(entry->retry_bucket_max_messages, 3);
    assert_int_equal(entry->retry_bucket_max_bytes, 4);
    assert_int_equal(entry->dead_letter_max_messages, 5);
    assert_int_equal(entry->dead_letter_max_bytes, 6);
    assert_int_equal(entry->retry_attempts, 11);
    assert_int_equal(entry->retry_backoff_millis, 1200);
    assert_int_equal(entry->max_retry_backoff_millis, 13000);
    assert_true(entry->retry_jitter_ratio == 0.25);
    assert_int_equal(entry->concurrency, 14);
    assert_int_equal(entry->prefetch_count, 15);
    assert_int_equal(entry->delivery_buffer_capacity, 16);
    assert_int_equal(entry->delivery_execution_timeout_millis, 17000);
    assert_int_equal(entry->settlement_timeout_millis, 18);
    assert_int_equal(entry->max_message_size_bytes, 19);
    assert_int_equal(entry->given, lq_field_bit(LQ_FIELD_COUNT) - 1);
    assert_int_equal(entry->broken, 0);
}

static void notes_the_line_of_each_key(void **state)
{
    const struct lq_entry *const entry = only_entry(
        *state, "; first\n\n" QUEUE("q") "\n" RETENTION "durable = true\n");

    assert_string_equal(entry->place.file, "f.ini");
    assert_int_equal(entry->place.line, 3);
    assert_int_equal(entry->lines[LQ_NAME], 3);
    assert_int_equal(entry->lines[LQ_EXCHANGE_NAME], 4);
    assert_int_equal(entry->lines[LQ_MAIN_MAX_MESSAGES], 7);
    assert_int_equal(entry->lines[LQ_DURABLE], 13);
    assert_int_equal(entry->lines[LQ_RETRY_ATTEMPTS], 0);
}

static void keeps_separators_and_comment_signs_in_values(void **state)
{
    const struct lq_entry *const entry = only_entry(
        *state, "[queue:q]\n" RETENTION "exchange_name = a=b:c;d#e # f\n"
                "routing_key: #.\"x y\"\n"
                "dead_letter_exchange=;a ; a comment\n");

    assert_string_equal(entry->exchange_name, "a=b:c;d#e # f");
    assert_string_equal(entry->routing_key, "#.\"x y\"");
    assert_string_equal(entry->dead_letter_exchange, ";a");
}

static void skips_comments_and_empty_lines(void **state)
{
    (void)only_entry(*state, "; durable = no\n # x\n\t;\n\n \t\n" QUEUE(
                                 "q") "#[queue:r]\n" RETENTION);
}

static void reads_indented_lines_like_others(void **state)
{
    const struct lq_entry *const entry =
        only_entry(*state, "  [queue:q]  \n"
                           "\texchange_name = x\n"
                           "\t\trouting_key = k\n" RETENTION);

    assert_string_equal(entry->exchange_name, "x");
    assert_string_equal(entry->routing_key, "k");
}

static void reads_a_file_with_CR_LF_and_a_byte_order_mark(void **state)
{
    const struct lq_entry *const entry =
        only_entry(*state, "\xef\xbb\xbf[queue:q]\r\n"
                           "exchange_name = x\r\n"
                           "routing_key = k ; c\r\n" RETENTION);

    assert_string_equal(entry->routing_key, "k");
}

static void reads_a_last_line_without_a_line_feed(void **state)
{
    const struct lq_entry *const entry = only_entry(
        *state, "[queue:q]\nexchange_name = x\n" RETENTION "routing_key = k");

    assert_string_equal(entry->routing_key, "k");
}

static void reads_names_of_200_bytes_in_headers_and_values(void **state)
{
    struct fixture *const fixture = *state;
    char name[201] = "";
    const struct lq_entry *entry = NULL;

    memset(name, 'n', 200);
    assert_int_equal(
        load_ini(fixture, stretch(fixture,
                                  stretch(fixture,
                                          "[queue:@]\nexchange_name = @\n"
                                          "routing_key = k\n" RETENTION,
                                          'n', 200),
                                  'n', 200)),
        LQ_OK);
    entry = entry_at(fixture, 0);
    assert_string_equal(entry->name, name);
    assert_string_equal(entry->exchange_name, name);
}

static void tells_long_names_with_one_start_apart(void **state)
{
    struct fixture *const fixture = *state;

    assert_int_equal(
        load_ini(fixture, "[defaults]\n" RETENTION "[queue:"
                          "a-name-that-is-longer-than-forty-nine-bytes-in-all-1"
                          "]\nexchange_name = x\nrouting_key = k\n"
                          "[queue:"
                          "a-name-that-is-longer-than-forty-nine-bytes-in-all-2"
                          "]\nexchange_name = x\nrouting_key = k\n"),
        LQ_OK);
    assert_int_equal(entry_count(fixture), 2);
    assert_string_equal(entry_at(fixture, 1)->name,
                        "a-name-that-is-longer-than-forty-nine-bytes-in-all-2");
}

static void reads_lines_of_4096_bytes(void **state)
{
    struct fixture *const fixture = *state;

    assert_int_equal(
        load_ini(fixture,
                 stretch(fixture, QUEUE("q") RETENTION "durable = true ; @\n",
                         'c', 4096 - strlen("durable = true ; "))),
        LQ_OK);
    assert_int_equal(entry_at(fixture, 0)->lines[LQ_DURABLE], 10);
}

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

static void keeps_a_bracket_inside_a_name(void **state)
{
    assert_string_equal(only_entry(*state, QUEUE("a]b") RETENTION)->name,
                        "a]b");
}

static void hands_defaults_down_wherever_they_stand(void **state)
{
    struct fixture *const fixture = *state;

    assert_int_equal(load_ini(fixture,
                              QUEUE("a") "concurrency = 2\n"
                                         "[defaults]\n" RETENTION
                                         "concurrency = 3\n"
                                         "routing_key = d\n" QUEUE("b")),
                     LQ_OK);
    assert_int_equal(entry_at(fixture, 0)->concurrency, 2);
    assert_int_equal(entry_at(fixture, 1)->concurrency, 3);
    assert_string_equal(entry_at(fixture, 1)->routing_key, "k");
    assert_int_equal(entry_at(fixture, 1)->lines[LQ_CONCURRENCY], 12);
    assert_int_equal(entry_at(fixture, 0)->main_max_bytes, 2);
}

static void keeps_defaults_within_their_file(void **state)
{
    struct fixture *const fixture = *state;
    const char *const other = QUEUE("b") RETENTION;

    assert_int_equal(
        load_ini(fixture, "[defaults]\nconcurrency = 3\n" QUEUE("a") RETENTION),
        LQ_OK);
    assert_int_equal(load_bytes(fixture, "g.ini", other, strlen(other)), LQ_OK);
    assert_int_equal(entry_at(fixture, 0)->concurrency, 3);
    assert_int_equal(entry_at(fixture, 1)->concurrency, 1);
    assert_string_equal(entry_at(fixture, 1)->place.file, "g.ini");
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

    ASSERT_REFUSALS(*state, rows);
}

static void reads_the_broker_section_as_written(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_broker_settings *const broker = &fixture->config.broker;

    assert_int_equal(load_ini(fixture, "\n[broker]\n"
                                       "url = ${env:URL}\n"
                                       "vhost = /\n"
                                       "username = u\n"
                                       "password_file = ${file:/p}\n"
                                       "tls_ca_file = a\n"
                                       "tls_cert_file = b\n"
                                       "tls_key_file = c\n"),
                     LQ_OK);
    assert_string_equal(broker->url, "${env:URL}");
    assert_string_equal(broker->vhost, "/");
    assert_string_equal(broker->username, "u");
    assert_string_equal(broker->password_file, "${file:/p}");
    assert_string_equal(broker->tls_ca_file, "a");
    assert_string_equal(broker->tls_cert_file, "b");
    assert_string_equal(broker->tls_key_file, "c");
    assert_string_equal(broker->place.file, "f.ini");
    assert_int_equal(broker->place.line, 2);
    assert_int_equal(entry_count(fixture), 0);
}

static void takes_a_file_without_a_word(void **state)
{
    struct fixture *const fixture = *state;

    assert_int_equal(load_ini(fixture, ""), LQ_OK);
    assert_int_equal(load_ini(fixture, "\n; nothing\n[defaults]\n"), LQ_OK);
    assert_int_equal(entry_count(fixture), 0);
    assert_null(fixture->config.broker.place.file);
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

    ASSERT_REFUSALS(*state, rows);
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

    ASSERT_REFUSALS(*state, rows);
}

static void refuses_keys_outside_a_section(void **state)
{
    static const struct refusal row = {
        "durable = true\n[defaults]\n",
        "f.ini:1: 'durable' must stand below a section header: [broker], "
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

    ASSERT_REFUSALS(*state, rows);
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
        {"[broker]\ncol\x01our = red\n",
         "f.ini:2: [broker] unknown key 'col\\x01our'; lilyq.ini(5) lists "
         "them\n"},
        {"[defaults]\ntransactional_inbox = a\ntransactional_inbox. = b\n",
         "f.ini:2: [defaults] unknown key 'transactional_inbox'; did you mean "
         "'transactional_inbox.KEY'?\n"
         "f.ini:3: [defaults] unknown key 'transactional_inbox.'; "
         "lilyq.ini(5) lists them\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void says_where_a_misplaced_key_belongs(void **state)
{
    static const struct refusal rows[] = {
        {"[defaults]\nurl = a\n", "f.ini:2: [defaults] 'url' belongs in "
                                  "[broker]\n"},
        {"[broker]\ndurable = true\n",
         "f.ini:2: [broker] 'durable' belongs in [defaults] or [queue:NAME]\n"},
        {"[defaults]\nname = a\n",
         "f.ini:2: [defaults] 'name' must stand in the header: [queue:NAME]\n"},
        {QUEUE("q") RETENTION "name = a\n",
         "f.ini:10: [queue:q] 'name' must stand in the header: "
         "[queue:NAME]\n"},
    };

    ASSERT_REFUSALS(*state, rows);
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

    ASSERT_REFUSALS(*state, rows);
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

    ASSERT_REFUSALS(*state, rows);
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

    ASSERT_REFUSALS(*state, rows);
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

    ASSERT_REFUSALS(*state, rows);
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

    ASSERT_REFUSALS(*state, rows);
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
        {"{\"queues\": []}", "f.ini: looks like JSON, but is read as INI\n"},
        {"\xef\xbb\xbf \r\n\t{",
         "f.ini: looks like JSON, but is read as INI\n"},
    };

    ASSERT_REFUSALS(*state, rows);
}

static void reads_ratios_whatever_the_locale(void **state)
{
    struct fixture *const fixture = *state;

    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    assert_int_equal(
        load_ini(fixture, QUEUE("q") RETENTION "retry_jitter_ratio = 0.25\n"),
        LQ_OK);
    assert_non_null(setlocale(LC_ALL, "C"));
    assert_true(entry_at(fixture, 0)->retry_jitter_ratio == 0.25);
}

static void depends_on_none_of_the_options_that_inih_was_left_with(void **state)
{
    ini_allow_multiline = true;
    ini_stop_on_first_error = true;
    ini_allow_no_value = true;
    ini_max_line = 10;
    reads_indented_lines_like_others(state);
    ini_allow_no_value = true;
    refuses_lines_that_are_no_keys(state);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads_every_key_of_a_queue),
        TEST(notes_the_line_of_each_key),
        TEST(keeps_separators_and_comment_signs_in_values),
        TEST(skips_comments_and_empty_lines),
        TEST(reads_indented_lines_like_others),
        TEST(reads_a_file_with_CR_LF_and_a_byte_order_mark),
        TEST(reads_a_last_line_without_a_line_feed),
        TEST(reads_names_of_200_bytes_in_headers_and_values),
        TEST(tells_long_names_with_one_start_apart),
        TEST(reads_lines_of_4096_bytes),
        TEST(refuses_lines_of_4097_bytes),
        TEST(keeps_a_bracket_inside_a_name),
        TEST(hands_defaults_down_wherever_they_stand),
        TEST(keeps_defaults_within_their_file),
        TEST(reports_a_bad_default_once),
        TEST(reads_the_broker_section_as_written),
        TEST(takes_a_file_without_a_word),
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
        TEST(reads_ratios_whatever_the_locale),
        TEST(depends_on_none_of_the_options_that_inih_was_left_with),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
