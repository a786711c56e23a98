#include "earlier.h"

#include "base/text.h"
#include "format/plan_read.h"
#include "topology/plan.h"
#include "json/read.h"

#include <stdbool.h>
#include <string.h>

/* No INI begins with a brace, and no queue entries in JSON without one. */
static bool begins_with_brace(const char *text, size_t length)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t skipped = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;

    for (size_t i = skipped; i < length; ++i) {
        if (!strchr(" \t\r\n", text[i]) || !text[i]) {
            return text[i] == '{';
        }
    }
    return false;
}

/* Whether it has all the parts of what a broker exports. */
static bool is_exported(const struct lq_node *root)
{
    return lq_node_member(root, "exchanges") &&
           lq_node_member(root, "queues") && lq_node_member(root, "bindings");
}

/*
 * The document as a saved plan; `*known` is false when it may be queue entries.
 */
static enum lq_status read_saved(const struct lq_document *document,
                                 struct lq_diags *diags, bool *known,
                                 const struct lq_topology **out)
{
    const char *const file =
        lq_printable(diags->arena, document->name, strlen(document->name));
    const struct lq_json_source source = {file, document->text,
                                          document->length};
    struct lq_diags unheard;
    const struct lq_node *root = NULL;
    enum lq_status status = LQ_NOMEM;

    lq_diags_init(&unheard, diags->arena);
    if (file) {
        status = lq_json_read(&source, NULL, &unheard, &root);
    }
    *known = false;
    if (status != LQ_OK) {
        return status;
    }
    if (lq_plan_is_saved(root)) {
        *known = true;
        lq_diags_init(&unheard, diags->arena);
        return lq_plan_read(root, file, diags, &unheard, out);
    }
    if (is_exported(root)) {
        const struct lq_place place = {.file = file};

        *known = true;
        return lq_error(diags, &place,
                        "document is a broker's definitions, not queue entries "
                        "or a plan");
    }
    return LQ_OK;
}

/* Hands on errors, but no warnings. */
static enum lq_status report(const struct lq_diags *from,
                             struct lq_diags *diags)
{
    for (size_t i = 0; i < from->items.count; ++i) {
        const struct lq_diag *const diag = lq_diags_at(from, i);

        if (diag->severity == LQ_ERROR &&
            lq_error(diags, &diag->place, "%s", diag->text) == LQ_NOMEM) {
            return LQ_NOMEM;
        }
    }
    if (from->error_count > LQ_ERRORS_MAX) {
        lq_diags_count(diags, from->error_count - LQ_ERRORS_MAX);
    }
    return LQ_OK;
}

static enum lq_status plan_entries(const struct lq_document *document,
                                   struct lq_diags *diags,
                                   const struct lq_topology **out)
{
    struct lq_diags own;
    struct lq_config config;
    enum lq_status status = LQ_OK;

    lq_diags_init(&own, diags->arena);
    lq_config_init(&config);
    status = lq_load_text(&config, document, &own);
    if (status != LQ_NOMEM) {
        status =
            lq_worse(status, lq_plan_build(config.entries.items,
                                           config.entries.count, &own, out));
    }
    if (status == LQ_NOMEM || lq_diags_sort(&own) != LQ_OK) {
        return LQ_NOMEM;
    }
    return report(&own, diags) == LQ_OK ? status : LQ_NOMEM;
}

enum lq_status lq_earlier_plan(const struct lq_document *document,
                               struct lq_diags *diags,
                               const struct lq_topology **out)
{
    struct lq_document entries = *document;
    enum lq_status status = LQ_OK;
    bool known = false;

    *out = NULL;
    if (begins_with_brace(document->text, document->length)) {
        entries.input = LQ_INPUT_JSON;
        status = read_saved(document, diags, &known, out);
        if (known || status == LQ_NOMEM) {
            return status;
        }
    }
    return plan_entries(&entries, diags, out);
}
