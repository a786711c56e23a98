#include "broker/apply_run.h"

#include "broker/verdict.h"

enum lq_status lq_apply_reserve(struct lq_apply_run *run, size_t capacity)
{
    struct lq_arena *const arena = run->diags->arena;

    run->requests = lq_alloc_array(arena, capacity, sizeof(*run->requests));
    run->answers = lq_alloc_array(arena, capacity, sizeof(*run->answers));
    run->steps = lq_alloc_array(arena, capacity, sizeof(*run->steps));
    return run->requests && run->answers && run->steps ? LQ_OK : LQ_NOMEM;
}

void lq_apply_add(struct lq_apply_run *run, struct lq_request request,
                  struct lq_step step)
{
    run->requests[run->count] = request;
    run->steps[run->count] = step;
    ++run->count;
}

/* The tick of a batch: shows how far the run is and asks whether to stop. */
static bool tick(void *data, size_t answered)
{
    struct lq_apply_run *const run = data;
    const struct lq_apply_options *const options = run->options;

    if (options->progress) {
        options->progress(options->data, run->finished + answered, run->total);
    }
    if (!run->stopped && options->stop && options->stop(options->data)) {
        run->stopped = true;
    }
    return run->stopped;
}

static enum lq_status tell(const struct lq_apply_run *run, const char *text)
{
    const struct lq_apply_options *const options = run->options;

    if (text && options->notice) {
        options->notice(options->data, text);
    }
    return text ? LQ_OK : LQ_NOMEM;
}

/* Waits, or has the next tick end the run. */
static enum lq_status blocked(void *data, const char *reason)
{
    struct lq_apply_run *const run = data;

    if (!reason) {
        return tell(run, "the broker is no longer blocked: going on");
    }
    if (!run->options->fail_when_blocked) {
        return tell(run, lq_format(run->diags->arena,
                                   "the broker is blocked by an alarm (%s): "
                                   "waiting for its end",
                                   reason));
    }
    run->stopped = true;
    return lq_error(run->diags, NULL, "the broker is blocked by an alarm (%s)",
                    reason) == LQ_NOMEM
               ? LQ_NOMEM
               : LQ_OK;
}

enum lq_status lq_apply_deny(struct lq_apply_run *run,
                             const struct lq_request *request,
                             const struct lq_answer *answer,
                             struct lq_outcome *outcome)
{
    const enum lq_verdict verdict = lq_verdict_of(request, answer);
    const char *const text =
        lq_verdict_text(request, answer, run->diags->arena);

    *outcome = (struct lq_outcome){
        .result = verdict == LQ_VERDICT_CONFLICT ? LQ_CONFLICT : LQ_FAILED,
        .code = answer->code,
        .text = lq_answer_words(answer),
    };
    if (verdict == LQ_VERDICT_REFUSED) {
        run->failed = true;
    } else {
        run->conflict = true;
    }
    if (!text || lq_error(run->diags, NULL, "%s", text) == LQ_NOMEM) {
        return LQ_NOMEM;
    }
    return LQ_OK;
}

bool lq_is_write(enum lq_result result)
{
    return result == LQ_CREATED || result == LQ_ENSURED ||
           result == LQ_DECLARED;
}

static enum lq_status settle(struct lq_apply_run *run, size_t index)
{
    const struct lq_step *const step = &run->steps[index];
    enum lq_verdict verdict = LQ_VERDICT_REFUSED;

    if (step->keep) {
        *step->keep = run->answers[index];
        return LQ_OK;
    }
    switch (run->answers[index].kind) {
    case LQ_UNSENT:
        break;
    case LQ_DONE:
        if (step->found) {
            *step->found = true;
        } else {
            step->outcome->result = step->done;
        }
        break;
    case LQ_DENIED:
        verdict = lq_verdict_of(&run->requests[index], &run->answers[index]);
        if (verdict != LQ_VERDICT_MISSING || !step->found) {
            return lq_apply_deny(run, &run->requests[index],
                                 &run->answers[index], step->outcome);
        }
        break;
    case LQ_UNKNOWN:
        if (lq_is_write(step->done)) {
            step->outcome->result = LQ_UNCERTAIN;
        }
        break;
    }
    return LQ_OK;
}

/* Notes all answers; LQ_REFUSED when some request was not sent. */
static enum lq_status settle_all(struct lq_apply_run *run)
{
    bool unsent = false;

    for (size_t i = 0; i < run->count; ++i) {
        if (settle(run, i) != LQ_OK) {
            return LQ_NOMEM;
        }
        unsent = unsent || run->answers[i].kind == LQ_UNSENT;
    }
    return unsent ? LQ_REFUSED : LQ_OK;
}

enum lq_status lq_apply_stage(struct lq_apply_run *run, bool writes)
{
    const struct lq_batch batch = {
        .requests = run->requests,
        .count = run->count,
        .answers = run->answers,
        .writes = writes,
        .max_in_flight = run->options->max_in_flight,
        .tick = tick,
        .blocked = blocked,
        .data = run,
    };
    enum lq_status status = LQ_OK;
    enum lq_status settled = LQ_OK;

    if (run->count == 0) {
        return LQ_OK;
    }
    if (tick(run, 0)) {
        run->count = 0;
        return LQ_REFUSED; /* whoever says stop knows why */
    }
    status = run->broker->run(run->broker, &batch);
    settled = settle_all(run);
    run->finished += run->count;
    run->count = 0;
    if (status != LQ_OK || settled == LQ_NOMEM) {
        return settled == LQ_NOMEM ? LQ_NOMEM : status;
    }
    if (writes && (run->conflict || run->failed)) {
        return LQ_REFUSED;
    }
    return settled;
}
