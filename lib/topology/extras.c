#include "topology/extras.h"

#include "base/text.h"
#include "topology/names.h"

#include <string.h>

/* Whether a bucket sends its messages to this main exchange. */
static bool returns_to(const struct lq_extras *extras, const char *bucket,
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
static enum lq_status trace(const struct lq_extras *extras,
                            const struct lq_live_binding *binding,
                            size_t length, enum lq_extras_trace *out,
                            struct lq_finding *about)
{
    const struct lq_own_exchange *const source =
        lq_own_exchange(&extras->own, binding->source);
    const struct lq_logical *logical = NULL;
    enum lq_own_entry owner = LQ_OWN_EXTERNAL;
    const enum lq_status status = lq_own_entry(
        &extras->own, binding->destination, length, &owner, &logical);

    if (status != LQ_OK || owner == LQ_OWN_EXTERNAL) {
        return status;
    }
    if (owner == LQ_OWN_ENTRY) {
        *out = LQ_TRACE_ENTRY;
        about->logical = logical;
    } else if (!lq_own_binding_to(&extras->own, binding->destination) &&
               (about->role == LQ_ROLE_DEAD_LETTER
                    ? !lq_own_is(source, LQ_OWN_MAIN)
                    : returns_to(extras, binding->destination, source->main))) {
        *out = LQ_TRACE_GONE;
        about->logical = source->logical;
    }
    return LQ_OK;
}

/* A binding to a bucket, with the key that belongs to its name. */
static enum lq_status trace_bucket(const struct lq_extras *extras,
                                   const struct lq_live_binding *binding,
                                   enum lq_extras_trace *out,
                                   struct lq_finding *about)
{
    const char *root = NULL;
    const char *key = NULL;
    size_t length = 0;
    uint64_t delay = 0;

    if (!lq_name_is_bucket(binding->destination, &length, &delay)) {
        return LQ_OK;
    }
    root = lq_strndup(extras->arena, binding->destination, length);
    key = root ? lq_name_bucket_key(extras->arena, root, delay) : NULL;
    if (!key) {
        return LQ_NOMEM;
    }
    about->role = LQ_ROLE_RETRY;
    return lq_str_equal(key, binding->routing_key)
               ? trace(extras, binding, length, out, about)
               : LQ_OK;
}

/* A binding to a DLQ with the default key, which is the entry's name. */
static enum lq_status trace_dlq(const struct lq_extras *extras,
                                const struct lq_live_binding *binding,
                                enum lq_extras_trace *out,
                                struct lq_finding *about)
{
    size_t length = 0;

    about->role = LQ_ROLE_DEAD_LETTER;
    return lq_name_ends(binding->destination, LQ_DEAD_LETTER_QUEUE_SUFFIX,
                        &length) &&
                   is_start(binding->routing_key, binding->destination, length)
               ? trace(extras, binding, length, out, about)
               : LQ_OK;
}

enum lq_status lq_extras_trace(const struct lq_extras *extras,
                               const struct lq_live_binding *binding,
                               enum lq_extras_trace *out,
                               struct lq_finding *about)
{
    const struct lq_own_exchange *const source =
        lq_own_exchange(&extras->own, binding->source);
    enum lq_status status = LQ_OK;

    *out = LQ_TRACE_NONE;
    if (!source || binding->to_exchange || binding->arguments.count > 0) {
        return LQ_OK;
    }
    if (lq_own_is(source, LQ_OWN_RETRY)) {
        status = trace_bucket(extras, binding, out, about);
    }
    if (status == LQ_OK && *out == LQ_TRACE_NONE &&
        lq_own_is(source, LQ_OWN_DEAD_LETTER)) {
        status = trace_dlq(extras, binding, out, about);
    }
    return status;
}
