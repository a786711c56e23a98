#ifndef LQ_MODEL_NAMES_H
#define LQ_MODEL_NAMES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* What v2 appends to an exchange_name (v2 contract, section 2). */
#define LQ_RETRY_EXCHANGE_SUFFIX ".retry.v2"
#define LQ_DEAD_LETTER_EXCHANGE_SUFFIX ".dlx.v2"

/* What v2 appends to a queue's name. */
#define LQ_DEAD_LETTER_QUEUE_SUFFIX ".dlq.v2"

/* What v1 appended to an exchange_name, and to a queue's name. */
#define LQ_V1_RETRY_SUFFIX ".retry.v1"
#define LQ_V1_DEAD_LETTER_EXCHANGE_SUFFIX ".dlx.v1"
#define LQ_V1_DEAD_LETTER_QUEUE_SUFFIX ".dlq.v1"

/* The two joined, in the arena. */
const char *lq_name_join(struct lq_arena *arena, const char *root,
                         const char *suffix);

/* The bucket queue of a delay, "<name>.retry.v2.<delay>ms". */
const char *lq_name_bucket_queue(struct lq_arena *arena, const char *name,
                                 uint64_t delay_millis);

/* The bucket's binding key, "<name>.retry.<delay>ms": it has no "v2". */
const char *lq_name_bucket_key(struct lq_arena *arena, const char *name,
                               uint64_t delay_millis);

/* Whether a name ends in a suffix; if so, sets `length` to what precedes it. */
bool lq_name_ends(const char *name, const char *suffix, size_t *length);

/*
 * The reverse of lq_name_bucket_queue(): whether a name is that of a bucket,
 * and then the length of the queue's name in it and the delay.
 */
bool lq_name_is_bucket(const char *name, size_t *length, uint64_t *delay);

#endif
