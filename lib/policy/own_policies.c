#include "policy/own_policies.h"

#include "base/buffer.h"
#include "base/pattern.h"
#include "base/text.h"

#include <string.h>

#define NAME_MAX_BYTES 100

/* The word of one of the first LQ_POLICY_KIND_COUNT kinds. */
static const char *word_of(enum lq_policy_kind kind)
{
    switch (kind) {
    case LQ_POLICY_AT_LEAST_ONCE:
        return "at-least-once";
    case LQ_POLICY_DLQ:
        return "dlq";
    case LQ_POLICY_DLQ_CLASSIC:
    case LQ_POLICY_NATIVE_RETRY:
        break;
    }
    return "dlq-classic";
}

/* Whether policies of this name can be told apart from all others. */
static bool is_name(const char *name)
{
    const size_t length = strlen(name);

    if (length == 0 || length > NAME_MAX_BYTES) {
        return false;
    }
    for (const char *at = name; *at; ++at) {
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                    "0123456789._-",
                    *at)) {
            return false;
        }
    }
    return true;
}

enum lq_status lq_policy_name_check(const char *name, struct lq_diags *diags)
{
    const char *const shown =
        name ? lq_printable(diags->arena, name, strlen(name)) : "";

    if (!name || is_name(name)) {
        return LQ_OK;
    }
    return lq_error(diags, NULL,
                    "the name of policies must be 1 to %d letters, "
                    "digits, '.', '_' and '-', not '%s'",
                    NAME_MAX_BYTES, shown);
}

const char *lq_policy_name(struct lq_arena *arena, const char *name,
                           enum lq_policy_kind kind, size_t index)
{
    const char *const base =
        lq_format(arena, LQ_OWN_POLICY_PREFIX "%s%s%s", name ? name : "",
                  name ? "-" : "", word_of(kind));

    return index > 0 ? lq_format(arena, "%s-%zu", base, index + 1) : base;
}

/* What follows a text at the beginning of another, or NULL. */
static const char *after(const char *start, const char *text)
{
    const size_t length = strlen(start);

    return text && strncmp(text, start, length) == 0 ? text + length : NULL;
}

bool lq_own_policies_had(const struct lq_own_policies *policies,
                         const char *name)
{
    const char *rest = after(LQ_OWN_POLICY_PREFIX, name);

    if (policies->name) {
        rest = after("-", rest ? after(policies->name, rest) : NULL);
    }
    for (size_t i = 0; rest && i < LQ_POLICY_KIND_COUNT; ++i) {
        const char *const number = after(word_of((enum lq_policy_kind)i), rest);

        if (number &&
            (!*number || (*number == '-' && number[1] &&
                          !number[1 + strspn(number + 1, "0123456789")]))) {
            return true;
        }
    }
    return false;
}

/*
 * A pattern of the first `count` queues, in a scratch arena, since it takes
 * much memory.
 */
static struct lq_pattern try_pattern(const struct lq_queue *const *queues,
                                     size_t count, struct lq_arena *scratch)
{
    const char **const names =
        lq_alloc_array(scratch, count, sizeof(const char *));

    if (!names) {
        return (struct lq_pattern){.text = ""};
    }
    for (size_t i = 0; i < count; ++i) {
        names[i] = queues[i]->name;
    }
    return lq_pattern_of(names, count, LQ_PATTERN_PLAIN, scratch);
}

/*
 * The pattern of the first `count` queues, if every broker takes it; NULL
 * otherwise. A single name always fits: it has at most 200 bytes, each of which
 * becomes at most four.
 */
static const char *fit(const struct lq_queue *const *queues, size_t count,
                       struct lq_arena *arena)
{
    const char *text = NULL;
    struct lq_arena scratch;
    struct lq_pattern pattern;

    lq_arena_init(&scratch);
    pattern = try_pattern(queues, count, &scratch);
    if (pattern.length <= LQ_PATTERN_MAX_LENGTH) {
        text = lq_strndup(arena, pattern.text, pattern.length);
    }
    lq_arena_note(arena, lq_arena_status(&scratch, LQ_OK));
    lq_arena_free(&scratch);
    return text;
}

/*
 * Gives a policy the first of these queues, as many as every broker takes in
 * one pattern; there is at least one. A search by halves finds their number:
 * the longest pattern tried has twice as many as fit.
 */
static void fit_policy(const struct lq_queue *const *queues, size_t count,
                       struct lq_arena *arena, struct lq_own_policy *policy)
{
    size_t fits = 0;
    size_t too_many = count + 1;
    size_t next = 1;

    while (fits + 1 < too_many) {
        const char *const pattern = fit(queues, next, arena);

        if (pattern) {
            fits = next;
            policy->pattern = pattern;
            policy->queue_count = fits;
            next = too_many > count ? 2 * fits : fits + (too_many - fits) / 2;
            next = next > count ? count : next;
        } else {
            too_many = next;
            next = fits + (too_many - fits) / 2;
        }
    }
}

struct builder {
    const struct lq_policy_wants *wants;
    struct lq_arena *arena;
    struct lq_array policies; /* struct lq_own_policy */
};

/* The queues of one kind, and the keys that their policies have. */
struct list {
    enum lq_policy_kind kind;
    struct lq_array keys;   /* struct lq_argument */
    struct lq_array queues; /* const struct lq_queue * */
};

/* Whether a queue is for policies of this kind. */
static bool is_of(const struct lq_queue *queue, enum lq_policy_kind kind)
{
    const bool quorum = queue->logical->entry->queue_type == LQ_QUORUM;
    const bool is_dlq = queue->role == LQ_ROLE_DEAD_LETTER;

    if (lq_owner(queue->logical) != LQ_FRAMEWORK_MANAGED) {
        return false;
    }
    switch (kind) {
    case LQ_POLICY_AT_LEAST_ONCE:
        return quorum && !is_dlq;
    case LQ_POLICY_DLQ:
        return quorum && is_dlq;
    case LQ_POLICY_DLQ_CLASSIC:
        return !quorum && is_dlq;
    case LQ_POLICY_NATIVE_RETRY:
        break;
    }
    return false;
}

bool lq_has_quorum_dlq(const struct lq_topology *topology)
{
    for (size_t i = 0; i < topology->queue_count; ++i) {
        if (is_of(&topology->queues[i], LQ_POLICY_DLQ)) {
            return true;
        }
    }
    return false;
}

static enum lq_status add_key(struct list *list, struct lq_argument key,
                              struct lq_arena *arena)
{
    struct lq_argument *const slot = lq_array_push(&list->keys, arena);

    if (!slot) {
        return LQ_NOMEM;
    }
    *slot = key;
    return LQ_OK;
}

/* Each queue has the overflow that at-least-once needs as an argument. */
static enum lq_status add_strategy(struct list *list, struct lq_arena *arena)
{
    return add_key(list,
                   (struct lq_argument){.key = "dead-letter-strategy",
                                        .type = LQ_LONGSTR,
                                        .text = "at-least-once"},
                   arena);
}

/*
 * From RabbitMQ 4.0 on, a quorum queue without a dead-letter target drops a
 * message that is put back more than 20 times; a limit of -1 means "never".
 * Before 4.0 there is no limit unless somebody sets one, and 3.10 refuses -1.
 */
static enum lq_status add_limit(struct list *list,
                                const struct lq_policy_wants *wants,
                                struct lq_arena *arena)
{
    const int64_t limit =
        wants->dlq_delivery_limit ? (int64_t)wants->dlq_delivery_limit : -1;

    if (!lq_version_is_from(wants->broker, 4, 0)) {
        return LQ_OK;
    }
    return add_key(list,
                   (struct lq_argument){.key = "delivery-limit",
                                        .type = LQ_INT64,
                                        .number = limit},
                   arena);
}

static enum lq_status add_retention(struct list *list,
                                    const struct lq_policy_wants *wants,
                                    struct lq_arena *arena)
{
    if (wants->dlq_retention_millis == 0) {
        return LQ_OK;
    }
    return add_key(
        list,
        (struct lq_argument){.key = "message-ttl",
                             .type = LQ_INT64,
                             .number = (int64_t)wants->dlq_retention_millis},
        arena);
}

static enum lq_status find_keys(struct list *list,
                                const struct lq_policy_wants *wants,
                                struct lq_arena *arena)
{
    enum lq_status status = LQ_OK;

    lq_array_init(&list->keys, sizeof(struct lq_argument));
    if (list->kind == LQ_POLICY_AT_LEAST_ONCE) {
        return add_strategy(list, arena);
    }
    if (list->kind == LQ_POLICY_DLQ) {
        status = add_limit(list, wants, arena);
    }
    return status == LQ_OK ? add_retention(list, wants, arena) : status;
}

static enum lq_status find_queues(struct list *list,
                                  const struct lq_topology *topology,
                                  struct lq_arena *arena)
{
    lq_array_init(&list->queues, sizeof(const struct lq_queue *));
    for (size_t i = 0; i < topology->queue_count; ++i) {
        const struct lq_queue *const queue = &topology->queues[i];
        const struct lq_queue **slot = NULL;

        if (!is_of(queue, list->kind)) {
            continue;
        }
        slot = lq_array_push(&list->queues, arena);
        if (!slot) {
            return LQ_NOMEM;
        }
        *slot = queue;
    }
    return LQ_OK;
}

static enum lq_status add_policies(struct builder *builder,
                                   const struct list *list)
{
    const struct lq_queue *const *const queues = list->queues.items;
    const size_t count = list->queues.count;
    size_t index = 0;

    for (size_t done = 0; done < count; ++index) {
        struct lq_own_policy *const policy =
            lq_array_push(&builder->policies, builder->arena);

        if (!policy) {
            return LQ_NOMEM;
        }
        fit_policy(queues + done, count - done, builder->arena, policy);
        policy->kind = list->kind;
        policy->name = lq_policy_name(builder->arena, builder->wants->name,
                                      list->kind, index);
        policy->priority = builder->wants->priority;
        policy->keys = list->keys.items;
        policy->key_count = list->keys.count;
        policy->queues = queues + done;
        done += policy->queue_count;
    }
    return LQ_OK;
}

static enum lq_status add_kind(struct builder *builder,
                               const struct lq_topology *topology,
                               enum lq_policy_kind kind)
{
    struct list list = {.kind = kind};
    enum lq_status status = find_keys(&list, builder->wants, builder->arena);

    if (status == LQ_OK && list.keys.count > 0) {
        status = find_queues(&list, topology, builder->arena);
    }
    return status == LQ_OK && list.keys.count > 0 ? add_policies(builder, &list)
                                                  : status;
}

enum lq_status lq_own_policies_build(const struct lq_topology *topology,
                                     const struct lq_policy_wants *wants,
                                     struct lq_diags *diags,
                                     struct lq_own_policies *out)
{
    struct builder builder = {.wants = wants, .arena = diags->arena};
    enum lq_status status = lq_policy_name_check(wants->name, diags);

    lq_array_init(&builder.policies, sizeof(struct lq_own_policy));
    for (unsigned kind = 0; kind < LQ_POLICY_KIND_COUNT && status == LQ_OK;
         ++kind) {
        status = add_kind(&builder, topology, (enum lq_policy_kind)kind);
    }
    *out = (struct lq_own_policies){wants->name, builder.policies.items,
                                    builder.policies.count};
    return status;
}

void lq_json_own_policy(struct lq_json *json,
                        const struct lq_own_policy *policy)
{
    lq_json_text(json, "pattern", policy->pattern);
    lq_json_text(json, "apply-to", "queues");
    lq_json_count(json, "priority", policy->priority);
    lq_json_object_begin(json, "definition");
    for (size_t i = 0; i < policy->key_count; ++i) {
        lq_json_argument(json, &policy->keys[i]);
    }
    lq_json_object_end(json);
}

static int keep(void *data, const char *bytes, size_t length)
{
    lq_buffer_add_bytes(data, bytes, length);
    return 0;
}

const char *lq_policy_body(const struct lq_own_policy *policy,
                           struct lq_arena *arena)
{
    struct lq_buffer buffer;
    const struct lilyq_sink sink = {keep, &buffer};
    struct lq_json json;

    lq_buffer_init(&buffer, arena);
    lq_json_begin(&json, &sink);
    lq_json_own_policy(&json, policy);
    lq_arena_note(arena, lq_json_end(&json));
    return lq_buffer_text(&buffer);
}
