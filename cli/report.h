#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "base/arena.h"
#include "lilyq.h"

#include <stdbool.h>
#include <stddef.h>

/* How messages are shown on standard error. */
struct reporter {
    bool quiet;   /* errors only */
    bool verbose; /* details too */
    bool colour;
    bool terminal;      /* standard error is one */
    bool output_colour; /* on standard output, if what is printed has any */
};

/*
 * Looks at standard error, standard output and the environment (NO_COLOR,
 * TERM). Quiet and verbose are the caller's to set.
 */
void report_init(struct reporter *reporter, bool no_colour);

/* Each prints one line, "lilyq: ..."; user text must be printable. */
void report_error(const struct reporter *reporter, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void report_warning(const struct reporter *reporter, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What was done; not when quiet. */
void report_note(const struct reporter *reporter, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How it is done; only when verbose. */
void report_detail(const struct reporter *reporter, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One problem of the input or the broker; a warning not when quiet. */
void report_problem(const struct reporter *reporter,
                    const struct lilyq_problem *problem);

/* A line that the next one overwrites; "" takes it away. Terminals only. */
void report_transient(const struct reporter *reporter, const char *text);

/* Pieces of messages, in the arena. */

/* A user's text as it may be shown on a terminal. */
const char *words_shown(struct lq_arena *arena, const char *text);

/* A NULL-terminated list as "a, b or c". */
const char *words_or(struct lq_arena *arena, const char *const *list);

/* "1 queue", "3 queues"; a noun in -y becomes -ies. */
const char *words_count(struct lq_arena *arena, size_t count, const char *noun);

#endif
