#include "broker/amqp/carrier.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_LEAST 65536 /* bytes of a buffer */

bool lq_grow(uint8_t **bytes, size_t *room, size_t size)
{
    size_t larger = *room > ROOM_LEAST / 2 ? *room * 2 : ROOM_LEAST;
    uint8_t *moved = NULL;

    if (size <= *room) {
        return true;
    }
    larger = larger < size ? size : larger;
    moved = realloc(*bytes, larger);
    if (!moved) {
        return false;
    }
    *bytes = moved;
    *room = larger;
    return true;
}

static int add(struct lq_parcel *parcel, struct lq_bytes bytes)
{
    if (!lq_grow(&parcel->bytes, &parcel->room,
                 parcel->length + bytes.length)) {
        return AMQP_STATUS_NO_MEMORY;
    }
    if (bytes.length > 0) {
        memcpy(parcel->bytes + parcel->length, bytes.at, bytes.length);
        parcel->length += bytes.length;
    }
    return AMQP_STATUS_OK;
}

int lq_parcel_begin(struct lq_parcel *parcel, const struct lq_frame *frame)
{
    parcel->state = LQ_PARCEL_BEGUN;
    parcel->method = frame->method;
    parcel->length = 0;
    parcel->arguments_length = frame->arguments.length;
    return add(parcel, frame->arguments);
}

static size_t missing(const struct lq_parcel *parcel)
{
    return parcel->arguments_length + parcel->properties_length +
           parcel->body_length - parcel->length;
}

static int add_header(struct lq_parcel *parcel, struct lq_bytes payload)
{
    struct lq_content content = {0};

    if (!lq_content_read(payload, &content)) {
        return AMQP_STATUS_BAD_AMQP_DATA;
    }
    parcel->state = LQ_PARCEL_HEADED;
    parcel->properties_length = content.properties.length;
    parcel->body_length = (size_t)content.body_length;
    return add(parcel, content.properties);
}

int lq_parcel_add(struct lq_parcel *parcel, const struct lq_frame *frame)
{
    const bool is_header = frame->type == LQ_FRAME_HEADER;
    int result = AMQP_STATUS_OK;

    if (parcel->state != (is_header ? LQ_PARCEL_BEGUN : LQ_PARCEL_HEADED)) {
        return AMQP_STATUS_BAD_AMQP_DATA;
    }
    if (is_header) {
        result = add_header(parcel, frame->arguments);
    } else if (frame->arguments.length > 0 &&
               frame->arguments.length <= missing(parcel)) {
        result = add(parcel, frame->arguments);
    } else {
        result = AMQP_STATUS_BAD_AMQP_DATA;
    }
    if (result == AMQP_STATUS_OK && missing(parcel) == 0) {
        parcel->state = LQ_PARCEL_WHOLE;
    }
    return result;
}

struct lq_message lq_parcel_message(const struct lq_parcel *parcel)
{
    const uint8_t *const properties = parcel->bytes + parcel->arguments_length;

    return (struct lq_message){
        .properties = {properties, parcel->properties_length},
        .body = {properties + parcel->properties_length, parcel->body_length}};
}
