#include "apply/apply.h"

#include "broker/url.h"
#include "policy/pcre.h"

static enum lq_status find_policies(struct lq_policy_job *job,
                                    const struct lq_policy_wants *wants,
                                    const struct lq_live *live)
{
    struct lq_policy_wants learnt = *wants;
    struct lq_own_policies *const found =
        lq_alloc(job->diags->arena, sizeof(*found));

    learnt.broker = (struct lq_version){0};
    if (live->version && lq_version_read(live->version, &learnt.broker)) {
        job->version = live->version;
    }
    job->policies = found;
    return found ? lq_own_policies_build(job->topology, &learnt, job->diags,
                                         found)
                 : LQ_NOMEM;
}

/* The outcome of each policy before anything is set. */
static void begin_outcomes(struct lq_policy_job *job)
{
    for (size_t i = 0; i < job->policies->count; ++i) {
        const struct lq_policy_step *const verdict = &job->verdicts[i];
        struct lq_outcome *const outcome = &job->outcomes[i];

        if (verdict->conflict) {
            *outcome = (struct lq_outcome){.result = LQ_CONFLICT,
                                           .text = verdict->conflict};
            job->conflict = true;
        } else if (verdict->need == LQ_POLICY_KEEP) {
            outcome->result = LQ_EXISTING;
        }
    }
}

static enum lq_status judge(struct lq_policy_job *job,
                            const struct lq_live *live)
{
    struct lq_arena *const arena = job->diags->arena;
    const size_t count = job->policies->count;
    struct lq_pcre *pcre = NULL;
    struct lq_matcher matcher;
    const struct lq_policy_case about = {job->topology, job->policies, live,
                                         &matcher};
    enum lq_status status = lq_pcre_open(arena, &pcre);

    job->verdicts = lq_alloc_array(arena, count, sizeof(*job->verdicts));
    job->outcomes = lq_alloc_array(arena, count, sizeof(*job->outcomes));
    if (!job->verdicts || !job->outcomes) {
        status = LQ_NOMEM;
    }
    if (status == LQ_OK) {
        matcher = lq_pcre_matcher(pcre);
        status = lq_own_policies_judge(&about, job->diags, job->verdicts);
    }
    lq_pcre_close(pcre);
    if (status == LQ_OK) {
        begin_outcomes(job);
    }
    return status;
}

enum lq_status lq_policy_job_look(struct lq_policy_job *job,
                                  const struct lq_policy_wants *wants,
                                  const struct lq_live *live)
{
    enum lq_status status = LQ_OK;

    if (!lq_live_has(live, LQ_LIVE_HAS_POLICIES)) {
        lq_error(job->diags, NULL,
                 "the management API does not show policies to this user, who "
                 "needs the tag policymaker");
        return LQ_REFUSED;
    }
    status = find_policies(job, wants, live);
    return status == LQ_OK ? judge(job, live) : status;
}

/* Reports why a policy was not set, or may not have been. */
static void fail(struct lq_policy_job *job, size_t index,
                 const struct lq_diags *told, bool denied)
{
    struct lq_diags *const diags = job->diags;
    const char *text = told->items.count > 0
                           ? lq_diags_at(told, told->items.count - 1)->text
                           : "";

    if (denied) {
        text = lq_format(diags->arena, "%s; the user needs the tag policymaker",
                         text);
    }
    job->outcomes[index].text = text;
    (void)lq_error(diags, NULL, "policy '%s': %s",
                   job->policies->list[index].name, text);
}

/* A policy that the API did not refuse may have been accepted. */
static enum lq_status take(struct lq_policy_job *job, size_t index,
                           enum lq_status status,
                           const struct lq_response *response)
{
    struct lq_outcome *const outcome = &job->outcomes[index];

    outcome->code = status == LQ_OK ? 0 : response->status;
    if (status == LQ_OK) {
        outcome->result = job->verdicts[index].need == LQ_POLICY_CREATE
                              ? LQ_CREATED
                              : LQ_UPDATED;
    } else if (status == LQ_REFUSED && response->status != 0) {
        outcome->result = LQ_FAILED;
    } else {
        outcome->result = LQ_UNCERTAIN;
    }
    return status;
}

static enum lq_status set(struct lq_policy_job *job, size_t index,
                          struct lq_management *management,
                          struct lq_diags *told)
{
    struct lq_arena *const arena = job->diags->arena;
    const struct lq_own_policy *const policy = &job->policies->list[index];
    const char *const vhost = lq_url_encode(arena, job->management.peer.vhost);
    const char *const name = lq_url_encode(arena, policy->name);
    const char *const path = lq_format(arena, "policies/%s/%s", vhost, name);
    const char *const body = lq_policy_body(policy, arena);
    struct lq_response response;
    enum lq_status status = lq_arena_status(arena, LQ_OK);

    if (status == LQ_OK) {
        status = lq_management_put(management, path, body, &response);
    }
    if (status == LQ_OK) {
        status = lq_management_accept(management, &response);
    }
    if (status == LQ_NOMEM) {
        return status;
    }
    if (status != LQ_OK) {
        fail(job, index, told, lq_management_denies(&response));
    }
    return take(job, index, status, &response);
}

static bool is_stopped(const struct lq_policy_job *job)
{
    return job->hooks->stop && job->hooks->stop(job->hooks->data);
}

static enum lq_status set_all(struct lq_policy_job *job,
                              struct lq_management *management,
                              struct lq_diags *told)
{
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < job->policies->count && status == LQ_OK; ++i) {
        if (job->verdicts[i].need == LQ_POLICY_KEEP) {
            continue;
        }
        status = is_stopped(job) ? LQ_REFUSED : set(job, i, management, told);
    }
    return status;
}

static bool is_done(const struct lq_policy_job *job)
{
    for (size_t i = 0; i < job->policies->count; ++i) {
        if (job->verdicts[i].need != LQ_POLICY_KEEP) {
            return false;
        }
    }
    return true;
}

enum lq_status lq_policy_job_set(struct lq_policy_job *job)
{
    struct lq_management *management = NULL;
    struct lq_diags told; /* without the name of the policy */
    enum lq_status status = LQ_OK;

    if (job->conflict || is_done(job)) {
        return job->conflict ? LQ_REFUSED : LQ_OK;
    }
    lq_diags_init(&told, job->diags->arena);
    job->management.stop = job->hooks->stop;
    job->management.data = job->hooks->data;
    job->management.peer.deadline = lq_route_deadline(job->route);
    status = lq_management_open(&job->management, job->diags, &management);
    if (status == LQ_OK) {
        lq_management_tell(management, &told);
        status = set_all(job, management, &told);
    }
    lq_management_close(management);
    return status;
}

void lq_policy_job_leave_pending(struct lq_policy_job *job)
{
    for (size_t i = 0; i < job->policies->count; ++i) {
        const struct lq_policy_step *const verdict = &job->verdicts[i];

        if (!verdict->conflict && verdict->need != LQ_POLICY_KEEP) {
            job->outcomes[i] = (struct lq_outcome){
                .result = LQ_PENDING,
                .text = *verdict->change ? verdict->change : NULL};
        }
    }
}

bool lq_policy_job_wrote(const struct lq_policy_job *job)
{
    for (size_t i = 0; i < job->policies->count; ++i) {
        const enum lq_result result = job->outcomes[i].result;

        if (result == LQ_CREATED || result == LQ_UPDATED ||
            result == LQ_UNCERTAIN) {
            return true;
        }
    }
    return false;
}
