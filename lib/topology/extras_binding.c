#include "topology/extras.h"

#include "base/buffer.h"
#include "base/text.h"

/* Whether source, key and destination are planned, whatever the arguments. */
static bool is_named_in_plan(const struct lq_extras *extras,
                             const struct lq_live_binding *binding)
{
    const struct lq_binding *const planned =
        binding->to_exchange
            ? NULL
            : lq_own_binding_to(&extras->own, binding->destination);

    return planned && lq_str_equal(planned->source, binding->source) &&
           lq_str_equal(planned->routing_key, binding->routing_key);
}

/* "a=1, b=x": arguments as a finding shows them; NULL when out of memory. */
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

static enum lq_status add(const struct lq_extras *extras,
                          const struct lq_live_binding *binding,
                          struct lq_finding *about, enum lq_finding_code code)
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
    return lq_diff_add(extras->diff, about, extras->arena);
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
static enum lq_status check_source(const struct lq_extras *extras,
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
    if (lq_own_binding_of(&extras->own, binding->source, binding->routing_key,
                          &planned) != LQ_OK) {
        return LQ_NOMEM;
    }
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
    return add(extras, binding, &about, shared(about.role));
}

/* One that leads to a bucket, a DLQ, or an exchange that is for these only. */
static enum lq_status check_destination(const struct lq_extras *extras,
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
    return add(extras, binding, &about,
               about.role == LQ_ROLE_RETRY ? LQ_RETRY_FED
                                           : LQ_DEAD_LETTERS_FED);
}

/* One that v2 does not derive, and somebody else made. */
static enum lq_status check_foreign(const struct lq_extras *extras,
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
static enum lq_status check_former(const struct lq_extras *extras,
                                   const struct lq_live_binding *binding,
                                   bool *done)
{
    struct lq_finding about = {.logical = NULL};
    const struct lq_former *former = NULL;
    const struct lq_binding *planned = NULL;
    enum lq_status status =
        lq_formers_binding(&extras->formers, binding, &about.role, &former);

    if (status == LQ_OK && former && former->logical &&
        about.role == LQ_ROLE_MAIN) { /* the key may be another entry's now */
        status = lq_own_binding_of(&extras->own, binding->source,
                                   binding->routing_key, &planned);
    }
    if (status != LQ_OK || !former || planned) {
        return status;
    }
    *done = true;
    if (!former->logical) {
        about.logical = former->near;
        return add(extras, binding, &about, LQ_BINDING_OF_GONE_ENTRY);
    }
    about.logical = former->logical;
    return add(extras, binding, &about,
               lq_own_binding_to(&extras->own, binding->destination)
                   ? LQ_BINDING_LEFT
                   : LQ_BINDING_ORPHANED);
}

enum lq_status lq_extras_check_binding(const struct lq_extras *extras,
                                       const struct lq_live_binding *binding)
{
    struct lq_finding about = {.logical = NULL};
    enum lq_extras_trace trace = LQ_TRACE_NONE;
    enum lq_status status = LQ_OK;
    bool done = false;

    if (*binding->source == '\0' ||
        (binding->arguments.count == 0 && is_named_in_plan(extras, binding))) {
        return LQ_OK;
    }
    if (lq_extras_trace(extras, binding, &trace, &about) != LQ_OK) {
        return LQ_NOMEM;
    }
    switch (trace) {
    case LQ_TRACE_ENTRY:
        return add(extras, binding, &about,
                   lq_own_binding_to(&extras->own, binding->destination)
                       ? LQ_BINDING_LEFT
                       : LQ_BINDING_ORPHANED);
    case LQ_TRACE_GONE:
        return add(extras, binding, &about, LQ_BINDING_OF_GONE_ENTRY);
    case LQ_TRACE_NONE:
        break;
    }
    status = check_former(extras, binding, &done);
    return status == LQ_OK && !done ? check_foreign(extras, binding) : status;
}
