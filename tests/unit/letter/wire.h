/* Builds tables and properties as they are on the wire. */
#ifndef TESTS_UNIT_LETTER_WIRE_H
#define TESTS_UNIT_LETTER_WIRE_H

#include "letter/letter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define EVENT "01234567-89ab-4cde-8f01-23456789abcd"

/* Bytes that are put one behind the other. */
struct wire {
    uint8_t bytes[65536];
    size_t length;
};

static inline void put(struct wire *wire, const void *bytes, size_t length)
{
    assert_true(length <= sizeof(wire->bytes) - wire->length);
    if (length > 0) {
        memcpy(wire->bytes + wire->length, bytes, length);
    }
    wire->length += length;
}

static inline void put_number(struct wire *wire, uint64_t number, size_t width)
{
    for (size_t i = width; i > 0; --i) {
        const uint8_t byte = (uint8_t)(number >> (8 * (i - 1)));

        put(wire, &byte, 1);
    }
}

static inline void put_field(struct wire *wire, const char *name, char type)
{
    if (name) {
        put_number(wire, strlen(name), 1);
        put(wire, name, strlen(name));
    }
    put(wire, &type, 1);
}

static inline void put_text(struct wire *wire, const char *name,
                            const char *text)
{
    put_field(wire, name, 'S');
    put_number(wire, strlen(text), 4);
    put(wire, text, strlen(text));
}

static inline void put_integer(struct wire *wire, const char *name, char type,
                               int64_t number)
{
    static const char types[] = "bBsuIilL";
    static const size_t widths[] = {1, 1, 2, 2, 4, 4, 8, 8};

    put_field(wire, name, type);
    put_number(wire, (uint64_t)number, widths[strchr(types, type) - types]);
}

/* Begins a table or array, whose length put_end() fills in. */
static inline size_t put_begin(struct wire *wire)
{
    put_number(wire, 0, 4);
    return wire->length;
}

static inline void put_end(struct wire *wire, size_t from)
{
    const size_t length = wire->length - from;

    for (size_t i = 0; i < 4; ++i) {
        wire->bytes[from - 4 + i] = (uint8_t)(length >> (24 - 8 * i));
    }
}

static inline struct lq_bytes bytes_of(const struct wire *wire)
{
    return (struct lq_bytes){wire->bytes, wire->length};
}

/* Properties that are headers only; put_end(wire, 6) ends them. */
static inline void put_headers(struct wire *wire)
{
    wire->length = 0;
    put_number(wire, 0x2000, 2);
    assert_int_equal(put_begin(wire), 6);
}

/* What every message of the framework has. */
static inline void put_identity(struct wire *wire)
{
    put_text(wire, LQ_EVENT_ID, EVENT);
    put_text(wire, LQ_SCHEMA_VERSION, "1");
    put_text(wire, LQ_CONTENT_KIND, "order.created");
}

static inline struct lq_message message_of(const struct wire *wire,
                                           const char *body)
{
    return (struct lq_message){lq_bytes_of("orders.dlx.v2"),
                               lq_bytes_of("orders"), bytes_of(wire),
                               lq_bytes_of(body)};
}

static inline void assert_bytes(struct lq_bytes bytes, const char *text)
{
    assert_int_equal(bytes.length, strlen(text));
    assert_memory_equal(bytes.at ? bytes.at : (const uint8_t *)"", text,
                        bytes.length);
}

#endif
