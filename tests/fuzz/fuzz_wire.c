#include "broker/amqp/wire.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_inside(struct lq_bytes part, struct lq_bytes whole)
{
    if (part.length > 0 &&
        (part.at < whole.at || part.length > whole.length ||
         part.at - whole.at > (ptrdiff_t)(whole.length - part.length))) {
        abort();
    }
}

/* Reads the arguments of a method as those of each that is read. */
static void read_arguments(struct lq_bytes arguments)
{
    struct lq_greeting greeting;
    struct lq_deliver deliver;
    struct lq_return returned;
    struct lq_settlement settlement;
    struct lq_bytes text;

    if (lq_greeting_read(arguments, &greeting)) {
        check_inside(greeting.mechanisms, arguments);
        check_inside(greeting.properties, arguments);
        (void)lq_greeting_offers(&greeting, "PLAIN");
        if (lq_table_text(greeting.properties, "version", &text)) {
            check_inside(text, greeting.properties);
        }
    }
    if (lq_deliver_read(arguments, &deliver)) {
        check_inside(deliver.exchange, arguments);
        check_inside(deliver.routing_key, arguments);
    }
    if (lq_return_read(arguments, &returned)) {
        check_inside(returned.text, arguments);
        check_inside(returned.exchange, arguments);
        check_inside(returned.routing_key, arguments);
    }
    (void)lq_settlement_read(arguments, &settlement);
}

/* Publishes a message again as it came in, and expects whole frames. */
static void write_again(const struct lq_message *message)
{
    const size_t size = lq_publish_size(message, LQ_FRAME_MIN);
    uint8_t *const at = malloc(size);
    struct lq_bytes rest = {at, size};
    struct lq_frame frame;
    size_t length = 0;

    if (!at) {
        return;
    }
    lq_publish_write(message, 1, LQ_FRAME_MIN, at);
    while (rest.length > 0) {
        if (lq_frame_cut_any(rest, LQ_FRAME_MIN, &frame, &length) !=
            LQ_CUT_FRAME) {
            abort();
        }
        rest.at += length;
        rest.length -= length;
    }
    free(at);
}

static void read_content(struct lq_bytes payload, struct lq_bytes rest)
{
    struct lq_message message = {.body = rest};
    struct lq_content content;

    if (lq_content_read(payload, &content)) {
        check_inside(content.properties, payload);
        message.properties = content.properties;
        (void)lq_print_of(&message);
        if (lq_publish_fits(&message, LQ_FRAME_MIN)) {
            write_again(&message);
        }
    }
}

/* Cuts a stream into frames, as a reader does, and reads each as anything. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct lq_bytes rest = {bytes, size};
    struct lq_frame frame;
    struct lq_frame strict;
    size_t length = 0;
    size_t strict_length = 0;

    (void)lq_wire_guess(rest);
    while (lq_frame_cut_any(rest, LQ_FRAME_MIN, &frame, &length) ==
           LQ_CUT_FRAME) {
        const bool carries =
            frame.type == LQ_FRAME_HEADER || frame.type == LQ_FRAME_BODY;

        if (length < 8 || length > rest.length || length > LQ_FRAME_MIN ||
            lq_frame_cut(rest, LQ_FRAME_MIN, &strict, &strict_length) !=
                (carries ? LQ_CUT_BAD : LQ_CUT_FRAME)) {
            abort();
        }
        check_inside(frame.arguments, rest);
        read_arguments(frame.arguments);
        read_content(frame.arguments, rest);
        rest.at += length;
        rest.length -= length;
    }
    return 0;
}
