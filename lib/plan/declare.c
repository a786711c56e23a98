#include "plan/draft.h"

#include "base/map.h"
#include "base/text.h"
#include "model/entry.h"

#include <string.h>

static const char *ownership_text(enum lq_ownership ownership)
{
    return ownership == LQ_EXTERNAL ? "external" : "framework_managed";
}

static const char *role_text(enum lq_role role)
{
    switch (role) {
    case LQ_ROLE_MAIN:
        return "main exchange";
    case LQ_ROLE_RETRY:
        return "retry exchange";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return "dead-letter exchange";
}

/* The field that an exchange's name comes from. */
static enum lq_field source_field(const struct lq_exchange *exchange)
{
    return exchange->role == LQ_ROLE_DEAD_LETTER &&
                   exchange->logical->entry->dead_letter_exchange
               ? LQ_DEAD_LETTER_EXCHANGE
               : LQ_EXCHANGE_NAME;
}

static enum lq_status report_conflict(struct lq_diags *diags,
                                      const struct lq_exchange *exchange,
                                      const struct lq_exchange *first)
{
    struct lq_arena *const arena = diags->arena;
    const struct lq_entry *const entry = first->logical->entry;
    const char *const shown =
        lq_printable(arena, exchange->name, strlen(exchange->name));
    const char *const label = lq_entry_label(arena, entry);
    const struct lq_place place =
        lq_field_place(entry, source_field(first), arena);
    const char *const where = lq_place_text(arena, &place);

    return lq_entry_error(
        diags, exchange->logical->entry, source_field(exchange),
        "%s '%s' cannot be %s: it is %s as the %s of %s%s%s",
        role_text(exchange->role), shown, ownership_text(exchange->ownership),
        ownership_text(first->ownership), role_text(first->role), label,
        *where ? " at " : "", where);
}

static enum lq_status add_exchange(struct lq_draft *draft, struct lq_map *names,
                                   const struct lq_exchange *exchange)
{
    struct lq_exchange *const next = &draft->exchanges[draft->exchange_count];
    const struct lq_exchange *first = NULL;
    void *held = NULL;

    if (!exchange->name) {
        return LQ_OK;
    }
    if (lq_map_add(names, exchange->name, next, &held) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (held == next) {
        *next = *exchange;
        ++draft->exchange_count;
        return LQ_OK;
    }
    first = held;
    return first->ownership == exchange->ownership
               ? LQ_OK
               : report_conflict(draft->diags, exchange, first);
}

static enum lq_status add_exchanges_of(struct lq_draft *draft,
                                       struct lq_map *names,
                                       const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;
    const bool named = lq_entry_sound(entry, lq_field_bit(LQ_EXCHANGE_NAME));
    const struct lq_exchange exchanges[] = {
        {named ? entry->exchange_name : NULL, lq_owner(logical), LQ_ROLE_MAIN,
         logical},
        {logical->retry_exchange, lq_owner(logical), LQ_ROLE_RETRY, logical},
        {logical->dead_letter_exchange, lq_owner(logical), LQ_ROLE_DEAD_LETTER,
         logical},
    };
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < sizeof(exchanges) / sizeof(exchanges[0]); ++i) {
        status = lq_worse(status, add_exchange(draft, names, &exchanges[i]));
    }
    return status;
}

enum lq_status lq_draft_exchanges(struct lq_draft *draft)
{
    const uint64_t ownership = lq_field_bit(LQ_TOPOLOGY_OWNERSHIP);
    enum lq_status status = LQ_OK;
    struct lq_map names;

    draft->exchanges = lq_alloc_array(draft->diags->arena, draft->logical_count,
                                      3 * sizeof(*draft->exchanges));
    if (!draft->exchanges) {
        return LQ_NOMEM;
    }
    lq_map_init(&names, draft->diags->arena);
    for (size_t i = 0; i < draft->logical_count && status != LQ_NOMEM; ++i) {
        const struct lq_logical *const logical = &draft->logicals[i];

        if (lq_entry_sound(logical->entry, ownership)) {
            status = lq_worse(status, add_exchanges_of(draft, &names, logical));
        }
    }
    return status;
}

static const char *queue_role_text(enum lq_role role)
{
    switch (role) {
    case LQ_ROLE_MAIN:
        return "main queue";
    case LQ_ROLE_RETRY:
        return "retry bucket";
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return "dead-letter queue";
}

/* " at lilyq.ini:3", or "" for an entry that is not from a file. */
static const char *name_place(struct lq_arena *arena,
                              const struct lq_entry *entry)
{
    const struct lq_place place = lq_field_place(entry, LQ_NAME, arena);
    const char *const where = lq_place_text(arena, &place);

    return *where ? lq_format(arena, " at %s", where) : where;
}

static enum lq_status report_duplicate(struct lq_diags *diags,
                                       const struct lq_entry *entry,
                                       const struct lq_entry *first)
{
    const char *const where = name_place(diags->arena, first);

    return lq_entry_error(diags, entry, LQ_NAME, "is already defined%s", where);
}

static enum lq_status report_collision(struct lq_diags *diags,
                                       const struct lq_queue *queue,
                                       const struct lq_queue *first)
{
    const struct lq_entry *const entry = first->logical->entry;
    const char *const shown =
        lq_printable(diags->arena, queue->name, strlen(queue->name));
    const char *const label = lq_entry_label(diags->arena, entry);
    const char *const where = name_place(diags->arena, entry);

    return lq_entry_error(diags, queue->logical->entry, LQ_NAME,
                          "%s '%s' has the name of the %s of %s%s",
                          queue_role_text(queue->role), shown,
                          queue_role_text(first->role), label, where);
}

static enum lq_status add_queue(struct lq_draft *draft, struct lq_map *names,
                                const struct lq_queue *queue)
{
    struct lq_queue *const next = &draft->queues[draft->queue_count];
    void *held = NULL;

    if (!queue->name) {
        return LQ_OK;
    }
    if (lq_map_add(names, queue->name, next, &held) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (held != next) {
        return report_collision(draft->diags, queue, held);
    }
    *next = *queue;
    ++draft->queue_count;
    return LQ_OK;
}

static enum lq_status add_queues_of(struct lq_draft *draft,
                                    struct lq_map *names,
                                    const struct lq_logical *logical)
{
    struct lq_queue queue = {
        .name = logical->entry->name, .role = LQ_ROLE_MAIN, .logical = logical};
    enum lq_status status = add_queue(draft, names, &queue);

    queue.role = LQ_ROLE_RETRY;
    for (size_t i = 0; i < logical->bucket_count; ++i) {
        queue.name = logical->buckets[i].queue_name;
        status = lq_worse(status, add_queue(draft, names, &queue));
    }
    queue.role = LQ_ROLE_DEAD_LETTER;
    queue.name = logical->dead_letter_queue;
    return lq_worse(status, add_queue(draft, names, &queue));
}

static size_t count_queues(const struct lq_draft *draft)
{
    size_t count = 0;

    for (size_t i = 0; i < draft->logical_count; ++i) {
        count += draft->logicals[i].bucket_count + 2;
    }
    return count;
}

/* Adds the queues of an entry unless its name was met before. */
static enum lq_status add_logical(struct lq_draft *draft,
                                  struct lq_map *entries, struct lq_map *queues,
                                  struct lq_logical *logical)
{
    void *held = NULL;

    if (!lq_entry_sound(logical->entry, lq_field_bit(LQ_NAME))) {
        return LQ_OK;
    }
    if (lq_map_add(entries, logical->entry->name, logical, &held) != LQ_OK) {
        return LQ_NOMEM;
    }
    if (held != logical) {
        const struct lq_logical *const first = held;
        return report_duplicate(draft->diags, logical->entry, first->entry);
    }
    return add_queues_of(draft, queues, logical);
}

enum lq_status lq_draft_queues(struct lq_draft *draft)
{
    struct lq_arena *const arena = draft->diags->arena;
    const size_t count = count_queues(draft);
    enum lq_status status = LQ_OK;
    struct lq_map entries;
    struct lq_map queues;

    lq_map_init(&entries, arena);
    lq_map_init(&queues, arena);
    draft->queues = lq_alloc_array(arena, count, sizeof(*draft->queues));
    if (!draft->queues ||
        lq_map_reserve(&entries, draft->logical_count) != LQ_OK ||
        lq_map_reserve(&queues, count) != LQ_OK) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < draft->logical_count && status != LQ_NOMEM; ++i) {
        status = lq_worse(
            status, add_logical(draft, &entries, &queues, &draft->logicals[i]));
    }
    return status;
}

/* The most arguments that a queue takes, by what it is for. */
#define MAIN_ARGUMENTS 9
#define BUCKET_ARGUMENTS 7
#define DEAD_LETTER_ARGUMENTS 4

struct arguments {
    struct lq_argument *items;
    size_t count;
};

static void add_text(struct arguments *arguments, const char *key,
                     const char *text)
{
    arguments->items[arguments->count++] =
        (struct lq_argument){.key = key, .type = LQ_LONGSTR, .text = text};
}

static void add_number(struct arguments *arguments, const char *key,
                       enum lq_argument_type type, uint64_t number)
{
    arguments->items[arguments->count++] = (struct lq_argument){
        .key = key, .type = type, .number = (int64_t)number};
}

/* What every queue has. */
static void add_common(struct arguments *arguments,
                       const struct lq_entry *entry, uint64_t messages,
                       uint64_t bytes)
{
    add_text(arguments, "x-queue-type",
             entry->queue_type == LQ_QUORUM ? "quorum" : "classic");
    add_number(arguments, "x-max-length", LQ_INT64, messages);
    add_number(arguments, "x-max-length-bytes", LQ_INT64, bytes);
    add_text(arguments, "x-overflow", "reject-publish");
}

static void add_target(struct arguments *arguments, const char *exchange,
                       const char *routing_key)
{
    add_text(arguments, "x-dead-letter-exchange", exchange);
    add_text(arguments, "x-dead-letter-routing-key", routing_key);
}

static void add_main_extras(struct arguments *arguments,
                            const struct lq_entry *entry)
{
    if (entry->message_ttl_ms != 0) {
        add_number(arguments, "x-message-ttl", LQ_INT64, entry->message_ttl_ms);
    }
    if (entry->single_active_consumer) {
        add_number(arguments, "x-single-active-consumer", LQ_BOOL, 1);
    }
    if (entry->max_priority != 0) {
        add_number(arguments, "x-max-priority", LQ_INT32, entry->max_priority);
    }
}

/* Completes the next queue and binds it to an exchange. */
static void complete(struct lq_draft *draft, const struct arguments *arguments,
                     const char *source, const char *routing_key)
{
    struct lq_queue *const queue = &draft->queues[draft->binding_count];
    const struct lq_entry *const entry = queue->logical->entry;

    queue->durable = queue->role != LQ_ROLE_MAIN || entry->durable;
    queue->auto_delete = queue->role == LQ_ROLE_MAIN && entry->auto_delete;
    queue->arguments = arguments->items;
    queue->argument_count = arguments->count;
    draft->bindings[draft->binding_count++] =
        (struct lq_binding){.source = source,
                            .destination = queue->name,
                            .routing_key = routing_key,
                            .role = queue->role,
                            .logical = queue->logical};
}

static enum lq_status begin(struct lq_draft *draft, size_t most,
                            struct arguments *out)
{
    *out = (struct arguments){
        lq_alloc_array(draft->diags->arena, most, sizeof(*out->items)), 0};
    return out->items ? LQ_OK : LQ_NOMEM;
}

static enum lq_status declare_main(struct lq_draft *draft,
                                   const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;
    struct arguments arguments;

    if (begin(draft, MAIN_ARGUMENTS, &arguments) != LQ_OK) {
        return LQ_NOMEM;
    }
    add_common(&arguments, entry, entry->main_max_messages,
               entry->main_max_bytes);
    add_target(&arguments, logical->dead_letter_exchange,
               logical->dead_letter_routing_key);
    add_main_extras(&arguments, entry);
    complete(draft, &arguments, entry->exchange_name, entry->routing_key);
    return LQ_OK;
}

static enum lq_status declare_bucket(struct lq_draft *draft,
                                     const struct lq_logical *logical,
                                     const struct lq_bucket *bucket)
{
    const struct lq_entry *const entry = logical->entry;
    struct arguments arguments;

    if (begin(draft, BUCKET_ARGUMENTS, &arguments) != LQ_OK) {
        return LQ_NOMEM;
    }
    add_common(&arguments, entry, entry->retry_bucket_max_messages,
               entry->retry_bucket_max_bytes);
    /* back through the main exchange, not straight to the queue */
    add_target(&arguments, entry->exchange_name, entry->routing_key);
    add_number(&arguments, "x-message-ttl", LQ_INT64, bucket->delay_millis);
    complete(draft, &arguments, logical->retry_exchange, bucket->routing_key);
    return LQ_OK;
}

static enum lq_status declare_dead_letter(struct lq_draft *draft,
                                          const struct lq_logical *logical)
{
    const struct lq_entry *const entry = logical->entry;
    struct arguments arguments;

    if (begin(draft, DEAD_LETTER_ARGUMENTS, &arguments) != LQ_OK) {
        return LQ_NOMEM;
    }
    add_common(&arguments, entry, entry->dead_letter_max_messages,
               entry->dead_letter_max_bytes);
    complete(draft, &arguments, logical->dead_letter_exchange,
             logical->dead_letter_routing_key);
    return LQ_OK;
}

static enum lq_status declare_logical(struct lq_draft *draft,
                                      const struct lq_logical *logical)
{
    enum lq_status status = declare_main(draft, logical);

    for (size_t i = 0; i < logical->bucket_count && status == LQ_OK; ++i) {
        status = declare_bucket(draft, logical, &logical->buckets[i]);
    }
    return status == LQ_OK ? declare_dead_letter(draft, logical) : status;
}

enum lq_status lq_draft_declare(struct lq_draft *draft)
{
    enum lq_status status = LQ_OK;

    draft->bindings = lq_alloc_array(draft->diags->arena, draft->queue_count,
                                     sizeof(*draft->bindings));
    if (!draft->bindings) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < draft->logical_count && status == LQ_OK; ++i) {
        status = declare_logical(draft, &draft->logicals[i]);
    }
    return status;
}
