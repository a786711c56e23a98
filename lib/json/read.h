#ifndef LQ_JSON_READ_H
#define LQ_JSON_READ_H

#include "base/diag.h"
#include "json/tree.h"

#include <stddef.h>

/* How deep lists and tables may nest; one at this depth must be empty. */
#define LQ_JSON_DEPTH_MAX 2047

/* Longer documents are refused: the links of a tree reach no further. */
#define LQ_JSON_MAX_BYTES ((size_t)256 * 1024 * 1024)

/* A JSON text and its name in messages, printable; NULL: none. */
struct lq_json_source {
    const char *file;
    const char *text;
    size_t length;
};

/*
 * Which members to keep, as NULL-terminated lists of keys: `outer` for a table
 * that is in no other table, `inner` for one that is in one other. A NULL list
 * keeps all. The rest is checked all the same, but takes no memory.
 */
struct lq_json_wanted {
    const char *const *outer;
    const char *const *inner;
};

/*
 * Reads one JSON value into the arena of `diags`; a byte order mark may precede
 * it. `wanted` may be NULL: everything is. The text is not needed afterwards.
 * Faults are reported with line and column, among them bytes that are not
 * UTF-8, NUL bytes and duplicate keys; they quote the text unless `diags` hide
 * a login. Takes memory for a copy of the text and 16 bytes for each value.
 * LQ_OK, LQ_INVALID or LQ_NOMEM.
 */
enum lq_status lq_json_read(const struct lq_json_source *source,
                            const struct lq_json_wanted *wanted,
                            struct lq_diags *diags,
                            const struct lq_node **out) LQ_CHECK;

#endif
