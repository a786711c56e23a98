#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void give_up(const char *what, const char *where)
{
    (void)fprintf(stderr, "vectors: %s: %s\n", where, what);
    exit(1);
}

static char *read_all(struct lq_arena *arena, const char *path)
{
    FILE *const file = fopen(path, "rb");
    char *text = NULL;
    long size = 0;

    if (!file || fseek(file, 0, SEEK_END) != 0) {
        give_up("cannot be opened", path);
    }
    size = ftell(file);
    text = size < 0 ? NULL : lq_alloc(arena, (size_t)size + 1);
    if (!text || fseek(file, 0, SEEK_SET) != 0 ||
        fread(text, 1, (size_t)size, file) != (size_t)size) {
        give_up("cannot be read", path);
    }
    (void)fclose(file);
    return text;
}

/*
 * jansson has no integers over an int64. Where a vector has some, all its
 * integers are read as reals: exact for the small ones, and still too great
 * for those over the limit.
 */
static json_t *parse(const char *text, size_t length)
{
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL;
    json_t *const exact = json_loadb(text, length, flags, NULL);

    return exact ? exact
                 : json_loadb(text, length, flags | JSON_DECODE_INT_AS_REAL,
                              NULL);
}

/* From `from` up to and without `to`, or to the end when there is no `to`. */
static const char *cut(struct lq_arena *arena, const char *line,
                       const char *from, const char *to)
{
    const char *const start = strstr(line, from);
    const char *const end = start ? strstr(start, to) : NULL;

    if (!start) {
        give_up("has no queues", line);
    }
    return lq_strndup(arena, start,
                      end ? (size_t)(end - start) : strlen(start));
}

/* Without its queues, which the objects of the line are read without. */
static json_t *parse_rest(struct lq_arena *arena, const char *line,
                          const char *queues)
{
    const size_t before = (size_t)(strstr(line, queues) - line);
    const char *const rest =
        lq_format(arena, "%.*s\"queues\": []%s", (int)before, line,
                  line + before + strlen(queues));

    return parse(rest, strlen(rest));
}

static void read_line(struct lq_arena *arena, const char *line,
                      struct vector *out)
{
    if (strstr(line, "\"queues\": ")) {
        const char *const end =
            strstr(line, ", \"expect\": ") ? ", \"expect\": " : ", \"queue\": ";
        const char *const queues = cut(arena, line, "\"queues\": ", end);

        out->document = lq_format(arena, "{%s}", queues);
        out->length = strlen(out->document);
        out->queues = parse(out->document, out->length);
        out->line = parse_rest(arena, line, queues);
        if (!out->queues) {
            give_up("cannot be parsed", line);
        }
    } else {
        out->line = parse(line, strlen(line));
    }
    if (!out->line) {
        give_up("cannot be parsed", line);
    }
    out->name = json_string_value(json_object_get(out->line, "name"));
}

static size_t count_lines(const char *text)
{
    size_t count = 0;

    for (; *text; ++text) {
        count += *text == '\n';
    }
    return count;
}

struct vectors vectors_read(struct lq_arena *arena, const char *file)
{
    char *text =
        read_all(arena, lq_format(arena, "tests/data/vectors/%s", file));
    struct vectors vectors = {.count = count_lines(text)};

    vectors.items =
        lq_alloc_array(arena, vectors.count, sizeof(*vectors.items));
    for (size_t i = 0; i < vectors.count; ++i) {
        char *const end = strchr(text, '\n');

        *end = '\0';
        read_line(arena, text, &vectors.items[i]);
        text = end + 1;
    }
    return vectors;
}

void vectors_free(const struct vectors *vectors)
{
    for (size_t i = 0; i < vectors->count; ++i) {
        json_decref(vectors->items[i].queues);
        json_decref(vectors->items[i].line);
    }
}
