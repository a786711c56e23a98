#include "base/writer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lq_writer_init(struct lq_writer *writer, const struct lilyq_sink *sink)
{
    writer->sink = sink;
    writer->status = LQ_OK;
    writer->used = 0;
}

void lq_writer_fail(struct lq_writer *writer, enum lq_status status)
{
    if (writer->status == LQ_OK) {
        writer->status = status;
    }
}

static void hand_on(struct lq_writer *writer, const char *bytes, size_t length)
{
    if (writer->status == LQ_OK && length > 0 &&
        writer->sink->write(writer->sink->data, bytes, length)) {
        writer->status = LQ_IO;
    }
}

static void empty(struct lq_writer *writer)
{
    hand_on(writer, writer->bytes, writer->used);
    writer->used = 0;
}

enum lq_status lq_writer_end(struct lq_writer *writer)
{
    empty(writer);
    return writer->status;
}

void lq_write_bytes(struct lq_writer *writer, const char *bytes, size_t length)
{
    if (length > sizeof(writer->bytes) - writer->used) {
        empty(writer);
    }
    if (length > sizeof(writer->bytes)) {
        hand_on(writer, bytes, length);
        return;
    }
    memcpy(writer->bytes + writer->used, bytes, length);
    writer->used += length;
}

void lq_write_text(struct lq_writer *writer, const char *text)
{
    lq_write_bytes(writer, text, strlen(text));
}

void lq_write_texts(struct lq_writer *writer, ...)
{
    va_list texts;
    const char *text = NULL;

    va_start(texts, writer);
    while ((text = va_arg(texts, const char *))) {
        lq_write_text(writer, text);
    }
    va_end(texts);
}

void lq_write_number(struct lq_writer *writer, uint64_t number)
{
    char digits[24];

    (void)snprintf(digits, sizeof(digits), "%" PRIu64, number);
    lq_write_text(writer, digits);
}
