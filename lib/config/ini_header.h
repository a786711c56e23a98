#ifndef LQ_CONFIG_INI_HEADER_H
#define LQ_CONFIG_INI_HEADER_H

#include "base/status.h"
#include "config/ini_lines.h"

#include <stdbool.h>
#include <stddef.h>

enum lq_header_kind {
    LQ_HEADER_BROKER,
    LQ_HEADER_DEFAULTS,
    LQ_HEADER_QUEUE,
    LQ_HEADER_UNKNOWN
};

/* A part of a line; not terminated. */
struct lq_slice {
    const char *text;
    size_t length; /* bytes */
};

/* A section header: "[broker]", "[defaults]" or "[queue:NAME]". */
struct lq_header {
    enum lq_header_kind kind;
    struct lq_slice title; /* all that stands between the brackets */
    struct lq_slice name;  /* LQ_HEADER_QUEUE: the rest after "queue:" */
    bool closed;           /* it has its ']' */
    struct lq_slice junk;  /* what follows the ']' and is no comment */
};

/*
 * Reads a line that begins with '['. The title ends at the first ']' with
 * nothing behind it but blanks and a comment; when there is none, at the last
 * ']', and what follows is junk.
 */
void lq_header_read(const struct lq_line *line, struct lq_header *out);

/*
 * The title that an unknown one is likely to mean: "broker", "defaults",
 * "queue:..."; NULL when none is near. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_header_suggest(const struct lq_header *header,
                                 struct lq_arena *arena,
                                 const char **out) LQ_CHECK;

#endif
