#include "base/buffer.h"

#include <stdint.h>
#include <string.h>

#define FIRST_CAPACITY ((size_t)64)

void lq_buffer_init(struct lq_buffer *buffer, struct lq_arena *arena)
{
    *buffer = (struct lq_buffer){.arena = arena};
}

/* Makes room for `length` bytes and a NUL. */
static bool reserve(struct lq_buffer *buffer, size_t length)
{
    const size_t needed = buffer->length + length + 1;
    size_t capacity = buffer->capacity ? buffer->capacity : FIRST_CAPACITY;
    char *bytes = NULL;

    if (needed <= buffer->capacity) {
        return true;
    }
    while (capacity < needed) {
        capacity *= 2;
    }
    bytes = lq_alloc(buffer->arena, capacity);
    if (!bytes) {
        return false;
    }
    if (buffer->length > 0) {
        memcpy(bytes, buffer->bytes, buffer->length);
    }
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

void lq_buffer_add_bytes(struct lq_buffer *buffer, const char *bytes,
                         size_t length)
{
    /* beyond this, doubling the capacity would wrap */
    if (length >= SIZE_MAX / 4 - buffer->length) {
        buffer->arena->failed = true;
    }
    if (buffer->failed || buffer->arena->failed || !reserve(buffer, length)) {
        buffer->failed = true;
        buffer->length = 0;
        return;
    }
    memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
    buffer->bytes[buffer->length] = '\0';
}

void lq_buffer_add(struct lq_buffer *buffer, const char *text)
{
    lq_buffer_add_bytes(buffer, text, strlen(text));
}

const char *lq_buffer_text(const struct lq_buffer *buffer)
{
    return buffer->bytes && !buffer->failed ? buffer->bytes : "";
}
