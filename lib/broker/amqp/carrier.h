/* A link that carries messages on one channel: what both directions share. */
#ifndef LQ_BROKER_AMQP_CARRIER_H
#define LQ_BROKER_AMQP_CARRIER_H

#include "broker/amqp/link.h"
#include "model/message.h"

#define LQ_CARRIER_CHANNEL 1

/* content.c */

/*
 * Makes room for `size` bytes in all, and more to come, in memory that the
 * caller frees with free(). False when out of memory.
 */
bool lq_grow(uint8_t **bytes, size_t *room, size_t size) LQ_CHECK;

enum lq_parcel_state {
    LQ_PARCEL_WHOLE, /* no message is coming in */
    LQ_PARCEL_BEGUN, /* its method has come */
    LQ_PARCEL_HEADED /* its header, too */
};

/* The message that is coming in, or that came in last. Zeroed at first. */
struct lq_parcel {
    enum lq_parcel_state state;
    uint32_t method;
    /* the method's arguments, the properties and the body, as far as come */
    uint8_t *bytes;
    size_t room;
    size_t length;
    size_t arguments_length;
    size_t properties_length;
    size_t body_length;
};

/* Begins with basic.deliver or basic.return. Returns an AMQP_STATUS. */
int lq_parcel_begin(struct lq_parcel *parcel,
                    const struct lq_frame *frame) LQ_CHECK;

/* Adds a header or body. Returns an AMQP_STATUS. */
int lq_parcel_add(struct lq_parcel *parcel,
                  const struct lq_frame *frame) LQ_CHECK;

/* The properties and the body; valid until another message begins. */
struct lq_message lq_parcel_message(const struct lq_parcel *parcel);

/* output.c */

/* What is still to be written: from start to end. Zeroed at first. */
struct lq_output {
    uint8_t *bytes;
    size_t room;
    size_t start;
    size_t end;
    uint64_t wrote; /* when something last was: lq_now_millis() */
};

bool lq_output_is_empty(const struct lq_output *output);

/*
 * Where the next `size` bytes go; NULL when out of memory. The caller fills
 * them and adds what it filled to `end`.
 */
uint8_t *lq_output_reserve(struct lq_output *output, size_t size);

/* Adds a method. Returns an AMQP_STATUS. */
int lq_output_method(struct lq_output *output, const struct lq_link *link,
                     amqp_method_number_t id, void *method) LQ_CHECK;

/* Adds a heartbeat; false when out of memory. */
bool lq_output_heartbeat(struct lq_output *output) LQ_CHECK;

/*
 * Writes what the peer takes at once; `events` are what to poll for when it
 * does not take all, else 0. Returns an AMQP_STATUS.
 */
int lq_output_write(struct lq_output *output, struct lq_link *link,
                    short *events);

/* carrier.c */

struct lq_carrier {
    struct lq_link *link;
    bool channel_open;
    struct lq_answer closed; /* why the channel is not, if the broker did it */
    struct lq_output output;
    struct lq_parcel parcel;
    uint64_t last_tag; /* of the deliveries on this channel; 0: none */
    size_t surplus;    /* deliveries that came in while something was asked */
    bool cancelled;    /* by the broker */
    bool stopped;      /* a stop has ended a wait */
    /* Why nothing can be written any more, but perhaps read; an AMQP_STATUS. */
    int write_error;
};

enum lq_carried_kind {
    LQ_CARRIED_NOTHING,
    LQ_CARRIED_METHOD,
    LQ_CARRIED_DELIVERY,
    LQ_CARRIED_RETURN,
    LQ_CARRIED_BLOCKED, /* link->blocked tells whether it is or was */
    LQ_CARRIED_CLOSED   /* the channel */
};

/* What came in; everything is valid until the next call. */
struct lq_carried {
    enum lq_carried_kind kind;
    amqp_method_t method;
    struct lq_bytes arguments; /* of the method */
    struct lq_deliver deliver;
    struct lq_return returned;
    struct lq_message message; /* delivered or returned */
};

/* Connects. As lq_amqp_open(). */
enum lq_status lq_carrier_open(struct lq_carrier *carrier,
                               const struct lq_connection *connection,
                               struct lq_diags *diags) LQ_CHECK;

/* Says goodbye if the peer takes all there is to write, and hangs up. */
void lq_carrier_close(struct lq_carrier *carrier);

/* Adds a method to what is to be written. */
enum lq_status lq_carrier_put(struct lq_carrier *carrier,
                              amqp_method_number_t id, void *method) LQ_CHECK;

/* Writes what the peer takes at once. If that fails, reading will tell. */
void lq_carrier_flush(struct lq_carrier *carrier);

/*
 * Takes what comes in next, waiting for it until `until`, and writes and keeps
 * the connection alive meanwhile. The first stop ends the wait, and no other.
 */
enum lq_status lq_carrier_next(struct lq_carrier *carrier, uint64_t until,
                               struct lq_carried *out) LQ_CHECK;

/* Opens the channel, for the first time or again. */
enum lq_status lq_carrier_open_channel(struct lq_carrier *carrier) LQ_CHECK;

/* A method that the broker answers. */
struct lq_question {
    amqp_method_number_t id;
    void *method;
    amqp_method_number_t reply; /* the method that grants it */
    const char *about; /* " about queue 'x'", or ""; NULL: out of memory */
};

/*
 * Opens the channel, unless it is open, asks and waits for the answer.
 * `*reply` is valid until the next call.
 */
enum lq_status lq_carrier_ask(struct lq_carrier *carrier,
                              const struct lq_question *question,
                              struct lq_answer *answer,
                              amqp_method_t *reply) LQ_CHECK;

/* The peer sent what it must not. LQ_LOST or LQ_NOMEM. */
enum lq_status lq_carrier_confused(struct lq_carrier *carrier) LQ_CHECK;

#endif
