#ifndef LQ_BROKER_AMQP_WIRE_H
#define LQ_BROKER_AMQP_WIRE_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Incoming AMQP 0-9-1, as bytes from a peer that may be anything. Nothing here
 * allocates, recurses or reads past what it is given.
 */

enum lq_frame_type { LQ_FRAME_METHOD = 1, LQ_FRAME_HEARTBEAT = 8 };

#define LQ_FRAME_MIN 4096 /* bytes that every peer must accept in a frame */

struct lq_frame {
    enum lq_frame_type type;
    uint16_t channel;
    uint32_t method;           /* class and method; 0: no method frame */
    struct lq_bytes arguments; /* of the method */
};

/* What the received bytes begin with. */
enum lq_cut {
    LQ_CUT_FRAME, /* a frame */
    LQ_CUT_MORE,  /* the beginning of one */
    LQ_CUT_BAD    /* no frame that a broker would send to a declarer */
};

/*
 * Finds the first frame of `bytes`; one longer than `limit` bytes in all is
 * bad. With LQ_CUT_FRAME, the frame takes `*size` bytes, and `out` points into
 * them.
 */
enum lq_cut lq_frame_cut(struct lq_bytes bytes, size_t limit,
                         struct lq_frame *out, size_t *size);

/* The protocol of bytes that are no frame, such as "HTTP"; NULL: unknown. */
const char *lq_wire_guess(struct lq_bytes bytes);

/* How a broker introduces itself: the arguments of connection.start. */
struct lq_greeting {
    unsigned major; /* version of the protocol */
    unsigned minor;
    struct lq_bytes mechanisms; /* names with blanks between them */
};

/* Reads the arguments; false when they are cut short. */
bool lq_greeting_read(struct lq_bytes arguments, struct lq_greeting *out);

/* Whether a mechanism is among those of the greeting. */
bool lq_greeting_offers(const struct lq_greeting *greeting, const char *name);

#endif
