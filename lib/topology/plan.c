#include "topology/plan.h"

#include "topology/capacity.h"
#include "topology/draft.h"
#include "topology/expand.h"
#include "topology/field.h"
#include "topology/rules.h"

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

static enum lq_status sum_up(struct lq_draft *draft, struct lq_capacity *out)
{
    for (size_t i = 0; i < draft->logical_count; ++i) {
        struct lq_logical *const logical = &draft->logicals[i];

        logical->capacity =
            lq_capacity_of(logical->entry, logical->bucket_count);
    }
    return lq_capacity_total(draft->logicals, draft->logical_count,
                             draft->diags, out);
}

static enum lq_status finish(struct lq_draft *draft,
                             const struct lq_topology **out)
{
    struct lq_topology *const topology =
        lq_alloc(draft->diags->arena, sizeof(*topology));

    if (!topology || lq_draft_declare(draft) != LQ_OK ||
        sum_up(draft, &topology->capacity) != LQ_OK) {
        return LQ_NOMEM;
    }
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
    return status == LQ_OK ? finish(&draft, out) : status;
}
