#ifndef LQ_EXPLAIN_FIGURE_H
#define LQ_EXPLAIN_FIGURE_H

#include <stdint.h>

/* holds the text of any duration */
struct lq_duration {
    char text[64];
};

/* As people write it, exactly: "250 ms", "1.2 s", "15 min", "1 h 0.5 s". */
struct lq_duration lq_duration_of(uint64_t millis);

/* The same to about three digits: "1.2 s", "15 min 3 s", "2 d 3 h". */
struct lq_duration lq_duration_about(uint64_t millis);

struct lq_decimal {
    char text[40];
};

/*
 * A number from 0 on with at most so many decimals, up to 6, and no more than
 * it takes: "0.25", "12", "0". The locale does not matter.
 */
struct lq_decimal lq_decimal_of(double number, unsigned decimals);

/* As people read it: whole from 100 on, else with at most two decimals. */
struct lq_decimal lq_decimal_about(double number);

/* The marks of an axis are a round step apart: the least of at most `most`. */

/* 1, 2 or 5 times a power of ten; 1 for a span of 0. */
double lq_scale_step(double span, unsigned most);

/* The same for a time in millis: of seconds, minutes, hours or days. */
uint64_t lq_scale_millis(uint64_t span, unsigned most);

#endif
