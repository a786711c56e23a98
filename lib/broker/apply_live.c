#include "broker/apply_job.h"

#include "base/text.h"
#include "broker/difference.h"
#include "broker/verdict.h"
#include "compare/compare.h"

/* Findings on their way to outcomes, in the order of the plan. */
struct sight {
    struct lq_job *job;
    size_t exchange; /* the one of the last finding, or before it */
    size_t queue;
    /* a conflict to be reported once all of its differences are known */
    const struct lq_finding *conflict;
    struct lq_request subject;
    struct lq_outcome *outcome;
};

/* What a finding is about, and what becomes of it. */
static struct lq_outcome *find(struct sight *sight,
                               const struct lq_finding *finding,
                               struct lq_request *subject)
{
    const struct lq_topology *const plan = sight->job->plan;
    struct lq_apply_report *const report = sight->job->report;

    switch (finding->resource) {
    case LQ_EXCHANGE:
        while (!lq_str_equal(plan->exchanges[sight->exchange].name,
                             finding->name)) {
            ++sight->exchange;
        }
        subject->kind = LQ_CHECK_EXCHANGE;
        subject->of.exchange = &plan->exchanges[sight->exchange];
        return &report->exchanges[sight->exchange];
    case LQ_QUEUE:
        while (!lq_str_equal(plan->queues[sight->queue].name, finding->name)) {
            ++sight->queue;
        }
        subject->kind = LQ_CHECK_QUEUE;
        subject->of.queue = &plan->queues[sight->queue];
        return &report->queues[sight->queue];
    case LQ_BINDING:
    case LQ_POLICY:
    case LQ_VHOST: /* lq_diff() finds nothing about these two */
        break;
    }
    subject->kind = LQ_BIND_QUEUE;
    subject->of.binding = finding->binding;
    return &report->bindings[finding->binding - plan->bindings];
}

/* "x-max-length is 1000 there, plan says 2000" */
static const char *difference(const struct sight *sight,
                              const struct lq_finding *finding)
{
    const struct lq_mismatch mismatch = {
        .field = finding->field,
        .planned = {true, finding->planned.text, finding->planned.type},
        .there = {true, finding->actual.text, finding->actual.type},
    };

    return lq_difference_text(&mismatch, sight->job->run.diags->arena);
}

/* Adds a difference to those of a conflict. */
static enum lq_status add_conflict(struct sight *sight,
                                   const struct lq_finding *finding,
                                   struct lq_outcome *outcome)
{
    struct lq_arena *const arena = sight->job->run.diags->arena;
    const char *text = difference(sight, finding);

    if (text && outcome->text) {
        text = lq_format(arena, "%s; %s", outcome->text, text);
    }
    *outcome = (struct lq_outcome){.result = LQ_CONFLICT, .text = text};
    sight->job->run.conflict = true;
    sight->conflict = finding;
    return text ? LQ_OK : LQ_NOMEM;
}

/* Reports the conflict at hand, now that its differences are complete. */
static enum lq_status close_conflict(struct sight *sight)
{
    struct lq_diags *const diags = sight->job->run.diags;
    const struct lq_finding *const conflict = sight->conflict;
    const char *subject = NULL;

    if (!conflict) {
        return LQ_OK;
    }
    sight->conflict = NULL;
    subject = lq_request_subject(&sight->subject, diags->arena);
    return subject && lq_error(diags, NULL, "%s: %s; %s", subject,
                               sight->outcome->text,
                               lq_finding_advice(conflict)) != LQ_NOMEM
               ? LQ_OK
               : LQ_NOMEM;
}

/* What is external and missing must be there first. */
static enum lq_status add_absence(struct sight *sight, const char *subject)
{
    struct lq_diags *const diags = sight->job->run.diags;

    *sight->outcome = (struct lq_outcome){.result = LQ_FAILED,
                                          .text = "external, and missing"};
    sight->job->run.conflict = true;
    return lq_error(diags, NULL, "%s: is external, but does not exist",
                    subject) == LQ_NOMEM
               ? LQ_NOMEM
               : LQ_OK;
}

/* What stands in nobody's way is worth a warning. */
static enum lq_status warn(const struct sight *sight, const char *subject,
                           const struct lq_finding *finding)
{
    struct lq_diags *const diags = sight->job->run.diags;
    const char *const text = finding->field ? difference(sight, finding)
                                            : "is external, but does not exist";

    return text ? lq_warning(diags, NULL, "%s: %s; %s", subject, text,
                             lq_finding_advice(finding))
                : LQ_NOMEM;
}

/* What is not seen cannot be declared on the strength of this look. */
static enum lq_status add_unseen(struct sight *sight, const char *subject,
                                 const struct lq_finding *finding)
{
    struct lq_diags *const diags = sight->job->run.diags;

    *sight->outcome = (struct lq_outcome){
        .result = LQ_FAILED, .text = "not shown by the management API"};
    sight->job->run.failed = true;
    return lq_error(diags, NULL,
                    "%s: the management API does not show %s of it to this "
                    "user: leave the API out, and it is looked at over AMQP",
                    subject,
                    finding->field ? finding->field : "anything") == LQ_NOMEM
               ? LQ_NOMEM
               : LQ_OK;
}

static enum lq_status add(struct sight *sight, const struct lq_finding *finding)
{
    const enum lq_remedy remedy = lq_finding_remedy(finding->code);
    const char *const subject =
        lq_request_subject(&sight->subject, sight->job->run.diags->arena);

    if (!subject) {
        return LQ_NOMEM;
    }
    switch (lq_finding_kind(finding->code)) {
    case LQ_MISSING:
        if (remedy == LQ_REMEDY_APPLY) {
            sight->outcome->result = LQ_NOT_DONE;
            ++sight->job->run.total;
            return LQ_OK;
        }
        if (remedy == LQ_REMEDY_NONE) {
            return add_absence(sight, subject);
        }
        sight->outcome->result = LQ_UNVERIFIED;
        return warn(sight, subject, finding);
    case LQ_DIFFERENT:
        return remedy == LQ_REMEDY_NONE
                   ? add_conflict(sight, finding, sight->outcome)
                   : warn(sight, subject, finding);
    case LQ_NOT_SEEN:
        return add_unseen(sight, subject, finding);
    case LQ_UNEXPECTED:
    case LQ_SHADOWED:
    case LQ_NOTE:
        break;
    }
    return LQ_OK;
}

/* What is not planned is left alone, and so is what a policy does. */
static bool concerns(const struct lq_finding *finding)
{
    const enum lq_finding_kind kind = lq_finding_kind(finding->code);

    return kind != LQ_UNEXPECTED && kind != LQ_SHADOWED && kind != LQ_NOTE;
}

static enum lq_result at_first(enum lq_ownership ownership)
{
    return lq_is_managed(ownership) ? LQ_EXISTING : LQ_VERIFIED;
}

/* All is there, until a finding says otherwise. */
static void assume_all(struct lq_job *job)
{
    const struct lq_topology *const plan = job->plan;
    struct lq_apply_report *const report = job->report;

    for (size_t i = 0; i < plan->exchange_count; ++i) {
        report->exchanges[i].result = at_first(plan->exchanges[i].ownership);
    }
    for (size_t i = 0; i < plan->queue_count; ++i) {
        report->queues[i].result = at_first(lq_owner(plan->queues[i].logical));
    }
    for (size_t i = 0; i < plan->binding_count; ++i) {
        report->bindings[i].result =
            at_first(lq_owner(plan->bindings[i].logical));
    }
}

static enum lq_status take(struct sight *sight,
                           const struct lq_finding *finding)
{
    struct lq_request subject;
    struct lq_outcome *const outcome = find(sight, finding, &subject);
    enum lq_status status = LQ_OK;

    if (sight->conflict && outcome != sight->outcome) {
        status = close_conflict(sight);
    }
    sight->subject = subject;
    sight->outcome = outcome;
    return status == LQ_OK ? add(sight, finding) : status;
}

enum lq_status lq_job_look_at_live(struct lq_job *job)
{
    struct sight sight = {.job = job};
    struct lq_diff diff;
    enum lq_status status = lq_diff(job->plan, job->run.options->live,
                                    job->run.diags->arena, &diff);

    job->run.total = 0;
    assume_all(job);
    for (size_t i = 0; status == LQ_OK && i < diff.findings.count; ++i) {
        const struct lq_finding *const finding = lq_diff_at(&diff, i);

        if (concerns(finding)) {
            status = take(&sight, finding);
        }
    }
    if (status == LQ_OK) {
        status = close_conflict(&sight);
    }
    if (status == LQ_OK && (job->run.conflict || job->run.failed)) {
        return LQ_REFUSED;
    }
    return status;
}
