#include "broker/amqp/wire.h"

#include <string.h>

/* type, channel and size; and the byte that ends a frame */
#define HEADER 7
#define END_BYTE 0xce
#define OVERHEAD ((size_t)LQ_FRAME_OVERHEAD)

#define CLASS_BASIC 60
#define BASIC_PUBLISH 0x003c0028
#define SHORT_MAX 255 /* bytes of a short string */
#define MANDATORY 1
#define HAS_HEADERS 0x2000 /* among the property flags */
#define HAS_TYPE 0x8000
#define HAS_ENCODING 0x4000

static uint32_t read_number(const uint8_t *at, size_t length)
{
    uint32_t number = 0;

    for (size_t i = 0; i < length; ++i) {
        number = number << 8 | at[i];
    }
    return number;
}

static uint64_t read_long(const uint8_t *at)
{
    return (uint64_t)read_number(at, 4) << 32 | read_number(at + 4, 4);
}

static bool is_type(uint8_t byte, bool any)
{
    return byte == LQ_FRAME_METHOD || byte == LQ_FRAME_HEARTBEAT ||
           (any && (byte == LQ_FRAME_HEADER || byte == LQ_FRAME_BODY));
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

static enum lq_cut cut(struct lq_bytes bytes, size_t limit, bool any,
                       struct lq_frame *out, size_t *size)
{
    struct lq_bytes payload = {0};

    if (bytes.length > 0 && !is_type(bytes.at[0], any)) {
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
                             .channel = (uint16_t)read_number(bytes.at + 1, 2),
                             .arguments = payload};
    return out->type == LQ_FRAME_METHOD ? open_method(payload, out)
                                        : LQ_CUT_FRAME;
}

enum lq_cut lq_frame_cut(struct lq_bytes bytes, size_t limit,
                         struct lq_frame *out, size_t *size)
{
    return cut(bytes, limit, false, out, size);
}

enum lq_cut lq_frame_cut_any(struct lq_bytes bytes, size_t limit,
                             struct lq_frame *out, size_t *size)
{
    return cut(bytes, limit, true, out, size);
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

/* The same with a length of one byte. */
static bool take_short(struct lq_bytes *from, struct lq_bytes *out)
{
    struct lq_bytes length = {0};

    return take(from, 1, &length) && take(from, length.at[0], out);
}

bool lq_greeting_read(struct lq_bytes arguments, struct lq_greeting *out)
{
    struct lq_bytes version = {0};

    if (!take(&arguments, 2, &version) ||
        !take_long(&arguments, &out->properties) ||
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

/* The bytes of a field's value when its kind alone tells; else 0. */
static size_t fixed_size(uint8_t kind)
{
    switch (kind) {
    case 't':
    case 'b':
    case 'B':
        return 1;
    case 's':
    case 'u':
        return 2;
    case 'I':
    case 'i':
    case 'f':
        return 4;
    case 'D':
        return 5;
    case 'l':
    case 'L':
    case 'd':
    case 'T':
        return 8;
    default:
        return 0;
    }
}

struct field {
    struct lq_bytes key;
    uint8_t kind;
    struct lq_bytes value; /* without its length */
};

/* Takes a field off a table; false at its end or when it is no field. */
static bool take_field(struct lq_bytes *table, struct field *out)
{
    struct lq_bytes kind = {0};

    if (!take_short(table, &out->key) || !take(table, 1, &kind)) {
        return false;
    }
    out->kind = kind.at[0];
    switch (out->kind) {
    case 'S':
    case 'A':
    case 'F':
    case 'x':
        return take_long(table, &out->value);
    case 'V':
        return take(table, 0, &out->value);
    default:
        return fixed_size(out->kind) > 0 &&
               take(table, fixed_size(out->kind), &out->value);
    }
}

bool lq_table_text(struct lq_bytes table, const char *key, struct lq_bytes *out)
{
    struct field field;

    while (take_field(&table, &field)) {
        if (field.kind == 'S' && lq_bytes_equal(field.key, lq_bytes_of(key))) {
            *out = field.value;
            return true;
        }
    }
    return false;
}

bool lq_deliver_read(struct lq_bytes arguments, struct lq_deliver *out)
{
    struct lq_bytes consumer = {0};
    struct lq_bytes tag = {0};
    struct lq_bytes bits = {0};

    if (!take_short(&arguments, &consumer) || !take(&arguments, 8, &tag) ||
        !take(&arguments, 1, &bits) ||
        !take_short(&arguments, &out->exchange) ||
        !take_short(&arguments, &out->routing_key)) {
        return false;
    }
    out->tag = read_long(tag.at);
    out->redelivered = bits.at[0] & 1;
    return true;
}

bool lq_return_read(struct lq_bytes arguments, struct lq_return *out)
{
    struct lq_bytes code = {0};

    if (!take(&arguments, 2, &code) || !take_short(&arguments, &out->text) ||
        !take_short(&arguments, &out->exchange) ||
        !take_short(&arguments, &out->routing_key)) {
        return false;
    }
    out->code = (uint16_t)read_number(code.at, 2);
    return true;
}

bool lq_settlement_read(struct lq_bytes arguments, struct lq_settlement *out)
{
    struct lq_bytes tag = {0};
    struct lq_bytes bits = {0};

    if (!take(&arguments, 8, &tag) || !take(&arguments, 1, &bits)) {
        return false;
    }
    out->tag = read_long(tag.at);
    out->multiple = bits.at[0] & 1;
    return true;
}

bool lq_content_read(struct lq_bytes payload, struct lq_content *out)
{
    struct lq_bytes start = {0}; /* class, weight and length of the body */

    if (!take(&payload, 12, &start) || payload.length < 2 ||
        read_number(start.at, 2) != CLASS_BASIC) {
        return false;
    }
    out->body_length = read_long(start.at + 4);
    out->properties = payload;
    return out->body_length <= LQ_BODY_MAX;
}

/* Class, weight, the body's length and the properties. */
static size_t header_size(const struct lq_message *message)
{
    const size_t length = message->properties.length;

    return 12 + (length > 0 ? length : 2);
}

/* The method, a number that means nothing, two names and the bits. */
static size_t publish_method_size(const struct lq_message *message)
{
    return 4 + 2 + 1 + message->exchange.length + 1 +
           message->routing_key.length + 1;
}

bool lq_publish_fits(const struct lq_message *message, size_t frame_max)
{
    return message->exchange.length <= SHORT_MAX &&
           message->routing_key.length <= SHORT_MAX &&
           message->properties.length != 1 &&
           message->body.length <= LQ_BODY_MAX &&
           header_size(message) + OVERHEAD <= frame_max;
}

size_t lq_publish_size(const struct lq_message *message, size_t frame_max)
{
    const size_t most = frame_max - OVERHEAD;
    const size_t parts = (message->body.length + most - 1) / most;

    return publish_method_size(message) + header_size(message) +
           message->body.length + (2 + parts) * OVERHEAD;
}

static uint8_t *put_number(uint8_t *at, uint64_t number, size_t size)
{
    while (size-- > 0) {
        *at++ = (uint8_t)(number >> (8 * size));
    }
    return at;
}

static uint8_t *put(uint8_t *at, struct lq_bytes bytes)
{
    if (bytes.length > 0) {
        memcpy(at, bytes.at, bytes.length);
    }
    return at + bytes.length;
}

static uint8_t *put_short(uint8_t *at, struct lq_bytes bytes)
{
    return put(put_number(at, bytes.length, 1), bytes);
}

/* Begins a frame with a payload of `size` bytes. */
static uint8_t *put_frame(uint8_t *at, enum lq_frame_type type,
                          uint16_t channel, size_t size)
{
    at = put_number(at, type, 1);
    at = put_number(at, channel, 2);
    return put_number(at, size, 4);
}

static uint8_t *put_publish(uint8_t *at, const struct lq_message *message,
                            uint16_t channel)
{
    at = put_frame(at, LQ_FRAME_METHOD, channel, publish_method_size(message));
    at = put_number(at, BASIC_PUBLISH, 4);
    at = put_number(at, 0, 2);
    at = put_short(at, message->exchange);
    at = put_short(at, message->routing_key);
    at = put_number(at, MANDATORY, 1);
    return put_number(at, END_BYTE, 1);
}

static uint8_t *put_header(uint8_t *at, const struct lq_message *message,
                           uint16_t channel)
{
    at = put_frame(at, LQ_FRAME_HEADER, channel, header_size(message));
    at = put_number(at, CLASS_BASIC, 2);
    at = put_number(at, 0, 2);
    at = put_number(at, message->body.length, 8);
    at = message->properties.length > 0 ? put(at, message->properties)
                                        : put_number(at, 0, 2);
    return put_number(at, END_BYTE, 1);
}

void lq_publish_write(const struct lq_message *message, uint16_t channel,
                      size_t frame_max, uint8_t *at)
{
    struct lq_bytes rest = message->body;
    struct lq_bytes part = {0};

    at = put_publish(at, message, channel);
    at = put_header(at, message, channel);
    while (rest.length > 0) {
        const size_t most = frame_max - OVERHEAD;

        (void)take(&rest, rest.length < most ? rest.length : most, &part);
        at = put_frame(at, LQ_FRAME_BODY, channel, part.length);
        at = put(at, part);
        at = put_number(at, END_BYTE, 1);
    }
}

/* Mixes bytes into a number, eight at a time. */
static uint64_t mix(uint64_t number, struct lq_bytes bytes)
{
    const uint64_t odd = 0x9e3779b97f4a7c15;
    uint64_t word = 0;

    number = (number ^ bytes.length) * odd;
    for (; bytes.length >= 8; bytes.at += 8, bytes.length -= 8) {
        memcpy(&word, bytes.at, 8);
        number = (number ^ word) * odd;
        number ^= number >> 29;
    }
    word = 0;
    if (bytes.length > 0) {
        memcpy(&word, bytes.at, bytes.length);
    }
    number = (number ^ word) * odd;
    return number ^ number >> 32;
}

/* The headers in any order; a broker may make a signed number of L. */
static uint64_t mix_headers(struct lq_bytes table)
{
    struct field field;
    uint64_t sum = 0;

    while (take_field(&table, &field)) {
        const uint8_t kind = field.kind == 'L' ? 'l' : field.kind;

        sum += mix(mix(kind, field.key), field.value);
    }
    return sum;
}

static uint64_t mix_properties(struct lq_bytes properties)
{
    struct lq_bytes rest = properties;
    struct lq_bytes flags = {0};
    struct lq_bytes word = {0};
    struct lq_bytes headers = {0};
    uint64_t number = 0;
    uint32_t set = 0;

    if (!take(&rest, 2, &flags)) {
        return 0;
    }
    set = read_number(flags.at, 2);
    if ((set & HAS_TYPE && !take_short(&rest, &word)) ||
        (set & HAS_ENCODING && !take_short(&rest, &headers)) ||
        !(set & HAS_HEADERS)) {
        return mix(0, properties);
    }
    number = mix(mix(set, word), headers);
    return take_long(&rest, &headers) ? mix(number, rest) + mix_headers(headers)
                                      : mix(0, properties);
}

struct lq_print lq_print_of(const struct lq_message *message)
{
    const uint64_t names = mix(mix(0, message->exchange), message->routing_key);

    return (struct lq_print){mix(names, message->body),
                             mix_properties(message->properties)};
}
