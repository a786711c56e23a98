#include "json/document.h"

#include "base/text.h"
#include "json/scan.h"

#include <string.h>

/* The longest token that a message quotes, in bytes. */
#define NEAR_MAX 40

/* A JSON text while it is read. */
struct reader {
    struct lq_json_source source; /* without a byte order mark */
    struct lq_diags *diags;
};

/* Reports at a token, up to `end` of which was read. */
static enum lq_status report_near(const struct reader *reader,
                                  const struct lq_json_token *token,
                                  const char *text)
{
    const struct lq_place place =
        lq_json_source_place(&reader->source, token->start);
    const size_t length = token->end - token->start;
    const char *const shown = lq_printable(
        reader->diags->arena, reader->source.text + token->start, length);
    const char *const said =
        lq_printable(reader->diags->arena, text, strlen(text));

    if (!shown || !said) {
        return LQ_NOMEM;
    }
    if (length == 0 || length > NEAR_MAX) {
        return lq_error(reader->diags, &place, "%s", said);
    }
    return lq_error(reader->diags, &place, "%s near '%s'", said, shown);
}

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/*
 * Out of memory is seldom told: there may be no text, or a good string is
 * called an invalid token, as every number is a string by now, or the first
 * string is at fault, which is ours.
 */
static bool is_out_of_memory(const json_error_t *error,
                             const struct lq_json_text *prepared,
                             const struct lq_json_token *token)
{
    const bool refused = begins(error->text, "invalid token") ||
                         begins(error->text, "string or '}' expected");

    return !error->text[0] ||
           json_error_code(error) == json_error_out_of_memory ||
           (size_t)error->position < prepared->body ||
           (refused && token->whole &&
            (token->kind == LQ_JSON_STRING || !token->key));
}

static enum lq_status report_syntax(const struct reader *reader,
                                    const struct lq_json_text *prepared,
                                    json_error_t *error)
{
    static const char at_end[] = " near end of file";
    const size_t position = (size_t)error->position;
    struct lq_json_token token = lq_json_locate(
        reader->source.text, reader->source.length, prepared, position);
    char *const near = strstr(error->text, " near '");
    char *const end = strstr(error->text, at_end);

    if (is_out_of_memory(error, prepared, &token)) {
        return LQ_NOMEM;
    }
    if (near) {
        *near = '\0'; /* it shows the prepared text */
    } else if (end) {
        token = (struct lq_json_token){.start = reader->source.length,
                                       .end = reader->source.length};
    }
    return report_near(reader, &token, error->text);
}

/* Whether the buffer of tokens never failed to grow, see json/scan.h. */
static bool is_complete(const json_t *wrapped,
                        const struct lq_json_text *prepared)
{
    return json_string_length(json_array_get(wrapped, 0)) == prepared->fill;
}

static enum lq_status parse(const struct reader *reader, json_t **out)
{
    struct lq_json_text prepared;
    json_error_t error;

    memset(&error, 0, sizeof(error));
    if (lq_json_prepare(reader->source.text, reader->source.length,
                        reader->diags->arena, &prepared) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (prepared.count == 0) {
        const struct lq_place place = {.file = reader->source.file};

        return lq_error(reader->diags, &place, "document must not be empty");
    }
    *out = json_loadb(prepared.bytes, prepared.length,
                      JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (!*out) {
        return report_syntax(reader, &prepared, &error);
    }
    if (!is_complete(*out, &prepared)) {
        return LQ_NOMEM;
    }
    return prepared.trailed ? report_near(reader, &prepared.trail,
                                          "end of document expected")
                            : LQ_OK;
}

enum lq_status lq_json_parse(const struct lq_json_source *source,
                             struct lq_diags *diags, json_t **out)
{
    struct reader reader = {*source, diags};
    json_t *wrapped = NULL;
    /* jansson passes over NUL bytes without a word */
    enum lq_status status = lq_json_source_check(&reader.source, diags);

    if (status == LQ_OK) {
        status = parse(&reader, &wrapped);
    }
    if (status == LQ_OK) {
        *out = json_incref(json_array_get(wrapped, 1));
    }
    json_decref(wrapped);
    return status;
}
