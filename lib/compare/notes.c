#include "compare/compare.h"

#include "base/text.h"

#include <inttypes.h>

#define BOUND "x-max-length"

/* Per cent of its bound from which on a queue is near it. */
#define NEAR_PERCENT 80

static int64_t planned_bound(const struct lq_queue *queue)
{
    for (size_t i = 0; i < queue->argument_count; ++i) {
        if (lq_str_equal(queue->arguments[i].key, BOUND)) {
            return queue->arguments[i].number;
        }
    }
    return 0;
}

/* The bound that the broker holds it to, as arguments go; 0: none. */
static int64_t actual_bound(const struct lq_queue *planned,
                            const struct lq_live_queue *actual)
{
    const struct lq_live_argument *const bound =
        lq_live_argument(&actual->arguments, BOUND);

    if (!actual->arguments.known) {
        return planned_bound(planned);
    }
    return bound && bound->type == LQ_LIVE_INTEGER ? bound->number : 0;
}

/* Without a product that may not fit. */
static bool is_near(uint64_t messages, int64_t bound)
{
    const uint64_t hundredths = (uint64_t)bound / 100;
    const uint64_t rest = (uint64_t)bound % 100;

    return messages >=
           hundredths * NEAR_PERCENT + (rest * NEAR_PERCENT + 99) / 100;
}

static void note_bound(const struct lq_queue *planned,
                       const struct lq_live_queue *actual,
                       struct lq_arena *arena, struct lq_diff *diff,
                       struct lq_finding *about)
{
    const int64_t bound = actual_bound(planned, actual);

    if (bound <= 0 || !is_near(actual->messages, bound)) {
        return;
    }
    about->code = LQ_QUEUE_NEAR_BOUND;
    about->field = BOUND;
    about->planned = (struct lq_side_value){
        lq_format(arena, "%" PRId64, planned_bound(planned)), "integer"};
    about->actual =
        (struct lq_side_value){lq_format(arena, "%" PRId64, bound), "integer"};
    lq_diff_add(diff, about, arena);
}

static void note_queue(const struct lq_queue *planned,
                       const struct lq_live_queue *actual,
                       struct lq_arena *arena, struct lq_diff *diff)
{
    struct lq_finding about = {.code = LQ_BUCKET_CONSUMED,
                               .resource = LQ_QUEUE,
                               .name = planned->name,
                               .logical = planned->logical,
                               .role = planned->role,
                               .counted = true,
                               .messages = actual->messages,
                               .consumers = actual->consumers};

    if (planned->role == LQ_ROLE_RETRY && actual->consumers > 0) {
        lq_diff_add(diff, &about, arena);
    }
    note_bound(planned, actual, arena, diff, &about);
}

void lq_diff_notes(const struct lq_topology *plan, const struct lq_live *live,
                   struct lq_arena *arena, struct lq_diff *diff)
{

    for (size_t i = 0; i < plan->queue_count; ++i) {
        const struct lq_queue *const planned = &plan->queues[i];
        const struct lq_live_queue *const actual =
            lq_live_queue(live, planned->name);

        if (actual && actual->counted &&
            lq_owner(planned->logical) != LQ_EXTERNAL) {
            note_queue(planned, actual, arena, diff);
        }
    }
}
