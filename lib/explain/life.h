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

/* The index of the bucket that has this delay; there must be one. */
size_t lq_bucket_index(const struct lq_logical *logical, uint64_t delay_millis);

/* Where the value of a header of a hand-off is from. */
enum lq_header_value {
    LQ_HEADER_RETRY_COUNT,      /* set: how many retries the message had */
    LQ_HEADER_DELIVERY_ATTEMPT, /* set: which delivery failed, from 1 */
    LQ_HEADER_REJECTION_CODE,   /* set: the handler's word for why */
    LQ_HEADER_EVENT_ID,         /* kept as it was */
    LQ_HEADER_OWN               /* kept as it was, if the message has it */
};

/* A header that the runtime gives a message it hands on. */
struct lq_hand_off_header {
    const char *name;
    const char *type; /* "int32" or "longstr" */
    enum lq_header_value value;
};

#define LQ_HEADER_COUNT ((size_t)8)

/* All of them, those that are set first. */
extern const struct lq_hand_off_header lq_headers[LQ_HEADER_COUNT];

/* The numbers of one hand-off. */
struct lq_hand_off {
    uint64_t retry_count;
    uint64_t delivery_attempt;
};

/* Of the hand-off to retry `number`, from 1. */
struct lq_hand_off lq_hand_off_retry(uint64_t number);

/* Of the hand-off to the dead letters after so many retries. */
struct lq_hand_off lq_hand_off_dead(uint64_t retries);

#endif
