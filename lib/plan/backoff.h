#ifndef LQ_PLAN_BACKOFF_H
#define LQ_PLAN_BACKOFF_H

#include "model/topology.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The delays of attempt 1..retry_attempts of an entry: lower, nominal, upper,
 * each clamped to [backoff, cap], repeats dropped (v2 contract, section 3).
 */
void lq_backoff_attempt(const struct lq_entry *entry, uint64_t attempt,
                        struct lq_attempt *out);

/*
 * FNV-1a, 64 bits, over the event id's bytes and then the attempt as four
 * big-endian bytes: what spreads messages over an attempt's delays.
 */
uint64_t lq_backoff_hash(const char *event_id, uint32_t attempt);

/*
 * The delay in millis that the runtime picks for the attempt; 0 when the
 * attempt is 0 or beyond the entry's retry_attempts.
 */
uint64_t lq_backoff_select(const struct lq_entry *entry, const char *event_id,
                           uint32_t attempt);

#endif
