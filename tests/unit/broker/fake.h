/* A broker in memory, which refuses and breaks when told to. */
#ifndef FAKE_H
#define FAKE_H

#include "broker/broker.h"

#include "../plan/fixture.h"

#define FAKE_NEVER SIZE_MAX

/* Denies requests of a kind about a name (NULL: any). */
struct fake_rule {
    enum lq_request_kind kind;
    const char *name; /* of the queue or exchange; a binding's queue */
    int code;
    const char *text;
};

struct fake {
    struct lq_broker broker; /* first */
    struct fixture *fixture;
    const struct fake_rule *rules;
    size_t rule_count;
    size_t lost_at;        /* the connection ends at this request, from 0 */
    size_t blocked_at;     /* an alarm begins and ends before this one */
    size_t vanish_at;      /* all that is there goes before this one */
    size_t max_in_flight;  /* of the last batch */
    struct lq_array log;   /* const char *: "declare queue q" */
    struct lq_array there; /* const char *: "queue q" */
};

static inline const char *fake_name(const struct lq_request *request)
{
    switch (request->kind) {
    case LQ_DECLARE_EXCHANGE:
    case LQ_CHECK_EXCHANGE:
    case LQ_COMPARE_EXCHANGE:
        return request->of.exchange->name;
    case LQ_DECLARE_QUEUE:
    case LQ_CHECK_QUEUE:
    case LQ_COMPARE_QUEUE:
        return request->of.queue->name;
    case LQ_BIND_QUEUE:
        break;
    }
    return request->of.binding->destination;
}

static inline const char *fake_kind(enum lq_request_kind kind)
{
    return kind == LQ_DECLARE_EXCHANGE || kind == LQ_CHECK_EXCHANGE ||
                   kind == LQ_COMPARE_EXCHANGE
               ? "exchange"
               : "queue";
}

static inline bool fake_has(const struct fake *fake, const char *kind,
                            const char *name)
{
    const char *const *const there = fake->there.items;

    for (size_t i = 0; i < fake->there.count; ++i) {
        if (strncmp(there[i], kind, strlen(kind)) == 0 &&
            strcmp(there[i] + strlen(kind) + 1, name) == 0) {
            return true;
        }
    }
    return false;
}

static inline enum lq_status fake_note(struct fake *fake,
                                       struct lq_array *array,
                                       const char *first, const char *second)
{
    struct lq_arena *const arena = &fake->fixture->arena;
    const char **const item = lq_array_push(array, arena);

    if (!item) {
        return LQ_NOMEM;
    }
    *item = lq_format(arena, "%s %s", first, second);
    return *item ? LQ_OK : LQ_NOMEM;
}

static inline enum lq_status fake_deny(struct lq_answer *answer, int code,
                                       const char *text)
{
    answer->kind = LQ_DENIED;
    answer->code = code;
    answer->text = text;
    return text ? LQ_OK : LQ_NOMEM;
}

/* In the broker's words; what exists is as planned. */
static inline enum lq_status fake_compare(struct fake *fake,
                                          const struct lq_request *request,
                                          struct lq_answer *answer)
{
    struct lq_arena *const arena = &fake->fixture->arena;
    const char *const name = fake_name(request);
    const bool there = fake_has(fake, fake_kind(request->kind), name);

    if (request->kind == LQ_COMPARE_QUEUE) {
        return there ? LQ_OK
                     : fake_deny(answer, 406,
                                 lq_format(arena,
                                           "PRECONDITION_FAILED - invalid arg "
                                           "'x-stream-max-segment-size-bytes' "
                                           "for queue '%s' in vhost '/'",
                                           name));
    }
    if (there) {
        return fake_deny(answer, 406,
                         lq_format(arena,
                                   "PRECONDITION_FAILED - inequivalent arg "
                                   "'alternate-exchange' for exchange '%s' in "
                                   "vhost '/': received the value '0' of type "
                                   "'long' but current is none",
                                   name));
    }
    return fake_deny(answer, 406,
                     lq_format(arena,
                               "PRECONDITION_FAILED - invalid type 'long' for "
                               "arg 'alternate-exchange' in exchange '%s' in "
                               "vhost '/'",
                               name));
}

static inline enum lq_status fake_answer(struct fake *fake,
                                         const struct lq_request *request,
                                         struct lq_answer *answer)
{
    const char *const name = fake_name(request);
    const char *const kind = fake_kind(request->kind);

    for (size_t i = 0; i < fake->rule_count; ++i) {
        const struct fake_rule *const rule = &fake->rules[i];

        if (rule->kind == request->kind &&
            (!rule->name || strcmp(rule->name, name) == 0)) {
            return fake_deny(answer, rule->code, rule->text);
        }
    }
    answer->kind = LQ_DONE;
    if (request->kind == LQ_CHECK_EXCHANGE || request->kind == LQ_CHECK_QUEUE) {
        return fake_has(fake, kind, name)
                   ? LQ_OK
                   : fake_deny(answer, 404,
                               lq_format(&fake->fixture->arena,
                                         "NOT_FOUND - no %s '%s' in vhost '/'",
                                         kind, name));
    }
    if (request->kind == LQ_COMPARE_EXCHANGE ||
        request->kind == LQ_COMPARE_QUEUE) {
        return fake_compare(fake, request, answer);
    }
    if (request->kind != LQ_BIND_QUEUE && !fake_has(fake, kind, name)) {
        return fake_note(fake, &fake->there, kind, name);
    }
    return LQ_OK;
}

/* What comes before each request: an alarm, and the tick. */
static inline enum lq_status fake_tick(const struct fake *fake,
                                       const struct lq_batch *batch,
                                       size_t answered, bool *stop)
{
    const bool alarm = fake->log.count == fake->blocked_at;

    if (alarm) {
        batch->blocked(batch->data, "low on memory");
    }
    *stop = batch->tick && batch->tick(batch->data, answered);
    if (alarm && !*stop) {
        batch->blocked(batch->data, NULL);
    }
    return LQ_OK;
}

static inline enum lq_status fake_lose(struct fake *fake,
                                       struct lq_answer *answer)
{
    answer->kind = LQ_UNKNOWN;
    return lq_error(&fake->fixture->diags, NULL, "lost") == LQ_NOMEM ? LQ_NOMEM
                                                                     : LQ_LOST;
}

static inline enum lq_status fake_take(struct fake *fake,
                                       const struct lq_request *request,
                                       struct lq_answer *answer)
{
    static const char *const verbs[] = {
        "declare exchange", "declare queue", "bind",
        "check exchange",   "check queue",   "compare exchange",
        "compare queue"};

    return fake_note(fake, &fake->log, verbs[request->kind],
                     fake_name(request)) == LQ_OK
               ? fake_answer(fake, request, answer)
               : LQ_NOMEM;
}

static inline enum lq_status fake_run(struct lq_broker *broker,
                                      const struct lq_batch *batch)
{
    struct fake *const fake = (struct fake *)broker;

    fake->max_in_flight = batch->max_in_flight;
    for (size_t i = 0; i < batch->count; ++i) {
        batch->answers[i] = (struct lq_answer){.kind = LQ_UNSENT};
    }
    for (size_t i = 0; i < batch->count; ++i) {
        const struct lq_request *const request = &batch->requests[i];

        bool stop = false;

        if (fake_tick(fake, batch, i, &stop) != LQ_OK) {
            return LQ_NOMEM;
        }
        if (stop) {
            return LQ_OK;
        }
        if (fake->log.count == fake->vanish_at) {
            fake->there.count = 0;
        }
        if (fake->log.count == fake->lost_at) {
            return fake_lose(fake, &batch->answers[i]);
        }
        if (fake_take(fake, request, &batch->answers[i]) != LQ_OK) {
            return LQ_NOMEM;
        }
        if (batch->answers[i].kind == LQ_DENIED && batch->writes) {
            return LQ_OK;
        }
    }
    return LQ_OK;
}

static inline void fake_init(struct fake *fake, struct fixture *fixture)
{
    *fake = (struct fake){.broker = {.run = fake_run},
                          .fixture = fixture,
                          .lost_at = FAKE_NEVER,
                          .blocked_at = FAKE_NEVER,
                          .vanish_at = FAKE_NEVER};
    lq_array_init(&fake->log, sizeof(const char *));
    lq_array_init(&fake->there, sizeof(const char *));
}

/* Has something exist from the start. */
static inline void fake_put(struct fake *fake, const char *kind,
                            const char *name)
{
    assert_int_equal(fake_note(fake, &fake->there, kind, name), LQ_OK);
}

#endif
