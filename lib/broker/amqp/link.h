/* Shared by the files of this folder, the only ones that know rabbitmq-c. */
#ifndef LQ_BROKER_AMQP_LINK_H
#define LQ_BROKER_AMQP_LINK_H

#include "base/diag.h"
#include "broker/amqp/wire.h"
#include "broker/broker.h"
#include "broker/connection.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* its headers moved in 0.12 */
#if __has_include(<rabbitmq-c/amqp.h>)
#include <rabbitmq-c/amqp.h>
#include <rabbitmq-c/ssl_socket.h>
#include <rabbitmq-c/tcp_socket.h>
#else
#include <amqp.h>
#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>
#endif

#define LQ_CHANNELS 64           /* at most, on a connection */
#define LQ_AMQP_FRAME_MAX 131072 /* bytes in a frame at most, overhead too */

enum lq_channel_state {
    LQ_CHANNEL_CLOSED,
    LQ_CHANNEL_OPENING, /* channel.open was sent */
    LQ_CHANNEL_OPEN
};

/*
 * A channel answers its requests in order. `ring` holds those given to it:
 * requests from `head` to `sent` are in flight, those from `sent` to `tail`
 * have yet to be sent, perhaps again. The three only grow; dividing them by
 * `capacity` leaves their place in the ring.
 */
struct lq_channel {
    amqp_channel_t number;
    enum lq_channel_state state;
    size_t *ring;    /* indices into the batch */
    size_t room;     /* of the ring, in the arena */
    size_t capacity; /* how much of the room is used */
    size_t head;
    size_t sent;
    size_t tail;
    size_t window; /* most that may be in flight now, up to `capacity` */
    uint64_t shut; /* when a denial closed it: lq_now_millis() */
};

/* A connection, and the broker that its users see. */
struct lq_link {
    struct lq_broker broker;         /* first, so that it can be cast back */
    struct lq_connection connection; /* to open it again */
    struct lq_diags *diags;
    const char *name; /* "broker HOST:PORT (vhost 'V', user 'U')" */
    amqp_connection_state_t state;
    struct ssl_st *tls; /* of that connection; NULL without TLS */
    uint8_t *input;     /* unused bytes are from start to end */
    size_t input_room;
    size_t input_start;
    size_t input_end;
    uint64_t heard;      /* when bytes last came in: lq_now_millis() */
    size_t frame_max;    /* of an incoming frame */
    amqp_pool_t pool;    /* of the last incoming method */
    const char *product; /* what the broker calls itself, printable */
    const char *version;
    bool carries;              /* messages; not for lq_amqp_run() */
    uint64_t heartbeat_millis; /* as agreed; 0: none */
    bool open;                 /* logged in, and not lost since */
    bool blocked;              /* the peer sent connection.blocked */
    size_t alarms;             /* how often it did */
    size_t talk;               /* other methods since the last answer */
    uint64_t deadline;       /* of the whole run: lq_now_millis() or LQ_NEVER */
    uint64_t connect_millis; /* limit on connecting and logging in, as errors
                                quote it */
    uint64_t connect_deadline; /* the moment at which that limit ends */
    unsigned timeout_millis;   /* where `deadline` comes from */
    bool needs_passphrase;     /* a key file turned out to */
    int verify_error;          /* X509_V_ERR_* of the TLS handshake */
    struct lq_channel channels[LQ_CHANNELS];
    size_t channel_count;        /* usable ones */
    bool short_of_channels;      /* the peer closed it: too many channels */
    size_t channel_limit;        /* what the peer allows; 0: it did not say */
    bool limited;                /* it was short of channels at some time */
    size_t reopened;             /* times since the last answer */
    amqp_table_entry_t *entries; /* scratch for arguments */
    size_t entry_capacity;
};

/* connect.c */

/*
 * As lq_amqp_open(), but for a link that carries messages. lq_amqp_close() must
 * not say goodbye on it: set `open` to false before.
 */
enum lq_status lq_amqp_open_carrier(const struct lq_connection *connection,
                                    struct lq_diags *diags,
                                    struct lq_link **out) LQ_CHECK;

/*
 * Reopens, with fewer channels, a connection that the peer closed because it
 * had one too many. As lq_amqp_open().
 */
enum lq_status lq_amqp_reopen(struct lq_link *link) LQ_CHECK;

/* login.c */

/*
 * Logs in, from the protocol header to connection.open-ok; the caller cleans
 * up. As lq_amqp_open().
 */
enum lq_status lq_amqp_log_in(struct lq_link *link,
                              const struct lq_connection *connection) LQ_CHECK;

/* tls.c */

/* Makes a TLS socket with its certificates and checks set up. */
enum lq_status lq_amqp_tls_socket(struct lq_link *link,
                                  const struct lq_connection *connection,
                                  amqp_socket_t **out) LQ_CHECK;

/* Reports why a TLS handshake failed. */
enum lq_status
lq_amqp_tls_failed(struct lq_link *link,
                   const struct lq_connection *connection) LQ_CHECK;

/*
 * Reads what there is; without any, AMQP_STATUS_TIMEOUT, and `events` are what
 * to poll for.
 */
int lq_amqp_tls_read(struct lq_link *link, uint8_t *at, size_t room,
                     size_t *count, short *events) LQ_CHECK;

/* Writes what the peer takes at once; as lq_amqp_write(). */
int lq_amqp_tls_write(struct lq_link *link, struct lq_bytes bytes,
                      size_t *count, short *events) LQ_CHECK;

/* read.c */

/*
 * An incoming method; on a link that carries messages also a part of one, whose
 * `method.id` is 0.
 */
struct lq_incoming {
    struct lq_frame frame;
    /* `decoded` is NULL for what wire.h reads the arguments of */
    amqp_method_t method;
};

/* Gets ready to read; false when out of memory. */
bool lq_amqp_reader_init(struct lq_link *link) LQ_CHECK;
void lq_amqp_reader_free(struct lq_link *link);

/* The bytes that are read, but not used yet. */
struct lq_bytes lq_amqp_input(const struct lq_link *link);

/*
 * Takes the next method, waiting for it until `until`, a moment of
 * lq_now_millis(). Takes what has already arrived even after that. Returns an
 * AMQP_STATUS; the method stays valid until the next call.
 */
int lq_amqp_read(struct lq_link *link, uint64_t until,
                 struct lq_incoming *out) LQ_CHECK;

/*
 * The same without waiting. AMQP_STATUS_TIMEOUT: there is none, and `events`
 * are what to poll for; 0: nothing, since more may have come in already.
 */
int lq_amqp_take(struct lq_link *link, struct lq_incoming *out,
                 short *events) LQ_CHECK;

/*
 * Writes what the peer takes at once, `*count` bytes. AMQP_STATUS_TIMEOUT: it
 * takes nothing now, and `events` are what to poll for.
 */
int lq_amqp_write(struct lq_link *link, struct lq_bytes bytes, size_t *count,
                  short *events) LQ_CHECK;

/* Reports "NAME: ..." and returns `status`, or LQ_NOMEM. */
enum lq_status lq_amqp_fail(struct lq_link *link, enum lq_status status,
                            const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports "NAME: WHAT within TIME MORE"; LQ_LOST or LQ_NOMEM. */
enum lq_status lq_amqp_late(struct lq_link *link, const char *what,
                            uint64_t millis, const char *more) LQ_CHECK;

/*
 * Reports that an answer did not come in time; `about` says which, as " about
 * queue 'x'". LQ_LOST or LQ_NOMEM.
 */
enum lq_status lq_amqp_unanswered(struct lq_link *link,
                                  const char *about) LQ_CHECK;

/* What a negative status of rabbitmq-c means, to follow NAME. */
const char *lq_amqp_words(int status);

/* The bytes as text. */
const char *lq_amqp_text(struct lq_arena *arena, amqp_bytes_t bytes);

/*
 * Reports that the peer closed the connection, and why; notes whether it would
 * do so again.
 */
enum lq_status lq_amqp_closed(struct lq_link *link,
                              const amqp_connection_close_t *close);

/* method.c */

/* Sends a request. Returns an AMQP_STATUS. */
int lq_amqp_send(struct lq_link *link, amqp_channel_t channel,
                 const struct lq_request *request);

/* The method that grants such a request. */
amqp_method_number_t lq_amqp_reply_to(enum lq_request_kind kind);

/* batch.c */

/* The `run` of the broker. */
enum lq_status lq_amqp_run(struct lq_broker *broker,
                           const struct lq_batch *batch) LQ_CHECK;

/* channel.c */

/* A batch under way. */
struct lq_flight {
    struct lq_link *link;
    const struct lq_batch *batch;
    size_t channel_count; /* in use for this batch */
    size_t max_in_flight;
    size_t next; /* the first request not given to a channel yet */
    size_t answered;
    size_t in_flight;
    bool sending; /* false once nothing more is to be sent */
};

/*
 * Gets a channel ready for a batch: it may have `window` requests in flight at
 * first, later up to `capacity`. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_channel_reset(struct lq_channel *channel, size_t window,
                                size_t capacity,
                                struct lq_arena *arena) LQ_CHECK;

/* Whether the channel has something to send and room for it. */
bool lq_channel_can_send(const struct lq_flight *flight,
                         const struct lq_channel *channel);

/* Sends the channel's next request; opens the channel first if need be. */
enum lq_status lq_channel_send(struct lq_flight *flight,
                               struct lq_channel *channel) LQ_CHECK;

/*
 * Takes a method that came in on the channel: an answer, or the end of the
 * channel, whose other requests in flight are then sent again.
 */
enum lq_status lq_channel_take(struct lq_flight *flight,
                               struct lq_channel *channel,
                               const amqp_method_t *method) LQ_CHECK;

/* Marks what was in flight when the connection ended. */
void lq_channel_abandon(struct lq_flight *flight,
                        const struct lq_channel *channel);

/*
 * Which answer is overdue, to follow "no answer within ...": " about queue
 * 'x'".
 */
const char *lq_flight_awaited(const struct lq_flight *flight);

/* The first request from `index` on without an answer, or the batch's count. */
size_t lq_flight_unanswered(const struct lq_flight *flight, size_t index);

/*
 * Finds the request that made the broker end the connection: the one that its
 * refusal names, or the only one in flight. That request is denied, and what
 * its channel still had to answer before it is unknown. Does nothing if there
 * is no such request.
 */
void lq_flight_blame(struct lq_flight *flight,
                     const amqp_connection_close_t *close);

#endif
