#include "broker/amqp/wire.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool is_inside(struct lq_bytes part, struct lq_bytes whole)
{
    return part.length == 0 ||
           (part.at >= whole.at && part.length <= whole.length &&
            part.at - whole.at <= (ptrdiff_t)(whole.length - part.length));
}

/* Cuts a stream into frames, as a reader does, and reads each as a greeting. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct lq_bytes rest = {bytes, size};
    struct lq_frame frame;
    struct lq_greeting greeting;
    size_t length = 0;

    (void)lq_wire_guess(rest);
    while (lq_frame_cut(rest, LQ_FRAME_MIN, &frame, &length) == LQ_CUT_FRAME) {
        if (length < 8 || length > rest.length || length > LQ_FRAME_MIN ||
            !is_inside(frame.arguments, rest)) {
            abort();
        }
        if (lq_greeting_read(frame.arguments, &greeting)) {
            if (!is_inside(greeting.mechanisms, frame.arguments)) {
                abort();
            }
            (void)lq_greeting_offers(&greeting, "PLAIN");
        }
        rest.at += length;
        rest.length -= length;
    }
    return 0;
}
