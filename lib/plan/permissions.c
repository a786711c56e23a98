#include "plan/permissions.h"

#include "base/map.h"
#include "base/pattern.h"
#include "base/text.h"

/* Grants, and which names are among them. A failure sticks. */
struct collector {
    struct lq_arena *arena;
    struct lq_grants *grants;
    struct lq_map names;
    enum lq_status status;
};

static void add(struct collector *collector, enum lq_access access,
                const char *name)
{
    const char **const slot =
        lq_array_push(&collector->grants->names[access], collector->arena);
    void *held = NULL;

    if (slot) {
        *slot = name;
    }
    if (!slot || lq_map_add(&collector->names, name, collector->grants,
                            &held) != LQ_OK) {
        collector->status = LQ_NOMEM;
    }
}

/* The exchange that a queue dead-letters to, or NULL. */
static const char *dead_letter_exchange(const struct lq_queue *queue)
{
    for (size_t i = 0; i < queue->argument_count; ++i) {
        if (lq_str_equal(queue->arguments[i].key, "x-dead-letter-exchange")) {
            return queue->arguments[i].text;
        }
    }
    return NULL;
}

static void add_queue_declaration(struct collector *collector,
                                  const struct lq_queue *queue)
{
    const char *const target = dead_letter_exchange(queue);

    add(collector, LQ_CONFIGURE, queue->name);
    if (target) {
        add(collector, LQ_READ, queue->name);
        add(collector, LQ_WRITE, target);
    }
}

static void add_declarations(struct collector *collector,
                             const struct lq_topology *topology)
{
    for (size_t i = 0; i < topology->exchange_count; ++i) {
        if (topology->exchanges[i].ownership == LQ_FRAMEWORK_MANAGED) {
            add(collector, LQ_CONFIGURE, topology->exchanges[i].name);
        }
    }
    for (size_t i = 0; i < topology->queue_count; ++i) {
        if (lq_owner(topology->queues[i].logical) == LQ_FRAMEWORK_MANAGED) {
            add_queue_declaration(collector, &topology->queues[i]);
        }
    }
    for (size_t i = 0; i < topology->binding_count; ++i) {
        const struct lq_binding *const binding = &topology->bindings[i];

        if (lq_owner(binding->logical) == LQ_FRAMEWORK_MANAGED) {
            add(collector, LQ_WRITE, binding->destination);
            add(collector, LQ_READ, binding->source);
        }
    }
}

/*
 * Lets a passive declaration see it. Of the three, write does the least harm:
 * read would let the user empty a queue or listen in on an exchange, and
 * configure would let the user delete either.
 */
static void add_sight(struct collector *collector, const char *name)
{
    if (!lq_map_get(&collector->names, name)) {
        add(collector, LQ_WRITE, name);
    }
}

static void add_checks(struct collector *collector,
                       const struct lq_topology *topology)
{
    for (size_t i = 0; i < topology->exchange_count; ++i) {
        if (topology->exchanges[i].ownership == LQ_EXTERNAL) {
            add_sight(collector, topology->exchanges[i].name);
        }
    }
    for (size_t i = 0; i < topology->queue_count; ++i) {
        if (lq_owner(topology->queues[i].logical) == LQ_EXTERNAL) {
            add_sight(collector, topology->queues[i].name);
        }
    }
}

/* What is done with messages, beyond declaring. */
static void add_traffic(struct collector *collector,
                        const struct lq_logical *logical, enum lilyq_role role)
{
    switch (role) {
    case LILYQ_DEPLOYER:
        break;
    case LILYQ_PUBLISHER:
        add(collector, LQ_WRITE, logical->entry->exchange_name);
        break;
    case LILYQ_CONSUMER:
        add(collector, LQ_READ, logical->entry->name);
        if (logical->retry_exchange) {
            add(collector, LQ_WRITE, logical->retry_exchange);
        }
        add(collector, LQ_WRITE, logical->dead_letter_exchange);
        break;
    case LILYQ_OPERATOR:
        add(collector, LQ_READ, logical->dead_letter_queue);
        add(collector, LQ_WRITE, logical->entry->exchange_name);
        break;
    }
}

enum lq_status lq_grants_collect(const struct lq_topology *topology,
                                 enum lilyq_role role, struct lq_arena *arena,
                                 struct lq_grants *out)
{
    const bool declares = role == LILYQ_DEPLOYER || role == LILYQ_CONSUMER;
    struct collector collector = {.arena = arena, .grants = out};

    lq_map_init(&collector.names, arena);
    for (size_t i = 0; i < LQ_ACCESS_COUNT; ++i) {
        lq_array_init(&out->names[i], sizeof(const char *));
    }
    for (size_t i = 0; i < topology->logical_count; ++i) {
        add_traffic(&collector, &topology->logicals[i], role);
    }
    if (declares) {
        add_declarations(&collector, topology);
        add_checks(&collector, topology);
    }
    return collector.status;
}

/* What the broker calls the exchange without a name in permissions. */
#define DEFAULT_EXCHANGE "amq.default"

const char *lq_user_role_word(enum lilyq_role role)
{
    static const char *const words[] = {[LILYQ_DEPLOYER] = "deployer",
                                        [LILYQ_PUBLISHER] = "publisher",
                                        [LILYQ_CONSUMER] = "consumer",
                                        [LILYQ_OPERATOR] = "operator"};

    return words[role];
}

/* Write on the default exchange would reach every queue of the vhost. */
static enum lq_status check_names(const struct lq_grants *grants,
                                  struct lq_diags *diags)
{
    const char *const *const names = grants->names[LQ_WRITE].items;

    for (size_t i = 0; i < grants->names[LQ_WRITE].count; ++i) {
        if (lq_str_equal(names[i], DEFAULT_EXCHANGE)) {
            return lq_error(diags, NULL,
                            "no permission can name '" DEFAULT_EXCHANGE
                            "': to the broker it is the default exchange, "
                            "which reaches every queue");
        }
    }
    return LQ_OK;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static enum lq_status check_size(const struct lq_pattern *pattern,
                                 enum lilyq_role role, struct lq_diags *diags)
{
    const char *const who = lq_user_role_word(role);

    if (pattern->compiled_bytes > LQ_PATTERN_MAX_COMPILED) {
        return lq_error(diags, NULL,
                        "a pattern of the %s has %zu bytes, which is more than "
                        "any broker takes: give the entries to several users, "
                        "from files of their own",
                        who, pattern->length);
    }
    if (pattern->length > LQ_PATTERN_MAX_LENGTH) {
        lq_warning(diags, NULL,
                   "a pattern of the %s has %zu bytes, but RabbitMQ 4.3 "
                   "takes %zu at most: give the entries to several "
                   "users, from files of their own",
                   who, pattern->length, LQ_PATTERN_MAX_LENGTH);
        return LQ_OK;
    }
    return LQ_OK;
}

/* A pattern, copied from memory of which building it takes much more. */
static struct lq_pattern write_pattern(const struct lq_array *names,
                                       enum lq_pattern_style style,
                                       struct lq_arena *arena)
{
    struct lq_pattern pattern;
    struct lq_arena scratch;

    lq_arena_init(&scratch);
    pattern = lq_pattern_of(names->items, names->count, style, &scratch);
    pattern.text = lq_strndup(arena, pattern.text, pattern.length);
    lq_arena_note(arena, lq_arena_status(&scratch, LQ_OK));
    lq_arena_free(&scratch);
    return pattern;
}

/* The easier one to read, if every broker takes it. */
static struct lq_pattern find_pattern(const struct lq_array *names,
                                      struct lq_arena *arena)
{
    const struct lq_pattern plain =
        write_pattern(names, LQ_PATTERN_PLAIN, arena);

    return plain.length > LQ_PATTERN_MAX_LENGTH
               ? write_pattern(names, LQ_PATTERN_SHORT, arena)
               : plain;
}

enum lq_status lq_permissions_build(const struct lq_topology *topology,
                                    enum lilyq_role role,
                                    struct lq_diags *diags,
                                    struct lq_permissions *out)
{
    struct lq_grants grants;
    struct lq_pattern worst = {0};
    enum lq_status status =
        lq_grants_collect(topology, role, diags->arena, &grants);

    if (status == LQ_OK) {
        status = check_names(&grants, diags);
    }
    for (unsigned i = 0; i < LQ_ACCESS_COUNT && status == LQ_OK; ++i) {
        const struct lq_pattern pattern =
            find_pattern(&grants.names[i], diags->arena);

        out->patterns[i] = pattern.text;
        worst.length = larger(worst.length, pattern.length);
        worst.compiled_bytes =
            larger(worst.compiled_bytes, pattern.compiled_bytes);
    }
    return status == LQ_OK ? check_size(&worst, role, diags) : status;
}
