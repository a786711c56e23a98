#include "explain/flow.h"

#include <math.h>

/* The tallies behind those of the buckets. */
enum { ALL, DEAD, WAVE, OTHERS };

static struct lq_curve *curve_of(struct lq_flow *flow, size_t bucket_count,
                                 size_t index)
{
    struct lq_curve *const others[OTHERS] = {
        [ALL] = &flow->change, [DEAD] = &flow->dead, [WAVE] = &flow->wave};

    return index < bucket_count ? &flow->changes[index]
                                : others[index - bucket_count];
}

enum lq_status lq_flow_init(struct lq_flow *flow, size_t bucket_count,
                            struct lq_arena *arena)
{
    const size_t count = bucket_count + OTHERS;
    enum lq_status status = LQ_OK;

    flow->changes = lq_alloc_array(arena, bucket_count, sizeof(*flow->changes));
    flow->tallies = lq_alloc_array(arena, count, sizeof(*flow->tallies));
    if (!flow->changes || !flow->tallies) {
        return LQ_NOMEM;
    }
    for (size_t i = 0; i < count && status == LQ_OK; ++i) {
        status = lq_worse(lq_tally_init(&flow->tallies[i], arena),
                          lq_curve_init(curve_of(flow, bucket_count, i),
                                        LQ_TALLY_JUMPS, arena));
    }
    return status;
}

/* The longest that a message may wait in all. */
static double longest_wait(const struct lq_flow_plan *plan)
{
    double sum = 0;

    for (size_t i = 0; i < plan->attempt_count; ++i) {
        const struct lq_flow_attempt *const attempt = &plan->attempts[i];

        sum += attempt->delays[attempt->count - 1];
    }
    return sum;
}

static void clear(struct lq_flow *flow, const struct lq_flow_plan *plan,
                  const struct lq_flow_case *given)
{
    const double span = longest_wait(plan);
    const double origins[] = {0, given->outage_millis,
                              given->halts ? given->stop_millis : INFINITY};
    const double wave[] = {given->stop_millis, INFINITY, INFINITY};

    for (size_t i = 0; i < plan->bucket_count + OTHERS; ++i) {
        lq_tally_clear(&flow->tallies[i], origins, span);
    }
    lq_tally_clear(&flow->tallies[plan->bucket_count + WAVE], wave, span);
}

/* What enters a bucket fills it, and empties it by its delay later. */
static void pass_through(struct lq_jump_tally *tally,
                         const struct lq_stream *stream, double delay)
{
    for (size_t i = 0; i < stream->count; ++i) {
        const struct lq_stream_jump *const jump = &stream->jumps[i];

        lq_tally_note(tally, jump->stretch,
                      (struct lq_jump){jump->since, jump->by});
        lq_tally_note(tally, jump->stretch,
                      (struct lq_jump){jump->since + delay, -jump->by});
    }
}

/* Notes what enters in the delay before the stop, by its delay later. */
static void add_to_wave(struct lq_jump_tally *wave,
                        const struct lq_stream *stream, double delay,
                        const struct lq_flow_case *given)
{
    const double from = given->stop_millis - delay;
    double value = stream->start;
    size_t i = 0;

    for (; i < stream->count && stream->jumps[i].time <= from; ++i) {
        value += stream->jumps[i].by;
    }
    lq_tally_note(wave, 0, (struct lq_jump){0, value});
    for (; i < stream->count && stream->jumps[i].time < given->stop_millis;
         ++i) {
        lq_tally_note(wave, 0,
                      (struct lq_jump){stream->jumps[i].time - from,
                                       stream->jumps[i].by});
        value += stream->jumps[i].by;
    }
    lq_tally_note(wave, 0, (struct lq_jump){delay, -value});
}

static void add_dead(struct lq_jump_tally *dead, const struct lq_stream *stream)
{
    dead->start += stream->start;
    for (size_t i = 0; i < stream->count; ++i) {
        lq_tally_note(
            dead, stream->jumps[i].stretch,
            (struct lq_jump){stream->jumps[i].since, stream->jumps[i].by});
    }
}

static void run_class(struct lq_flow *flow, const struct lq_flow_plan *plan,
                      const struct lq_flow_case *given,
                      struct lq_flow_class *events)
{
    struct lq_jump_tally *const others = &flow->tallies[plan->bucket_count];
    struct lq_stream stream;

    for (size_t n = 0; n < plan->attempt_count; ++n) {
        const double delay = events->delays[n];

        lq_stream_enter(events, n, given, &stream);
        pass_through(&flow->tallies[events->buckets[n]], &stream, delay);
        pass_through(&others[ALL], &stream, delay);
        if (!isinf(given->stop_millis)) {
            add_to_wave(&others[WAVE], &stream, delay, given);
        }
    }
    lq_stream_enter(events, plan->attempt_count, given, &stream);
    add_dead(&others[DEAD], &stream);
}

void lq_flow_run(struct lq_flow *flow, const struct lq_flow_plan *plan,
                 const struct lq_flow_case *given)
{
    const unsigned count = lq_flow_class_count(plan);
    struct lq_flow_class events = {.share = 0};

    clear(flow, plan, given);
    for (unsigned i = 0; i < count; ++i) {
        lq_flow_class_init(&events, plan, given->failure_ratio, i);
        run_class(flow, plan, given, &events);
    }
    for (size_t i = 0; i < plan->bucket_count + OTHERS; ++i) {
        lq_tally_curve(&flow->tallies[i],
                       curve_of(flow, plan->bucket_count, i));
    }
}

static size_t most_delays(const struct lq_flow_plan *plan)
{
    size_t most = 1;

    for (size_t i = 0; i < plan->attempt_count; ++i) {
        const size_t count = plan->attempts[i].count;

        most = count > most ? count : most;
    }
    return most;
}

/* The bits of an attempt's number that may tell two of them apart. */
static unsigned patterns(const struct lq_flow_plan *plan)
{
    unsigned count = 1;

    while (count <= plan->attempt_count) {
        count *= 2;
    }
    return count;
}

unsigned lq_flow_class_count(const struct lq_flow_plan *plan)
{
    switch (most_delays(plan)) {
    case 1:
        return 1;
    case 2:
        return 2; /* the last bit decides */
    default:
        return 3 * patterns(plan);
    }
}

void lq_flow_class_init(struct lq_flow_class *events,
                        const struct lq_flow_plan *plan, double failure_ratio,
                        unsigned index)
{
    const size_t rest = index % 3;
    const size_t bits = most_delays(plan) == 3 ? index / 3 : index;

    events->share = 1.0 / (double)lq_flow_class_count(plan);
    events->powers[0] = 1;
    for (size_t i = 0; i <= plan->attempt_count; ++i) {
        events->powers[i + 1] = events->powers[i] * failure_ratio;
    }
    for (size_t i = 0; i < plan->attempt_count; ++i) {
        const struct lq_flow_attempt *const attempt = &plan->attempts[i];
        const size_t mixed = bits ^ (i + 1);
        const size_t pick =
            attempt->count == 3 ? (mixed + rest) % 3 : mixed % attempt->count;

        events->delays[i] = attempt->delays[pick];
        events->buckets[i] = attempt->buckets[pick];
    }
}

/* The failures before the one at hand, as they enter and leave the outage. */
struct window {
    double entering; /* how long ago the next one was that enters */
    double leaving;
    size_t entered; /* so many did */
    size_t left;
};

/* How much longer ago the failure before the i-th last one was. */
static double step(const struct lq_flow_class *events, size_t n, size_t i)
{
    return i < n ? events->delays[n - 1 - i] : INFINITY;
}

static void push(struct lq_stream *stream, const struct lq_stream_jump *jump)
{
    if (jump->by != 0) {
        stream->jumps[stream->count++] = *jump;
    }
}

/* Lets all enter, or leave, that do so at the time of the jump. */
static void pass(const struct lq_flow_class *events, size_t n,
                 const struct lq_flow_case *given, struct window *window,
                 struct lq_stream_jump *jump)
{
    const double leave = given->outage_millis + window->leaving;

    jump->stretch = window->entering <= leave ? 0 : 1;
    jump->since = jump->stretch ? window->leaving : window->entering;
    jump->time = jump->stretch ? leave : window->entering;
    if (window->entering <= jump->time) {
        window->entering += step(events, n, window->entered++);
    }
    if (leave <= jump->time) {
        window->leaving += step(events, n, window->left++);
    }
}

/* Has nothing flow from a time on. */
static void halt(struct lq_stream *stream, double time)
{
    double value = stream->start;
    size_t count = 0;

    while (count < stream->count && stream->jumps[count].time < time) {
        value += stream->jumps[count++].by;
    }
    stream->count = count;
    push(stream, &(struct lq_stream_jump){
                     .time = time, .since = 0, .stretch = 2, .by = -value});
}

void lq_stream_enter(const struct lq_flow_class *events, size_t n,
                     const struct lq_flow_case *given, struct lq_stream *out)
{
    const double rate = given->rate * events->share;
    const size_t count = n + 1;
    struct window window = {0, 0, 0, 0};
    double value = rate * events->powers[count];

    out->start = value;
    out->count = 0;
    while (window.entered < count ||
           (!isinf(given->outage_millis) && window.left < count)) {
        struct lq_stream_jump jump;
        double next = 0;

        pass(events, n, given, &window, &jump);
        next = rate * events->powers[count - window.entered + window.left];
        jump.by = next - value;
        push(out, &jump);
        value = next;
    }
    if (given->halts) {
        halt(out, given->stop_millis);
    }
}
