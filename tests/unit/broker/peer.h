/*
 * A broker for one connection, on a loopback port and in a thread of the test.
 * It grants everything unless its rules say otherwise. It asserts nothing,
 * since cmocka serves one thread only, and counts what it saw instead.
 */
#ifndef PEER_H
#define PEER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PEER_CHANNELS 64

/* Class and method, as on the wire. */
enum peer_method {
    PEER_REQUEST = 0, /* in a rule: any declare or bind */
    PEER_HEADER = 1,  /* the protocol header */
    PEER_START = 0x000a000a,
    PEER_START_OK = 0x000a000b,
    PEER_TUNE = 0x000a001e,
    PEER_TUNE_OK = 0x000a001f,
    PEER_OPEN = 0x000a0028,
    PEER_OPEN_OK = 0x000a0029,
    PEER_CLOSE = 0x000a0032,
    PEER_CLOSE_OK = 0x000a0033,
    PEER_BLOCKED = 0x000a003c,
    PEER_UNBLOCKED = 0x000a003d,
    PEER_CHANNEL_OPEN = 0x0014000a,
    PEER_CHANNEL_OPEN_OK = 0x0014000b,
    PEER_CHANNEL_FLOW = 0x00140014,
    PEER_CHANNEL_CLOSE = 0x00140028,
    PEER_CHANNEL_CLOSE_OK = 0x00140029,
    PEER_EXCHANGE_DECLARE = 0x0028000a,
    PEER_EXCHANGE_DECLARE_OK = 0x0028000b,
    PEER_QUEUE_DECLARE = 0x0032000a,
    PEER_QUEUE_DECLARE_OK = 0x0032000b,
    PEER_QUEUE_BIND = 0x00320014,
    PEER_QUEUE_BIND_OK = 0x00320015,
    PEER_QUEUE_DELETE = 0x00320028,
    PEER_QUEUE_DELETE_OK = 0x00320029,
    PEER_QOS = 0x003c000a,
    PEER_QOS_OK = 0x003c000b,
    PEER_CONSUME = 0x003c0014,
    PEER_CONSUME_OK = 0x003c0015,
    PEER_CANCEL = 0x003c001e,
    PEER_CANCEL_OK = 0x003c001f,
    PEER_PUBLISH = 0x003c0028,
    PEER_RETURN = 0x003c0032,
    PEER_DELIVER = 0x003c003c,
    PEER_ACK = 0x003c0050,
    PEER_NACK = 0x003c0078,
    PEER_CONFIRM_SELECT = 0x0055000a,
    PEER_CONFIRM_SELECT_OK = 0x0055000b
};

/* What the peer does instead of answering. */
enum peer_act {
    PEER_SAYS,   /* sends `length` bytes of `text`; 0: stays silent */
    PEER_DENIES, /* closes the channel with `code` and `text` */
    PEER_ENDS,   /* closes the connection with `code` and `text` */
    PEER_BLOCKS, /* sends connection.blocked with the reason `text`; goes
                    on after `code` milliseconds, unless that is 0 */
    PEER_SLEEPS, /* takes nothing for `code` milliseconds, then answers */
    PEER_HANGS_UP,
    PEER_RESETS /* hangs up so that what is on its way is lost */
};

/* A rule applies once, and then the next rule has its turn. */
struct peer_rule {
    enum peer_method on;
    size_t skip; /* methods of that kind that are granted first */
    enum peer_act act;
    int code;
    const char *text;
    size_t length;
};

struct peer_bytes {
    uint8_t at[1024];
    size_t length;
};

/* A frame that waits for its answer. */
struct peer_held {
    uint16_t channel;
    uint32_t method;
    bool passive;
    char name[128]; /* of the exchange or queue, perhaps cut */
};

struct peer {
    /* to be set before peer_start() */
    const struct peer_rule *rules;
    size_t rule_count;
    bool empty;         /* checks find nothing */
    bool holds;         /* answers only once nothing more comes in */
    size_t more;        /* clients after the first */
    uint32_t messages;  /* in every queue */
    uint32_t consumers; /* of every queue */
    unsigned channel_max;
    unsigned frame_max;
    struct ssl_ctx_st *context; /* of TLS; NULL: it does not speak TLS */

    /* to be read after peer_end() */
    unsigned port; /* valid from peer_start() */
    size_t requests;
    size_t checks;   /* among the requests */
    size_t channels; /* opened */
    size_t denials;
    size_t most_held;
    bool has_goodbye;
    size_t heartbeats;
    size_t body_bytes;     /* of all messages */
    size_t longest_frame;  /* of their bodies, without what is around it */
    uint32_t settled;      /* the last PEER_ACK or PEER_NACK */
    uint8_t settlement[9]; /* its arguments */
    uint8_t login[256];    /* the arguments of connection.start-ok */
    uint8_t request[512];  /* the beginning of the last request's arguments */

    /* private */
    int listener;
    int fd;
    struct ssl_st *tls;
    bool started;
    pthread_t thread;
    size_t rule;    /* the next one */
    size_t matches; /* of its method so far */
    bool closing[PEER_CHANNELS];
    bool ended; /* it closed the connection, and takes nothing more */
    struct peer_held held[1024];
    size_t held_count;
    uint8_t payload[131072];
};

/* Listens, and sets `port`; false when it cannot. */
bool peer_start(struct peer *peer);

/* Waits until the client hangs up, or no client comes any more. */
void peer_end(struct peer *peer);

/* A frame with these arguments. */
struct peer_bytes peer_frame(unsigned channel, enum peer_method method,
                             const void *arguments, size_t length);

/* connection.start of this version, with these mechanisms. */
struct peer_bytes peer_hello(unsigned major, unsigned minor,
                             const char *mechanisms);

/* peer_io.c: to and from the client; false when it is gone. */
bool peer_accept(struct peer *peer);
void peer_hang_up(struct peer *peer, bool reset);
bool peer_send(struct peer *peer, const void *at, size_t length);
bool peer_read(struct peer *peer, uint8_t *at, size_t length);
bool peer_is_quiet(const struct peer *peer); /* for a little while */

#endif
