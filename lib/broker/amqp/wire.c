#include "broker/amqp/wire.h"

#include <string.h>

/* type, channel and size; and the byte that ends a frame */
#define HEADER 7
#define END_BYTE 0xce
#define OVERHEAD ((size_t)HEADER + 1)

static uint32_t read_number(const uint8_t *at, size_t length)
{
    uint32_t number = 0;

    for (size_t i = 0; i < length; ++i) {
        number = number << 8 | at[i];
    }
    return number;
}

static bool is_type(uint8_t byte)
{
    return byte == LQ_FRAME_METHOD || byte == LQ_FRAME_HEARTBEAT;
}

static enum lq_cut open_method(struct lq_bytes payload, struct lq_frame *out)
{
    if (payload.length < 4) {
        return LQ_CUT_BAD;
    }
    out->method = read_number(payload.at, 4);
    out->arguments = (struct lq_bytes){payload.at + 4, payload.length - 4};
    return LQ_CUT_FRAME;
}

enum lq_cut lq_frame_cut(struct lq_bytes bytes, size_t limit,
                         struct lq_frame *out, size_t *size)
{
    struct lq_bytes payload = {0};

    if (bytes.length > 0 && !is_type(bytes.at[0])) {
        return LQ_CUT_BAD;
    }
    if (bytes.length < HEADER) {
        return LQ_CUT_MORE;
    }
    payload.at = bytes.at + HEADER;
    payload.length = read_number(bytes.at + 3, 4);
    if (limit < OVERHEAD || payload.length > limit - OVERHEAD) {
        return LQ_CUT_BAD;
    }
    if (bytes.length < payload.length + OVERHEAD) {
        return LQ_CUT_MORE;
    }
    if (payload.at[payload.length] != END_BYTE) {
        return LQ_CUT_BAD;
    }
    *size = payload.length + OVERHEAD;
    *out = (struct lq_frame){.type = (enum lq_frame_type)bytes.at[0],
                             .channel = (uint16_t)read_number(bytes.at + 1, 2)};
    return out->type == LQ_FRAME_METHOD ? open_method(payload, out)
                                        : LQ_CUT_FRAME;
}

static bool begins(struct lq_bytes bytes, const char *with, size_t length)
{
    return bytes.length >= length && memcmp(bytes.at, with, length) == 0;
}

const char *lq_wire_guess(struct lq_bytes bytes)
{
    if (begins(bytes, "AMQP", 4)) {
        return "another version of AMQP";
    }
    if (begins(bytes, "HTTP/", 5)) {
        return "HTTP";
    }
    /* an alert, or a handshake, of SSL 3 or TLS */
    if (begins(bytes, "\x15\x03", 2) || begins(bytes, "\x16\x03", 2)) {
        return "TLS";
    }
    return NULL;
}

/* Takes bytes off the front; false when there are too few. */
static bool take(struct lq_bytes *from, size_t length, struct lq_bytes *out)
{
    if (from->length < length) {
        return false;
    }
    *out = (struct lq_bytes){from->at, length};
    from->at += length;
    from->length -= length;
    return true;
}

/* Takes bytes whose length, in four bytes, precedes them. */
static bool take_long(struct lq_bytes *from, struct lq_bytes *out)
{
    struct lq_bytes length = {0};

    return take(from, 4, &length) && take(from, read_number(length.at, 4), out);
}

bool lq_greeting_read(struct lq_bytes arguments, struct lq_greeting *out)
{
    struct lq_bytes version = {0};
    struct lq_bytes properties = {0};

    if (!take(&arguments, 2, &version) || !take_long(&arguments, &properties) ||
        !take_long(&arguments, &out->mechanisms)) {
        return false;
    }
    out->major = version.at[0];
    out->minor = version.at[1];
    return true;
}

bool lq_greeting_offers(const struct lq_greeting *greeting, const char *name)
{
    const size_t length = strlen(name);
    struct lq_bytes rest = greeting->mechanisms;

    while (rest.length >= length) {
        const uint8_t *const blank = memchr(rest.at, ' ', rest.length);
        const size_t word = blank ? (size_t)(blank - rest.at) : rest.length;

        if (word == length && memcmp(rest.at, name, length) == 0) {
            return true;
        }
        if (!blank) {
            return false;
        }
        rest.at += word + 1;
        rest.length -= word + 1;
    }
    return false;
}
