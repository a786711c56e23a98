#ifndef LQ_JSON_SOURCE_H
#define LQ_JSON_SOURCE_H

#include "base/diag.h"

#include <stddef.h>

/* A JSON text and what messages call it, printable; NULL: nothing. */
struct lq_json_source {
    const char *file;
    const char *text;
    size_t length;
};

/*
 * Skips a byte order mark and checks that the rest is UTF-8 without NUL bytes.
 * LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_json_source_check(struct lq_json_source *source,
                                    struct lq_diags *diags) LQ_CHECK;

/* Line and column of a byte of the text. */
struct lq_place lq_json_source_place(const struct lq_json_source *source,
                                     size_t offset);

#endif
