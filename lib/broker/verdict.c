#include "broker/verdict.h"

#include "base/text.h"
#include "broker/difference.h"
#include "compare/finding.h"

#include <inttypes.h>
#include <string.h>

enum { FORBIDDEN = 403, NOT_FOUND = 404, LOCKED = 405, PRECONDITION = 406 };

static bool is_exchange(const struct lq_request *request)
{
    return request->kind == LQ_DECLARE_EXCHANGE ||
           request->kind == LQ_CHECK_EXCHANGE ||
           request->kind == LQ_COMPARE_EXCHANGE;
}

static bool is_check(const struct lq_request *request)
{
    return request->kind == LQ_CHECK_QUEUE ||
           request->kind == LQ_CHECK_EXCHANGE;
}

static const char *name_of(const struct lq_request *request)
{
    return is_exchange(request) ? request->of.exchange->name
                                : request->of.queue->name;
}

static bool says(const struct lq_answer *answer, const char *words)
{
    return answer->text && strstr(answer->text, words);
}

enum lq_verdict lq_verdict_of(const struct lq_request *request,
                              const struct lq_answer *answer)
{
    if (answer->code == NOT_FOUND && is_check(request) && answer->text &&
        lq_is_missing(answer->text)) {
        return LQ_VERDICT_MISSING;
    }
    if (answer->code == LOCKED ||
        (answer->code == PRECONDITION && says(answer, "inequivalent arg"))) {
        return LQ_VERDICT_CONFLICT;
    }
    return LQ_VERDICT_REFUSED;
}

const char *lq_answer_words(const struct lq_answer *answer)
{
    return answer->shown ? answer->shown : answer->text;
}

static const char *shown(struct lq_arena *arena, const char *text)
{
    return lq_printable(arena, text, strlen(text));
}

const char *lq_request_subject(const struct lq_request *request,
                               struct lq_arena *arena)
{
    const char *name = NULL;

    if (request->kind == LQ_BIND_QUEUE) {
        const struct lq_binding *const binding = request->of.binding;
        const char *const source = shown(arena, binding->source);
        const char *const key = shown(arena, binding->routing_key);

        name = shown(arena, binding->destination);
        return source && key && name
                   ? lq_format(arena,
                               "binding of queue '%s' to exchange '%s' "
                               "with key '%s'",
                               name, source, key)
                   : NULL;
    }
    name = shown(arena, name_of(request));
    return name ? lq_format(arena, "%s '%s'",
                            is_exchange(request) ? "exchange" : "queue", name)
                : NULL;
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static struct lq_side side_of(const char *value, const char *type)
{
    return (struct lq_side){.known = true, .value = value, .type = type};
}

static struct lq_side argument_side(const struct lq_argument *argument,
                                    struct lq_arena *arena)
{
    switch (argument->type) {
    case LQ_LONGSTR:
        return side_of(argument->text, "string");
    case LQ_BOOL:
        return side_of(truth(argument->number != 0), "boolean");
    case LQ_INT32:
    case LQ_INT64:
        break;
    }
    return side_of(lq_format(arena, "%" PRId64, argument->number), "integer");
}

static bool is_field(const char *field, const char *name)
{
    return strcmp(field, name) == 0;
}

/* An exchange has no arguments. */
static struct lq_side exchange_side(const char *field)
{
    if (is_field(field, "type")) {
        return side_of("direct", "string");
    }
    if (is_field(field, "durable")) {
        return side_of(truth(true), "boolean");
    }
    return is_field(field, "auto_delete") || is_field(field, "internal")
               ? side_of(truth(false), "boolean")
               : side_of(NULL, NULL);
}

enum lq_status lq_planned_side(const struct lq_request *request,
                               const char *field, struct lq_arena *arena,
                               struct lq_side *out)
{
    const struct lq_queue *const queue = request->of.queue;

    *out = side_of(NULL, NULL);
    if (is_exchange(request)) {
        *out = exchange_side(field);
        return LQ_OK;
    }
    if (is_field(field, "durable")) {
        *out = side_of(truth(queue->durable), "boolean");
    } else if (is_field(field, "auto_delete")) {
        *out = side_of(truth(queue->auto_delete), "boolean");
    } else if (is_field(field, "exclusive")) {
        *out = side_of(truth(false), "boolean");
    }
    for (size_t i = 0; i < queue->argument_count; ++i) {
        if (is_field(field, queue->arguments[i].key)) {
            *out = argument_side(&queue->arguments[i], arena);
            return out->value ? LQ_OK : LQ_NOMEM;
        }
    }
    return LQ_OK;
}

/* What can be done about a difference. */
static const char *advice(const struct lq_request *request)
{
    const struct lq_finding finding = {
        .code = is_exchange(request) ? LQ_EXCHANGE_PROPERTY_DIFFERENT
                                     : LQ_QUEUE_PROPERTY_DIFFERENT,
        .role = is_exchange(request) ? request->of.exchange->role
                                     : request->of.queue->role,
    };

    return lq_finding_advice(&finding);
}

static const char *mismatch_text(const struct lq_request *request,
                                 const struct lq_mismatch *mismatch,
                                 const char *what, struct lq_arena *arena)
{
    struct lq_mismatch difference = *mismatch;
    const char *text = NULL;

    /* the broker names a type only where the other side has none */
    difference.there.type = NULL;
    if (lq_planned_side(request, mismatch->field, arena, &difference.planned) !=
        LQ_OK) {
        return NULL;
    }
    text = lq_difference_text(&difference, arena);
    return text ? lq_format(arena, "%s: %s; %s", what, text, advice(request))
                : NULL;
}

static bool has_dead_letter_exchange(const struct lq_queue *queue)
{
    for (size_t i = 0; i < queue->argument_count; ++i) {
        if (is_field(queue->arguments[i].key, "x-dead-letter-exchange")) {
            return true;
        }
    }
    return false;
}

/* What was missing: 3.x names the resource, but no permission. */
static const char *permission(const struct lq_request *request,
                              const struct lq_refusal *refusal)
{
    if (refusal->permission) {
        return refusal->permission;
    }
    switch (request->kind) {
    case LQ_BIND_QUEUE:
        return refusal->exchange ? "read" : "write";
    case LQ_DECLARE_EXCHANGE:
    case LQ_COMPARE_EXCHANGE:
    case LQ_COMPARE_QUEUE:
        return "configure";
    case LQ_DECLARE_QUEUE:
        if (refusal->exchange) {
            return "write"; /* to its dead-letter exchange */
        }
        return has_dead_letter_exchange(request->of.queue)
                   ? "configure and read"
                   : "configure";
    case LQ_CHECK_EXCHANGE:
    case LQ_CHECK_QUEUE:
        break;
    }
    return "configure, write or read";
}

static const char *refusal_text(const struct lq_request *request,
                                const struct lq_refusal *refusal,
                                const char *what, struct lq_arena *arena)
{
    const char *const name = shown(arena, refusal->name);
    const char *const vhost = shown(arena, refusal->vhost);
    const char *const user = shown(arena, refusal->user);

    if (!name || !vhost || !user) {
        return NULL;
    }
    return lq_format(arena,
                     "%s: user '%s' needs permission to %s %s '%s' in "
                     "vhost '%s'",
                     what, user, permission(request, refusal),
                     refusal->exchange ? "exchange" : "queue", name, vhost);
}

static const char *own_words(const struct lq_answer *answer, const char *what,
                             struct lq_arena *arena)
{
    const char *const text = lq_answer_words(answer);
    const char *const words = shown(arena, text ? text : "");

    return words ? lq_format(arena, "%s: the broker refuses%s%s (%d)", what,
                             *words ? ": " : "", words, answer->code)
                 : NULL;
}

const char *lq_verdict_text(const struct lq_request *request,
                            const struct lq_answer *answer,
                            struct lq_arena *arena)
{
    const char *const what = lq_request_subject(request, arena);
    const char *const text = answer->text ? answer->text : "";
    struct lq_mismatch mismatch;
    struct lq_refusal refusal;
    enum lq_status status = LQ_INVALID;

    if (!what) {
        return NULL;
    }
    if (lq_verdict_of(request, answer) == LQ_VERDICT_MISSING) {
        return lq_format(arena, "%s: is external, but does not exist", what);
    }
    if (answer->code == LOCKED) {
        return lq_format(arena, "%s: is exclusive to another connection there",
                         what);
    }
    if (answer->code == PRECONDITION && request->kind != LQ_BIND_QUEUE) {
        status = lq_mismatch_parse(text, name_of(request), arena, &mismatch);
        if (status == LQ_OK) {
            return mismatch_text(request, &mismatch, what, arena);
        }
    }
    if (answer->code == FORBIDDEN) {
        status = lq_refusal_parse(text, arena, &refusal);
        if (status == LQ_OK) {
            return refusal_text(request, &refusal, what, arena);
        }
    }
    return status == LQ_NOMEM ? NULL : own_words(answer, what, arena);
}
