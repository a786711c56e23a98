#ifndef LQ_CONFIG_INI_LINES_H
#define LQ_CONFIG_INI_LINES_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

#define LQ_LINE_MAX_BYTES 4096

/* Why a line cannot be read. */
enum lq_line_fault {
    LQ_LINE_OK,
    LQ_LINE_NUL,
    LQ_LINE_CR, /* a carriage return that no line feed follows */
    LQ_LINE_ENCODING,
    LQ_LINE_LONG
};

/* One line without the blanks around it and its LF or CR LF. */
struct lq_line {
    const char *text; /* not terminated */
    size_t length;    /* bytes */
    unsigned number;  /* from 1 */
    enum lq_line_fault fault;
    unsigned column;    /* of the fault, from 1, in bytes; 0: the whole line */
    size_t full_length; /* bytes, blanks included */
};

/* Splits a text into lines. */
struct lq_lines {
    const char *at;
    const char *end;
    unsigned number; /* of the last line handed out */
};

/* A byte order mark before the text is skipped. */
void lq_lines_init(struct lq_lines *lines, const char *text, size_t length);

/* The next line, good or bad; false at the end. */
bool lq_lines_next(struct lq_lines *lines, struct lq_line *out);

/* What a faulty line must be, ready to show. */
const char *lq_line_fault_text(struct lq_arena *arena,
                               const struct lq_line *line);

/* Space, tab, vertical tab, form feed: what is trimmed. */
bool lq_is_blank(char c);

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
    struct lq_slice title; /* everything between the brackets */
    struct lq_slice name;  /* LQ_HEADER_QUEUE: the rest after "queue:" */
    bool closed;           /* there is a ']' */
    struct lq_slice junk;  /* what follows the ']' and is not a comment */
};

/*
 * Reads a line that begins with '['. The title ends at the first ']' that only
 * blanks and a comment follow; failing that, at the last ']', and what follows
 * is junk.
 */
void lq_header_read(const struct lq_line *line, struct lq_header *out);

/*
 * The title that an unknown one is likely to mean: "broker", "defaults",
 * "queue:..."; NULL when none is near.
 */
const char *lq_header_suggest(const struct lq_header *header,
                              struct lq_arena *arena);

#endif
