#include "format/plan_parts.h"

#include "base/text.h"

#include <string.h>

/* A plan whose parts are looked for. */
struct parts {
    struct lq_plan_taker *taker;
    const struct lq_plan_names *names;
};

/* Reports that a logical queue names what is not in the plan. */
static void fail_missing(const struct parts *parts,
                         const struct lq_logical *logical, const char *what,
                         const char *name)
{
    struct lq_plan_taker *const taker = parts->taker;
    const char *const shown = lq_printable(taker->arena, name, strlen(name));

    if (taker->status == LQ_OK) {
        lq_plan_fail(
            taker, shown ? lq_error(taker->shape.diags, &logical->entry->place,
                                    "%s '%s' must be in the plan", what, shown)
                         : LQ_NOMEM);
    }
}

static void check_queue(const struct parts *parts,
                        const struct lq_logical *logical, const char *name)
{
    if (!lq_map_get(&parts->names->queues, name)) {
        fail_missing(parts, logical, "queue", name);
    }
}

static void check_exchange(const struct parts *parts,
                           const struct lq_logical *logical, const char *name)
{
    if (!lq_map_get(&parts->names->exchanges, name)) {
        fail_missing(parts, logical, "exchange", name);
    }
}

/* What a logical queue is made of must be there. */
static void check_logical(const struct parts *parts,
                          const struct lq_logical *logical)
{
    check_queue(parts, logical, logical->entry->name);
    for (size_t i = 0; i < logical->bucket_count; ++i) {
        check_queue(parts, logical, logical->buckets[i].queue_name);
    }
    check_queue(parts, logical, logical->dead_letter_queue);
    check_exchange(parts, logical, logical->entry->exchange_name);
    if (logical->retry_exchange) {
        check_exchange(parts, logical, logical->retry_exchange);
    }
    check_exchange(parts, logical, logical->dead_letter_exchange);
}

void lq_plan_check_parts(struct lq_plan_taker *taker,
                         const struct lq_node *document,
                         const struct lq_topology *plan,
                         const struct lq_plan_names *names)
{
    const struct parts parts = {taker, names};
    const size_t queues = 2 * plan->logical_count + plan->bucket_count;

    for (size_t i = 0; i < plan->logical_count && taker->status == LQ_OK; ++i) {
        check_logical(&parts, &plan->logicals[i]);
    }
    if (taker->status == LQ_OK &&
        (plan->queue_count != queues || plan->binding_count != queues)) {
        lq_plan_fail(taker,
                     lq_shape_report(&taker->shape, document,
                                     lq_format(taker->arena,
                                               "must have %zu queues and "
                                               "bindings, as its logical "
                                               "queues have",
                                               queues)));
    }
}
