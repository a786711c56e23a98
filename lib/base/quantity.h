#ifndef LQ_BASE_QUANTITY_H
#define LQ_BASE_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

/* The largest values that the functions below accept. */
#define LQ_MAX_RATE 1000000.0                          /* messages per second */
#define LQ_MAX_SPAN (UINT64_C(365) * 24 * 3600 * 1000) /* millis */

/*
 * Each reads a whole text, whatever the locale, and returns whether it is
 * valid.
 */

/* A number over s, m, h or d, such as 50/s or 0.5/m; not 0. */
bool lq_parse_rate(const char *text, double *per_second);

/* Digits and ms, s, m, h, d or w, such as 250ms or 15m; not 0. */
bool lq_parse_span(const char *text, uint64_t most_millis, uint64_t *millis);

/*
 * Digits, and K, M, G or T for 1024 times the one before, such as 50G; not 0,
 * nor more than 2^63-1 bytes.
 */
bool lq_parse_bytes(const char *text, uint64_t *bytes);

/* A number from 0 to 1. */
bool lq_parse_ratio(const char *text, double *out);

#endif
