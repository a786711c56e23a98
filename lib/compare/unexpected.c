#include "compare/compare.h"

#include "base/buffer.h"
#include "base/text.h"
#include "compare/former.h"
#include "model/names.h"

#include <stdlib.h>
#include <string.h>

struct extras {
    struct lq_own own;
    struct lq_formers formers;
    const struct lq_live *live;
    struct lq_arena *arena;
    struct lq_diff *diff;
};

/* What a binding that is not planned makes of its destination. */
enum trace {
    TRACE_NONE,  /* nothing: it is not one that v2 derives */
    TRACE_ENTRY, /* what an entry of the plan had: `logical` */
    TRACE_GONE   /* what an entry had that is not in the plan */
};

/* Whether a bucket sends its messages to this main exchange. */
static bool returns_to(const struct extras *extras, const char *bucket,
                       const char *exchange)
{
    const struct lq_live_queue *const queue =
        lq_live_queue(extras->live, bucket);
    const struct lq_live_argument *const target =
        queue ? lq_live_argument(&queue->arguments, "x-dead-letter-exchange")
              : NULL;

    return target && target->type == LQ_LIVE_STRING &&
           lq_str_equal(target->text, exchange);
}

/* Whether a name is the first `length` bytes of another one. */
static bool is_start(const char *name, const char *all, size_t length)
{
    return strlen(name) == length && memcmp(name, all, length) == 0;
}

/* The entry of a queue by the start of its name, and whether it is gone. */
static void trace(const struct extras *extras,
                  const struct lq_live_binding *binding, size_t length,
                  enum trace *out, struct lq_finding *about)
{
    const struct lq_own_exchange *const source =
        lq_own_exchange(&extras->own, binding->source);
    const struct lq_logical *logical = NULL;
    const enum lq_own_entry owner =
        lq_own_entry(&extras->own, binding->destination, length, &logical);

    if (owner == LQ_OWN_EXTERNAL) {
        return;
    }
    if (owner == LQ_OWN_ENTRY) {
        *out = TRACE_ENTRY;
        about->logical = logical;
    } else if (!lq_own_binding_to(&extras->own, binding->destination) &&
               (about->role == LQ_ROLE_DEAD_LETTER
                    ? !lq_own_is(source, LQ_OWN_MAIN)
                    : returns_to(extras, binding->destination, source->main))) {
        *out = TRACE_GONE;
        about->logical = source->logical;
    }
}

/* A binding to a bucket, with the key that belongs to its name. */
static void trace_bucket(const struct extras *extras,
                         const struct lq_live_binding *binding, enum trace *out,
                         struct lq_finding *about)
{
    const char *root = NULL;
    const char *key = NULL;
    size_t length = 0;
    uint64_t delay = 0;

    if (!lq_name_is_bucket(binding->destination, &length, &delay)) {
        return;
    }
    root = lq_strndup(extras->arena, binding->destination, length);
    key = lq_name_bucket_key(extras->arena, root, delay);
    about->role = LQ_ROLE_RETRY;
    if (lq_str_equal(key, binding->routing_key)) {
        trace(extras, binding, length, out, about);
    }
}

/* A binding to a DLQ with the default key, which is the entry's name. */
static void trace_dlq(const struct extras *extras,
                      const struct lq_live_binding *binding, enum trace *out,
                      struct lq_finding *about)
{
    size_t length = 0;

    about->role = LQ_ROLE_DEAD_LETTER;
    if (lq_name_ends(binding->destination, LQ_DEAD_LETTER_QUEUE_SUFFIX,
                     &length) &&
        is_start(binding->routing_key, binding->destination, length)) {
        trace(extras, binding, length, out, about);
    }
}

static void trace_binding(const struct extras *extras,
                          const struct lq_live_binding *binding,
                          enum trace *out, struct lq_finding *about)
{
    const struct lq_own_exchange *const source =
        lq_own_exchange(&extras->own, binding->source);

    *out = TRACE_NONE;
    if (!source || binding->to_exchange || binding->arguments.count > 0) {
        return;
    }
    if (lq_own_is(source, LQ_OWN_RETRY)) {
        trace_bucket(extras, binding, out, about);
    }
    if (*out == TRACE_NONE && lq_own_is(source, LQ_OWN_DEAD_LETTER)) {
        trace_dlq(extras, binding, out, about);
    }
}

/* Whether source, key and destination are planned, whatever the arguments. */
static bool is_named_in_plan(const struct extras *extras,
                             const struct lq_live_binding *binding)
{
    const struct lq_binding *const planned =
        binding->to_exchange
            ? NULL
            : lq_own_binding_to(&extras->own, binding->destination);

    return planned && lq_str_equal(planned->source, binding->source) &&
           lq_str_equal(planned->routing_key, binding->routing_key);
}

/* "a=1, b=x": arguments as a finding shows them. */
static const char *arguments_text(const struct lq_live_arguments *arguments,
                                  struct lq_arena *arena)
{
    struct lq_buffer buffer;

    lq_buffer_init(&buffer, arena);
    for (size_t i = 0; i < arguments->count; ++i) {
        lq_buffer_add(&buffer, i > 0 ? ", " : "");
        lq_buffer_add(&buffer, arguments->items[i].key);
        lq_buffer_add(&buffer, "=");
        lq_buffer_add(&buffer, arguments->items[i].text);
    }
    return lq_buffer_text(&buffer);
}

static enum lq_status add_binding(const struct extras *extras,
                                  const struct lq_live_binding *binding,
                                  struct lq_finding *about,
                                  enum lq_finding_code code)
{
    struct lq_binding *const found = lq_alloc(extras->arena, sizeof(*found));

    if (!found) {
        return LQ_NOMEM;
    }
    *found = (struct lq_binding){.source = binding->source,
                                 .destination = binding->destination,
                                 .routing_key = binding->routing_key,
                                 .role = about->role,
                                 .logical = about->logical};
    about->code = code;
    about->resource = LQ_BINDING;
    about->name = binding->destination;
    about->binding = found;
    about->to_exchange = binding->to_exchange;
    if (binding->arguments.count > 0) {
        about->field = "arguments";
        about->actual = (struct lq_side_value){
            arguments_text(&binding->arguments, extras->arena), "table"};
        if (!about->actual.text) {
            return LQ_NOMEM;
        }
    }
    lq_diff_add(extras->diff, about, extras->arena);
    return LQ_OK;
}

/* The code of a binding that gets what is for queues of a role. */
static enum lq_finding_code shared(enum lq_role role)
{
    switch (role) {
    case LQ_ROLE_MAIN:
        return LQ_MAIN_KEY_SHARED;
    case LQ_ROLE_RETRY:
        return LQ_RETRY_SHARED;
    case LQ_ROLE_DEAD_LETTER:
        break;
    }
    return LQ_DEAD_LETTERS_SHARED;
}

static enum lq_role role_of(const struct lq_own_exchange *exchange)
{
    return lq_own_is(exchange, LQ_OWN_RETRY) ? LQ_ROLE_RETRY
                                             : LQ_ROLE_DEAD_LETTER;
}

/* One that leads away from an exchange of the plan. */
static enum lq_status check_source(const struct extras *extras,
                                   const struct lq_live_binding *binding,
                                   bool *done)
{
    const struct lq_own_exchange *const source =
        lq_own_exchange(&extras->own, binding->source);
    const struct lq_binding *planned = NULL;
    struct lq_finding about = {.logical = NULL};

    if (!lq_own_is(source, LQ_OWN_PLANNED)) {
        return LQ_OK;
    }
    planned =
        lq_own_binding_of(&extras->own, binding->source, binding->routing_key);
    if (planned) {
        about.role = planned->role;
        about.logical = planned->logical;
    } else if (lq_own_is_private(source)) {
        about.role = role_of(source);
        about.logical = source->logical;
    } else {
        return LQ_OK;
    }
    *done = true;
    return add_binding(extras, binding, &about, shared(about.role));
}

/* One that leads to a bucket, a DLQ, or an exchange that is for these only. */
static enum lq_status check_destination(const struct extras *extras,
                                        const struct lq_live_binding *binding)
{
    struct lq_finding about = {.role = LQ_ROLE_MAIN};

    if (binding->to_exchange) {
        const struct lq_own_exchange *const exchange =
            lq_own_exchange(&extras->own, binding->destination);

        if (lq_own_is_private(exchange)) {
            about.role = role_of(exchange);
            about.logical = exchange->logical;
        }
    } else {
        const struct lq_binding *const planned =
            lq_own_binding_to(&extras->own, binding->destination);

        if (planned && lq_owner(planned->logical) != LQ_EXTERNAL) {
            about.role = planned->role;
            about.logical = planned->logical;
        }
    }
    if (about.role == LQ_ROLE_MAIN) {
        return LQ_OK;
    }
    return add_binding(extras, binding, &about,
                       about.role == LQ_ROLE_RETRY ? LQ_RETRY_FED
                                                   : LQ_DEAD_LETTERS_FED);
}

/* One that v2 does not derive, and somebody else made. */
static enum lq_status check_foreign(const struct extras *extras,
                                    const struct lq_live_binding *binding)
{
    bool done = false;
    enum lq_status status = LQ_OK;

    if (!is_named_in_plan(extras, binding)) {
        status = check_source(extras, binding, &done);
    }
    return status == LQ_OK && !done ? check_destination(extras, binding)
                                    : status;
}

/* One that an entry had, under names that are not the plan's. */
static enum lq_status
check_former_binding(const struct extras *extras,
                     const struct lq_live_binding *binding, bool *done)
{
    struct lq_finding about = {.logical = NULL};
    const struct lq_former *const former =
        lq_formers_binding(&extras->formers, binding, &about.role);

    /* the key may be another entry's now */
    if (!former || (former->logical && about.role == LQ_ROLE_MAIN &&
                    lq_own_binding_of(&extras->own, binding->source,
                                      binding->routing_key))) {
        return LQ_OK;
    }
    *done = true;
    if (!former->logical) {
        about.logical = former->near;
        return add_binding(extras, binding, &about, LQ_BINDING_OF_GONE_ENTRY);
    }
    about.logical = former->logical;
    return add_binding(extras, binding, &about,
                       lq_own_binding_to(&extras->own, binding->destination)
                           ? LQ_BINDING_LEFT
                           : LQ_BINDING_ORPHANED);
}

static enum lq_status check_binding(const struct extras *extras,
                                    const struct lq_live_binding *binding)
{
    struct lq_finding about = {.logical = NULL};
    enum trace trace = TRACE_NONE;
    enum lq_status status = LQ_OK;
    bool done = false;

    if (*binding->source == '\0' ||
        (binding->arguments.count == 0 && is_named_in_plan(extras, binding))) {
        return LQ_OK;
    }
    trace_binding(extras, binding, &trace, &about);
    switch (trace) {
    case TRACE_ENTRY:
        return add_binding(extras, binding, &about,
                           lq_own_binding_to(&extras->own, binding->destination)
                               ? LQ_BINDING_LEFT
                               : LQ_BINDING_ORPHANED);
    case TRACE_GONE:
        return add_binding(extras, binding, &about, LQ_BINDING_OF_GONE_ENTRY);
    case TRACE_NONE:
        break;
    }
    status = check_former_binding(extras, binding, &done);
    return status == LQ_OK && !done ? check_foreign(extras, binding) : status;
}

static void check_exchange(const struct extras *extras,
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

    if (!(lq_own_is(exchange, LQ_OWN_PLANNED) ||
          strncmp(exchange->name, "amq.", 4) == 0 ||
          !lq_live_exchange(extras->live, exchange->name))) {
        lq_diff_add(extras->diff, &finding, extras->arena);
    }
}

/* One that has no name of the plan's, and had one when it was planned. */
static void check_former(const struct extras *extras,
                         const struct lq_former_exchange *exchange)
{
    const struct lq_finding finding = {.code = LQ_EXCHANGE_ORPHANED,
                                       .resource = LQ_EXCHANGE,
                                       .name = exchange->name,
                                       .logical = exchange->near,
                                       .role = exchange->role};

    if (!(exchange->is_shared)) {
        lq_diff_add(extras->diff, &finding, extras->arena);
    }
}

/* The entry of the plan that a queue's name starts with, or NULL. */
static const struct lq_logical *find_entry(const struct extras *extras,
                                           const char *queue, size_t length)
{
    const struct lq_logical *logical = NULL;

    return lq_own_entry(&extras->own, queue, length, &logical) == LQ_OWN_ENTRY
               ? logical
               : NULL;
}

/* A queue by a name that the plan could derive, or v1. */
static void check_name(const struct extras *extras, struct lq_finding *about)
{
    size_t length = 0;
    uint64_t delay = 0;

    about->role = LQ_ROLE_RETRY;
    about->code = LQ_QUEUE_ORPHANED;
    if (lq_name_is_bucket(about->name, &length, &delay)) {
        about->logical = find_entry(extras, about->name, length);
        return;
    }
    about->code = LQ_QUEUE_OF_V1;
    if (lq_name_ends(about->name, LQ_V1_RETRY_SUFFIX, &length)) {
        about->logical = find_entry(extras, about->name, length);
        return;
    }
    about->role = LQ_ROLE_DEAD_LETTER;
    if (lq_name_ends(about->name, LQ_V1_DEAD_LETTER_QUEUE_SUFFIX, &length)) {
        about->logical = find_entry(extras, about->name, length);
    }
}

/* A queue by a binding that leads to it from one of the plan's exchanges. */
static void check_bindings(const struct extras *extras,
                           struct lq_finding *about)
{
    const struct lq_live_binding *at =
        lq_live_bindings_to(extras->live, about->name);
    enum trace trace = TRACE_NONE;

    about->code = LQ_QUEUE_OF_GONE_ENTRY;
    for (; at && trace != TRACE_GONE; at = at->next) {
        trace_binding(extras, at, &trace, about);
    }
    if (trace != TRACE_GONE) {
        about->logical = NULL;
    }
}

/* A queue by what else is there of its entry. */
static bool check_family(const struct extras *extras, struct lq_finding *about)
{
    const struct lq_former *const former =
        lq_formers_queue(&extras->formers, about->name, &about->role);

    if (former) {
        about->code = LQ_QUEUE_OF_GONE_ENTRY;
        about->logical = former->near;
    }
    return former != NULL;
}

static void check_queue(const struct extras *extras,
                        const struct lq_live_queue *queue)
{
    struct lq_finding about = {.resource = LQ_QUEUE,
                               .name = queue->name,
                               .counted = queue->counted,
                               .messages = queue->messages,
                               .consumers = queue->consumers};

    if (lq_own_binding_to(&extras->own, queue->name)) {
        return;
    }
    check_name(extras, &about);
    if (!about.logical) {
        check_bindings(extras, &about);
    }
    if (about.logical || check_family(extras, &about)) {
        lq_diff_add(extras->diff, &about, extras->arena);
    }
}

static enum lq_status check_all(const struct extras *extras)
{
    const struct lq_live *const live = extras->live;
    enum lq_status status = LQ_OK;

    for (size_t i = 0; i < extras->own.exchanges.count && status == LQ_OK;
         ++i) {
        check_exchange(extras, lq_own_exchange_at(&extras->own, i));
    }
    for (size_t i = 0; i < extras->formers.exchanges.count && status == LQ_OK;
         ++i) {
        check_former(extras,
                     ((void *const *)extras->formers.exchanges.items)[i]);
    }
    for (size_t i = 0; i < live->queues.count && status == LQ_OK; ++i) {
        check_queue(extras, lq_live_queue_at(live, i));
    }
    for (size_t i = 0; i < live->bindings.count && status == LQ_OK; ++i) {
        status = check_binding(extras, lq_live_binding_at(live, i));
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
static void check_parts(const struct extras *extras)
{
    const unsigned wanted =
        LQ_LIVE_HAS_EXCHANGES | LQ_LIVE_HAS_QUEUES | LQ_LIVE_HAS_BINDINGS;
    const struct lq_finding finding = {.code = LQ_EXTRAS_NOT_SEEN,
                                       .resource = LQ_VHOST,
                                       .name = extras->live->vhost};

    if (!((extras->live->parts & wanted) == wanted)) {
        lq_diff_add(extras->diff, &finding, extras->arena);
    }
}

enum lq_status lq_diff_unexpected(const struct lq_topology *plan,
                                  const struct lq_live *live,
                                  struct lq_arena *arena, struct lq_diff *diff)
{
    struct extras extras = {.live = live, .arena = arena, .diff = diff};
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
        check_parts(&extras);
    }
    return status;
}
