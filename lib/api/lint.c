#include "api/session.h"

#include "compare/drift.h"
#include "live/look.h"
#include "policy/future.h"
#include "policy/pcre.h"
#include "render/lint.h"

#include <assert.h>

/* Reads the source, which must show a broker as a whole. */
static enum lq_status look(struct lilyq *run, const struct lilyq_source *source,
                           const struct lilyq_hooks *hooks,
                           struct lq_sight *out)
{
    static const struct lilyq_hooks no_hooks;
    static const struct lq_survey_wants wants = {.policies = true,
                                                 .figures = true};
    const struct lilyq_connection *const connection = source->connection;

    if (source->definitions && !connection && !source->earlier) {
        return lq_look_definitions(source->definitions, &run->diags, out);
    }
    if (!connection || !lq_has_management(connection) || source->definitions ||
        source->earlier) {
        return lq_error(
            &run->diags, NULL,
            "judging a broker needs its definitions or its management API");
    }
    return lq_look_management(connection, &wants, hooks ? hooks : &no_hooks,
                              &run->diags, out);
}

/* Warns about what the source does not show and so cannot be judged. */
static void warn_unseen(struct lilyq *run, const struct lq_sight *sight)
{
    static const struct {
        enum lq_live_part part;
        const char *what;
    } parts[] = {
        {LQ_LIVE_HAS_BINDINGS, "bindings"},
        {LQ_LIVE_HAS_POLICIES, "policies"},
        {LQ_LIVE_HAS_OPERATOR_POLICIES, "operator policies"},
    };

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i) {
        if (!lq_live_has(&sight->live, parts[i].part)) {
            lq_warning(&run->diags, NULL,
                       "%s shows no %s: their effects are not judged",
                       sight->source, parts[i].what);
        }
    }
}

/* Adds what a broker holds to the settings. */
static enum lq_status compare(struct lilyq *run, const struct lq_sight *sight,
                              struct lq_lint_settings *settings,
                              struct lq_diff *drift)
{
    settings->live = &sight->live;
    settings->drift = drift;
    if (!settings->version.known && sight->live.version) {
        (void)lq_version_read(sight->live.version, &settings->version);
    }
    warn_unseen(run, sight);
    return lq_drift_compare(run->topology, &sight->live, NULL, &run->arena,
                            drift);
}

/*
 * Assumes that the policies are set on the source, or, without one, on a broker
 * that has no others.
 */
static enum lq_status harden(struct lilyq *run,
                             const struct lilyq_lint_options *options,
                             struct lq_lint_settings *settings,
                             struct lq_sight *sight)
{
    const char *const version = sight->source && sight->live.version
                                    ? sight->live.version
                                    : options->broker_version;
    const struct lq_own_policies *own = NULL;
    struct lq_live live;
    enum lq_status status = lq_session_own_policies(
        run->topology, version, options->policies, &run->diags, &own);

    if (status != LQ_OK || !own) {
        return status;
    }
    if (sight->source) {
        live = sight->live;
    } else {
        lq_live_init(&live, NULL, &run->arena);
    }
    settings->live = &sight->live;
    return lq_policy_future_live(&live, own, &run->arena, &sight->live);
}

/* Judges with a matcher that lives no longer than that. */
static enum lq_status judge_live(struct lilyq *run,
                                 const struct lq_lint_settings *settings,
                                 struct lq_lint_report *out)
{
    struct lq_lint_settings whole = *settings;
    struct lq_pcre *pcre = NULL;
    struct lq_matcher matcher;
    enum lq_status status = lq_pcre_open(&run->arena, &pcre);

    if (status == LQ_OK) {
        matcher = lq_pcre_matcher(pcre);
        whole.matcher = &matcher;
        status = lq_lint(run->topology, &whole, &run->arena, out);
    }
    lq_pcre_close(pcre);
    return status;
}

static enum lq_status judge(struct lilyq *run,
                            const struct lq_lint_settings *settings,
                            struct lq_lint_report *out)
{
    return settings->live ? judge_live(run, settings, out)
                          : lq_lint(run->topology, settings, &run->arena, out);
}

static enum lq_status lint(struct lilyq *run,
                           const struct lilyq_lint_options *options,
                           const struct lilyq_hooks *hooks,
                           struct lq_lint_report *out)
{
    struct lq_lint_settings settings = {
        .max_window_millis = options->max_window_millis,
        .max_disk_bytes = options->max_disk_bytes,
        .remarks = run->config.remarks.items,
        .remark_count = run->config.remarks.count,
    };
    struct lq_sight sight = {.source = NULL};
    struct lq_diff drift;
    enum lq_status status = lq_session_version(options->broker_version,
                                               &run->diags, &settings.version);

    if (status == LQ_OK && options->source) {
        status = look(run, options->source, hooks, &sight);
    }
    if (status == LQ_OK) {
        status = harden(run, options, &settings, &sight);
    }
    if (status == LQ_OK && options->source) {
        status = compare(run, &sight, &settings, &drift);
    }
    return status == LQ_OK ? judge(run, &settings, out) : status;
}

static struct lilyq_findings count_all(const struct lq_lint_report *report)
{
    return (struct lilyq_findings){
        .errors = report->counts[LILYQ_SEVERITY_ERROR],
        .warnings = report->counts[LILYQ_SEVERITY_WARNING],
        .notes = report->counts[LILYQ_SEVERITY_NOTE],
        .ignored = report->ignored,
    };
}

enum lilyq_status lilyq_lint(struct lilyq *run,
                             const struct lilyq_lint_options *options,
                             const struct lilyq_hooks *hooks,
                             struct lilyq_findings *out)
{
    static const struct lilyq_lint_options no_options;
    const size_t first = run->diags.items.count;
    enum lq_status status = LQ_OK;

    *out = (struct lilyq_findings){0};
    run->linted = false;
    status = run->topology
                 ? lint(run, options ? options : &no_options, hooks, &run->lint)
                 : lq_error(&run->diags, NULL, "there is no plan to judge");
    if (status == LQ_OK) {
        run->linted = true;
        *out = count_all(&run->lint);
    }
    return lq_session_end(run, first, status);
}

static enum lq_status render_suite(struct lilyq *run,
                                   enum lilyq_lint_format format,
                                   enum lilyq_severity fails_from,
                                   const struct lilyq_sink *sink)
{
    struct lq_suite suite;
    const enum lq_status status = lq_lint_suite(
        run->topology, &run->lint, fails_from, &run->arena, &suite);

    if (status != LQ_OK) {
        return status;
    }
    return (format == LILYQ_LINT_JUNIT ? lq_junit_render
                                       : lq_github_render)(&suite, sink);
}

static enum lq_status render(struct lilyq *run, enum lilyq_lint_format format,
                             enum lilyq_severity fails_from,
                             const struct lilyq_sink *sink)
{
    switch (format) {
    case LILYQ_LINT_TEXT:
        return lq_lint_text_render(&run->lint, fails_from, &run->arena, sink);
    case LILYQ_LINT_JSON:
        return lq_lint_json_render(&run->lint, sink);
    case LILYQ_LINT_SARIF:
        return lq_lint_sarif_render(&run->lint, &run->arena, sink);
    case LILYQ_LINT_JUNIT:
    case LILYQ_LINT_GITHUB:
        return render_suite(run, format, fails_from, sink);
    }
    return lq_error(&run->diags, NULL, "no format of findings has number %d",
                    (int)format);
}

enum lilyq_status lilyq_render_lint(struct lilyq *run,
                                    enum lilyq_lint_format format,
                                    enum lilyq_severity fails_from,
                                    const struct lilyq_sink *sink)
{
    const size_t first = run->diags.items.count;
    const enum lq_status status =
        run->linted
            ? render(run, format, fails_from, lq_session_sink(run, sink))
            : lq_error(&run->diags, NULL, "nothing was judged yet");

    return lq_session_end(run, first, status);
}
