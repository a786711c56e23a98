#include "policy/conflict.h"

#include "base/buffer.h"
#include "base/text.h"
#include "model/names.h"

#include <string.h>

/* The names in a meeting, as the messages show them. */
struct words {
    const char *own;
    const char *other;
    const char *queues; /* "'q' and 3 others" */
};

static const char *printable(const char *text, struct lq_arena *arena)
{
    return lq_printable(arena, text, strlen(text));
}

static void find_words(const struct lq_judge *judge,
                       const struct lq_meeting *met, struct words *out)
{
    struct lq_arena *const arena = judge->diags->arena;
    const char *const queue = printable(met->queue, arena);

    out->own = judge->own->list[met->own].name;
    out->other = printable(met->other->name, arena);
    out->queues = met->count == 1
                      ? lq_format(arena, "'%s'", queue)
                      : lq_format(arena, "'%s' and %zu other%s", queue,
                                  met->count - 1, met->count == 2 ? "" : "s");
}

/* The keys of a policy as "a, b". */
static const char *keys_of(const struct lq_live_policy *policy,
                           struct lq_arena *arena)
{
    struct lq_buffer buffer;

    lq_buffer_init(&buffer, arena);
    for (size_t i = 0; i < policy->definition.count; ++i) {
        lq_buffer_add(&buffer, i > 0 ? ", " : "");
        lq_buffer_add(&buffer,
                      printable(policy->definition.items[i].key, arena));
    }
    return lq_buffer_text(&buffer);
}

/* Adds a text to the conflicts of a policy, and to the errors. */
static void add_conflict(struct lq_judge *judge, size_t own, const char *text)
{
    struct lq_policy_step *const step = &judge->out[own];

    (void)lq_error(judge->diags, NULL, "policy '%s': %s",
                   judge->own->list[own].name, text);
    if (step->conflict) {
        text = lq_format(judge->diags->arena, "%s; %s", step->conflict, text);
    }
    step->conflict = text;
}

static void tell_rival(struct lq_judge *judge, const struct lq_meeting *met,
                       const struct words *words)
{
    add_conflict(
        judge, met->own,
        lq_format(judge->diags->arena,
                  "the policy '%s' of priority %.15g %s for queue %s, and not "
                  "this one of priority %u; give ours a greater priority, or "
                  "the other a pattern that leaves them out",
                  words->other, met->other->priority,
                  met->kind == LQ_POLICY_RIVAL ? "would be in force"
                                               : "may be in force",
                  words->queues, judge->own->list[met->own].priority));
}

static void tell_stranger(struct lq_judge *judge, const struct lq_meeting *met,
                          const struct words *words)
{
    add_conflict(
        judge, met->own,
        lq_format(judge->diags->arena,
                  "it is in force for queue %s too, which the plan does not "
                  "have; give ours another name if that is of another "
                  "topology, else delete it first",
                  words->queues));
}

static void tell_leftover(const struct lq_judge *judge,
                          const struct words *words)
{
    lq_warning(
        judge->diags, NULL,
        "policy '%s' is no longer in force for queue %s, which the plan no "
        "longer has: empty it before its target is full",
        words->own, words->queues);
}

static void tell_displaced(const struct lq_judge *judge,
                           const struct lq_meeting *met,
                           const struct words *words)
{
    const char *const keys = keys_of(met->other, judge->diags->arena);

    lq_warning(judge->diags, NULL,
               "policy '%s' replaces '%s' for queue %s, where these "
               "keys of the latter are no longer in force: %s",
               words->own, words->other, words->queues, keys);
}

static void tell(struct lq_judge *judge, const struct lq_meeting *met)
{
    struct words words;

    find_words(judge, met, &words);
    switch (met->kind) {
    case LQ_POLICY_RIVAL:
    case LQ_POLICY_MAYBE:
        tell_rival(judge, met, &words);
        return;
    case LQ_POLICY_STRANGER:
        tell_stranger(judge, met, &words);
        return;
    case LQ_POLICY_LEFTOVER:
        tell_leftover(judge, &words);
        return;
    case LQ_POLICY_DISPLACED:
        break;
    }
    tell_displaced(judge, met, &words);
}

/* A policy that the plan once made, and no longer does. */
static void tell_former(const struct lq_judge *judge,
                        const struct lq_live_policy *policy)
{
    if (!lq_policy_is_own(&judge->future, policy) &&
        lq_own_policies_had(judge->own, policy->name)) {
        lq_warning(judge->diags, NULL,
                   "policy '%s' is there, but no longer wanted: it stays in "
                   "force until you delete it",
                   policy->name);
    }
}

static void tell_all(struct lq_judge *judge)
{
    const struct lq_array *const policies = &judge->live->policies;
    const struct lq_meeting *const meetings = judge->meetings.items;

    for (size_t i = 0; i < judge->meetings.count; ++i) {
        tell(judge, &meetings[i]);
    }
    for (size_t i = 0; i < policies->count; ++i) {
        tell_former(judge, lq_live_policy_at(policies, i));
    }
}

/* Counts a queue where two policies meet. */
static enum lq_status meet(struct lq_judge *judge, const struct lq_meeting *met)
{
    struct lq_meeting *const items = judge->meetings.items;
    struct lq_meeting *slot = NULL;

    for (size_t i = 0; i < judge->meetings.count; ++i) {
        if (items[i].other == met->other && items[i].own == met->own &&
            items[i].kind == met->kind) {
            ++items[i].count;
            return LQ_OK;
        }
    }
    slot = lq_array_push(&judge->meetings, judge->diags->arena);
    if (!slot) {
        return LQ_NOMEM;
    }
    *slot = *met;
    slot->count = 1;
    return LQ_OK;
}

/* Whether a policy of somebody else keeps ours from being in force. */
static bool is_in_the_way(const struct lq_live_policy *other,
                          const struct lq_live_policy *own)
{
    return other && (other->priority > own->priority ||
                     (other->priority == own->priority &&
                      !lq_policy_is_same(other, own)));
}

/* The policy that keeps ours from being in force, or NULL. */
static const struct lq_live_policy *rival_of(const struct lq_winner *others,
                                             const struct lq_live_policy *own,
                                             enum lq_meeting_kind *kind)
{
    *kind = LQ_POLICY_MAYBE;
    if (is_in_the_way(others->doubtful, own)) {
        return others->doubtful;
    }
    if (is_in_the_way(others->policy, own)) {
        if (others->policy->priority > own->priority) {
            *kind = LQ_POLICY_RIVAL;
        }
        return others->policy;
    }
    return is_in_the_way(others->rival, own) ? others->rival : NULL;
}

/* The foreign policy that is in force for a queue now; NULL: there is none. */
static enum lq_status find_displaced(const struct lq_judge *judge,
                                     enum lq_target target, const char *queue,
                                     const struct lq_live_policy **out)
{
    struct lq_in_force now;
    const enum lq_status status =
        lq_policies_find(&judge->now, target, queue, &now);

    *out = NULL;
    if (status == LQ_OK && now.policy.policy &&
        !lq_policy_is_own(&judge->future, now.policy.policy)) {
        *out = now.policy.policy;
    }
    return status;
}

/*
 * Our policy matches its own queues for certain, so only the others need to be
 * matched: there are few of them.
 */
static enum lq_status judge_queue(struct lq_judge *judge, size_t index,
                                  const struct lq_queue *queue)
{
    const struct lq_live_policy *const own = judge->future.then[index];
    const enum lq_target target =
        lq_target_of(queue->logical->entry->queue_type);
    struct lq_in_force others;
    struct lq_meeting met = {.own = index, .queue = queue->name};
    enum lq_status status =
        lq_policies_find(&judge->others, target, queue->name, &others);

    if (status != LQ_OK) {
        return status;
    }
    met.other = rival_of(&others.policy, own, &met.kind);
    if (!met.other && others.policy.policy &&
        others.policy.policy->priority < own->priority) {
        met.kind = LQ_POLICY_DISPLACED;
        status = find_displaced(judge, target, queue->name, &met.other);
    }
    return status == LQ_OK && met.other ? meet(judge, &met) : status;
}

static enum lq_status judge_queues(struct lq_judge *judge)
{
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < judge->own->count; ++i) {
        const struct lq_own_policy *const policy = &judge->own->list[i];

        for (size_t at = 0; at < policy->queue_count && status == LQ_OK; ++at) {
            status = judge_queue(judge, i, policy->queues[at]);
        }
    }
    return status;
}

/* Whether a queue is a bucket that the plan once had. */
static bool is_leftover(const struct lq_judge *judge, const char *name)
{
    const struct lq_logical *logical = NULL;
    size_t length = 0;
    uint64_t delay = 0;

    return lq_name_is_bucket(name, &length, &delay) &&
           lq_own_entry(&judge->names, name, length, &logical) == LQ_OWN_ENTRY;
}

/* The index of an own policy that the broker has. */
static size_t index_of(const struct lq_judge *judge,
                       const struct lq_live_policy *policy)
{
    const struct lq_live_policy **const slot =
        lq_map_get(&judge->future.own, policy->name);

    return (size_t)(slot - judge->future.now);
}

/*
 * Whether a queue that is not planned loses a policy of an own name: no planned
 * policy matches it.
 */
static bool loses(const struct lq_judge *judge, const struct lq_in_force *now)
{
    const struct lq_live_policy *const policy = now->policy.policy;

    return policy && lq_policy_is_own(&judge->future, policy) &&
           judge->out[index_of(judge, policy)].need == LQ_POLICY_UPDATE;
}

/* A queue that is not planned, which may lose a policy of ours. */
static enum lq_status judge_stranger(struct lq_judge *judge,
                                     const struct lq_live_queue *queue)
{
    const enum lq_target target =
        queue->type && lq_str_equal(queue->type, "quorum") ? LQ_TARGET_QUORUM
                                                           : LQ_TARGET_CLASSIC;
    struct lq_in_force now;
    struct lq_meeting met = {.queue = queue->name};
    const enum lq_status status =
        lq_policies_find(&judge->now, target, queue->name, &now);

    if (status != LQ_OK || !loses(judge, &now)) {
        return status;
    }
    met.other = now.policy.policy;
    met.own = index_of(judge, met.other);
    met.kind = is_leftover(judge, queue->name) ? LQ_POLICY_LEFTOVER
                                               : LQ_POLICY_STRANGER;
    return meet(judge, &met);
}

/* Whether a queue is framework-managed by the plan. */
static bool is_planned(const struct lq_judge *judge, const char *queue)
{
    const struct lq_binding *const binding =
        lq_own_binding_to(&judge->names, queue);

    return binding && lq_owner(binding->logical) == LQ_FRAMEWORK_MANAGED;
}

static enum lq_status judge_strangers(struct lq_judge *judge)
{
    const struct lq_live *const live = judge->live;
    enum lq_status status = LQ_OK;
    bool any = false;

    for (size_t i = 0; i < judge->own->count; ++i) {
        any = any || judge->out[i].need == LQ_POLICY_UPDATE;
    }
    for (size_t i = 0; any && i < live->queues.count && status == LQ_OK; ++i) {
        const struct lq_live_queue *const queue = lq_live_queue_at(live, i);

        if (!is_planned(judge, queue->name)) {
            status = judge_stranger(judge, queue);
        }
    }
    return status;
}

static enum lq_status find_needs(struct lq_judge *judge)
{
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < judge->own->count && status == LQ_OK; ++i) {
        judge->out[i] = lq_policy_need(&judge->future, i, judge->diags->arena);
        status = judge->out[i].change ? LQ_OK : LQ_NOMEM;
    }
    return status;
}

static enum lq_status prepare(struct lq_judge *judge,
                              const struct lq_topology *plan,
                              const struct lq_matcher *matcher)
{
    struct lq_arena *const arena = judge->diags->arena;
    enum lq_status status =
        lq_policy_future_init(&judge->future, judge->live, judge->own, arena);

    lq_array_init(&judge->meetings, sizeof(struct lq_meeting));
    if (status == LQ_OK) {
        status = lq_own_init(&judge->names, plan, arena);
    }
    if (status == LQ_OK) {
        status = lq_policies_init(&judge->now, judge->live, matcher, arena);
    }
    return status == LQ_OK
               ? lq_policies_init(&judge->others, &judge->future.others,
                                  matcher, arena)
               : status;
}

enum lq_status lq_judge_find(struct lq_judge *judge,
                             const struct lq_topology *plan,
                             const struct lq_matcher *matcher)
{
    enum lq_status status = prepare(judge, plan, matcher);

    if (status == LQ_OK) {
        status = find_needs(judge);
    }
    if (status == LQ_OK) {
        status = judge_queues(judge);
    }
    return status == LQ_OK ? judge_strangers(judge) : status;
}

enum lq_status lq_own_policies_judge(const struct lq_policy_case *about,
                                     struct lq_diags *diags,
                                     struct lq_policy_step *out)
{
    struct lq_judge judge = {
        .own = about->own, .live = about->live, .diags = diags, .out = out};
    const enum lq_status status =
        lq_judge_find(&judge, about->plan, about->matcher);

    if (status == LQ_OK) {
        tell_all(&judge);
    }
    return status;
}
