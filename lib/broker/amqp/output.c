#include "broker/amqp/carrier.h"

#include "base/clock.h"

#include <string.h>

#define METHOD_SIZE 4 /* class and method */

bool lq_output_is_empty(const struct lq_output *output)
{
    return output->end == output->start;
}

uint8_t *lq_output_reserve(struct lq_output *output, size_t size)
{
    const size_t length = output->end - output->start;

    if (output->room - output->end < size && output->start > 0) {
        memmove(output->bytes, output->bytes + output->start, length);
        output->start = 0;
        output->end = length;
    }
    return lq_grow(&output->bytes, &output->room, output->end + size)
               ? output->bytes + output->end
               : NULL;
}

static uint8_t *put_number(uint8_t *at, size_t number, size_t size)
{
    while (size-- > 0) {
        *at++ = (uint8_t)(number >> (8 * size));
    }
    return at;
}

/* Puts a frame around a payload that stands there already. */
static void add_frame(struct lq_output *output, uint8_t *frame,
                      enum lq_frame_type type, unsigned channel, size_t length)
{
    uint8_t *at = put_number(frame, type, 1);

    at = put_number(at, channel, 2);
    at = put_number(at, length, 4);
    (void)put_number(at + length, AMQP_FRAME_END, 1);
    output->end += length + LQ_FRAME_OVERHEAD;
}

static bool is_of_connection(amqp_method_number_t id)
{
    return id >> 16 == 10;
}

int lq_output_method(struct lq_output *output, const struct lq_link *link,
                     amqp_method_number_t id, void *method)
{
    uint8_t *const frame = lq_output_reserve(output, link->frame_max);
    amqp_bytes_t room = {.len =
                             link->frame_max - LQ_FRAME_OVERHEAD - METHOD_SIZE};
    int length = 0;

    if (!frame) {
        return AMQP_STATUS_NO_MEMORY;
    }
    room.bytes = put_number(frame + LQ_FRAME_OVERHEAD - 1, id, METHOD_SIZE);
    length = amqp_encode_method(id, method, room);
    if (length < 0) {
        return length;
    }
    add_frame(output, frame, LQ_FRAME_METHOD,
              is_of_connection(id) ? 0 : LQ_CARRIER_CHANNEL,
              (size_t)length + METHOD_SIZE);
    return AMQP_STATUS_OK;
}

bool lq_output_heartbeat(struct lq_output *output)
{
    uint8_t *const frame = lq_output_reserve(output, LQ_FRAME_OVERHEAD);

    if (frame) {
        add_frame(output, frame, LQ_FRAME_HEARTBEAT, 0, 0);
    }
    return frame;
}

int lq_output_write(struct lq_output *output, struct lq_link *link,
                    short *events)
{
    *events = 0;
    while (!lq_output_is_empty(output)) {
        const struct lq_bytes bytes = {output->bytes + output->start,
                                       output->end - output->start};
        size_t count = 0;
        const int result = lq_amqp_write(link, bytes, &count, events);

        if (result != AMQP_STATUS_OK) {
            return result == AMQP_STATUS_TIMEOUT ? AMQP_STATUS_OK : result;
        }
        *events = 0;
        output->start += count;
        output->wrote = lq_now_millis();
    }
    output->start = 0;
    output->end = 0;
    return AMQP_STATUS_OK;
}
