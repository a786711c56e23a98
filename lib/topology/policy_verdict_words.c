#include "base/buffer.h"
#include "base/text.h"
#include "topology/policy_judge.h"

#include <string.h>

/* A meeting in words; those of the arena. */
struct words {
    const char *own;
    const char *other;
    const char *queues; /* "'q' and 3 others" */
};

static const char *printable(const char *text, struct lq_arena *arena)
{
    return lq_printable(arena, text, strlen(text));
}

static enum lq_status find_words(const struct lq_judge *judge,
                                 const struct lq_meeting *met,
                                 struct words *out)
{
    struct lq_arena *const arena = judge->diags->arena;
    const char *const queue = printable(met->queue, arena);

    out->own = judge->own->list[met->own].name;
    out->other = printable(met->other->name, arena);
    out->queues = NULL;
    if (queue && met->count == 1) {
        out->queues = lq_format(arena, "'%s'", queue);
    } else if (queue) {
        out->queues = lq_format(arena, "'%s' and %zu other%s", queue,
                                met->count - 1, met->count == 2 ? "" : "s");
    }
    return out->other && out->queues ? LQ_OK : LQ_NOMEM;
}

/* The keys of a policy as "a, b"; NULL when out of memory. */
static const char *keys_of(const struct lq_live_policy *policy,
                           struct lq_arena *arena)
{
    struct lq_buffer buffer;

    lq_buffer_init(&buffer, arena);
    for (size_t i = 0; i < policy->definition.count; ++i) {
        const char *const key =
            printable(policy->definition.items[i].key, arena);

        if (!key) {
            return NULL;
        }
        lq_buffer_add(&buffer, i > 0 ? ", " : "");
        lq_buffer_add(&buffer, key);
    }
    return lq_buffer_text(&buffer);
}

/* Makes a text the conflict of a policy, and an error. */
static enum lq_status add_conflict(struct lq_judge *judge, size_t own,
                                   const char *text)
{
    struct lq_policy_verdict *const verdict = &judge->out[own];

    if (!text || lq_error(judge->diags, NULL, "policy '%s': %s",
                          judge->own->list[own].name, text) == LQ_NOMEM) {
        return LQ_NOMEM;
    }
    if (verdict->conflict) {
        text =
            lq_format(judge->diags->arena, "%s; %s", verdict->conflict, text);
    }
    verdict->conflict = text;
    return text ? LQ_OK : LQ_NOMEM;
}

static enum lq_status tell_rival(struct lq_judge *judge,
                                 const struct lq_meeting *met,
                                 const struct words *words)
{
    return add_conflict(
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

static enum lq_status tell_stranger(struct lq_judge *judge,
                                    const struct lq_meeting *met,
                                    const struct words *words)
{
    return add_conflict(
        judge, met->own,
        lq_format(judge->diags->arena,
                  "it is in force for queue %s too, which the plan does not "
                  "have; give ours another name if that is of another "
                  "topology, else delete it first",
                  words->queues));
}

static enum lq_status tell_leftover(const struct lq_judge *judge,
                                    const struct words *words)
{
    return lq_warning(judge->diags, NULL,
                      "policy '%s' is no longer in force for queue %s, which "
                      "the plan does not have any more: empty it before its "
                      "target is full",
                      words->own, words->queues);
}

static enum lq_status tell_displaced(const struct lq_judge *judge,
                                     const struct lq_meeting *met,
                                     const struct words *words)
{
    const char *const keys = keys_of(met->other, judge->diags->arena);

    return keys ? lq_warning(judge->diags, NULL,
                             "policy '%s' takes the place of '%s' for queue "
                             "%s: what that holds is no longer in force "
                             "there: %s",
                             words->own, words->other, words->queues, keys)
                : LQ_NOMEM;
}

static enum lq_status tell(struct lq_judge *judge, const struct lq_meeting *met)
{
    struct words words;

    if (find_words(judge, met, &words) != LQ_OK) {
        return LQ_NOMEM;
    }
    switch (met->kind) {
    case LQ_POLICY_RIVAL:
    case LQ_POLICY_MAYBE:
        return tell_rival(judge, met, &words);
    case LQ_POLICY_STRANGER:
        return tell_stranger(judge, met, &words);
    case LQ_POLICY_LEFTOVER:
        return tell_leftover(judge, &words);
    case LQ_POLICY_DISPLACED:
        break;
    }
    return tell_displaced(judge, met, &words);
}

/* One of an own name that is there, and not made any more. */
static enum lq_status tell_former(const struct lq_judge *judge,
                                  const struct lq_live_policy *policy)
{
    return lq_policy_is_own(&judge->future, policy) ||
                   !lq_own_policies_had(judge->own, policy->name)
               ? LQ_OK
               : lq_warning(judge->diags, NULL,
                            "policy '%s' is there, but no longer wanted: it "
                            "stays in force until you delete it",
                            policy->name);
}

enum lq_status lq_judge_tell(struct lq_judge *judge)
{
    const struct lq_array *const policies = &judge->live->policies;
    const struct lq_meeting *const meetings = judge->meetings.items;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < judge->meetings.count && status == LQ_OK; ++i) {
        status = tell(judge, &meetings[i]);
    }
    for (size_t i = 0; i < policies->count && status == LQ_OK; ++i) {
        status = tell_former(judge, lq_live_policy_at(policies, i));
    }
    return status;
}
