#include "apply/job.h"

#include "base/text.h"
#include "compare/amqp.h"
#include "compare/answer.h"

/* Turns findings into outcomes, in the order of the plan. */
struct taking {
    struct lq_job *job;
    size_t exchange; /* that of the last finding, or one before it */
    size_t queue;
    /* to be reported once all findings about the same resource are known */
    const struct lq_finding *conflict;
    struct lq_request subject;
    struct lq_outcome *outcome;
};

/* The outcome of what a finding is about. */
static struct lq_outcome *find(struct taking *taking,
                               const struct lq_finding *finding,
                               struct lq_request *subject)
{
    const struct lq_topology *const plan = taking->job->plan;
    struct lq_apply_report *const report = taking->job->report;

    switch (finding->resource) {
    case LQ_EXCHANGE:
        while (!lq_str_equal(plan->exchanges[taking->exchange].name,
                             finding->name)) {
            ++taking->exchange;
        }
        subject->kind = LQ_CHECK_EXCHANGE;
        subject->of.exchange = &plan->exchanges[taking->exchange];
        return &report->exchanges[taking->exchange];
    case LQ_QUEUE:
        while (!lq_str_equal(plan->queues[taking->queue].name, finding->name)) {
            ++taking->queue;
        }
        subject->kind = LQ_CHECK_QUEUE;
        subject->of.queue = &plan->queues[taking->queue];
        return &report->queues[taking->queue];
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
static const char *words_of(const struct taking *taking,
                            const struct lq_finding *finding)
{
    const struct lq_mismatch mismatch = {
        .field = finding->field,
        .planned = {true, finding->planned.text, finding->planned.type},
        .there = {true, finding->actual.text, finding->actual.type},
    };

    return lq_difference_text(&mismatch, taking->job->stages.diags->arena);
}

/* Adds a finding to a conflict. */
static void add_conflict(struct taking *taking,
                         const struct lq_finding *finding,
                         struct lq_outcome *outcome)
{
    struct lq_arena *const arena = taking->job->stages.diags->arena;
    const char *text = words_of(taking, finding);

    if (outcome->text) {
        text = lq_format(arena, "%s; %s", outcome->text, text);
    }
    *outcome = (struct lq_outcome){.result = LQ_CONFLICT, .text = text};
    taking->job->conflict = true;
    taking->conflict = finding;
}

/* Reports the conflict, if there is one, now that it is complete. */
static void close_conflict(struct taking *taking)
{
    struct lq_diags *const diags = taking->job->stages.diags;
    const struct lq_finding *const conflict = taking->conflict;
    const char *subject = NULL;

    if (!conflict) {
        return;
    }
    taking->conflict = NULL;
    subject = lq_request_subject(&taking->subject, diags->arena);
    lq_error(diags, NULL, "%s: %s; %s", subject, taking->outcome->text,
             lq_finding_advice(conflict));
}

/* What is external must be there before anything is declared. */
static void add_absence(struct taking *taking, const char *subject)
{
    struct lq_diags *const diags = taking->job->stages.diags;

    *taking->outcome = (struct lq_outcome){.result = LQ_FAILED,
                                           .text = "external, and missing"};
    taking->job->conflict = true;
    lq_error(diags, NULL, "%s: is external, but does not exist", subject);
}

/* What does not stand in the way is worth a warning. */
static void warn(const struct taking *taking, const char *subject,
                 const struct lq_finding *finding)
{
    struct lq_diags *const diags = taking->job->stages.diags;
    const char *const text = finding->field ? words_of(taking, finding)
                                            : "is external, but does not exist";

    lq_warning(diags, NULL, "%s: %s; %s", subject, text,
               lq_finding_advice(finding));
}

/* What is not shown cannot be declared because of this look. */
static void add_unseen(struct taking *taking, const char *subject,
                       const struct lq_finding *finding)
{
    struct lq_diags *const diags = taking->job->stages.diags;

    *taking->outcome = (struct lq_outcome){
        .result = LQ_FAILED, .text = "not shown by the management API"};
    taking->job->failed = true;
    lq_error(diags, NULL,
             "%s: the management API does not show %s of it to this user: "
             "leave the API out to look over AMQP",
             subject, finding->field ? finding->field : "anything");
}

/*
 * AMQP shows less: what is in the way was denied, and is reported already. What
 * is not known to be there is declared. If only the alternate exchange of
 * something is not known, it counts as there.
 */
static void take_shown_over_amqp(const struct taking *taking,
                                 const struct lq_finding *finding)
{
    struct lq_job *const job = taking->job;
    struct lq_outcome *const outcome = taking->outcome;
    const bool seen = lq_finding_kind(finding->code) != LILYQ_UNVERIFIED;
    const bool partly = finding->code == LQ_PROPERTY_NOT_SEEN &&
                        !lq_str_equal(finding->field, "declaration");

    if (outcome->result == LQ_CONFLICT || outcome->result == LQ_FAILED ||
        partly) {
        return;
    }
    outcome->result = LQ_NOT_DONE;
    if (finding->resource == LQ_EXCHANGE) {
        job->unseen_exchanges[taking->exchange] = !seen;
    } else if (finding->resource == LQ_QUEUE) {
        job->unseen_queues[taking->queue] = !seen;
    } else if (!lq_is_managed(lq_owner(finding->binding->logical))) {
        outcome->result = LQ_UNVERIFIED;
    }
}

static void add(struct taking *taking, const struct lq_finding *finding)
{
    const enum lq_remedy remedy = lq_finding_remedy(finding->code);
    const char *const subject =
        lq_request_subject(&taking->subject, taking->job->stages.diags->arena);

    switch (lq_finding_kind(finding->code)) {
    case LILYQ_MISSING:
        if (remedy == LQ_REMEDY_APPLY) {
            taking->outcome->result = LQ_NOT_DONE;
            ++taking->job->stages.total;
        } else if (remedy == LQ_REMEDY_NONE) {
            add_absence(taking, subject);
        } else {
            taking->outcome->result = LQ_UNVERIFIED;
            warn(taking, subject, finding);
        }
        break;
    case LILYQ_DIFFERENT:
        if (remedy == LQ_REMEDY_NONE) {
            add_conflict(taking, finding, taking->outcome);
        } else {
            warn(taking, subject, finding);
        }
        break;
    case LILYQ_UNVERIFIED:
        add_unseen(taking, subject, finding);
        break;
    case LILYQ_UNEXPECTED:
    case LILYQ_SHADOWED:
    case LILYQ_NOTE:
        break;
    }
}

/* Apply leaves alone what is not planned, and what a policy does. */
static bool concerns(const struct lq_finding *finding)
{
    const enum lilyq_finding kind = lq_finding_kind(finding->code);

    return kind != LILYQ_UNEXPECTED && kind != LILYQ_SHADOWED &&
           kind != LILYQ_NOTE;
}

static enum lq_result at_first(enum lq_ownership ownership)
{
    return lq_is_managed(ownership) ? LQ_EXISTING : LQ_VERIFIED;
}

/* Everything is there until a finding says otherwise. */
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

static void take(struct taking *taking, const struct lq_finding *finding)
{
    struct lq_request subject;
    struct lq_outcome *const outcome = find(taking, finding, &subject);

    if (taking->conflict && outcome != taking->outcome) {
        close_conflict(taking);
    }
    taking->subject = subject;
    taking->outcome = outcome;
    if (taking->job->options->live) {
        add(taking, finding);
    } else {
        take_shown_over_amqp(taking, finding);
    }
}

static void take_all(struct lq_job *job, const struct lq_diff *diff)
{
    struct taking taking = {.job = job};

    for (size_t i = 0; i < diff->findings.count; ++i) {
        const struct lq_finding *const finding = lq_diff_at(diff, i);

        if (concerns(finding)) {
            take(&taking, finding);
        }
    }
    close_conflict(&taking);
}

/* Reports in its own words what the broker itself denied. */
static void take_denials(struct lq_job *job, const struct lq_amqp_look *look)
{
    const struct lq_topology *const plan = job->plan;
    const struct lq_denial *const denials = look->denials.items;

    for (size_t i = 0; i < look->denials.count; ++i) {
        const struct lq_request *const request = &denials[i].request;

        lq_job_deny(
            job, request, &denials[i].answer,
            lq_is_about_exchange(request)
                ? &job->report
                       ->exchanges[request->of.exchange - plan->exchanges]
                : &job->report->queues[request->of.queue - plan->queues]);
    }
}

static enum lq_status look_at_broker(struct lq_job *job)
{
    const enum lq_amqp_scope scope = job->report->mode == LILYQ_NO_PREFLIGHT
                                         ? LQ_AMQP_EXTERNAL
                                         : LQ_AMQP_COMPARED;
    struct lq_amqp_look look;
    const enum lq_status status =
        lq_amqp_look(&job->stages, job->plan, scope, &look);

    assume_all(job);
    if (status != LQ_NOMEM) {
        take_denials(job, &look);
        take_all(job, &look.diff);
    }
    return status;
}

static enum lq_status look_at_live(struct lq_job *job)
{
    struct lq_diff diff;
    enum lq_status status =
        lq_diff(job->plan, job->options->live, job->stages.diags->arena, &diff);

    job->stages.total = 0;
    assume_all(job);
    if (status == LQ_OK) {
        take_all(job, &diff);
    }
    return status;
}

enum lq_status lq_job_look(struct lq_job *job)
{
    const enum lq_status status =
        job->options->live ? look_at_live(job) : look_at_broker(job);

    return status == LQ_OK && (job->conflict || job->failed) ? LQ_REFUSED
                                                             : status;
}
