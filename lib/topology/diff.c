#include "topology/differ.h"

#include "base/text.h"
#include "topology/equivalence.h"

#include <string.h>

static enum lq_status
compare_exchange_arguments(const struct lq_differ *differ,
                           const struct lq_live_arguments *actual)
{
    enum lq_status status = LQ_OK;

    if (!actual->known) {
        return lq_differ_add_field(differ, LQ_PROPERTY_NOT_SEEN, "arguments",
                                   &lq_no_value, &lq_no_value);
    }
    for (size_t i = 0; i < actual->count && status == LQ_OK; ++i) {
        status =
            lq_differ_add_extra(differ,
                                lq_is_compared_exchange(actual->items[i].key)
                                    ? LQ_EXCHANGE_ARGUMENT_DIFFERENT
                                    : LQ_EXCHANGE_ARGUMENT_EXTRA,
                                &actual->items[i]);
    }
    return status;
}

/* 4.3 exports only what is not internal, and does not say so. */
static enum lq_live_flag is_internal(const struct lq_live *live,
                                     const struct lq_live_exchange *actual)
{
    const bool told = actual->internal != LQ_LIVE_UNKNOWN || !live->version ||
                      lq_live_is_before(live, 4, 3);

    return told ? actual->internal : LQ_LIVE_NO;
}

static enum lq_status compare_exchange(const struct lq_differ *differ,
                                       const struct lq_live_exchange *actual)
{
    const enum lq_finding_code code = LQ_EXCHANGE_PROPERTY_DIFFERENT;

    if (lq_differ_compare_text(differ, code, "type", "direct", actual->type) !=
            LQ_OK ||
        lq_differ_compare_flag(differ, code, "durable", true,
                               actual->durable) != LQ_OK ||
        lq_differ_compare_flag(differ, code, "auto_delete", false,
                               actual->auto_delete) != LQ_OK ||
        lq_differ_compare_flag(differ, code, "internal", false,
                               is_internal(differ->live, actual)) != LQ_OK) {
        return LQ_NOMEM;
    }
    return compare_exchange_arguments(differ, &actual->arguments);
}

static bool is_exchange_shown(const struct lq_live *live, const char *name)
{
    return lq_live_has(live, strncmp(name, "amq.", 4) == 0
                                 ? LQ_LIVE_HAS_RESERVED
                                 : LQ_LIVE_HAS_EXCHANGES);
}

/*
 * Whether an exchange that is not listed is there: nothing can be bound to one
 * that is not, and 4.3 exports no internal ones.
 */
static bool is_left_out(const struct lq_live *live, const char *name)
{
    return live->version && !lq_live_is_before(live, 4, 1) &&
           lq_live_is_source(live, name);
}

static enum lq_status check_exchange(struct lq_differ *differ,
                                     const struct lq_exchange *exchange)
{
    const struct lq_live_exchange *const actual =
        lq_live_exchange(differ->live, exchange->name);
    const bool external = exchange->ownership == LQ_EXTERNAL;

    differ->about = (struct lq_finding){.resource = LQ_EXCHANGE,
                                        .name = exchange->name,
                                        .logical = exchange->logical,
                                        .role = exchange->role};
    if (actual) {
        return external ? LQ_OK : compare_exchange(differ, actual);
    }
    if (!is_exchange_shown(differ->live, exchange->name)) {
        return lq_differ_add(differ, LQ_EXCHANGE_NOT_SEEN);
    }
    if (is_left_out(differ->live, exchange->name)) {
        return external
                   ? LQ_OK
                   : lq_differ_compare_flag(differ,
                                            LQ_EXCHANGE_PROPERTY_DIFFERENT,
                                            "internal", false, LQ_LIVE_YES);
    }
    return lq_differ_add(differ, external ? LQ_EXTERNAL_EXCHANGE_MISSING
                                          : LQ_EXCHANGE_MISSING);
}

static enum lq_status check_binding(struct lq_differ *differ,
                                    const struct lq_binding *binding)
{
    const enum lq_live_flag bound =
        lq_live_has(differ->live, LQ_LIVE_HAS_BINDINGS)
            ? lq_live_is_bound(differ->live, binding)
            : LQ_LIVE_UNKNOWN;

    differ->about = (struct lq_finding){.resource = LQ_BINDING,
                                        .name = binding->destination,
                                        .binding = binding,
                                        .logical = binding->logical,
                                        .role = binding->role};
    switch (bound) {
    case LQ_LIVE_YES:
        return LQ_OK;
    case LQ_LIVE_UNKNOWN:
        return lq_differ_add(differ, LQ_BINDING_NOT_SEEN);
    case LQ_LIVE_NO:
        break;
    }
    return lq_differ_add(differ, lq_owner(binding->logical) == LQ_EXTERNAL
                                     ? LQ_EXTERNAL_BINDING_MISSING
                                     : LQ_BINDING_MISSING);
}

enum lq_status lq_diff(const struct lq_topology *plan,
                       const struct lq_live *live, struct lq_arena *arena,
                       struct lq_diff *out)
{
    struct lq_differ differ = {.live = live, .arena = arena, .diff = out};
    enum lq_status status = LQ_OK;

    *out = (struct lq_diff){.counts = {0}};
    lq_array_init(&out->findings, sizeof(struct lq_finding));
    for (size_t i = 0; i < plan->exchange_count && status == LQ_OK; ++i) {
        status = check_exchange(&differ, &plan->exchanges[i]);
    }
    for (size_t i = 0; i < plan->queue_count && status == LQ_OK; ++i) {
        status = lq_differ_check_queue(&differ, &plan->queues[i]);
    }
    for (size_t i = 0; i < plan->binding_count && status == LQ_OK; ++i) {
        status = check_binding(&differ, &plan->bindings[i]);
    }
    return status;
}
