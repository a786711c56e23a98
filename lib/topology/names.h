#ifndef LQ_TOPOLOGY_NAMES_H
#define LQ_TOPOLOGY_NAMES_H

#include "base/arena.h"

#include <stdint.h>

/* What v2 appends to an exchange_name (v2 contract, section 2). */
#define LQ_RETRY_EXCHANGE_SUFFIX ".retry.v2"
#define LQ_DEAD_LETTER_EXCHANGE_SUFFIX ".dlx.v2"

/* What v2 appends to a queue's name. */
#define LQ_DEAD_LETTER_QUEUE_SUFFIX ".dlq.v2"

/* The two joined, in the arena; NULL when out of memory. */
char *lq_name_join(struct lq_arena *arena, const char *root,
                   const char *suffix);

/* The bucket queue of a delay, "<name>.retry.v2.<delay>ms". */
char *lq_name_bucket_queue(struct lq_arena *arena, const char *name,
                           uint64_t delay_millis);

/* The bucket's binding key, "<name>.retry.<delay>ms": it has no "v2". */
char *lq_name_bucket_key(struct lq_arena *arena, const char *name,
                         uint64_t delay_millis);

#endif
