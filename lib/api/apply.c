#include "api/session.h"

#include "apply/apply.h"
#include "broker/resolve.h"
#include "live/look.h"
#include "render/apply.h"

#include <assert.h>

static struct lq_apply_options
options_of(const struct lilyq_apply_options *options,
           const struct lilyq_hooks *hooks)
{
    return (struct lq_apply_options){
        .mode = options->mode,
        .max_in_flight = options->max_in_flight,
        .fail_when_blocked = options->fail_when_blocked,
        .progress = hooks->progress,
        .stop = hooks->stop,
        .notice = hooks->notice,
        .data = hooks->data,
    };
}

/* An apply under way. */
struct job {
    struct lilyq *run;
    const struct lilyq_hooks *hooks;
    struct lq_route route;
    struct lq_lazy broker;
    struct lq_live live;
    struct lq_apply_options options;
    const char *management;                      /* where `live` is from */
    const struct lilyq_policy_options *policies; /* NULL: none */
    struct lq_policy_wants wants;                /* the same, read */
    struct lq_policy_job harden;
};

/* Reads what is live through the management API. */
static enum lq_status look(struct job *job,
                           const struct lilyq_connection *connection)
{
    const struct lq_survey_wants wants = {.policies = job->policies != NULL};
    struct lq_diags *const diags = &job->run->diags;
    struct lq_management_settings *const management = &job->harden.management;
    const struct lq_view view = {&job->route, management, &wants, job->hooks};
    enum lq_status status =
        lq_resolve_management(connection, &job->route, diags, management);

    if (status == LQ_OK) {
        status = lq_preflight(&view, diags, &job->live);
    }
    if (status != LQ_OK) {
        return status;
    }
    job->options.live = &job->live;
    job->management = lq_management_address(diags->arena, management);
    return LQ_OK;
}

static enum lq_status set_policies(void *data)
{
    return lq_policy_job_set(data);
}

/* Prepares the policies, which are set before anything is declared, so that no
 * queue ever exists without them. */
static enum lq_status judge_policies(struct job *job)
{
    job->harden.topology = job->run->topology;
    job->harden.diags = &job->run->diags;
    job->harden.route = &job->route;
    job->harden.hooks = job->hooks;
    job->options.before = set_policies;
    job->options.before_data = &job->harden;
    return lq_policy_job_look(&job->harden, &job->wants, &job->live);
}

/* Policies need a preflight, and an API to set them. */
static enum lq_status read_policies(struct job *job,
                                    const struct lilyq_connection *connection)
{
    struct lq_diags *const diags = &job->run->diags;
    struct lilyq_policy_options options = {0};

    if (!job->policies) {
        return LQ_OK;
    }
    if (job->policies->native_retry) {
        return lq_error(diags, NULL, "native retry cannot be combined with v2");
    }
    if (!lq_has_management(connection) ||
        job->options.mode == LILYQ_NO_PREFLIGHT) {
        return lq_error(diags, NULL,
                        "setting policies needs the URL of the management API, "
                        "and a preflight");
    }
    options = *job->policies;
    options.broker_version = NULL; /* it is learnt */
    return lq_session_policy_wants(&options, diags, &job->wants);
}

/* Reads what is live, or connects to ask for it. */
static enum lq_status prepare(struct job *job,
                              const struct lilyq_connection *connection)
{
    const bool looks = lq_has_management(connection) &&
                       job->options.mode != LILYQ_NO_PREFLIGHT;
    enum lq_status status = read_policies(job, connection);

    if (status == LQ_OK) {
        status = lq_resolve(connection, &job->run->diags, &job->route);
    }
    lq_lazy_init(&job->broker, &job->route, job->hooks, &job->run->diags);
    if (status == LQ_OK) {
        status = looks ? look(job, connection) : lq_lazy_connect(&job->broker);
    }
    if (status == LQ_OK && job->policies) {
        status = judge_policies(job);
    }
    return status;
}

/* Keeps the report, and adds the addresses that were used. */
static enum lq_status keep(struct job *job,
                           const struct lq_apply_report *report)
{
    struct lq_apply_report *const kept = &job->run->report;
    const struct lq_connection *const used = job->broker.used;

    *kept = *report;
    kept->management = job->management;
    if (used) {
        kept->broker = lq_connection_address(&job->run->arena, used);
        kept->vhost = used->vhost;
    }
    return used && !kept->broker ? LQ_NOMEM : LQ_OK;
}

/* Adds the outcomes of policies to the report and its ending. */
static enum lq_status conclude(struct job *job, enum lq_status status)
{
    struct lq_apply_report *const report = &job->run->report;
    const struct lq_policy_job *const harden = &job->harden;

    if (!job->policies) {
        return status;
    }
    report->policies = harden->policies;
    report->policy_outcomes = harden->outcomes;
    report->version = harden->version;
    if (report->mode == LILYQ_DRY_RUN) {
        lq_policy_job_leave_pending(&job->harden);
    }
    if (status == LQ_OK && harden->conflict) {
        status = LQ_REFUSED;
    }
    if (status != LQ_OK && lq_policy_job_wrote(harden)) {
        report->ending = LILYQ_ENDED_PARTLY;
    } else if (harden->conflict) {
        report->ending = LILYQ_ENDED_CONFLICT;
    }
    return status;
}

static bool any(const struct lq_outcome *outcomes, size_t count,
                enum lq_result result)
{
    for (size_t i = 0; i < count; ++i) {
        if (outcomes[i].result == result) {
            return true;
        }
    }
    return false;
}

/* Whether something was refused, on its own or with the connection. */
static bool is_refused(const struct job *job)
{
    const struct lq_topology *const plan = job->run->topology;
    const struct lq_apply_report *const report = &job->run->report;

    return job->broker.broker.refused ||
           any(report->exchanges, plan->exchange_count, LQ_FAILED) ||
           any(report->queues, plan->queue_count, LQ_FAILED) ||
           any(report->bindings, plan->binding_count, LQ_FAILED) ||
           (report->policies &&
            any(report->policy_outcomes, report->policies->count, LQ_FAILED));
}

static bool has_conflict(const struct job *job)
{
    const struct lq_topology *const plan = job->run->topology;
    const struct lq_apply_report *const report = &job->run->report;

    return job->harden.conflict ||
           any(report->exchanges, plan->exchange_count, LQ_CONFLICT) ||
           any(report->queues, plan->queue_count, LQ_CONFLICT);
}

/* Once connected, only a stop or an alarm fails without a failed resource. */
static bool is_stopped(const struct job *job)
{
    const struct lilyq_hooks *const hooks = job->hooks;

    return (hooks->stop && hooks->stop(hooks->data)) ||
           (job->options.fail_when_blocked && job->broker.used);
}

static enum lilyq_cause cause_of(const struct job *job, enum lq_status status)
{
    if (status == LQ_OK) {
        return LILYQ_NO_CAUSE;
    }
    if (job->run->report.ending == LILYQ_ENDED_CONFLICT) {
        return LILYQ_CAUSE_CONFLICT;
    }
    if (is_refused(job)) {
        return LILYQ_CAUSE_REFUSED;
    }
    if (has_conflict(job)) {
        return LILYQ_CAUSE_CONFLICT;
    }
    if (status == LQ_LOST) {
        return LILYQ_CAUSE_LOST;
    }
    return is_stopped(job) ? LILYQ_CAUSE_STOPPED : LILYQ_CAUSE_REFUSED;
}

static enum lq_status apply(struct job *job,
                            const struct lilyq_connection *connection)
{
    struct lilyq *const run = job->run;
    struct lq_apply_report report;
    enum lq_status status = prepare(job, connection);

    if (status == LQ_OK) {
        status = lq_apply(&job->broker.broker, run->topology, &job->options,
                          &run->diags, &report);
        if (status != LQ_NOMEM) {
            status =
                keep(job, &report) == LQ_OK ? conclude(job, status) : LQ_NOMEM;
        }
    }
    lq_lazy_close(&job->broker);
    return status;
}

/* Begins a report in which nothing is done yet. */
static enum lq_status begin_report(struct lilyq *run,
                                   enum lilyq_apply_mode mode)
{
    const struct lq_topology *const topology = run->topology;
    struct lq_arena *const arena = &run->arena;
    struct lq_apply_report *const report = &run->report;
    const size_t size = sizeof(struct lq_outcome);

    *report =
        (struct lq_apply_report){.mode = mode, .ending = LILYQ_ENDED_UNTOUCHED};
    report->exchanges = lq_alloc_array(arena, topology->exchange_count, size);
    report->queues = lq_alloc_array(arena, topology->queue_count, size);
    report->bindings = lq_alloc_array(arena, topology->binding_count, size);
    if (!report->exchanges || !report->queues || !report->bindings) {
        return LQ_NOMEM;
    }
    run->stage = LQ_STAGE_APPLIED;
    return LQ_OK;
}

static size_t *counter(struct lilyq_counts *counts, enum lq_result result)
{
    switch (result) {
    case LQ_NOT_DONE:
        break;
    case LQ_CREATED:
        return &counts->created;
    case LQ_EXISTING:
        return &counts->existing;
    case LQ_ENSURED:
        return &counts->ensured;
    case LQ_DECLARED:
        return &counts->declared;
    case LQ_PENDING:
        return &counts->pending;
    case LQ_VERIFIED:
        return &counts->verified;
    case LQ_UNVERIFIED:
        return &counts->unverified;
    case LQ_CONFLICT:
        return &counts->conflicts;
    case LQ_FAILED:
        return &counts->failed;
    case LQ_UNCERTAIN:
        return &counts->uncertain;
    case LQ_UPDATED:
        return &counts->updated;
    }
    return &counts->not_done;
}

static struct lilyq_counts count_up(const struct lq_outcome *outcomes,
                                    size_t count)
{
    struct lilyq_counts counts = {0};

    for (size_t i = 0; i < count; ++i) {
        ++*counter(&counts, outcomes[i].result);
    }
    return counts;
}

static void summarise(const struct lilyq *run, struct lilyq_report *out)
{
    const struct lq_topology *const topology = run->topology;
    const struct lq_apply_report *const report = &run->report;

    out->ending = report->ending;
    out->cause = report->cause;
    out->broker = report->broker;
    out->management = report->management;
    out->exchanges = count_up(report->exchanges, topology->exchange_count);
    out->queues = count_up(report->queues, topology->queue_count);
    out->bindings = count_up(report->bindings, topology->binding_count);
    out->policies = count_up(report->policy_outcomes,
                             report->policies ? report->policies->count : 0);
    out->version = report->version;
}

enum lilyq_status lilyq_apply(struct lilyq *run,
                              const struct lilyq_connection *connection,
                              const struct lilyq_apply_options *options,
                              const struct lilyq_hooks *hooks,
                              struct lilyq_report *out)
{
    static const struct lilyq_apply_options no_options;
    static const struct lilyq_hooks no_hooks;
    const size_t first = run->diags.items.count;
    struct job job = {.run = run, .hooks = hooks ? hooks : &no_hooks};
    enum lq_status status = LQ_OK;

    *out = (struct lilyq_report){.ending = LILYQ_ENDED_UNTOUCHED};
    job.options = options_of(options ? options : &no_options, job.hooks);
    job.policies = options ? options->policies : NULL;
    if (!run->topology) {
        return lq_session_end(
            run, first,
            lq_error(&run->diags, NULL, "there is no plan to apply"));
    }
    status = begin_report(run, job.options.mode);
    if (status != LQ_OK) {
        return (enum lilyq_status)status;
    }
    status = apply(&job, connection);
    run->report.cause = cause_of(&job, status);
    summarise(run, out);
    return lq_session_end(run, first, status);
}

enum lilyq_status lilyq_render_report(struct lilyq *run,
                                      enum lilyq_report_format format,
                                      const struct lilyq_sink *sink)
{
    const size_t first = run->diags.items.count;
    enum lq_status status = LQ_OK;

    if (run->stage != LQ_STAGE_APPLIED) {
        status = lq_error(&run->diags, NULL, "nothing was applied yet");
    } else if (format == LILYQ_REPORT_JSON) {
        status = lq_apply_json_render(run->topology, &run->report, &run->arena,
                                      lq_session_sink(run, sink));
    } else {
        status = lq_apply_text_render(run->topology, &run->report,
                                      lq_session_sink(run, sink));
    }
    return lq_session_end(run, first, status);
}
