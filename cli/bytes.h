#ifndef CLI_BYTES_H
#define CLI_BYTES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads a whole number of bytes, or with the unit K, M, G or T, each 1024
 * times the one before, such as "50G"; false for any other text, or more than
 * 2^63-1 bytes.
 */
bool bytes_read(const char *text, uint64_t *out);

#endif
