#ifndef LQ_EXPLAIN_SCALE_H
#define LQ_EXPLAIN_SCALE_H

#include <stdint.h>

/* The marks of an axis are a round step apart: the least of at most `most`. */

/* 1, 2 or 5 times a power of ten; 1 for a span of 0. */
double lq_scale_step(double span, unsigned most);

/* The same for a time in millis: of seconds, minutes, hours or days. */
uint64_t lq_scale_millis(uint64_t span, unsigned most);

#endif
