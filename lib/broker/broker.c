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

    return lq_format(arena,
                     "binding of queue '%s' to exchange '%s' "
                     "with key '%s'",
                     name, source, key);
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
    return lq_format(arena, "%s '%s'", exchange ? "exchange" : "queue", name);
}

enum lq_status lq_stages_reserve(struct lq_stages *stages, size_t capacity)
{
    struct lq_arena *const arena = stages->diags->arena;

    stages->requests =
        lq_alloc_array(arena, capacity, sizeof(*stages->requests));
    stages->answers = lq_alloc_array(arena, capacity, sizeof(*stages->answers));
    stages->takers =
        lq_alloc_array(arena, capacity, sizeof(struct lq_answer *));
    return stages->requests && stages->answers && stages->takers ? LQ_OK
                                                                 : LQ_NOMEM;
}

void lq_stages_add(struct lq_stages *stages, struct lq_request request,
                   struct lq_answer *taker)
{
    stages->requests[stages->count] = request;
    stages->takers[stages->count] = taker;
    ++stages->count;
}

/* The tick of a batch: reports progress and asks whether to stop. */
static bool tick(void *data, size_t answered)
{
    struct lq_stages *const stages = data;
    const struct lq_stage_hooks *const hooks = &stages->hooks;

    if (hooks->progress) {
        hooks->progress(hooks->data, stages->finished + answered,
                        stages->total);
    }
    if (!stages->stopped && hooks->stop && hooks->stop(hooks->data)) {
        stages->stopped = true;
    }
    return stages->stopped;
}

static void tell(const struct lq_stages *stages, const char *text)
{
    const struct lq_stage_hooks *const hooks = &stages->hooks;

    if (hooks->notice) {
        hooks->notice(hooks->data, text);
    }
}

/* Waits, or lets the next tick end the run. */
static void blocked(void *data, const char *reason)
{
    struct lq_stages *const stages = data;

    if (!reason) {
        tell(stages, "the broker is no longer blocked: going on");
    } else if (stages->hooks.fail_when_blocked) {
        stages->stopped = true;
        lq_error(stages->diags, NULL, "the broker is blocked by an alarm (%s)",
                 reason);
    } else {
        tell(stages, lq_format(stages->diags->arena,
                               "the broker is blocked by an alarm (%s): "
                               "waiting for its end",
                               reason));
    }
}

/* Gives each answer to its taker; true if some request was not sent. */
static bool hand_out(const struct lq_stages *stages)
{
    bool unsent = false;

    for (size_t i = 0; i < stages->count; ++i) {
        *stages->takers[i] = stages->answers[i];
        unsent = unsent || stages->answers[i].kind == LQ_UNSENT;
    }
    return unsent;
}

enum lq_status lq_stages_run(struct lq_stages *stages, bool writes)
{
    const struct lq_batch batch = {
        .requests = stages->requests,
        .count = stages->count,
        .answers = stages->answers,
        .writes = writes,
        .max_in_flight = stages->hooks.max_in_flight,
        .tick = tick,
        .blocked = blocked,
        .data = stages,
    };
    enum lq_status status = LQ_OK;
    bool unsent = false;

    if (stages->diags->arena->failed) {
        return LQ_NOMEM; /* what is asked may lack a name */
    }
    for (size_t i = 0; i < stages->count; ++i) {
        stages->answers[i] = (struct lq_answer){.kind = LQ_UNSENT};
    }
    if (stages->count > 0 && !tick(stages, 0)) {
        status = stages->broker->run(stages->broker, &batch);
        stages->finished += stages->count;
    }
    unsent = hand_out(stages);
    stages->count = 0;
    return status == LQ_OK && unsent ? LQ_REFUSED : status;
}
