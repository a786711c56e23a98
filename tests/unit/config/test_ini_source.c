#include "config/load.h"

#include "fixture.h"

#include <ini.h>
#include <locale.h>

static void reads_every_key_of_a_queue(void **state)
{
    const struct lq_entry *const entry = only_entry(
        *state, "f.ini",
        "[queue:q]\n"
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
        "dead_letter_routing_key = dk\n" RETENTION "retry_attempts = 11\n"
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
    const struct lq_entry *const entry =
        only_entry(*state, "f.ini",
                   "; first\n\n" QUEUE("q") "\n" RETENTION "durable = true\n");

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
    const struct lq_entry *const entry =
        only_entry(*state, "f.ini",
                   "[queue:q]\n" RETENTION "exchange_name = a=b:c;d#e # f\n"
                   "routing_key: #.\"x y\"\n"
                   "dead_letter_exchange=;a ; a comment\n");

    assert_string_equal(entry->exchange_name, "a=b:c;d#e # f");
    assert_string_equal(entry->routing_key, "#.\"x y\"");
    assert_string_equal(entry->dead_letter_exchange, ";a");
}

static void skips_comments_and_empty_lines(void **state)
{
    (void)only_entry(*state, "f.ini",
                     "; durable = no\n # x\n\t;\n\n \t\n" QUEUE(
                         "q") "#[queue:r]\n" RETENTION);
}

static void reads_indented_lines_like_others(void **state)
{
    const struct lq_entry *const entry =
        only_entry(*state, "f.ini",
                   "  [queue:q]  \n"
                   "\texchange_name = x\n"
                   "\t\trouting_key = k\n" RETENTION);

    assert_string_equal(entry->exchange_name, "x");
    assert_string_equal(entry->routing_key, "k");
}

static void reads_a_file_with_CR_LF_and_a_byte_order_mark(void **state)
{
    const struct lq_entry *const entry =
        only_entry(*state, "f.ini",
                   "\xef\xbb\xbf[queue:q]\r\n"
                   "exchange_name = x\r\n"
                   "routing_key = k ; c\r\n" RETENTION);

    assert_string_equal(entry->routing_key, "k");
}

static void reads_a_last_line_without_a_line_feed(void **state)
{
    const struct lq_entry *const entry = only_entry(
        *state, "f.ini",
        "[queue:q]\nexchange_name = x\n" RETENTION "routing_key = k");

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

static void keeps_a_bracket_inside_a_name(void **state)
{
    assert_string_equal(
        only_entry(*state, "f.ini", QUEUE("a]b") RETENTION)->name, "a]b");
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

static void reads_the_broker_section_as_written(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_broker_settings *const broker = &fixture->config.broker;

    assert_int_equal(load_ini(fixture, "\n[broker]\n"
                                       "url = ${env:URL}\n"
                                       "vhost = /\n"
                                       "username = u\n"
                                       "password_file = ${file:/p}\n"
                                       "management_url = http://m\n"
                                       "tls_ca_file = a\n"
                                       "tls_cert_file = b\n"
                                       "tls_key_file = c\n"),
                     LQ_OK);
    assert_string_equal(broker->url, "${env:URL}");
    assert_string_equal(broker->vhost, "/");
    assert_string_equal(broker->username, "u");
    assert_string_equal(broker->password_file, "${file:/p}");
    assert_string_equal(broker->management_url, "http://m");
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
    static const struct refusal row = {
        "[defaults]\ndurable\n",
        "f.ini:2: [defaults] line must be 'KEY = VALUE', not 'durable'\n"};

    for (size_t i = 0; i < 2; ++i) {
        ini_allow_multiline = true;
        ini_stop_on_first_error = true;
        ini_allow_no_value = true;
        ini_allow_inline_comments = false;
        ini_max_line = 10;
        if (i == 0) {
            reads_indented_lines_like_others(state);
        } else {
            assert_refused(*state, "f.ini", &row);
        }
    }
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
        TEST(keeps_a_bracket_inside_a_name),
        TEST(hands_defaults_down_wherever_they_stand),
        TEST(keeps_defaults_within_their_file),
        TEST(reads_the_broker_section_as_written),
        TEST(takes_a_file_without_a_word),
        TEST(reads_ratios_whatever_the_locale),
        TEST(depends_on_none_of_the_options_that_inih_was_left_with),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
