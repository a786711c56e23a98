#ifndef LQ_BASE_CLOCK_H
#define LQ_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* A moment that never comes. */
#define LQ_NEVER UINT64_MAX

/* Milliseconds on a clock that only goes forward; the start is arbitrary. */
uint64_t lq_now_millis(void);

/* Milliseconds from now to a moment, 0 when it has passed. */
uint64_t lq_millis_until(uint64_t moment);

/* Milliseconds since 1970 in UTC, from the clock that people set. */
int64_t lq_unix_millis(void);

#define LQ_TIME_TEXT 32 /* bytes of a time as text, with its NUL */

/*
 * Writes a time in milliseconds since 1970 as RFC 3339 has it, in UTC:
 * "2026-12-01T07:09:00.250Z", without the fraction when it is 0. False for a
 * year outside 0000 to 9999.
 */
bool lq_time_text(int64_t unix_millis, char out[LQ_TIME_TEXT]);

/*
 * Reads a time of RFC 3339, with an offset or Z, to the millisecond; a date
 * alone is its midnight in UTC. False for anything else, such as a day that
 * its month does not have.
 */
bool lq_time_parse(const char *text, int64_t *unix_millis);

#endif
