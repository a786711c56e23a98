/* Field tables of AMQP 0-9-1, as the bytes that they are on the wire. */
#ifndef LQ_LETTER_TABLE_H
#define LQ_LETTER_TABLE_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The types of fields, as RabbitMQ has them; where the AMQP specification
 * differs ('s' a short string, 'U' an int16), RabbitMQ counts. Integers are
 * big-endian.
 */
enum lq_field_type {
    LQ_FIELD_BOOL = 't',
    LQ_FIELD_INT8 = 'b',
    LQ_FIELD_UINT8 = 'B',
    LQ_FIELD_INT16 = 's',
    LQ_FIELD_UINT16 = 'u',
    LQ_FIELD_INT32 = 'I',
    LQ_FIELD_UINT32 = 'i',
    LQ_FIELD_INT64 = 'l',
    LQ_FIELD_UINT64 = 'L',
    LQ_FIELD_FLOAT = 'f',
    LQ_FIELD_DOUBLE = 'd',
    LQ_FIELD_DECIMAL = 'D', /* scale, then an uint32 */
    LQ_FIELD_TIMESTAMP = 'T',
    LQ_FIELD_LONG_STRING = 'S',
    LQ_FIELD_BYTES = 'x',
    LQ_FIELD_ARRAY = 'A',
    LQ_FIELD_TABLE = 'F',
    LQ_FIELD_VOID = 'V'
};

/* A field of a table, or an element of an array, which has no name. */
struct lq_field {
    struct lq_bytes name;
    uint8_t type;          /* enum lq_field_type */
    struct lq_bytes value; /* behind the type; with a length in front of 'S',
                              'x', 'A' and 'F' */
    struct lq_bytes whole; /* name, type and value as they are written */
};

/* A table or array that is walked through. */
struct lq_fields {
    struct lq_bytes rest;
    bool named; /* a table */
    bool bad;   /* the rest is no table or array */
};

/*
 * Begins a walk through a value of type 'F' or 'A'. What follows the value is
 * ignored; a value that is cut short is bad.
 */
struct lq_fields lq_fields_of(struct lq_bytes value, bool is_table);

/* The next field; false at the end, and once the walk is bad. */
bool lq_fields_next(struct lq_fields *fields, struct lq_field *out);

/* Finds the first field of that name; false when there is none. */
bool lq_fields_find(struct lq_bytes table, const char *name,
                    struct lq_field *out);

/* The text of a long string; no bytes for any other type. */
struct lq_bytes lq_field_text(const struct lq_field *field);

/* Whether a field is an integer of any width; `out` then has it. */
bool lq_field_integer(const struct lq_field *field, int64_t *out);

/* What a table consists of. */
struct lq_extent {
    size_t fields;   /* of the table itself */
    size_t elements; /* of all arrays and tables in it */
    size_t depth; /* of arrays and tables in one another; 1: there are none */
    size_t longest_name;  /* bytes, in the table itself */
    size_t longest_value; /* bytes, in the table itself */
    bool
        odd_name; /* a name in the table itself is empty or not visible ASCII */
};

#define LQ_DEPTH_MAX 32

/*
 * Walks through all of a table. False when it is malformed anywhere, or deeper
 * than LQ_DEPTH_MAX.
 */
bool lq_table_measure(struct lq_bytes table, struct lq_extent *out);

#endif
