#ifndef LQ_EXPLAIN_LIFE_H
#define LQ_EXPLAIN_LIFE_H

#include "base/arena.h"
#include "base/status.h"
#include "model/topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which of an attempt's delays one is. */
enum lq_spread { LQ_SPREAD_LOWER, LQ_SPREAD_NOMINAL, LQ_SPREAD_UPPER };

/* One bucket that a message may wait in. */
struct lq_stop {
    const struct lq_bucket *bucket;
    enum lq_spread spread;
    bool taken; /* by the event; true for all when no event is given */
};

/* One retry: a publish to a bucket, a wait, a delivery. */
struct lq_retry {
    uint64_t number; /* from 1; also the x-retry-count that it carries */
    struct lq_stop stops[3];
    size_t stop_count;
    /* waits from the first failure to the delivery that ends this retry */
    uint64_t min_elapsed_millis;
    uint64_t max_elapsed_millis;
};

/* What becomes of a message of one logical queue that keeps failing. */
struct lq_life {
    const struct lq_logical *logical;
    const char *event_id; /* NULL: any event */
    const struct lq_retry *retries;
    size_t retry_count;
    uint64_t min_elapsed_millis; /* when it is dead-lettered */
    uint64_t max_elapsed_millis;
};

/* LQ_OK or LQ_NOMEM. `event_id` is valid, or NULL. */
enum lq_status lq_life_build(const struct lq_logical *logical,
                             const char *event_id, struct lq_arena *arena,
                             struct lq_life *out) LQ_CHECK;

#endif
