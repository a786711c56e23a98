#include "letter/table.h"

#include <string.h>

#define NO_LENGTH SIZE_MAX

static uint32_t read_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
           (uint32_t)at[2] << 8 | at[3];
}

/* How many bytes a value takes; NO_LENGTH: more than there are, or no type. */
static size_t value_length(uint8_t type, struct lq_bytes rest)
{
    size_t length = NO_LENGTH;

    switch ((enum lq_field_type)type) {
    case LQ_FIELD_VOID:
        length = 0;
        break;
    case LQ_FIELD_BOOL:
    case LQ_FIELD_INT8:
    case LQ_FIELD_UINT8:
        length = 1;
        break;
    case LQ_FIELD_INT16:
    case LQ_FIELD_UINT16:
        length = 2;
        break;
    case LQ_FIELD_INT32:
    case LQ_FIELD_UINT32:
    case LQ_FIELD_FLOAT:
        length = 4;
        break;
    case LQ_FIELD_DECIMAL:
        length = 5;
        break;
    case LQ_FIELD_INT64:
    case LQ_FIELD_UINT64:
    case LQ_FIELD_DOUBLE:
    case LQ_FIELD_TIMESTAMP:
        length = 8;
        break;
    case LQ_FIELD_LONG_STRING:
    case LQ_FIELD_BYTES:
    case LQ_FIELD_ARRAY:
    case LQ_FIELD_TABLE:
        length = rest.length < 4 ? NO_LENGTH : 4 + (size_t)read_u32(rest.at);
        break;
    }
    return length <= rest.length ? length : NO_LENGTH;
}

struct lq_fields lq_fields_of(struct lq_bytes value, bool is_table)
{
    struct lq_fields fields = {.named = is_table, .bad = true};

    if (value.length >= 4 && read_u32(value.at) <= value.length - 4) {
        fields.rest = (struct lq_bytes){value.at + 4, read_u32(value.at)};
        fields.bad = false;
    }
    return fields;
}

/* Moves past what was taken. */
static void skip(struct lq_bytes *from, size_t length)
{
    from->at += length;
    from->length -= length;
}

/* Takes a name with its length in front of it. */
static bool take_name(struct lq_bytes *from, struct lq_bytes *out)
{
    const size_t length = from->at[0];

    if (from->length < 1 + length) {
        return false;
    }
    *out = (struct lq_bytes){from->at + 1, length};
    skip(from, 1 + length);
    return true;
}

bool lq_fields_next(struct lq_fields *fields, struct lq_field *out)
{
    struct lq_bytes rest = fields->rest;
    size_t length = 0;

    *out = (struct lq_field){.type = 0};
    if (fields->bad || rest.length == 0) {
        return false;
    }
    fields->bad = true;
    if ((fields->named && !take_name(&rest, &out->name)) || rest.length == 0) {
        return false;
    }
    out->type = rest.at[0];
    skip(&rest, 1);
    length = value_length(out->type, rest);
    if (length == NO_LENGTH) {
        return false;
    }
    out->value = (struct lq_bytes){rest.at, length};
    skip(&rest, length);
    out->whole =
        (struct lq_bytes){fields->rest.at, fields->rest.length - rest.length};
    fields->rest = rest;
    fields->bad = false;
    return true;
}

bool lq_fields_find(struct lq_bytes table, const char *name,
                    struct lq_field *out)
{
    const struct lq_bytes wanted = lq_bytes_of(name);
    struct lq_fields fields = lq_fields_of(table, true);

    while (lq_fields_next(&fields, out)) {
        if (lq_bytes_equal(out->name, wanted)) {
            return true;
        }
    }
    *out = (struct lq_field){.type = 0};
    return false;
}

struct lq_bytes lq_field_text(const struct lq_field *field)
{
    return field->type == LQ_FIELD_LONG_STRING
               ? (struct lq_bytes){field->value.at + 4, field->value.length - 4}
               : (struct lq_bytes){NULL, 0};
}

bool lq_field_integer(const struct lq_field *field, int64_t *out)
{
    const uint8_t *const at = field->value.at;
    uint64_t value = 0;

    if (field->type == 0 || !strchr("bBsuIilL", field->type)) {
        return false;
    }
    /* the narrow signed ones begin with their sign */
    if (strchr("bsIl", field->type) && (at[0] & 0x80) != 0) {
        value = UINT64_MAX;
    }
    for (size_t i = 0; i < field->value.length; ++i) {
        value = value << 8 | at[i];
    }
    if (field->type == LQ_FIELD_UINT64 && value > INT64_MAX) {
        return false;
    }
    *out = (int64_t)value;
    return true;
}

static bool is_odd(struct lq_bytes name)
{
    for (size_t i = 0; i < name.length; ++i) {
        if (name.at[i] <= 0x20 || name.at[i] >= 0x7f) {
            return true;
        }
    }
    return name.length == 0;
}

static size_t greater(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* What is in one another while a table is measured. */
struct nest {
    struct lq_fields levels[LQ_DEPTH_MAX];
    size_t depth;
};

static void note(const struct nest *nest, const struct lq_field *field,
                 struct lq_extent *out)
{
    if (nest->depth > 1) {
        ++out->elements;
        return;
    }
    ++out->fields;
    out->longest_name = greater(out->longest_name, field->name.length);
    out->longest_value = greater(out->longest_value, field->value.length);
    out->odd_name = out->odd_name || is_odd(field->name);
}

/* Goes into a field, if anything can be in it; false: too deep. */
static bool enter(struct nest *nest, const struct lq_field *field,
                  struct lq_extent *out)
{
    if (field->type != LQ_FIELD_ARRAY && field->type != LQ_FIELD_TABLE) {
        return true;
    }
    if (nest->depth == LQ_DEPTH_MAX) {
        return false;
    }
    nest->levels[nest->depth++] =
        lq_fields_of(field->value, field->type == LQ_FIELD_TABLE);
    out->depth = greater(out->depth, nest->depth);
    return true;
}

bool lq_table_measure(struct lq_bytes table, struct lq_extent *out)
{
    struct nest nest = {.levels = {lq_fields_of(table, true)}, .depth = 1};

    *out = (struct lq_extent){.depth = 1};
    while (nest.depth > 0) {
        struct lq_fields *const level = &nest.levels[nest.depth - 1];
        struct lq_field field;

        if (lq_fields_next(level, &field)) {
            note(&nest, &field, out);
            if (!enter(&nest, &field, out)) {
                return false;
            }
        } else if (level->bad) {
            return false;
        } else {
            --nest.depth;
        }
    }
    return true;
}
