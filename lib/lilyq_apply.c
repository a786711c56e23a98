#include "lilyq.h"

#include "harden.h"
#include "preflight.h"
#include "session.h"

#include <assert.h>

static_assert((int)LILYQ_PREFLIGHT == (int)LQ_PREFLIGHT, "mode");
static_assert((int)LILYQ_NO_PREFLIGHT == (int)LQ_NO_PREFLIGHT, "mode");
static_assert((int)LILYQ_DRY_RUN == (int)LQ_DRY_RUN, "mode");

static struct lq_apply_options
options_of(const struct lilyq_apply_options *options,
           const struct lilyq_hooks *hooks)
{
    return (struct lq_apply_options){
        .mode = (enum lq_apply_mode)options->mode,
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
    struct lq_harden harden;
};

/* Learns what is there from the management API. */
static enum lq_status look(struct job *job,
                           const struct lilyq_connection *connection)
{
    const struct lq_survey_wants wants = {.policies = job->policies != NULL};
    struct lq_diags *const diags = &job->run->diags;
    struct lq_management_settings *const management = &job->harden.management;
    const struct lq_view view = {&job->route, management, &wants, job->hooks};
    enum lq_status status =
        lq_session_management(connection, &job->route, diags, management);

    if (status == LQ_OK) {
        status = lq_preflight(&view, diags, &job->live);
    }
    if (status != LQ_OK) {
        return status;
    }
    job->options.live = &job->live;
    job->management = lq_management_address(diags->arena, management);
    return job->management ? LQ_OK : LQ_NOMEM;
}

static enum lq_status set_policies(void *data)
{
    return lq_harden_set(data);
}

/* Finds out about policies, which are set before anything is declared: so no
 * queue is there without. */
static enum lq_status judge_policies(struct job *job)
{
    job->harden.run = job->run;
    job->harden.route = &job->route;
    job->harden.hooks = job->hooks;
    job->options.before = set_policies;
    job->options.before_data = &job->harden;
    return lq_harden_judge(&job->harden, job->policies, &job->live);
}

/* Policies take a look, and a way to set them. */
static enum lq_status check_policies(const struct job *job,
                                     const struct lilyq_connection *connection)
{
    struct lq_diags *const diags = &job->run->diags;

    if (!job->policies) {
        return LQ_OK;
    }
    if (job->policies->native_retry) {
        return lq_error(diags, NULL, "native retry never goes with v2");
    }
    if (!connection->management_url || job->options.mode == LQ_NO_PREFLIGHT) {
        return lq_error(diags, NULL,
                        "policies are set through the management API, after a "
                        "look: they need its URL");
    }
    return LQ_OK;
}

/* Looks at all there is, or connects to ask for it. */
static enum lq_status prepare(struct job *job,
                              const struct lilyq_connection *connection)
{
    const bool looks =
        connection->management_url && job->options.mode != LQ_NO_PREFLIGHT;
    enum lq_status status = check_policies(job, connection);

    if (status == LQ_OK) {
        status = lq_session_resolve(connection, &job->run->diags, &job->route);
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

/* Takes over the report, with where it was that this was done. */
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

/* What policies make of the ending of a run, and of its report. */
static enum lq_status conclude(struct job *job, enum lq_status status)
{
    struct lq_apply_report *const report = &job->run->report;
    const struct lq_harden *const harden = &job->harden;

    if (!job->policies) {
        return status;
    }
    report->policies = harden->policies;
    report->policy_outcomes = harden->outcomes;
    report->version = harden->version;
    if (report->mode == LQ_DRY_RUN) {
        lq_harden_leave_pending(&job->harden);
    }
    if (status == LQ_OK && harden->conflict) {
        status = LQ_REFUSED;
    }
    if (status != LQ_OK && lq_harden_wrote(harden)) {
        report->ending = LQ_ENDED_PARTLY;
    } else if (harden->conflict) {
        report->ending = LQ_ENDED_CONFLICT;
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

/* Once connected, only a stop or an alarm refuses what no resource tells of. */
static bool is_stopped(const struct job *job)
{
    const struct lilyq_hooks *const hooks = job->hooks;

    return (hooks->stop && hooks->stop(hooks->data)) ||
           (job->options.fail_when_blocked && job->broker.used);
}

static enum lq_cause cause_of(const struct job *job, enum lq_status status)
{
    if (status == LQ_OK) {
        return LQ_NO_CAUSE;
    }
    if (job->run->report.ending == LQ_ENDED_CONFLICT) {
        return LQ_CAUSE_CONFLICT;
    }
    if (is_refused(job)) {
        return LQ_CAUSE_REFUSED;
    }
    if (has_conflict(job)) {
        return LQ_CAUSE_CONFLICT;
    }
    if (status == LQ_LOST) {
        return LQ_CAUSE_LOST;
    }
    return is_stopped(job) ? LQ_CAUSE_STOPPED : LQ_CAUSE_REFUSED;
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
    status = lq_session_begin_report(run, job.options.mode);
    if (status != LQ_OK) {
        return (enum lilyq_status)status;
    }
    status = apply(&job, connection);
    run->report.cause = cause_of(&job, status);
    lq_session_summarise(run, out);
    return lq_session_end(run, first, status);
}
