#include "policy/future.h"

#include "base/text.h"

#include <inttypes.h>

static enum lq_status copy_keys(const struct lq_own_policy *policy,
                                struct lq_arena *arena,
                                struct lq_live_arguments *out)
{
    out->items = lq_alloc_array(arena, policy->key_count, sizeof(*out->items));
    out->count = policy->key_count;
    out->known = true;
    if (!out->items) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < policy->key_count; ++i) {
        const struct lq_argument *const key = &policy->keys[i];
        const bool is_text = key->type == LQ_LONGSTR;

        out->items[i] = (struct lq_live_argument){
            .key = key->key,
            .type = is_text ? LQ_LIVE_STRING : LQ_LIVE_INTEGER,
            .text =
                is_text ? key->text : lq_format(arena, "%" PRId64, key->number),
            .number = key->number};
        if (!out->items[i].text) {
            return LQ_NOMEM;
        }
    }
    return LQ_OK;
}

/* Turns an own policy into what a broker holds. */
static enum lq_status make_own(struct lq_policy_future *future, size_t index,
                               const struct lq_own_policy *policy,
                               struct lq_array *own)
{
    struct lq_arena *const arena = future->others.arena;
    struct lq_live_policy *const item = lq_alloc(arena, sizeof(*item));

    if (!item) {
        return LQ_NOMEM;
    }
    *item = (struct lq_live_policy){.name = policy->name,
                                    .pattern = policy->pattern,
                                    .scope = LQ_LIVE_QUEUES,
                                    .priority = policy->priority};
    future->then[index] = item;
    if (copy_keys(policy, arena, &item->definition) != LQ_OK) {
        return LQ_NOMEM;
    }
    /* this also sorts its keys, as those of the broker are */
    return lq_live_add_policy(&future->others, own, item);
}

static enum lq_status add_copy(struct lq_live *live,
                               const struct lq_live_policy *policy)
{
    struct lq_live_policy *const copy = lq_alloc(live->arena, sizeof(*copy));

    if (!copy) {
        return LQ_NOMEM;
    }
    *copy = *policy;
    return lq_live_add_policy(live, &live->policies, copy);
}

/* Notes which own policies the broker has, and copies all others. */
static enum lq_status sift(struct lq_policy_future *future,
                           const struct lq_live *live)
{
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < live->policies.count && status == LQ_OK; ++i) {
        const struct lq_live_policy *const item =
            lq_live_policy_at(&live->policies, i);
        const struct lq_live_policy **const slot =
            lq_map_get(&future->own, item->name);

        if (slot) {
            *slot = item;
        } else {
            status = add_copy(&future->others, item);
        }
    }
    return status;
}

enum lq_status lq_policy_future_init(struct lq_policy_future *future,
                                     const struct lq_live *live,
                                     const struct lq_own_policies *own,
                                     struct lq_arena *arena)
{
    struct lq_array made;
    enum lq_status status = LQ_OK;

    future->others = *live;
    future->others.arena = arena;
    lq_array_init(&future->others.policies, sizeof(struct lq_live_policy *));
    lq_array_init(&made, sizeof(struct lq_live_policy *));
    lq_map_init(&future->own, arena);
    future->then =
        lq_alloc_array(arena, own->count, sizeof(struct lq_live_policy *));
    future->now =
        lq_alloc_array(arena, own->count, sizeof(struct lq_live_policy *));
    if (!future->then || !future->now) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < own->count && status == LQ_OK; ++i) {
        void *held = NULL;

        status =
            lq_map_add(&future->own, own->list[i].name, &future->now[i], &held);
        if (status == LQ_OK) {
            status = make_own(future, i, &own->list[i], &made);
        }
    }
    return status == LQ_OK ? sift(future, live) : status;
}

enum lq_status lq_policy_future_live(const struct lq_live *live,
                                     const struct lq_own_policies *own,
                                     struct lq_arena *arena,
                                     struct lq_live *out)
{
    struct lq_policy_future future;
    enum lq_status status = lq_policy_future_init(&future, live, own, arena);

    *out = future.others;
    for (size_t i = 0; i < own->count && status == LQ_OK; ++i) {
        status = add_copy(out, future.then[i]);
    }
    return status;
}

bool lq_policy_is_own(const struct lq_policy_future *future,
                      const struct lq_live_policy *policy)
{
    return lq_map_get(&future->own, policy->name) != NULL;
}

bool lq_policy_is_same(const struct lq_live_policy *a,
                       const struct lq_live_policy *b)
{
    return a->definition.known && b->definition.known &&
           lq_live_arguments_equal(&a->definition, &b->definition);
}

/* "pattern, priority" */
static const char *add_word(struct lq_arena *arena, const char *words,
                            bool differs, const char *word)
{
    if (!differs) {
        return words;
    }
    return *words ? lq_format(arena, "%s, %s", words, word) : word;
}

struct lq_policy_step lq_policy_need(const struct lq_policy_future *future,
                                     size_t index, struct lq_arena *arena)
{
    const struct lq_live_policy *const then = future->then[index];
    const struct lq_live_policy *const now = future->now[index];
    const char *words = "";

    if (!now) {
        return (struct lq_policy_step){LQ_POLICY_CREATE, "", NULL};
    }
    words = add_word(arena, words, !lq_str_equal(now->pattern, then->pattern),
                     "pattern");
    words = add_word(arena, words, now->scope != then->scope, "apply-to");
    words = add_word(arena, words,
                     now->priority < then->priority ||
                         now->priority > then->priority,
                     "priority");
    words = add_word(arena, words, !lq_policy_is_same(now, then), "definition");
    if (words && !*words) {
        return (struct lq_policy_step){LQ_POLICY_KEEP, "", NULL};
    }
    return (struct lq_policy_step){
        LQ_POLICY_UPDATE, lq_format(arena, "another %s is there", words), NULL};
}
