#ifndef CLI_DURATION_H
#define CLI_DURATION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads a whole number with its unit, "90s", "15m", "12h", "7d" or "2w", as
 * seconds. False for all else, and for more than `most` seconds.
 */
bool duration_read(const char *text, uint64_t most, uint64_t *out);

#endif
