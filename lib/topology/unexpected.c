#include "topology/unexpected.h"

#include "topology/extras.h"
#include "topology/names.h"

#include <stdlib.h>
#include <string.h>

static enum lq_status check_exchange(const struct lq_extras *extras,
                                     const struct lq_own_exchange *exchange)
{
    const struct lq_finding finding = {
        .code = lq_own_is(exchange, LQ_OWN_V1) ? LQ_EXCHANGE_OF_V1
                                               : LQ_EXCHANGE_ORPHANED,
        .resource = LQ_EXCHANGE,
        .name = exchange->name,
        .logical = exchange->logical,
        .role = strstr(exchange->name, ".retry.") ? LQ_ROLE_RETRY
                                                  : LQ_ROLE_DEAD_LETTER,
    };

    return lq_own_is(exchange, LQ_OWN_PLANNED) ||
                   strncmp(exchange->name, "amq.", 4) == 0 ||
                   !lq_live_exchange(extras->live, exchange->name)
               ? LQ_OK
               : lq_diff_add(extras->diff, &finding, extras->arena);
}

/* One that has no name of the plan's, and had one when it was planned. */
static enum lq_status check_former(const struct lq_extras *extras,
                                   const struct lq_former_exchange *exchange)
{
    const struct lq_finding finding = {.code = LQ_EXCHANGE_ORPHANED,
                                       .resource = LQ_EXCHANGE,
                                       .name = exchange->name,
                                       .logical = exchange->near,
                                       .role = exchange->role};

    return exchange->is_shared
               ? LQ_OK
               : lq_diff_add(extras->diff, &finding, extras->arena);
}

/* Sets the entry of the plan that a queue's name starts with, or NULL. */
static enum lq_status find_entry(const struct lq_extras *extras,
                                 const char *queue, size_t length,
                                 const struct lq_logical **out)
{
    enum lq_own_entry owner = LQ_OWN_NOT_HERE;
    const enum lq_status status =
        lq_own_entry(&extras->own, queue, length, &owner, out);

    if (owner != LQ_OWN_ENTRY) {
        *out = NULL;
    }
    return status;
}

/* A queue by a name that the plan could derive, or v1. */
static enum lq_status check_name(const struct lq_extras *extras,
                                 struct lq_finding *about)
{
    size_t length = 0;
    uint64_t delay = 0;

    about->role = LQ_ROLE_RETRY;
    about->code = LQ_QUEUE_ORPHANED;
    if (lq_name_is_bucket(about->name, &length, &delay)) {
        return find_entry(extras, about->name, length, &about->logical);
    }
    about->code = LQ_QUEUE_OF_V1;
    if (lq_name_ends(about->name, LQ_V1_RETRY_SUFFIX, &length)) {
        return find_entry(extras, about->name, length, &about->logical);
    }
    about->role = LQ_ROLE_DEAD_LETTER;
    if (lq_name_ends(about->name, LQ_V1_DEAD_LETTER_QUEUE_SUFFIX, &length)) {
        return find_entry(extras, about->name, length, &about->logical);
    }
    return LQ_OK;
}

/* A queue by a binding that leads to it from one of the plan's exchanges. */
static enum lq_status check_bindings(const struct lq_extras *extras,
                                     struct lq_finding *about)
{
    const struct lq_live_binding *at =
        lq_live_bindings_to(extras->live, about->name);
    enum lq_extras_trace trace = LQ_TRACE_NONE;
    enum lq_status status = LQ_OK;

    about->code = LQ_QUEUE_OF_GONE_ENTRY;
    for (; at && trace != LQ_TRACE_GONE && status == LQ_OK; at = at->next) {
        status = lq_extras_trace(extras, at, &trace, about);
    }
    if (trace != LQ_TRACE_GONE) {
        about->logical = NULL;
    }
    return status;
}

/* A queue by what else is there of its entry. */
static enum lq_status check_family(const struct lq_extras *extras,
                                   struct lq_finding *about, bool *found)
{
    const struct lq_former *former = NULL;
    const enum lq_status status =
        lq_formers_queue(&extras->formers, about->name, &about->role, &former);

    *found = former != NULL;
    if (former) {
        about->code = LQ_QUEUE_OF_GONE_ENTRY;
        about->logical = former->near;
    }
    return status;
}

static enum lq_status check_queue(const struct lq_extras *extras,
                                  const struct lq_live_queue *queue)
{
    struct lq_finding about = {.resource = LQ_QUEUE,
                               .name = queue->name,
                               .counted = queue->counted,
                               .messages = queue->messages,
                               .consumers = queue->consumers};
    enum lq_status status = LQ_OK;
    bool found = false;

    if (lq_own_binding_to(&extras->own, queue->name)) {
        return LQ_OK;
    }
    status = check_name(extras, &about);
    if (status == LQ_OK && !about.logical) {
        status = check_bindings(extras, &about);
    }
    found = about.logical != NULL;
    if (status == LQ_OK && !found) {
        status = check_family(extras, &about, &found);
    }
    return status == LQ_OK && found
               ? lq_diff_add(extras->diff, &about, extras->arena)
               : status;
}

static enum lq_status check_all(const struct lq_extras *extras)
{
    const struct lq_live *const live = extras->live;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < extras->own.exchanges.count && status == LQ_OK;
         ++i) {
        status = check_exchange(extras, lq_own_exchange_at(&extras->own, i));
    }
    for (size_t i = 0; i < extras->formers.exchanges.count && status == LQ_OK;
         ++i) {
        status = check_former(
            extras, ((void *const *)extras->formers.exchanges.items)[i]);
    }
    for (size_t i = 0; i < live->queues.count && status == LQ_OK; ++i) {
        status = check_queue(extras, lq_live_queue_at(live, i));
    }
    for (size_t i = 0; i < live->bindings.count && status == LQ_OK; ++i) {
        status = lq_extras_check_binding(extras, lq_live_binding_at(live, i));
    }
    return status;
}

static int compare_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_bindings(const struct lq_finding *a,
                            const struct lq_finding *b)
{
    int order = compare_texts(a->binding->source, b->binding->source);

    if (order == 0) {
        order = compare_texts(a->binding->routing_key, b->binding->routing_key);
    }
    if (order == 0) {
        order = a->to_exchange - b->to_exchange;
    }
    return order ? order : compare_texts(a->actual.text, b->actual.text);
}

/* The entries of a plan are one array. */
static int compare_findings(const void *left, const void *right)
{
    const struct lq_finding *const a = left;
    const struct lq_finding *const b = right;
    int order = (a->logical > b->logical) - (a->logical < b->logical);

    if (order == 0) {
        order = (int)a->resource - (int)b->resource;
    }
    if (order == 0) {
        order = compare_texts(a->name, b->name);
    }
    return order == 0 && a->binding ? compare_bindings(a, b) : order;
}

static void sort(struct lq_diff *diff, size_t from)
{
    struct lq_finding *const items = diff->findings.items;

    if (diff->findings.count > from + 1) {
        qsort(items + from, diff->findings.count - from, sizeof(*items),
              compare_findings);
    }
}

/* Says once that there may be more than is listed. */
static enum lq_status check_parts(const struct lq_extras *extras)
{
    const unsigned wanted =
        LQ_LIVE_HAS_EXCHANGES | LQ_LIVE_HAS_QUEUES | LQ_LIVE_HAS_BINDINGS;
    const struct lq_finding finding = {.code = LQ_EXTRAS_NOT_SEEN,
                                       .resource = LQ_VHOST,
                                       .name = extras->live->vhost};

    return (extras->live->parts & wanted) == wanted
               ? LQ_OK
               : lq_diff_add(extras->diff, &finding, extras->arena);
}

enum lq_status lq_diff_unexpected(const struct lq_topology *plan,
                                  const struct lq_live *live,
                                  struct lq_arena *arena, struct lq_diff *diff)
{
    struct lq_extras extras = {.live = live, .arena = arena, .diff = diff};
    const size_t from = diff->findings.count;
    enum lq_status status = lq_own_init(&extras.own, plan, arena);

    if (status == LQ_OK) {
        status = lq_formers_init(&extras.formers, &extras.own, live, arena);
    }
    if (status == LQ_OK) {
        status = check_all(&extras);
    }
    if (status == LQ_OK) {
        sort(diff, from);
        status = check_parts(&extras);
    }
    return status;
}
