/*
 * What the amqp_*.c files share: the only ones that know rabbitmq-c. Its
 * headers moved in 0.12.
 */
#ifndef LQ_BROKER_AMQP_LINK_H
#define LQ_BROKER_AMQP_LINK_H

#include "base/diag.h"
#include "broker/amqp/wire.h"
#include "broker/broker.h"
#include "broker/connection.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
#define LQ_AMQP_FRAME_MAX 131072 /* bytes that a frame may have, all told */

enum lq_channel_state {
    LQ_CHANNEL_CLOSED,
    LQ_CHANNEL_OPENING, /* channel.open was sent */
    LQ_CHANNEL_OPEN
};

/*
 * A channel answers in the order it was asked. `ring` holds the requests given
 * to it: from `head` in flight, from `sent` not sent (again) yet, up to `tail`.
 * The three only grow; their place in the ring is the remainder.
 */
struct lq_channel {
    amqp_channel_t number;
    enum lq_channel_state state;
    size_t *ring;    /* indices into the batch */
    size_t room;     /* of the ring, in the arena */
    size_t capacity; /* what of that is used */
    size_t head;
    size_t sent;
    size_t tail;
    size_t window; /* at most in flight now; no more than `capacity` */
    uint64_t shut; /* when a denial closed it: lq_now_millis() */
};

/* A connection, and the broker that apply sees. */
struct lq_link {
    struct lq_broker broker;         /* first, so that it can be cast back */
    struct lq_connection connection; /* to open it again */
    struct lq_diags *diags;
    const char *name; /* "broker HOST:PORT (vhost 'V', user 'U')" */
    amqp_connection_state_t state;
    struct ssl_st *tls; /* of that connection; NULL: it has none */
    uint8_t *input;     /* read, but not taken yet: from start to end */
    size_t input_start;
    size_t input_end;
    size_t frame_max;        /* of a frame that comes in */
    amqp_pool_t pool;        /* of the last method that came in */
    bool open;               /* logged in, and not lost since */
    bool blocked;            /* the peer said connection.blocked */
    size_t alarms;           /* how often it said so */
    size_t talk;             /* methods since the last answer that are none */
    uint64_t deadline;       /* of the whole run: lq_now_millis() or LQ_NEVER */
    uint64_t connect_millis; /* what connecting and logging in may take,
                                by the limit that ends it */
    uint64_t connect_deadline; /* ... and so when it is over */
    unsigned timeout_millis;   /* what the deadline was made of */
    bool needs_passphrase;     /* a key file turned out to */
    int verify_error;          /* X509_V_ERR_* of the TLS handshake */
    struct lq_channel channels[LQ_CHANNELS];
    size_t channel_count;        /* usable ones */
    bool short_of_channels;      /* closed because of one too many */
    size_t channel_limit;        /* what the peer takes; 0: it did not say */
    bool limited;                /* that has happened */
    size_t reopened;             /* how often since the last answer */
    amqp_table_entry_t *entries; /* scratch for arguments */
    size_t entry_capacity;
};

/*
 * amqp.c: opens a connection again that the peer closed because of a channel
 * too many, to make do with fewer. As lq_amqp_open().
 */
enum lq_status lq_amqp_reopen(struct lq_link *link) LQ_CHECK;

/* batch.c: the `run` of the broker. */
enum lq_status lq_amqp_run(struct lq_broker *broker,
                           const struct lq_batch *batch) LQ_CHECK;

/* connect.c: TCP, TLS and login; cleaning up is the caller's. */
enum lq_status lq_amqp_connect(struct lq_link *link,
                               const struct lq_connection *connection) LQ_CHECK;

/* A method that came in. */
struct lq_incoming {
    struct lq_frame frame;
    amqp_method_t method; /* `decoded` is NULL for connection.start */
};

/* read.c: gets ready to read; false when out of memory. */
bool lq_amqp_reader_init(struct lq_link *link) LQ_CHECK;
void lq_amqp_reader_free(struct lq_link *link);

/* read.c: what was read, but not taken yet. */
struct lq_bytes lq_amqp_input(const struct lq_link *link);

/*
 * read.c: takes the next method, if need be waits for it until a moment
 * of lq_now_millis(); what has come in by then is taken however late it is.
 * An AMQP_STATUS; the method stays valid until the next call.
 */
int lq_amqp_read(struct lq_link *link, uint64_t until,
                 struct lq_incoming *out) LQ_CHECK;

/*
 * login.c: from the protocol header to connection.open-ok; cleaning up is
 * the caller's.
 */
enum lq_status lq_amqp_log_in(struct lq_link *link,
                              const struct lq_connection *connection) LQ_CHECK;

/* amqp_login_error.c: reports that a login was answered with this. */
enum lq_status lq_amqp_turned_away(struct lq_link *link,
                                   const amqp_connection_close_t *close);

/*
 * amqp_login_error.c: reports what a status of rabbitmq-c says of a login;
 * `greeted` when the peer has shown that it speaks AMQP.
 */
enum lq_status lq_amqp_not_logged_in(struct lq_link *link, int status,
                                     const struct lq_connection *connection,
                                     bool greeted);

/* tls.c: reads what is there; else AMQP_STATUS_TIMEOUT and what to poll
   for. */
int lq_amqp_tls_read(struct lq_link *link, uint8_t *at, size_t room,
                     size_t *count, short *events) LQ_CHECK;

/* tls.c: a TLS socket with its certificates and checks set up. */
enum lq_status lq_amqp_tls_socket(struct lq_link *link,
                                  const struct lq_connection *connection,
                                  amqp_socket_t **out) LQ_CHECK;

/* tls.c: reports why a TLS handshake failed. */
enum lq_status
lq_amqp_tls_failed(struct lq_link *link,
                   const struct lq_connection *connection) LQ_CHECK;

/* method.c: sends a request, or a method without fields. */
int lq_amqp_send(struct lq_link *link, amqp_channel_t channel,
                 const struct lq_request *request);

/* method.c: the method that answers such a request well. */
amqp_method_number_t lq_amqp_reply_to(enum lq_request_kind kind);

/* error.c: reports "NAME: ..." and returns `status`, or LQ_NOMEM. */
enum lq_status lq_amqp_fail(struct lq_link *link, enum lq_status status,
                            const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* error.c: reports "NAME: WHAT within TIME MORE"; LQ_LOST, LQ_NOMEM. */
enum lq_status lq_amqp_late(struct lq_link *link, const char *what,
                            uint64_t millis, const char *more) LQ_CHECK;

/* error.c: what a negative status of rabbitmq-c means, to follow NAME. */
const char *lq_amqp_words(int status);

/* error.c: the bytes as text; NULL when out of memory. */
char *lq_amqp_text(struct lq_arena *arena, amqp_bytes_t bytes);

/*
 * error.c: reports that the peer closed the connection, and why; notes
 * whether it would do so again.
 */
enum lq_status lq_amqp_closed(struct lq_link *link,
                              const amqp_connection_close_t *close);

/* reach.c: why there is no TCP connection; NULL when out of memory. */
const char *lq_amqp_unreachable(struct lq_arena *arena, const char *host,
                                unsigned port);

/* A batch under way. */
struct lq_flight {
    struct lq_link *link;
    const struct lq_batch *batch;
    size_t channel_count; /* in use for this batch */
    size_t max_in_flight;
    size_t next; /* the first request not given to a channel yet */
    size_t answered;
    size_t in_flight;
    bool sending; /* false once nothing new is to be sent */
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
 * Takes a method that came in on the channel: an answer, or the channel's
 * end, after which what it had in flight is sent again.
 */
enum lq_status lq_channel_take(struct lq_flight *flight,
                               struct lq_channel *channel,
                               const amqp_method_t *method) LQ_CHECK;

/*
 * take.c: takes a method that came in, on whatever channel. Errors are
 * reported: LQ_LOST, LQ_NOMEM.
 */
enum lq_status lq_flight_take(struct lq_flight *flight,
                              const struct lq_incoming *in) LQ_CHECK;

/*
 * What an answer is waited for, to follow "no answer within ...": " about
 * queue 'x'". NULL when out of memory.
 */
const char *lq_flight_awaited(const struct lq_flight *flight);

/* The first request from `index` on without an answer; or how many there are.
 */
size_t lq_flight_unanswered(const struct lq_flight *flight, size_t index);

/*
 * Blames the request that a refusal, which ended the connection, names, or the
 * only one in flight: it is
 * denied, and what its channel was asked behind it was never looked at. Nothing
 * is done when none is named. LQ_OK or LQ_NOMEM.
 */
enum lq_status lq_flight_blame(struct lq_flight *flight,
                               const amqp_connection_close_t *close) LQ_CHECK;

/* Marks what was in flight when the connection ended. */
void lq_channel_abandon(struct lq_flight *flight,
                        const struct lq_channel *channel);

#endif
