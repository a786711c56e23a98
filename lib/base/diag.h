#ifndef LQ_BASE_DIAG_H
#define LQ_BASE_DIAG_H

#include "base/arena.h"
#include "base/redact.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Where something stands in the user's input. */
struct lq_place {
    const char *file; /* as the user named it, but printable; NULL: no file */
    unsigned line;    /* from 1; 0 when only `path` is known */
    unsigned column;  /* from 1, in bytes; 0 when not known */
    const char *path; /* e.g. "queues[3]" in a JSON document, else NULL */
};

enum lq_severity { LQ_ERROR, LQ_WARNING };

struct lq_diag {
    struct lq_place place;
    enum lq_severity severity;
    const char *text; /* one line, no full stop, without the place */
};

/* The first errors are kept, up to this number; later ones are only counted. */
#define LQ_ERRORS_MAX 100

/*
 * The problems of a run, in the order found. The arena owns the texts and is
 * not freed here.
 */
struct lq_diags {
    struct lq_arena *arena;
    struct lq_array items;  /* struct lq_diag */
    struct lq_array files;  /* const char *, in the order of their problems */
    struct lq_array logins; /* struct lq_login, to be kept out of all texts */
    size_t error_count;     /* including those that are not kept */
    size_t error_told;      /* error_count at the last "and more" */
};

void lq_diags_init(struct lq_diags *diags, struct lq_arena *arena);

/*
 * Notes a file under the name that places use: its problems come before those
 * of files noted later. The text is not copied.
 */
void lq_diags_add_file(struct lq_diags *diags, const char *file);

/*
 * Keeps a login's password, plain or encoded, out of all texts added from now
 * on. The strings are not copied.
 */
void lq_diags_hide(struct lq_diags *diags, const struct lq_login *login);

/* Whether there are logins to be hidden. */
bool lq_diags_hides(const struct lq_diags *diags);

/*
 * What a peer or a library says, made safe to show: printable, with hidden
 * logins masked; "" when out of memory.
 */
const char *lq_diags_shown(const struct lq_diags *diags, const char *text,
                           size_t length);

const struct lq_diag *lq_diags_at(const struct lq_diags *diags, size_t index);

/*
 * Adds an error, or only counts it once LQ_ERRORS_MAX are kept. `place` may be
 * NULL; it is copied, its strings are not. Returns LQ_INVALID, so that a
 * check can end in `return lq_error(...)`.
 */
enum lq_status lq_error(struct lq_diags *diags, const struct lq_place *place,
                        const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void lq_warning(struct lq_diags *diags, const struct lq_place *place,
                const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Counts errors of which only the number is known. */
void lq_diags_count(struct lq_diags *diags, size_t errors);

/* Adds "… and 5 more problems" if errors were dropped since the last call. */
void lq_diags_sum_up(struct lq_diags *diags);

/* The state before an attempt that may fail. */
struct lq_trial {
    struct lq_arena_mark mark;
    size_t error_count;
};

struct lq_trial lq_trial_begin(const struct lq_diags *diags);

/*
 * If the attempt found errors that are not kept, takes back everything
 * allocated since, so that they cost no memory. Nothing allocated since may be
 * in use then.
 */
void lq_trial_end(const struct lq_trial *trial, struct lq_diags *diags);

/*
 * The place as messages name it: "file:line", "file:line:column", "file" or, in
 * a JSON document, "file: queues[3]"; "" when it has no file.
 */
const char *lq_place_text(struct lq_arena *arena, const struct lq_place *place);

/*
 * Formats one as "file:line: text" (a warning as "file:line: warning: text";
 * a JSON place as "file: queues[3]: text").
 */
const char *lq_diag_line(struct lq_arena *arena, const struct lq_diag *diag);

/*
 * Sorts by file (in the order noted, then first met), then by line. A problem
 * without a line comes after the others of its file, and one without a file
 * after all others. Stable.
 */
void lq_diags_sort(struct lq_diags *diags);

#endif
