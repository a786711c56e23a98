#ifndef LQ_BASE_FILE_H
#define LQ_BASE_FILE_H

#include "base/diag.h"

#include <stddef.h>

/* More is not read: it may have no end, as a device has none. */
#define LQ_FILE_MAX_BYTES ((size_t)256 * 1024 * 1024)

/*
 * Reads a whole file into the arena of `diags`. LQ_OK, LQ_IO after saying why
 * it cannot be read, or LQ_NOMEM.
 */
enum lq_status lq_read_file(const char *path, struct lq_diags *diags,
                            const char **text, size_t *length) LQ_CHECK;

#endif
