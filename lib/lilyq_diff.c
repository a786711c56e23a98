#include "lilyq.h"

#include "base/text.h"
#include "drift.h"
#include "drift_sources.h"
#include "format/drift_report.h"
#include "look.h"
#include "policy/own_policies.h"
#include "session.h"

#include <assert.h>
#include <string.h>

static_assert((int)LILYQ_MISSING == (int)LQ_MISSING, "kind");
static_assert((int)LILYQ_DIFFERENT == (int)LQ_DIFFERENT, "kind");
static_assert((int)LILYQ_UNEXPECTED == (int)LQ_UNEXPECTED, "kind");
static_assert((int)LILYQ_SHADOWED == (int)LQ_SHADOWED, "kind");
static_assert((int)LILYQ_UNVERIFIED == (int)LQ_NOT_SEEN, "kind");
static_assert((int)LILYQ_NOTE == (int)LQ_NOTE, "kind");
static_assert(sizeof(((struct lilyq_drift *)0)->counts) ==
                  sizeof(((struct lq_diff *)0)->counts),
              "kind");

static_assert((int)LILYQ_SOURCE_MANAGEMENT == (int)LQ_DRIFT_MANAGEMENT, "at");
static_assert((int)LILYQ_SOURCE_DEFINITIONS == (int)LQ_DRIFT_DEFINITIONS, "at");
static_assert((int)LILYQ_SOURCE_AMQP == (int)LQ_DRIFT_AMQP, "at");
static_assert((int)LILYQ_SOURCE_EARLIER == (int)LQ_DRIFT_EARLIER, "at");

/* A comparison under way. */
struct job {
    struct lilyq *run;
    const struct lilyq_hooks *hooks;
    const struct lilyq_policy_options *policies; /* that shall be there; NULL:
                                                    they do not matter */
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

    job->drift.kind = LQ_DRIFT_MANAGEMENT;
    return status == LQ_OK ? compare(job, &sight) : status;
}

static enum lq_status
compare_definitions(struct job *job,
                    const struct lilyq_definitions *definitions)
{
    struct lq_sight sight;
    const enum lq_status status =
        lq_look_definitions(definitions, &job->run->diags, &sight);

    job->drift.kind = LQ_DRIFT_DEFINITIONS;
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
        return lq_error(diags, NULL,
                        "a comparison needs a connection, definitions or an "
                        "earlier plan");
    }
    if (source->earlier) {
        return lq_drift_earlier(job->run, source, &job->drift);
    }
    if (source->definitions) {
        return compare_definitions(job, source->definitions);
    }
    return source->connection->management_url
               ? compare_management(job, source->connection)
               : lq_drift_amqp(job->run, source, job->hooks, &job->drift);
}

static enum lq_status summarise(const struct lilyq *run, struct lq_arena *arena,
                                struct lilyq_drift *out)
{
    const struct lq_drift *const drift = &run->drift;

    for (size_t i = 0; i < LILYQ_FINDING_COUNT; ++i) {
        out->counts[i] = drift->diff.counts[i];
    }
    out->kind = (enum lilyq_source_kind)drift->kind;
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
                             const struct lq_drift_style *style,
                             const struct lq_sink *sink)
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
    return lq_error(&run->diags, NULL, "no form of a comparison has number %d",
                    (int)format);
}

enum lilyq_status lilyq_render_diff(struct lilyq *run,
                                    enum lilyq_diff_format format,
                                    const struct lilyq_diff_style *style,
                                    const struct lilyq_sink *sink)
{
    static const struct lilyq_diff_style plain;
    const unsigned drift = 1U << LQ_MISSING | 1U << LQ_DIFFERENT |
                           1U << LQ_UNEXPECTED | 1U << LQ_SHADOWED;
    const struct lilyq_diff_style *const wanted = style ? style : &plain;
    const struct lq_drift_style inner_style = {wanted->fail_on ? wanted->fail_on
                                                               : drift,
                                               wanted->whole, wanted->colour};
    const size_t first = run->diags.items.count;
    const struct lq_sink inner = {sink->write, sink->data};
    const enum lq_status status =
        run->compared
            ? render(run, format, &inner_style, &inner)
            : lq_error(&run->diags, NULL, "nothing was compared to render");

    return lq_session_end(run, first, status);
}
