#ifndef LQ_BASE_CLOCK_H
#define LQ_BASE_CLOCK_H

#include <stdint.h>

/* A moment that never comes. */
#define LQ_NEVER UINT64_MAX

/* Milliseconds on a clock that only goes forward; the start is arbitrary. */
uint64_t lq_now_millis(void);

/* Milliseconds from now to a moment, 0 when it has passed. */
uint64_t lq_millis_until(uint64_t moment);

#endif
