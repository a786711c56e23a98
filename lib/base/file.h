#ifndef LQ_BASE_FILE_H
#define LQ_BASE_FILE_H

#include "base/diag.h"

#include <stddef.h>

/* More is not read of a file: it may have no end, as a device has none. */
#define LQ_FILE_MAX_BYTES ((size_t)256 * 1024 * 1024)

/* A text of `length` bytes. */
struct lq_file_text {
    const char *bytes;
    size_t length;
};

/*
 * Reads a whole file of at most `limit` bytes into the arena of `diags`. LQ_OK,
 * LQ_IO or, for a larger one, LQ_INVALID after saying why not, or LQ_NOMEM.
 */
enum lq_status lq_read_file(const char *path, size_t limit,
                            struct lq_diags *diags,
                            struct lq_file_text *out) LQ_CHECK;

/*
 * Reports that a text, printable, has more bytes than a limit of whole MiB:
 * LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_file_too_large(const char *name, size_t limit,
                                 struct lq_diags *diags) LQ_CHECK;

#endif
