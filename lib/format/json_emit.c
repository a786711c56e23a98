#include "format/json_emit.h"

#include "base/text.h"
#include "format/escape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *line_break(const struct lq_json *json)
{
    if (json->depth == 1) {
        return "\n  ";
    }
    if (json->depth == 2 && json->lines) {
        return "\n    ";
    }
    return json->first ? "" : " ";
}

static void begin_value(struct lq_json *json, const char *key)
{
    lq_write_texts(&json->writer, json->first ? "" : ",", line_break(json),
                   NULL);
    if (key) {
        lq_write_texts(&json->writer, "\"", key, "\": ", NULL);
    }
    json->first = false;
}

static void begin_level(struct lq_json *json, const char *key,
                        const char *bracket)
{
    begin_value(json, key);
    lq_write_text(&json->writer, bracket);
    ++json->depth;
    json->first = true;
}

static void end_level(struct lq_json *json, const char *bracket)
{
    lq_write_text(&json->writer, bracket);
    --json->depth;
    json->first = false;
}

void lq_json_begin(struct lq_json *json, const struct lilyq_sink *sink)
{
    lq_writer_init(&json->writer, sink);
    lq_write_text(&json->writer, "{");
    json->depth = 1;
    json->first = true;
    json->lines = false;
}

enum lq_status lq_json_end(struct lq_json *json)
{
    lq_write_text(&json->writer, "\n}\n");
    return lq_writer_end(&json->writer);
}

void lq_json_lines_begin(struct lq_json *json, const char *key)
{
    begin_level(json, key, "[");
    json->lines = true;
}

void lq_json_lines_end(struct lq_json *json)
{
    end_level(json, json->first ? "]" : "\n  ]");
    json->lines = false;
}

void lq_json_object_begin(struct lq_json *json, const char *key)
{
    begin_level(json, key, "{");
}

void lq_json_object_end(struct lq_json *json)
{
    end_level(json, "}");
}

void lq_json_array_begin(struct lq_json *json, const char *key)
{
    begin_level(json, key, "[");
}

void lq_json_array_end(struct lq_json *json)
{
    end_level(json, "]");
}

/* The escape of a character that JSON, or who reads it, wants one for. */
static size_t escape(uint32_t code, char *out)
{
    static const char plain[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    const char *const found =
        code && code < 0x80 ? strchr(plain, (int)code) : NULL;

    if (found) {
        out[0] = '\\';
        out[1] = letters[found - plain];
        return 2;
    }
    return lq_is_shown(code) ? 0 : lq_json_escape(code, out);
}

/* A terminal that a document is shown on obeys nothing that is in a name. */
static void write_escaped(struct lq_writer *writer, const char *text)
{
    size_t left = strlen(text);
    size_t step = 0;

    for (; left > 0; text += step, left -= step) {
        uint32_t code = 0;
        char out[12];
        size_t length = 0;

        step = lq_utf8_decode(text, left, &code);
        if (step == 0) {
            step = 1;
            lq_write_hex(writer, text, step, "\\\\");
            continue;
        }
        length = escape(code, out);
        lq_write_bytes(writer, length ? out : text, length ? length : step);
    }
}

/* ASCII that is itself in a document. */
static bool is_plain(char c)
{
    return c >= ' ' && c < '\x7f' && c != '"' && c != '\\';
}

void lq_json_text(struct lq_json *json, const char *key, const char *text)
{
    size_t length = 0;

    begin_value(json, key);
    while (is_plain(text[length])) {
        ++length;
    }
    lq_write_bytes(&json->writer, "\"", 1);
    /* nearly all texts are plain, and copying is ten times as fast */
    lq_write_bytes(&json->writer, text, length);
    write_escaped(&json->writer, text + length);
    lq_write_bytes(&json->writer, "\"", 1);
}

void lq_json_integer(struct lq_json *json, const char *key, int64_t number)
{
    char digits[24];

    (void)snprintf(digits, sizeof(digits), "%" PRId64, number);
    begin_value(json, key);
    lq_write_text(&json->writer, digits);
}

void lq_json_count(struct lq_json *json, const char *key, uint64_t number)
{
    begin_value(json, key);
    lq_write_number(&json->writer, number);
}

void lq_json_number(struct lq_json *json, const char *key, const char *digits)
{
    begin_value(json, key);
    lq_write_text(&json->writer, digits);
}

void lq_json_bool(struct lq_json *json, const char *key, bool value)
{
    begin_value(json, key);
    lq_write_text(&json->writer, value ? "true" : "false");
}

void lq_json_null(struct lq_json *json, const char *key)
{
    begin_value(json, key);
    lq_write_text(&json->writer, "null");
}

void lq_json_text_or_null(struct lq_json *json, const char *key,
                          const char *text)
{
    if (text) {
        lq_json_text(json, key, text);
    } else {
        lq_json_null(json, key);
    }
}

void lq_json_count_or_null(struct lq_json *json, const char *key,
                           uint64_t number)
{
    if (number > 0) {
        lq_json_count(json, key, number);
    } else {
        lq_json_null(json, key);
    }
}
