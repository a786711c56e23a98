#include "plan/plan.h"

#include "model/entry.h"
#include "plan/draft.h"

static struct lq_sum known(uint64_t value)
{
    return value <= INT64_MAX ? (struct lq_sum){value, true}
                              : (struct lq_sum){0, false};
}

static struct lq_sum add(struct lq_sum a, struct lq_sum b)
{
    /* neither is over INT64_MAX: the sum cannot wrap */
    return a.known && b.known ? known(a.value + b.value)
                              : (struct lq_sum){0, false};
}

static struct lq_sum multiply(uint64_t value, size_t count)
{
    return count != 0 && value > INT64_MAX / count ? (struct lq_sum){0, false}
                                                   : known(value * count);
}

struct lq_capacity lq_capacity_of(const struct lq_entry *entry,
                                  size_t bucket_count)
{
    const struct lq_sum retry_messages =
        multiply(entry->retry_bucket_max_messages, bucket_count);
    const struct lq_sum retry_bytes =
        multiply(entry->retry_bucket_max_bytes, bucket_count);

    return (struct lq_capacity){
        .messages = add(add(known(entry->main_max_messages), retry_messages),
                        known(entry->dead_letter_max_messages)),
        .bytes = add(add(known(entry->main_max_bytes), retry_bytes),
                     known(entry->dead_letter_max_bytes)),
    };
}

static void warn(struct lq_diags *diags, const struct lq_place *place,
                 const char *whose, const char *what)
{
    lq_warning(diags, place,
               "%s may hold more than 9223372036854775807 %s at worst: "
               "the sum is not known",
               whose, what);
}

static void warn_both(struct lq_diags *diags, const struct lq_place *place,
                      const char *whose, struct lq_capacity capacity)
{
    if (!capacity.messages.known) {
        warn(diags, place, whose, "messages");
    }
    if (!capacity.bytes.known) {
        warn(diags, place, whose, "bytes");
    }
}

static void warn_entry(struct lq_diags *diags, const struct lq_logical *logical)
{
    const struct lq_capacity capacity = logical->capacity;

    if (!capacity.messages.known || !capacity.bytes.known) {
        warn_both(diags, &logical->entry->place,
                  lq_entry_label(diags->arena, logical->entry), capacity);
    }
}

struct lq_capacity lq_capacity_total(const struct lq_logical *logicals,
                                     size_t count, struct lq_diags *diags)
{
    struct lq_capacity total = {{0, true}, {0, true}};

    for (size_t i = 0; i < count; ++i) {
        const struct lq_capacity part = logicals[i].capacity;

        total.messages = add(total.messages, part.messages);
        total.bytes = add(total.bytes, part.bytes);
        warn_entry(diags, &logicals[i]);
    }
    warn_both(diags, NULL, "the topology", total);
    return total;
}

/* Checks and expands entry by entry. */
static enum lq_status expand_all(const struct lq_entry *entries,
                                 struct lq_draft *draft)
{
    enum lq_status status = LQ_OK;

    draft->logicals = lq_alloc_array(draft->diags->arena, draft->logical_count,
                                     sizeof(*draft->logicals));
    if (!draft->logicals) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < draft->logical_count && status != LQ_NOMEM; ++i) {
        const struct lq_entry *const entry = &entries[i];

        if (entry->broken != 0) {
            status = lq_worse(status, LQ_INVALID);
        }
        status = lq_worse(status, lq_rules_check(entry, draft->diags));
        status = lq_worse(
            status, lq_expand_entry(entry, draft->diags, &draft->logicals[i]));
    }
    return status;
}

/* The first logical at which the buckets so far are too many, or NULL. */
static const struct lq_logical *find_excess(const struct lq_draft *draft,
                                            size_t *so_far)
{
    *so_far = 0;
    for (size_t i = 0; i < draft->logical_count; ++i) {
        *so_far += draft->logicals[i].bucket_count;
        if (*so_far > LQ_MAX_BUCKETS) {
            return &draft->logicals[i];
        }
    }
    return NULL;
}

static size_t count_buckets(const struct lq_draft *draft)
{
    size_t count = 0;

    for (size_t i = 0; i < draft->logical_count; ++i) {
        count += draft->logicals[i].bucket_count;
    }
    return count;
}

static enum lq_status check_bucket_total(const struct lq_draft *draft)
{
    size_t so_far = 0;
    const struct lq_logical *const excess = find_excess(draft, &so_far);

    if (!excess) {
        return LQ_OK;
    }
    return lq_entry_error(
        draft->diags, excess->entry, LQ_RETRY_ATTEMPTS,
        "brings the topology to %zu retry buckets (of %zu in all), over the "
        "limit of %d: lower retry_attempts or retry_jitter_ratio, or split the "
        "topology",
        so_far, count_buckets(draft), LQ_MAX_BUCKETS);
}

static struct lq_capacity sum_up(struct lq_draft *draft)
{
    for (size_t i = 0; i < draft->logical_count; ++i) {
        struct lq_logical *const logical = &draft->logicals[i];

        logical->capacity =
            lq_capacity_of(logical->entry, logical->bucket_count);
    }
    return lq_capacity_total(draft->logicals, draft->logical_count,
                             draft->diags);
}

static enum lq_status finish(struct lq_draft *draft,
                             const struct lq_topology **out)
{
    struct lq_topology *const topology =
        lq_alloc(draft->diags->arena, sizeof(*topology));

    if (!topology || lq_draft_declare(draft) != LQ_OK) {
        return LQ_NOMEM;
    }
    topology->capacity = sum_up(draft);
    topology->logicals = draft->logicals;
    topology->logical_count = draft->logical_count;
    topology->exchanges = draft->exchanges;
    topology->exchange_count = draft->exchange_count;
    topology->queues = draft->queues;
    topology->queue_count = draft->queue_count;
    topology->bindings = draft->bindings;
    topology->binding_count = draft->binding_count;
    topology->bucket_count = count_buckets(draft);
    *out = topology;
    return LQ_OK;
}

enum lq_status lq_plan_build(const struct lq_entry *entries, size_t count,
                             struct lq_diags *diags,
                             const struct lq_topology **out)
{
    struct lq_draft draft = {.diags = diags, .logical_count = count};
    enum lq_status status = expand_all(entries, &draft);

    *out = NULL;
    if (status != LQ_NOMEM) {
        status = lq_worse(status, check_bucket_total(&draft));
        status = lq_worse(status, lq_draft_exchanges(&draft));
        status = lq_worse(status, lq_draft_queues(&draft));
    }
    if (status == LQ_OK) {
        status = finish(&draft, out);
    }
    if (diags->arena->failed) {
        *out = NULL;
    }
    return lq_arena_status(diags->arena, status);
}
