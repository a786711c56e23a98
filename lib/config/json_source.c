#include "config/json_source.h"

#include "base/text.h"
#include "config/json_queues.h"
#include "config/json_scan.h"
#include "json/source.h"

#include <string.h>

/* The longest token that a message quotes, in bytes. */
#define NEAR_MAX 40

/* A JSON text while it is read. */
struct source {
    struct lq_json_source json;
    struct lq_diags *diags;
};

/* Reports at a token, up to `end` of which was read. */
static enum lq_status report_near(const struct source *source,
                                  const struct lq_json_token *token,
                                  const char *text)
{
    const struct lq_place place =
        lq_json_source_place(&source->json, token->start);
    const size_t length = token->end - token->start;
    const char *const shown = lq_printable(
        source->diags->arena, source->json.text + token->start, length);
    const char *const said =
        lq_printable(source->diags->arena, text, strlen(text));

    if (!shown || !said) {
        return LQ_NOMEM;
    }
    if (length == 0 || length > NEAR_MAX) {
        return lq_error(source->diags, &place, "%s", said);
    }
    return lq_error(source->diags, &place, "%s near '%s'", said, shown);
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

static enum lq_status report_syntax(const struct source *source,
                                    const struct lq_json_text *prepared,
                                    json_error_t *error)
{
    static const char at_end[] = " near end of file";
    const size_t position = (size_t)error->position;
    struct lq_json_token token = lq_json_locate(
        source->json.text, source->json.length, prepared, position);
    char *const near = strstr(error->text, " near '");
    char *const end = strstr(error->text, at_end);

    if (is_out_of_memory(error, prepared, &token)) {
        return LQ_NOMEM;
    }
    if (near) {
        *near = '\0'; /* it shows the prepared text */
    } else if (end) {
        token = (struct lq_json_token){.start = source->json.length,
                                       .end = source->json.length};
    }
    return report_near(source, &token, error->text);
}

/* Whether the buffer of tokens never failed to grow, see json_scan.h. */
static bool is_complete(const json_t *wrapped,
                        const struct lq_json_text *prepared)
{
    return json_string_length(json_array_get(wrapped, 0)) == prepared->fill;
}

static enum lq_status parse(const struct source *source, json_t **out)
{
    struct lq_json_text prepared;
    json_error_t error;

    memset(&error, 0, sizeof(error));
    if (lq_json_prepare(source->json.text, source->json.length,
                        source->diags->arena, &prepared) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (prepared.count == 0) {
        const struct lq_place place = {.file = source->json.file};

        return lq_error(source->diags, &place, "document must not be empty");
    }
    *out = json_loadb(prepared.bytes, prepared.length,
                      JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (!*out) {
        return report_syntax(source, &prepared, &error);
    }
    if (!is_complete(*out, &prepared)) {
        return LQ_NOMEM;
    }
    return prepared.trailed ? report_near(source, &prepared.trail,
                                          "end of document expected")
                            : LQ_OK;
}

enum lq_status lq_json_load(struct lq_config *config, const char *file,
                            const char *text, size_t length,
                            struct lq_diags *diags)
{
    struct source source = {{file, text, length}, diags};
    json_t *wrapped = NULL;
    enum lq_status status = LQ_OK;

    /* jansson passes over NUL bytes without a word */
    status = lq_json_source_check(&source.json, diags);
    if (status == LQ_OK) {
        status = parse(&source, &wrapped);
    }
    if (status == LQ_OK) {
        status =
            lq_json_queues(config, file, json_array_get(wrapped, 1), diags);
    }
    json_decref(wrapped);
    return status;
}
