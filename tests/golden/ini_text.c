#include "ini_text.h"

#include "vectors.h"

#include <stdbool.h>
#include <string.h>

static bool is_blank(char c)
{
    return strchr(" \t\v\f\r", c) != NULL;
}

static bool is_writable(const json_t *value)
{
    const char *const text = json_string_value(value);
    const size_t length = json_string_length(value);

    if (strlen(text) != length || strpbrk(text, "\n\r")) {
        return false;
    }
    return length == 0 || (!is_blank(text[0]) && !is_blank(text[length - 1]) &&
                           text[0] != ';' && !strstr(text, " ;"));
}

/* The value as INI has it, or NULL. */
static const char *value_text(struct lq_arena *arena, const char *key,
                              const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_STRING:
        return is_writable(value) ? json_string_value(value) : NULL;
    case JSON_INTEGER:
        return lq_format(arena, "%" JSON_INTEGER_FORMAT,
                         json_integer_value(value));
    case JSON_REAL:
        return lq_format(arena,
                         strcmp(key, "retry_jitter_ratio") ? "%.0f" : "%.17g",
                         json_real_value(value));
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
    give_up("has a value of no INI type", key);
}

/*
 * Appends a line for every key of the object, except for the name and for what
 * has keys of its own; NULL when one cannot be written.
 */
static const char *add_keys(struct lq_arena *arena, const char *text,
                            const char *prefix, json_t *object)
{
    const char *key = NULL;
    json_t *value = NULL;

    json_object_foreach(object, key, value)
    {
        const char *shown = NULL;

        if (strcmp(key, "name") == 0 || json_is_object(value)) {
            continue;
        }
        shown = value_text(arena, key, value);
        if (!shown) {
            return NULL;
        }
        text = lq_format(arena, "%s%s%s = %s\n", text, prefix, key, shown);
    }
    return text;
}

static const char *section(struct lq_arena *arena, json_t *queue)
{
    const json_t *const name = json_object_get(queue, "name");
    const char *text = NULL;

    if (!is_writable(name)) {
        return NULL;
    }
    text = lq_format(arena, "[queue:%s]\n", json_string_value(name));
    text = add_keys(arena, text, "", queue);
    return text ? add_keys(arena, text, "retention.",
                           json_object_get(queue, "retention"))
                : NULL;
}

const char *ini_text(struct lq_arena *arena, const json_t *document)
{
    const json_t *const queues = json_object_get(document, "queues");
    const size_t count = json_array_size(queues);
    const char **const sections =
        lq_alloc_array(arena, count, sizeof(*sections));
    size_t length = 0;
    char *text = NULL;
    char *end = NULL;

    for (size_t i = 0; i < count; ++i) {
        sections[i] = section(arena, json_array_get(queues, i));
        if (!sections[i]) {
            return NULL;
        }
        length += strlen(sections[i]);
    }
    text = lq_alloc(arena, length + 1);
    end = text;
    for (size_t i = 0; i < count; ++i) {
        end = stpcpy(end, sections[i]);
    }
    return text;
}
