#include "compare/former.h"

#include "base/text.h"
#include "model/names.h"

#include <string.h>

/* A queue's name taken apart. */
struct part {
    enum lq_role role;
    const char *entry; /* what v2 derived it from */
    uint64_t delay;    /* of a bucket */
};

/* Any name may be a main queue's. */
static struct part take_apart(const struct lq_formers *formers,
                              const char *queue)
{
    struct part part = {.role = LQ_ROLE_MAIN};
    size_t length = strlen(queue);

    if (lq_name_is_bucket(queue, &length, &part.delay)) {
        part.role = LQ_ROLE_RETRY;
    } else if (lq_name_ends(queue, LQ_DEAD_LETTER_QUEUE_SUFFIX, &length)) {
        part.role = LQ_ROLE_DEAD_LETTER;
    }
    part.entry = lq_strndup(formers->arena, queue, length);
    return part;
}

/* A text argument of a queue, or NULL. */
static const char *text_of(const struct lq_live_queue *queue, const char *key)
{
    const struct lq_live_argument *const argument =
        queue ? lq_live_argument(&queue->arguments, key) : NULL;

    return argument && argument->type == LQ_LIVE_STRING ? argument->text : NULL;
}

static bool is_text(const char *text, const char *wanted)
{
    return text && lq_str_equal(text, wanted);
}

/* Whether a name is another one with a suffix. */
static bool is_derived(const char *name, const char *root, const char *suffix)
{
    size_t length = 0;

    return root && lq_name_ends(name, suffix, &length) &&
           strlen(root) == length && memcmp(name, root, length) == 0;
}

/* v2 binds without arguments, and a queue to the default exchange never. */
static bool may_be_ours(const struct lq_live_binding *binding)
{
    return !binding->to_exchange && *binding->source != '\0' &&
           binding->arguments.known && binding->arguments.count == 0;
}

/* Whether a binding leads to a bucket as its name and target have it. */
static bool is_retry(const struct lq_formers *formers,
                     const struct lq_live_binding *binding, const char *key)
{
    const struct lq_live_queue *const bucket =
        lq_live_queue(formers->live, binding->destination);

    return lq_str_equal(binding->routing_key, key) &&
           is_derived(binding->source,
                      text_of(bucket, "x-dead-letter-exchange"),
                      LQ_RETRY_EXCHANGE_SUFFIX);
}

/* Whether the main queue of that name dead-letters by a binding. */
static bool is_target(const struct lq_formers *formers, const char *entry,
                      const struct lq_live_binding *binding)
{
    const struct lq_live_queue *const queue =
        lq_live_queue(formers->live, entry);

    return is_text(text_of(queue, "x-dead-letter-exchange"), binding->source) &&
           is_text(text_of(queue, "x-dead-letter-routing-key"),
                   binding->routing_key);
}

/*
 * Whether a binding to a DLQ is the one that an entry has by default. From a
 * main exchange of that name it may be anybody's.
 */
static bool is_default(const struct lq_formers *formers,
                       const struct lq_live_binding *binding, const char *entry)
{
    size_t length = 0;

    return lq_name_ends(binding->source, LQ_DEAD_LETTER_EXCHANGE_SUFFIX,
                        &length) &&
           lq_str_equal(binding->routing_key, entry) &&
           !lq_own_is(lq_own_exchange(formers->own, binding->source),
                      LQ_OWN_MAIN);
}

static bool has_root(const struct lq_former *former, const char *exchange)
{
    const char *const *const roots = former->roots.items;

    for (size_t i = 0; i < former->roots.count; ++i) {
        if (lq_str_equal(roots[i], exchange)) {
            return true;
        }
    }
    return false;
}

/* Whether a binding to a queue of that entry's name is the entry's own. */
static bool leads_to_main(const struct lq_former *former,
                          const struct lq_live_binding *binding)
{
    if (former->logical) {
        return has_root(former, binding->source) ||
               lq_str_equal(former->logical->entry->exchange_name,
                            binding->source);
    }
    return former->has_main; /* all of it goes with the queue */
}

/* Whether v2 has a binding for its entry, `former` if it leads to the main. */
static bool is_of_v2(const struct lq_formers *formers,
                     const struct lq_former *former,
                     const struct lq_live_binding *binding,
                     const struct part *part)
{
    switch (part->role) {
    case LQ_ROLE_MAIN:
        return leads_to_main(former, binding);
    case LQ_ROLE_DEAD_LETTER:
        return is_default(formers, binding, part->entry) ||
               is_target(formers, part->entry, binding);
    case LQ_ROLE_RETRY:
        break;
    }
    return is_retry(
        formers, binding,
        lq_name_bucket_key(formers->arena, part->entry, part->delay));
}

/* The entry of that name, new or not; NULL when out of memory. */
static struct lq_former *take_entry(struct lq_formers *formers,
                                    const char *name,
                                    const struct lq_logical *logical)
{
    struct lq_former *former = lq_map_get(&formers->entries, name);
    void *held = NULL;

    if (former) {
        return former;
    }
    former = lq_alloc(formers->arena, sizeof(*former));
    if (!former ||
        lq_map_add(&formers->entries, name, former, &held) != LQ_OK) {
        return NULL;
    }
    former->name = name;
    former->logical = logical;
    lq_array_init(&former->roots, sizeof(const char *));
    return former;
}

static const struct lq_logical *nearer(const struct lq_logical *a,
                                       const struct lq_logical *b)
{
    return !a || (b && b < a) ? b : a;
}

static bool is_direct(const struct lq_formers *formers, const char *name)
{
    const struct lq_live_exchange *const exchange =
        lq_live_exchange(formers->live, name);

    return exchange && is_text(exchange->type, "direct") &&
           strncmp(name, "amq.", 4) != 0;
}

/* Notes the exchange that a binding of an entry comes from. */
static enum lq_status note_exchange(struct lq_formers *formers,
                                    struct lq_former *former, const char *name,
                                    enum lq_role role)
{
    const struct lq_own_exchange *const own =
        lq_own_exchange(formers->own, name);
    struct lq_former_exchange *item = NULL;
    void **place = NULL;
    void *held = NULL;

    former->near = nearer(former->near, own ? own->logical : NULL);
    if (lq_own_has_exchange(formers->own, name) || !is_direct(formers, name)) {
        return LQ_OK;
    }
    item = lq_map_get(&formers->exchange_index, name);
    if (!item) {
        item = lq_alloc(formers->arena, sizeof(*item));
        place = lq_array_push(&formers->exchanges, formers->arena);
        if (!item || !place ||
            lq_map_add(&formers->exchange_index, name, item, &held) != LQ_OK) {
            return LQ_NOMEM;
        }
        *place = item;
        item->name = name;
        item->role = role;
    }
    item->near =
        nearer(item->near, former->logical ? former->logical : former->near);
    return LQ_OK;
}

/* Notes what an exchange of a derived name was derived from. */
static enum lq_status note_root(struct lq_formers *formers,
                                struct lq_former *former, const char *exchange,
                                const char *suffix)
{
    const char **place = NULL;
    const char *root = NULL;
    size_t length = 0;

    if (!lq_name_ends(exchange, suffix, &length)) {
        return LQ_OK;
    }
    root = lq_strndup(formers->arena, exchange, length);
    if (has_root(former, root)) {
        return LQ_OK;
    }
    place = lq_array_push(&former->roots, formers->arena);
    if (!place) {
        return LQ_NOMEM;
    }
    *place = root;
    return LQ_OK;
}

/* Whether what a bucket gives back reaches the queue of the entry's name. */
static bool returns(const struct lq_formers *formers, const char *bucket,
                    const char *entry)
{
    const struct lq_live_queue *const queue =
        lq_live_queue(formers->live, bucket);
    const char *const source = text_of(queue, "x-dead-letter-exchange");
    const char *const key = text_of(queue, "x-dead-letter-routing-key");
    const struct lq_live_binding *at =
        lq_live_bindings_to(formers->live, entry);

    for (; at && source && key; at = at->next) {
        if (may_be_ours(at) && lq_str_equal(at->source, source) &&
            lq_str_equal(at->routing_key, key)) {
            return true;
        }
    }
    return false;
}

/* Learns from a binding to a bucket or DLQ that v2 has. */
static enum lq_status learn(struct lq_formers *formers,
                            const struct lq_live_binding *binding,
                            const struct part *part,
                            const struct lq_logical *logical)
{
    const bool retry = part->role == LQ_ROLE_RETRY;
    struct lq_former *const former = take_entry(formers, part->entry, logical);
    enum lq_status status = LQ_NOMEM;

    if (former) {
        former->has_main =
            former->has_main ||
            (retry ? returns(formers, binding->destination, part->entry)
                   : is_target(formers, part->entry, binding));
        status = note_exchange(formers, former, binding->source, part->role);
    }
    return status == LQ_OK ? note_root(formers, former, binding->source,
                                       retry ? LQ_RETRY_EXCHANGE_SUFFIX
                                             : LQ_DEAD_LETTER_EXCHANGE_SUFFIX)
                           : status;
}

static enum lq_status look_at_queue(struct lq_formers *formers,
                                    const char *queue)
{
    const struct lq_live_binding *at =
        lq_live_bindings_to(formers->live, queue);
    const struct part part = take_apart(formers, queue);
    const struct lq_logical *logical = NULL;
    enum lq_status status = LQ_OK;

    if (part.role == LQ_ROLE_MAIN ||
        lq_own_entry(formers->own, queue, strlen(part.entry), &logical) ==
            LQ_OWN_EXTERNAL) {
        return LQ_OK;
    }
    for (; at && status == LQ_OK; at = at->next) {
        if (may_be_ours(at) && is_of_v2(formers, NULL, at, &part)) {
            status = learn(formers, at, &part, logical);
        }
    }
    return status;
}

/* Notes where main queues are bound, and what else is bound there. */
static enum lq_status look_at_binding(struct lq_formers *formers,
                                      const struct lq_live_binding *binding,
                                      bool strangers)
{
    struct lq_former_exchange *const source =
        lq_map_get(&formers->exchange_index, binding->source);
    enum lq_role role = LQ_ROLE_MAIN;
    const struct lq_former *const found =
        lq_formers_binding(formers, binding, &role);

    if (strangers && source && !found) {
        source->is_shared = true;
    }
    return !strangers && found && role == LQ_ROLE_MAIN
               ? note_exchange(formers,
                               lq_map_get(&formers->entries, found->name),
                               binding->source, role)
               : LQ_OK;
}

/* What is in the plan needs nothing live to be known by. */
static enum lq_status take_plan(struct lq_formers *formers)
{
    const struct lq_topology *const plan = formers->own->plan;

    for (size_t i = 0; i < plan->logical_count; ++i) {
        const struct lq_logical *const logical = &plan->logicals[i];

        if (lq_owner(logical) != LQ_EXTERNAL &&
            !take_entry(formers, logical->entry->name, logical)) {
            return LQ_NOMEM;
        }
    }
    return LQ_OK;
}

enum lq_status lq_formers_init(struct lq_formers *formers,
                               const struct lq_own *own,
                               const struct lq_live *live,
                               struct lq_arena *arena)
{
    enum lq_status status = LQ_OK;

    *formers = (struct lq_formers){.own = own, .live = live, .arena = arena};
    lq_map_init(&formers->entries, arena);
    lq_map_init(&formers->exchange_index, arena);
    lq_array_init(&formers->exchanges, sizeof(void *));
    status = take_plan(formers);
    for (size_t i = 0; i < live->queues.count && status == LQ_OK; ++i) {
        status = look_at_queue(formers, lq_live_queue_at(live, i)->name);
    }
    for (size_t i = 0; i < 2 * live->bindings.count && status == LQ_OK; ++i) {
        const bool again = i >= live->bindings.count;

        status = look_at_binding(
            formers,
            lq_live_binding_at(live, again ? i - live->bindings.count : i),
            again);
    }
    return status;
}

const struct lq_former *lq_formers_queue(const struct lq_formers *formers,
                                         const char *queue, enum lq_role *role)
{
    const struct lq_former *former = lq_map_get(&formers->entries, queue);
    struct part part = {.role = LQ_ROLE_MAIN};

    if (!former || !former->has_main) {
        part = take_apart(formers, queue);
        former = part.role == LQ_ROLE_MAIN
                     ? NULL
                     : lq_map_get(&formers->entries, part.entry);
    }
    *role = part.role;
    return former && !former->logical ? former : NULL;
}

const struct lq_former *
lq_formers_binding(const struct lq_formers *formers,
                   const struct lq_live_binding *binding, enum lq_role *role)
{
    const char *const queue = binding->destination;
    const struct lq_former *former = NULL;
    struct part part = {.role = LQ_ROLE_MAIN, .entry = queue};

    if (!may_be_ours(binding)) {
        return NULL;
    }
    former = lq_map_get(&formers->entries, queue);
    if (!former) {
        part = take_apart(formers, queue);
        former = lq_map_get(&formers->entries, part.entry);
    }
    *role = part.role;
    return former && is_of_v2(formers, former, binding, &part) ? former : NULL;
}
