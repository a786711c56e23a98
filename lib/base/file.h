#ifndef LQ_BASE_FILE_H
#define LQ_BASE_FILE_H

#include "base/diag.h"

#include <stddef.h>

/* No more than this is read of a file: a device, for one, may have no end. */
#define LQ_FILE_MAX_BYTES ((size_t)256 * 1024 * 1024)

/* A text of `length` bytes. */
struct lq_file_text {
    const char *bytes;
    size_t length;
};

/*
 * Reads a whole file of at most `limit` bytes into the arena of `diags`. LQ_OK;
 * LQ_IO, or LQ_INVALID for a larger file, with the reason in `diags`; or
 * LQ_NOMEM.
 */
enum lq_status lq_read_file(const char *path, size_t limit,
                            struct lq_diags *diags,
                            struct lq_file_text *out) LQ_CHECK;

/*
 * Reports that a text, given by its printable name, is larger than `limit`, a
 * whole number of MiB: LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_file_too_large(const char *name, size_t limit,
                                 struct lq_diags *diags) LQ_CHECK;

#endif
