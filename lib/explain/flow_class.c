#include "explain/flow_class.h"

#include <math.h>

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
