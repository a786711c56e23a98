#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "command.h"
#include "lilyq.h"
#include "report.h"

#include <stdbool.h>
#include <stddef.h>

/* Standard output, whose first failure is remembered. */
struct output {
    int error; /* an errno; 0: none so far */
};

/* Writes all bytes; nothing any more after a failure. */
void output_bytes(struct output *output, const char *bytes, size_t length);

void output_text(struct output *output, const char *text);

void output_format(struct output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Prints text wrapped at 80 columns. The first line starts with `first`, the
 * others with `rest`; words longer than a line are left whole.
 */
void output_wrapped(struct output *output, const char *first, const char *rest,
                    const char *text);

/* What the library writes to; valid as long as `output`. */
struct lilyq_sink output_sink(struct output *output);

/*
 * Flushes and closes standard output. True when every byte was taken; false
 * after saying why not.
 */
bool output_close(struct output *output, const struct reporter *reporter);

/*
 * What a command exits with once the library rendered into `output`: shows the
 * problems from `first` on, closes the output, and says what is wrong with it.
 */
enum exit_code rendering_end(const struct invocation *invocation,
                             const struct lilyq *run, size_t first,
                             enum lilyq_status status, struct output *output);

#endif
