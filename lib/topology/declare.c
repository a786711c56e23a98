#include "topology/draft.h"

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
