#ifndef LQ_JSON_READ_H
#define LQ_JSON_READ_H

#include "base/diag.h"
#include "json/tree.h"

#include <stddef.h>

/* Lists and tables within each other; what is in the last one is refused. */
#define LQ_JSON_DEPTH_MAX 2047

/* Longer documents are refused: the links of a tree reach no further. */
#define LQ_JSON_MAX_BYTES ((size_t)256 * 1024 * 1024)

/* A JSON text and what messages call it, printable; NULL: nothing. */
struct lq_json_source {
    const char *file;
    const char *text;
    size_t length;
};

/*
 * What of a document is wanted, as ends of lists of keys are NULL: of a table
 * that is in no other one, and of one that is in one other. A NULL list wants
 * all. What is not wanted is checked all the same, but takes no memory.
 */
struct lq_json_wanted {
    const char *const *outer;
    const char *const *inner;
};

/*
 * Reads one JSON value into the arena of `diags`; a byte order mark may precede
 * it. `wanted` may be NULL: all is. The text is not needed any more. What is
 * wrong is reported with line and column, bytes that are no UTF-8, NUL bytes
 * and keys that come twice in a table included. Takes memory for the text once
 * more and 16 bytes for each value. LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_json_read(const struct lq_json_source *source,
                            const struct lq_json_wanted *wanted,
                            struct lq_diags *diags,
                            const struct lq_node **out) LQ_CHECK;

#endif
