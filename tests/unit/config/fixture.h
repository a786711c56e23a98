/* What the tests of the configuration share: texts in, problems out. */
#ifndef LQ_TEST_CONFIG_FIXTURE_H
#define LQ_TEST_CONFIG_FIXTURE_H

#include "base/arena.h"
#include "base/diag.h"
#include "config/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The retention that every queue needs, to be put into a section. */
#define RETENTION                                                              \
    "retention.main_max_messages = 1\n"                                        \
    "retention.main_max_bytes = 2\n"                                           \
    "retention.retry_bucket_max_messages = 3\n"                                \
    "retention.retry_bucket_max_bytes = 4\n"                                   \
    "retention.dead_letter_max_messages = 5\n"                                 \
    "retention.dead_letter_max_bytes = 6\n"

/* A queue that lacks nothing: a header and three lines less than above. */
#define QUEUE(name) "[queue:" name "]\nexchange_name = x\nrouting_key = k\n"

/* The fields that every queue of a JSON document needs. */
#define JSON_RETENTION                                                         \
    "\"retention\":{\"main_max_messages\":1,\"main_max_bytes\":2,"             \
    "\"retry_bucket_max_messages\":3,\"retry_bucket_max_bytes\":4,"            \
    "\"dead_letter_max_messages\":5,\"dead_letter_max_bytes\":6}"
#define JSON_NAMES                                                             \
    "\"name\":\"q\",\"exchange_name\":\"x\",\"routing_key\":\"k\""
#define JSON_FIELDS JSON_NAMES "," JSON_RETENTION

/* A document of one queue, and one that adds to the fields that it needs. */
#define QUEUES(queue) "{\"queues\":[" queue "]}"
#define WITH(fields) QUEUES("{" JSON_FIELDS "," fields "}")

/* One run. */
struct fixture {
    struct lq_arena arena;
    struct lq_diags diags;
    struct lq_config config;
};

static inline int set_up(void **state)
{
    struct fixture *const fixture = calloc(1, sizeof(*fixture));

    if (!fixture) {
        return -1;
    }
    lq_arena_init(&fixture->arena);
    lq_diags_init(&fixture->diags, &fixture->arena);
    lq_config_init(&fixture->config);
    *state = fixture;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *const fixture = *state;

    lq_arena_free(&fixture->arena);
    free(fixture);
    return 0;
}

/* Forgets what was loaded, for the next row of a table. */
static inline void start_again(struct fixture *fixture)
{
    lq_arena_free(&fixture->arena);
    lq_arena_init(&fixture->arena);
    lq_diags_init(&fixture->diags, &fixture->arena);
    lq_config_init(&fixture->config);
}

static inline enum lq_status load_bytes(struct fixture *fixture,
                                        const char *name, const char *text,
                                        size_t length)
{
    const struct lq_document document = {name, text, length, LILYQ_INPUT_AUTO};

    return lq_load_text(&fixture->config, &document, &fixture->diags);
}

static inline enum lq_status load_ini(struct fixture *fixture, const char *text)
{
    return load_bytes(fixture, "f.ini", text, strlen(text));
}

static inline enum lq_status load_json(struct fixture *fixture,
                                       const char *text)
{
    return load_bytes(fixture, "f.json", text, strlen(text));
}

/* The number of entries, and one of them. */
static inline size_t entry_count(const struct fixture *fixture)
{
    return fixture->config.entries.count;
}

static inline const struct lq_entry *entry_at(const struct fixture *fixture,
                                              size_t index)
{
    assert_true(index < entry_count(fixture));
    return (const struct lq_entry *)fixture->config.entries.items + index;
}

/* All problems, ordered by place, each on a line of its own. */
static inline const char *problems(struct fixture *fixture)
{
    const char *text = "";

    lq_diags_sort(&fixture->diags);
    for (size_t i = 0; i < fixture->diags.items.count; ++i) {
        text = lq_format(
            &fixture->arena, "%s%s\n", text,
            lq_diag_line(&fixture->arena, lq_diags_at(&fixture->diags, i)));
        assert_non_null(text);
    }
    return text;
}

/* A row of a table of documents that are refused. */
struct refusal {
    const char *text;
    const char *problems;
};

static inline void assert_refused(struct fixture *fixture, const char *name,
                                  const struct refusal *row)
{
    start_again(fixture);
    assert_int_equal(load_bytes(fixture, name, row->text, strlen(row->text)),
                     LQ_INVALID);
    assert_string_equal(problems(fixture), row->problems);
}

static inline void assert_all_refused(struct fixture *fixture, const char *name,
                                      const struct refusal *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        assert_refused(fixture, name, &rows[i]);
    }
}

#define ASSERT_REFUSED(state, name, rows)                                      \
    assert_all_refused((state), (name), (rows),                                \
                       sizeof(rows) / sizeof((rows)[0]))

/* The one entry of a document without a fault. */
static inline const struct lq_entry *
only_entry(struct fixture *fixture, const char *name, const char *text)
{
    start_again(fixture);
    assert_int_equal(load_bytes(fixture, name, text, strlen(text)), LQ_OK);
    assert_string_equal(problems(fixture), "");
    assert_int_equal(entry_count(fixture), 1);
    return entry_at(fixture, 0);
}

/* The text with `count` times `byte` in place of the '@'. */
static inline const char *stretch(struct fixture *fixture, const char *text,
                                  char byte, size_t count)
{
    const char *const at = strchr(text, '@');
    char *const run = lq_alloc(&fixture->arena, count + 1);
    const char *stretched = NULL;

    assert_non_null(at);
    assert_non_null(run);
    memset(run, byte, count);
    stretched = lq_format(&fixture->arena, "%.*s%s%s", (int)(at - text), text,
                          run, at + 1);
    assert_non_null(stretched);
    return stretched;
}

#endif
