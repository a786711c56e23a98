#include "api/session.h"

#include "base/file.h"
#include "base/text.h"
#include "broker/resolve.h"
#include "compare/amqp.h"
#include "compare/compare.h"
#include "compare/drift.h"
#include "compare/policies.h"
#include "live/look.h"
#include "plan/plan.h"
#include "render/diff.h"
#include "render/saved.h"
#include "json/read.h"

#include <assert.h>
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

/* Copies errors, but no warnings. */
static void hand_on_errors(const struct lq_diags *from, struct lq_diags *diags)
{
    for (size_t i = 0; i < from->items.count; ++i) {
        const struct lq_diag *const diag = lq_diags_at(from, i);

        if (diag->severity == LQ_ERROR) {
            lq_error(diags, &diag->place, "%s", diag->text);
        }
    }
    if (from->error_count > LQ_ERRORS_MAX) {
        lq_diags_count(diags, from->error_count - LQ_ERRORS_MAX);
    }
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
    lq_diags_sort(&own);
    hand_on_errors(&own, diags);
    return status;
}

/*
 * The plan of a document: entries, as INI or JSON, or a plan saved as JSON.
 * What begins with '{' is JSON, whatever its name. Its errors are added to
 * `diags`, but not its warnings: they are about a plan that is being left.
 */
static enum lq_status read_earlier(const struct lq_document *document,
                                   struct lq_diags *diags,
                                   const struct lq_topology **out)
{
    struct lq_document entries = *document;
    enum lq_status status = LQ_OK;
    bool known = false;

    *out = NULL;
    if (begins_with_brace(document->text, document->length)) {
        entries.input = LILYQ_INPUT_JSON;
        status = read_saved(document, diags, &known, out);
        if (known || status == LQ_NOMEM) {
            return status;
        }
    }
    return plan_entries(&entries, diags, out);
}

/* Adds as unverified what AMQP never shows: policies, and what is not planned.
 */
static enum lq_status add_unseen(struct lilyq *run,
                                 const struct lilyq_policy_options *policies,
                                 struct lq_drift *out)
{
    struct lq_arena *const arena = run->diags.arena;
    const struct lq_own_policies *own = NULL;
    const enum lq_status status = lq_session_own_policies(
        run->topology, NULL, policies, &run->diags, &own);
    struct lq_live nothing;

    lq_live_init(&nothing, out->vhost, arena);
    return status == LQ_OK ? lq_drift_complete(run->topology, &nothing, own,
                                               arena, &out->diff)
                           : status;
}

static enum lq_status look_over_amqp(struct lilyq *run, struct lq_lazy *lazy,
                                     const struct lilyq_source *source,
                                     struct lq_drift *out)
{
    struct lq_stages stages = {.broker = &lazy->broker,
                               .diags = &run->diags,
                               .hooks = {.progress = lazy->hooks->progress,
                                         .stop = lazy->hooks->stop,
                                         .notice = lazy->hooks->notice,
                                         .data = lazy->hooks->data}};
    enum lq_status status = lq_lazy_connect(lazy);

    if (status != LQ_OK) {
        return status;
    }
    out->kind = LILYQ_SOURCE_AMQP;
    out->vhost = lazy->used->vhost;
    status = lq_amqp_diff(
        &stages, run->topology,
        source->passive_only ? LQ_AMQP_PASSIVE : LQ_AMQP_COMPARED, &out->diff);
    out->source = lq_connection_address(&run->arena, lazy->used);
    if (!out->source) {
        return LQ_NOMEM;
    }
    return status == LQ_OK ? add_unseen(run, source->policies, out) : status;
}

static enum lq_status compare_amqp(struct lilyq *run,
                                   const struct lilyq_source *source,
                                   const struct lilyq_hooks *hooks,
                                   struct lq_drift *out)
{
    struct lq_route route;
    struct lq_lazy lazy;
    enum lq_status status = lq_resolve(source->connection, &run->diags, &route);

    lq_lazy_init(&lazy, &route, hooks, &run->diags);
    if (status == LQ_OK) {
        status = look_over_amqp(run, &lazy, source, out);
    }
    lq_lazy_close(&lazy);
    return status;
}

/* Compares the policies of the two plans. */
static enum lq_status
change_policies(struct lilyq *run, const struct lq_topology *before,
                const struct lilyq_policy_options *policies,
                struct lq_diff *diff)
{
    const struct lq_own_policies *old = NULL;
    const struct lq_own_policies *own = NULL;
    enum lq_status status =
        lq_session_own_policies(before, NULL, policies, &run->diags, &old);

    if (status == LQ_OK) {
        status = lq_session_own_policies(run->topology, NULL, policies,
                                         &run->diags, &own);
    }
    return status == LQ_OK ? lq_change_own_policies(old, own, &run->arena, diff)
                           : status;
}

/* Compares policies, or only finds out whether comparing would find any. */
static enum lq_status look_at_policies(struct lilyq *run,
                                       const struct lq_topology *before,
                                       const struct lilyq_source *source,
                                       struct lq_drift *out)
{
    static const struct lilyq_policy_options usual;
    struct lq_diff unheard = {.counts = {0}};
    enum lq_status status = LQ_OK;

    if (source->policies) {
        return change_policies(run, before, source->policies, &out->diff);
    }
    lq_array_init(&unheard.findings, sizeof(struct lq_finding));
    status = change_policies(run, before, &usual, &unheard);
    out->lacks_policies = unheard.findings.count > 0;
    return status;
}

static enum lq_status compare_earlier(struct lilyq *run,
                                      const struct lilyq_source *source,
                                      struct lq_drift *out)
{
    const struct lilyq_earlier *const earlier = source->earlier;
    struct lq_document document = {earlier->name, earlier->text,
                                   earlier->length, LILYQ_INPUT_AUTO};
    const struct lq_topology *before = NULL;
    struct lq_file_text text = {NULL, 0};
    enum lq_status status = LQ_OK;

    out->kind = LILYQ_SOURCE_EARLIER;
    out->source =
        lq_printable(&run->arena, earlier->name, strlen(earlier->name));
    if (!out->source) {
        return LQ_NOMEM;
    }
    if (!document.text) {
        status =
            lq_read_file(earlier->name, LQ_FILE_MAX_BYTES, &run->diags, &text);
        document.text = text.bytes;
        document.length = text.length;
    }
    if (status == LQ_OK) {
        status = read_earlier(&document, &run->diags, &before);
    }
    if (status == LQ_OK) {
        status = lq_change(before, run->topology, &run->arena, &out->diff);
    }
    if (status == LQ_OK) {
        status = lq_drift_order(run->topology, &run->arena, &out->diff);
    }
    return status == LQ_OK ? look_at_policies(run, before, source, out)
                           : status;
}

/* A comparison under way. */
struct job {
    struct lilyq *run;
    const struct lilyq_hooks *hooks;
    const struct lilyq_policy_options *policies; /* to compare; NULL: none */
    struct lq_drift drift;
};

/* Compares with what a source shows. */
static enum lq_status compare(struct job *job, const struct lq_sight *sight)
{
    const struct lq_own_policies *own = NULL;
    enum lq_status status = LQ_OK;

    job->drift.lacks_policies =
        !job->policies && lq_live_has(&sight->live, LQ_LIVE_HAS_POLICIES) &&
        lq_has_quorum_dlq(job->run->topology);
    job->drift.source = sight->source;
    job->drift.vhost = sight->live.vhost;
    job->drift.version = sight->live.version;
    status = lq_session_own_policies(job->run->topology, sight->live.version,
                                     job->policies, &job->run->diags, &own);
    return status == LQ_OK
               ? lq_drift_compare(job->run->topology, &sight->live, own,
                                  &job->run->arena, &job->drift.diff)
               : status;
}

static enum lq_status
compare_management(struct job *job, const struct lilyq_connection *connection)
{
    static const struct lq_survey_wants wants = {.policies = true,
                                                 .figures = true};
    struct lq_sight sight;
    const enum lq_status status = lq_look_management(
        connection, &wants, job->hooks, &job->run->diags, &sight);

    job->drift.kind = LILYQ_SOURCE_MANAGEMENT;
    return status == LQ_OK ? compare(job, &sight) : status;
}

static enum lq_status
compare_definitions(struct job *job,
                    const struct lilyq_definitions *definitions)
{
    struct lq_sight sight;
    const enum lq_status status =
        lq_look_definitions(definitions, &job->run->diags, &sight);

    job->drift.kind = LILYQ_SOURCE_DEFINITIONS;
    return status == LQ_OK ? compare(job, &sight) : status;
}

static enum lq_status look(struct job *job, const struct lilyq_source *source)
{
    struct lq_diags *const diags = &job->run->diags;

    if (!job->run->topology) {
        return lq_error(diags, NULL, "there is no plan to compare");
    }
    if ((source->connection != NULL) + (source->definitions != NULL) +
            (source->earlier != NULL) !=
        1) {
        return lq_error(
            diags, NULL,
            "a diff needs a connection, definitions or an earlier plan");
    }
    if (source->earlier) {
        return compare_earlier(job->run, source, &job->drift);
    }
    if (source->definitions) {
        return compare_definitions(job, source->definitions);
    }
    return lq_has_management(source->connection)
               ? compare_management(job, source->connection)
               : compare_amqp(job->run, source, job->hooks, &job->drift);
}

static enum lq_status summarise(const struct lilyq *run, struct lq_arena *arena,
                                struct lilyq_drift *out)
{
    const struct lq_drift *const drift = &run->drift;

    for (size_t i = 0; i < LILYQ_FINDING_COUNT; ++i) {
        out->counts[i] = drift->diff.counts[i];
    }
    out->kind = drift->kind;
    out->source = drift->source;
    out->policies_left_out = drift->lacks_policies;
    if (!drift->vhost) {
        return LQ_OK;
    }
    out->vhost = lq_printable(arena, drift->vhost, strlen(drift->vhost));
    return out->vhost ? LQ_OK : LQ_NOMEM;
}

enum lilyq_status lilyq_diff(struct lilyq *run,
                             const struct lilyq_source *source,
                             const struct lilyq_hooks *hooks,
                             struct lilyq_drift *out)
{
    static const struct lilyq_hooks no_hooks;
    const size_t first = run->diags.items.count;
    struct job job = {.run = run,
                      .hooks = hooks ? hooks : &no_hooks,
                      .policies = source->policies,
                      .drift = {.plan = run->topology,
                                .has_policies = source->policies != NULL}};
    enum lq_status status = look(&job, source);

    *out = (struct lilyq_drift){.source = NULL};
    run->compared = status == LQ_OK;
    if (status == LQ_OK) {
        run->drift = job.drift;
        status = summarise(run, &run->arena, out);
    }
    return lq_session_end(run, first, status);
}

static enum lq_status render(struct lilyq *run, enum lilyq_diff_format format,
                             const struct lilyq_diff_style *style,
                             const struct lilyq_sink *sink)
{
    switch (format) {
    case LILYQ_DIFF_TEXT:
        return lq_drift_text_render(&run->drift, style, &run->arena, sink);
    case LILYQ_DIFF_JSON:
        return lq_drift_json_render(&run->drift, style, &run->arena, sink);
    case LILYQ_DIFF_JUNIT:
        return lq_drift_junit_render(&run->drift, style, &run->arena, sink);
    case LILYQ_DIFF_GITHUB:
        return lq_drift_github_render(&run->drift, style, &run->arena, sink);
    }
    return lq_error(&run->diags, NULL, "no format of a diff has number %d",
                    (int)format);
}

enum lilyq_status lilyq_render_diff(struct lilyq *run,
                                    enum lilyq_diff_format format,
                                    const struct lilyq_diff_style *style,
                                    const struct lilyq_sink *sink)
{
    const unsigned drift = 1U << LILYQ_MISSING | 1U << LILYQ_DIFFERENT |
                           1U << LILYQ_UNEXPECTED | 1U << LILYQ_SHADOWED;
    const struct lilyq_diff_style wanted = {
        .fail_on = style && style->fail_on ? style->fail_on : drift,
        .whole = style && style->whole,
        .colour = style && style->colour,
    };
    const size_t first = run->diags.items.count;
    const enum lq_status status =
        run->compared ? render(run, format, &wanted, lq_session_sink(run, sink))
                      : lq_error(&run->diags, NULL, "nothing was compared yet");

    return lq_session_end(run, first, status);
}
