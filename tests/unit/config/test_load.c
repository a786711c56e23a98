#include "config/load.h"

#include "fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char json[] = "{\"queues\":[{" JSON_FIELDS "}]}";
static const char ini[] = QUEUE("q") RETENTION;

/* Makes a file in a directory of the test's own and returns its path. */
static const char *make_file(struct fixture *fixture, const char *name,
                             const char *bytes, size_t length)
{
    char directory[] = "/tmp/lilyq-load.XXXXXX";
    const char *path = NULL;
    FILE *file = NULL;

    assert_non_null(mkdtemp(directory));
    path = lq_format(&fixture->arena, "%s/%s", directory, name);
    assert_non_null(path);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void remove_file(struct fixture *fixture, const char *path)
{
    char *const directory = lq_copy(&fixture->arena, path, strlen(path));

    assert_non_null(directory);
    assert_int_equal(unlink(path), 0);
    *strrchr(directory, '/') = '\0';
    assert_int_equal(rmdir(directory), 0);
}

static enum lq_status load_path(struct fixture *fixture, const char *path)
{
    return lq_load_file(&fixture->config, path, LILYQ_INPUT_AUTO,
                        &fixture->diags);
}

static void starts_with_nothing(void **state)
{
    struct fixture *const fixture = *state;

    assert_int_equal(fixture->config.entries.count, 0);
    assert_null(fixture->config.broker.url);
    assert_null(fixture->config.broker.place.file);
}

static void tells_json_from_ini_by_the_name(void **state)
{
    static const struct {
        const char *name;
        const char *text;
    } rows[] = {
        {"a.json", json},  {".json", json}, {"a.ini", ini},  {"<stdin>", ini},
        {"a.json.x", ini}, {"json", ini},   {"a.JSON", ini}, {"", ini},
    };
    struct fixture *const fixture = *state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        assert_int_equal(load_bytes(fixture, rows[i].name, rows[i].text,
                                    strlen(rows[i].text)),
                         LQ_OK);
        assert_int_equal(entry_count(fixture), i + 1);
    }
}

static void lets_the_caller_say_what_it_is(void **state)
{
    struct fixture *const fixture = *state;
    const struct lq_document documents[] = {
        {"a.ini", json, strlen(json), LILYQ_INPUT_JSON},
        {"a.json", ini, strlen(ini), LILYQ_INPUT_INI},
    };

    for (size_t i = 0; i < 2; ++i) {
        assert_int_equal(
            lq_load_text(&fixture->config, &documents[i], &fixture->diags),
            LQ_OK);
    }
    assert_int_equal(entry_count(fixture), 2);
}

static void keeps_nothing_of_the_callers(void **state)
{
    struct fixture *const fixture = *state;
    char name[] = "a.ini";
    char text[] = QUEUE("q") RETENTION;
    const struct lq_document document = {name, text, strlen(text),
                                         LILYQ_INPUT_AUTO};

    assert_int_equal(lq_load_text(&fixture->config, &document, &fixture->diags),
                     LQ_OK);
    memset(name, 'X', strlen(name));
    memset(text, 'X', strlen(text));
    assert_string_equal(entry_at(fixture, 0)->place.file, "a.ini");
    assert_string_equal(entry_at(fixture, 0)->name, "q");
    assert_string_equal(entry_at(fixture, 0)->routing_key, "k");
}

static void adds_documents_in_order(void **state)
{
    struct fixture *const fixture = *state;
    const char *const other = QUEUE("a") RETENTION QUEUE("b") RETENTION;

    assert_int_equal(load_json(fixture, json), LQ_OK);
    assert_int_equal(load_ini(fixture, other), LQ_OK);
    assert_int_equal(entry_count(fixture), 3);
    assert_string_equal(entry_at(fixture, 0)->name, "q");
    assert_string_equal(entry_at(fixture, 2)->name, "b");
}

static void reports_the_problems_of_all_documents(void **state)
{
    struct fixture *const fixture = *state;

    assert_int_equal(load_ini(fixture, "colour = red\n"), LQ_INVALID);
    assert_int_equal(load_json(fixture, "[]"), LQ_INVALID);
    assert_int_equal(load_ini(fixture, QUEUE("q") RETENTION), LQ_OK);
    assert_int_equal(fixture->diags.error_count, 2);
}

static void reads_a_file(void **state)
{
    struct fixture *const fixture = *state;
    const char *const path = make_file(fixture, "a.json", json, strlen(json));

    assert_int_equal(load_path(fixture, path), LQ_OK);
    assert_string_equal(entry_at(fixture, 0)->place.file, path);
    remove_file(fixture, path);
}

static void reads_an_empty_file(void **state)
{
    struct fixture *const fixture = *state;
    const char *const path = make_file(fixture, "a.ini", "", 0);

    assert_int_equal(load_path(fixture, path), LQ_OK);
    assert_int_equal(entry_count(fixture), 0);
    remove_file(fixture, path);
}

/* What a pipe holds has no size that could be known beforehand. */
static void reads_a_pipe_to_its_end(void **state)
{
    struct fixture *const fixture = *state;
    const char *const path = make_file(fixture, "pipe", "", 0);
    const char filler[] = "; a comment of thirty-two bytes\n";
    pid_t child = 0;

    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    child = fork();
    if (child == 0) {
        FILE *const file = fopen(path, "w");

        for (int i = 0; i < 5000; ++i) {
            (void)fputs(filler, file);
        }
        _exit(fputs(ini, file) < 0 || fclose(file));
    }
    assert_int_equal(load_path(fixture, path), LQ_OK);
    assert_int_equal(entry_at(fixture, 0)->place.line, 5001);
    remove_file(fixture, path);
}

static void says_why_a_file_cannot_be_read(void **state)
{
    struct fixture *const fixture = *state;

    assert_int_equal(load_path(fixture, "/nonexistent/a\x01.ini"), LQ_IO);
    assert_int_equal(load_path(fixture, "/"), LQ_IO);
    assert_int_equal(load_path(fixture, "/proc/self/mem"), LQ_IO);
    assert_int_equal(load_path(fixture, "/dev/zero"), LQ_INVALID);
    assert_string_equal(
        problems(fixture),
        "cannot read '/nonexistent/a\\x01.ini': No such file or directory\n"
        "cannot read '/': Is a directory\n"
        "cannot read '/proc/self/mem': Input/output error\n"
        "'/dev/zero' must be at most 64 MiB\n");
}

static void says_that_a_file_is_not_for_this_user(void **state)
{
    struct fixture *const fixture = *state;
    const char *const path = make_file(fixture, "a.ini", ini, strlen(ini));
    const uid_t user = geteuid();

    assert_int_equal(chmod(path, 0), 0);
    if (user == 0) {
        assert_int_equal(seteuid(65534), 0);
    }
    assert_int_equal(load_path(fixture, path), LQ_IO);
    if (user == 0) {
        assert_int_equal(seteuid(0), 0);
    }
    assert_string_equal(problems(fixture),
                        lq_format(&fixture->arena,
                                  "cannot read '%s': Permission denied\n",
                                  path));
    remove_file(fixture, path);
}

/* 10 000 queues in INI or JSON. */
static const char *many_queues(struct fixture *fixture, const char *row,
                               size_t *length)
{
    const size_t room = strlen(row) + 16;
    char *const text = lq_alloc(&fixture->arena, room * 10000 + 1024);

    assert_non_null(text);
    for (unsigned i = 0; i < 10000; ++i) {
        *length += (size_t)sprintf(text + *length, "%s[queue:%05u]%s",
                                   i ? "" : "[defaults]\n" RETENTION, i, row);
    }
    return text;
}

static void loads_many_queues_in_no_time(void **state)
{
    struct fixture *const fixture = *state;
    size_t length = 0;
    const char *const text =
        many_queues(fixture, "\nexchange_name = x\nrouting_key = k\n", &length);
    const clock_t start = clock();

    assert_int_equal(load_bytes(fixture, "f.ini", text, length), LQ_OK);
    assert_int_equal(entry_count(fixture), 10000);
    /* quadratic work would take minutes; sanitizers take up to a second */
    assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(starts_with_nothing),
        TEST(tells_json_from_ini_by_the_name),
        TEST(lets_the_caller_say_what_it_is),
        TEST(keeps_nothing_of_the_callers),
        TEST(adds_documents_in_order),
        TEST(reports_the_problems_of_all_documents),
        TEST(reads_a_file),
        TEST(reads_an_empty_file),
        TEST(reads_a_pipe_to_its_end),
        TEST(says_why_a_file_cannot_be_read),
        TEST(says_that_a_file_is_not_for_this_user),
        TEST(loads_many_queues_in_no_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
