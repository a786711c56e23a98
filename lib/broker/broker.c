#include "broker/broker.h"

#include "base/text.h"

#include <string.h>

static const char *shown(struct lq_arena *arena, const char *text)
{
    return lq_printable(arena, text, strlen(text));
}

bool lq_is_about_exchange(const struct lq_request *request)
{
    return request->kind == LQ_DECLARE_EXCHANGE ||
           request->kind == LQ_CHECK_EXCHANGE ||
           request->kind == LQ_COMPARE_EXCHANGE;
}

static const char *binding_subject(const struct lq_binding *binding,
                                   struct lq_arena *arena)
{
    const char *const source = shown(arena, binding->source);
    const char *const key = shown(arena, binding->routing_key);
    const char *const name = shown(arena, binding->destination);

    return source && key && name
               ? lq_format(arena,
                           "binding of queue '%s' to exchange '%s' "
                           "with key '%s'",
                           name, source, key)
               : NULL;
}

const char *lq_request_subject(const struct lq_request *request,
                               struct lq_arena *arena)
{
    const bool exchange = lq_is_about_exchange(request);
    const char *name = NULL;

    if (request->kind == LQ_BIND_QUEUE) {
        return binding_subject(request->of.binding, arena);
    }
    name = shown(arena, exchange ? request->of.exchange->name
                                 : request->of.queue->name);
    return name ? lq_format(arena, "%s '%s'", exchange ? "exchange" : "queue",
                            name)
                : NULL;
}
