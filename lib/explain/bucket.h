#ifndef LQ_EXPLAIN_BUCKET_H
#define LQ_EXPLAIN_BUCKET_H

#include "model/topology.h"

/* The index of the bucket that has this delay; there must be one. */
size_t lq_bucket_index(const struct lq_logical *logical, uint64_t delay_millis);

#endif
