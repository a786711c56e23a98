#ifndef LQ_BROKER_AMQP_WIRE_H
#define LQ_BROKER_AMQP_WIRE_H

#include "base/bytes.h"
#include "model/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * AMQP 0-9-1 as bytes. What comes in is from a peer that may be anything.
 * Nothing here allocates, recurses or reads past what it is given.
 */

enum lq_frame_type {
    LQ_FRAME_METHOD = 1,
    LQ_FRAME_HEADER = 2, /* of a message */
    LQ_FRAME_BODY = 3,   /* all of it, or a part */
    LQ_FRAME_HEARTBEAT = 8
};

#define LQ_FRAME_MIN 4096   /* bytes that every peer must accept in a frame */
#define LQ_FRAME_OVERHEAD 8 /* bytes around the payload of a frame */

struct lq_frame {
    enum lq_frame_type type;
    uint16_t channel;
    uint32_t method;           /* class and method; 0: no method frame */
    struct lq_bytes arguments; /* of the method; of other frames, the payload */
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

/* The same where messages come in: their frames are good, too. */
enum lq_cut lq_frame_cut_any(struct lq_bytes bytes, size_t limit,
                             struct lq_frame *out, size_t *size);

/* The protocol of bytes that are no frame, such as "HTTP"; NULL: unknown. */
const char *lq_wire_guess(struct lq_bytes bytes);

/* How a broker introduces itself: the arguments of connection.start. */
struct lq_greeting {
    unsigned major; /* version of the protocol */
    unsigned minor;
    struct lq_bytes mechanisms; /* names with blanks between them */
    struct lq_bytes properties; /* a table, without its length */
};

/* Reads the arguments; false when they are cut short. */
bool lq_greeting_read(struct lq_bytes arguments, struct lq_greeting *out);

/* Whether a mechanism is among those of the greeting. */
bool lq_greeting_offers(const struct lq_greeting *greeting, const char *name);

/*
 * Finds a text in a table, not in the tables inside it; false when there is no
 * such key before the table's end, or before something that is no field.
 */
bool lq_table_text(struct lq_bytes table, const char *key,
                   struct lq_bytes *out);

/* The arguments of basic.deliver. */
struct lq_deliver {
    uint64_t tag;
    bool redelivered;
    struct lq_bytes exchange;
    struct lq_bytes routing_key;
};

/* Reads the arguments; false when they are cut short. */
bool lq_deliver_read(struct lq_bytes arguments, struct lq_deliver *out);

/* The arguments of basic.return. */
struct lq_return {
    uint16_t code;
    struct lq_bytes text;
    struct lq_bytes exchange;
    struct lq_bytes routing_key;
};

/* Reads the arguments; false when they are cut short. */
bool lq_return_read(struct lq_bytes arguments, struct lq_return *out);

/* The arguments of basic.ack and basic.nack. */
struct lq_settlement {
    uint64_t tag;
    bool multiple;
};

/* Reads the arguments; false when they are cut short. */
bool lq_settlement_read(struct lq_bytes arguments, struct lq_settlement *out);

#define LQ_BODY_MAX (512ULL * 1024 * 1024) /* bytes; no broker takes more */

/* What stands before a message's body. */
struct lq_content {
    uint64_t body_length;       /* up to LQ_BODY_MAX */
    struct lq_bytes properties; /* as in struct lq_message; never empty */
};

/* Reads the payload of a header frame; false when it is none of a message. */
bool lq_content_read(struct lq_bytes payload, struct lq_content *out);

/* Whether a message can be published in frames of up to `frame_max` bytes. */
bool lq_publish_fits(const struct lq_message *message, size_t frame_max);

/* The bytes of all frames that publish a message that fits. */
size_t lq_publish_size(const struct lq_message *message, size_t frame_max);

/* Writes them, mandatory, for a channel. */
void lq_publish_write(const struct lq_message *message, uint16_t channel,
                      size_t frame_max, uint8_t *at);

/*
 * Numbers that tell messages apart. The first is of everything but the
 * properties. The second is of the properties, whatever the order of their
 * headers, which brokers sort in what they return.
 */
struct lq_print {
    uint64_t content;
    uint64_t properties;
};

struct lq_print lq_print_of(const struct lq_message *message);

#endif
