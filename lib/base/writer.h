#ifndef LQ_BASE_WRITER_H
#define LQ_BASE_WRITER_H

#include "base/status.h"
#include "lilyq.h"

#include <stddef.h>
#include <stdint.h>

#define LQ_WRITER_BYTES 16384

/*
 * Collects small pieces of output for a sink. The first failure sticks: later
 * writes are dropped, and lq_writer_end() returns it.
 */
struct lq_writer {
    const struct lilyq_sink *sink;
    enum lq_status status;
    size_t used; /* bytes waiting */
    char bytes[LQ_WRITER_BYTES];
};

void lq_writer_init(struct lq_writer *writer, const struct lilyq_sink *sink);

/* Flushes the rest; LQ_OK, or the first failure. */
enum lq_status lq_writer_end(struct lq_writer *writer) LQ_CHECK;

/* Makes the writer fail with `status`, unless it failed before. */
void lq_writer_fail(struct lq_writer *writer, enum lq_status status);

void lq_write_bytes(struct lq_writer *writer, const char *bytes, size_t length);

void lq_write_text(struct lq_writer *writer, const char *text);

/* Writes several texts; the last argument is a NULL. */
void lq_write_texts(struct lq_writer *writer, ...) __attribute__((sentinel));

/* Writes a number in decimal digits. */
void lq_write_number(struct lq_writer *writer, uint64_t number);

#endif
