#include "peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void put_number(struct peer_bytes *bytes, uint32_t number, size_t size)
{
    while (size-- > 0) {
        bytes->at[bytes->length++] = (uint8_t)(number >> (8 * size));
    }
}

static void put(struct peer_bytes *bytes, const void *at, size_t length)
{
    if (length > 0) {
        memcpy(bytes->at + bytes->length, at, length);
        bytes->length += length;
    }
}

static void put_short(struct peer_bytes *bytes, const char *text)
{
    put_number(bytes, (uint32_t)strlen(text), 1);
    put(bytes, text, strlen(text));
}

struct peer_bytes peer_frame(unsigned channel, enum peer_method method,
                             const void *arguments, size_t length)
{
    struct peer_bytes frame = {.length = 0};

    put_number(&frame, 1, 1);
    put_number(&frame, channel, 2);
    put_number(&frame, (uint32_t)length + 4, 4);
    put_number(&frame, method, 4);
    put(&frame, arguments, length);
    put_number(&frame, 0xce, 1);
    return frame;
}

struct peer_bytes peer_hello(unsigned major, unsigned minor,
                             const char *mechanisms)
{
    struct peer_bytes hello = {.length = 0};

    put_number(&hello, major, 1);
    put_number(&hello, minor, 1);
    put_number(&hello, 0, 4); /* properties: none */
    put_number(&hello, (uint32_t)strlen(mechanisms), 4);
    put(&hello, mechanisms, strlen(mechanisms));
    put_number(&hello, 5, 4);
    put(&hello, "en_US", 5);
    return peer_frame(0, PEER_START, hello.at, hello.length);
}

static bool tell(struct peer *peer, unsigned channel, enum peer_method method,
                 const struct peer_bytes *arguments)
{
    const struct peer_bytes frame =
        peer_frame(channel, method, arguments->at, arguments->length);

    return peer_send(peer, frame.at, frame.length);
}

/* Closes a channel, or with 0 the connection. */
static bool close_it(struct peer *peer, unsigned channel, int code,
                     const char *text)
{
    struct peer_bytes arguments = {.length = 0};

    put_number(&arguments, (uint32_t)code, 2);
    put_short(&arguments, text);
    put_number(&arguments, 0, 4); /* the method to blame: none */
    if (channel > 0) {
        peer->closing[channel % PEER_CHANNELS] = true;
        ++peer->denials;
    } else {
        peer->ended = true;
    }
    return tell(peer, channel, channel > 0 ? PEER_CHANNEL_CLOSE : PEER_CLOSE,
                &arguments);
}

static bool is_request(uint32_t method)
{
    return method == PEER_EXCHANGE_DECLARE || method == PEER_QUEUE_DECLARE ||
           method == PEER_QUEUE_BIND;
}

/* Denies a check of what is not there, in the words that brokers use. */
static bool miss(struct peer *peer, const struct peer_held *request)
{
    char text[256];

    (void)snprintf(text, sizeof(text), "NOT_FOUND - no %s '%s' in vhost '/'",
                   request->method == PEER_QUEUE_DECLARE ? "queue" : "exchange",
                   request->name);
    return close_it(peer, request->channel, 404, text);
}

/* Answers a declare or bind as a broker does. */
static bool grant(struct peer *peer, const struct peer_held *request)
{
    struct peer_bytes arguments = {.length = 0};

    if (peer->closing[request->channel % PEER_CHANNELS]) {
        return true;
    }
    if (request->passive && peer->empty) {
        return miss(peer, request);
    }
    if (request->method == PEER_QUEUE_DECLARE) {
        put_short(&arguments, "q");
        put_number(&arguments, peer->messages, 4);
        put_number(&arguments, peer->consumers, 4);
    }
    /* each answer has the number after its request's */
    return tell(peer, request->channel, (enum peer_method)(request->method + 1),
                &arguments);
}

static bool answer_held(struct peer *peer)
{
    bool goes_on = true;

    if (peer->held_count > peer->most_held) {
        peer->most_held = peer->held_count;
    }
    for (size_t i = 0; i < peer->held_count && goes_on; ++i) {
        goes_on = grant(peer, &peer->held[i]);
    }
    peer->held_count = 0;
    return goes_on;
}

static bool take_request(struct peer *peer, const struct peer_held *request)
{
    if (!peer->holds) {
        return grant(peer, request);
    }
    peer->held[peer->held_count++] = *request;
    return !peer_is_quiet(peer) || answer_held(peer);
}

static bool say_hello(struct peer *peer)
{
    const struct peer_bytes hello = peer_hello(0, 9, "AMQPLAIN PLAIN EXTERNAL");

    return peer_send(peer, hello.at, hello.length);
}

/* Answers well; false when the conversation is over. */
static bool answer(struct peer *peer, const struct peer_held *in)
{
    struct peer_bytes arguments = {.length = 0};

    if (is_request(in->method)) {
        return take_request(peer, in);
    }
    switch (in->method) {
    case PEER_HEADER:
        return say_hello(peer);
    case PEER_START_OK:
        put_number(&arguments, peer->channel_max, 2);
        put_number(&arguments, peer->frame_max, 4);
        put_number(&arguments, 60, 2); /* heartbeat */
        return tell(peer, 0, PEER_TUNE, &arguments);
    case PEER_OPEN:
        put_number(&arguments, 0, 1);
        return tell(peer, 0, PEER_OPEN_OK, &arguments);
    case PEER_CHANNEL_OPEN:
        ++peer->channels;
        put_number(&arguments, 0, 4);
        return tell(peer, in->channel, PEER_CHANNEL_OPEN_OK, &arguments);
    case PEER_QOS:
    case PEER_CONFIRM_SELECT:
        return tell(peer, in->channel, (enum peer_method)(in->method + 1),
                    &arguments);
    case PEER_CONSUME:
    case PEER_CANCEL:
        put_short(&arguments, "a tag");
        return tell(peer, in->channel, (enum peer_method)(in->method + 1),
                    &arguments);
    case PEER_QUEUE_DELETE:
        put_number(&arguments, 0, 4); /* messages */
        return tell(peer, in->channel, PEER_QUEUE_DELETE_OK, &arguments);
    case PEER_CHANNEL_CLOSE_OK:
        peer->closing[in->channel % PEER_CHANNELS] = false;
        return true;
    case PEER_CLOSE:
        peer->has_goodbye = true;
        (void)tell(peer, 0, PEER_CLOSE_OK, &arguments);
        return false;
    case PEER_CLOSE_OK:
        return false;
    default:
        return true;
    }
}

static bool block(struct peer *peer, const struct peer_rule *rule,
                  const struct peer_held *in)
{
    const struct timespec nap = {.tv_nsec = rule->code * 1000000L};
    struct peer_bytes arguments = {.length = 0};

    put_short(&arguments, rule->text);
    if (!tell(peer, 0, PEER_BLOCKED, &arguments)) {
        return false;
    }
    if (rule->code == 0) {
        return true;
    }
    (void)nanosleep(&nap, NULL);
    arguments.length = 0;
    return answer(peer, in) && tell(peer, 0, PEER_UNBLOCKED, &arguments);
}

/* Takes nothing for a time, and then goes on. */
static bool oversleep(struct peer *peer, const struct peer_rule *rule,
                      const struct peer_held *in)
{
    const struct timespec nap = {.tv_sec = rule->code / 1000,
                                 .tv_nsec = rule->code % 1000 * 1000000L};

    (void)nanosleep(&nap, NULL);
    return answer(peer, in);
}

static bool obey(struct peer *peer, const struct peer_rule *rule,
                 const struct peer_held *in)
{
    switch (rule->act) {
    case PEER_SAYS:
        return peer_send(peer, rule->text, rule->length);
    case PEER_DENIES:
        return close_it(peer, in->channel, rule->code, rule->text);
    case PEER_ENDS:
        return close_it(peer, 0, rule->code, rule->text);
    case PEER_BLOCKS:
        return block(peer, rule, in);
    case PEER_SLEEPS:
        return oversleep(peer, rule, in);
    case PEER_HANGS_UP:
        return false;
    case PEER_RESETS:
        peer_hang_up(peer, true);
        return false;
    }
    return false;
}

/* The rule that is for this; NULL: none. */
static const struct peer_rule *rule_for(struct peer *peer, uint32_t method)
{
    const struct peer_rule *const rule = &peer->rules[peer->rule];

    if (peer->rule == peer->rule_count ||
        (rule->on == PEER_REQUEST ? !is_request(method) : rule->on != method) ||
        peer->matches++ < rule->skip) {
        return NULL;
    }
    ++peer->rule;
    peer->matches = 0;
    return rule;
}

static bool take(struct peer *peer, const struct peer_held *in)
{
    const struct peer_rule *rule = NULL;

    if (peer->ended) {
        return in->method != PEER_CLOSE_OK;
    }
    if (peer->closing[in->channel % PEER_CHANNELS] && is_request(in->method)) {
        return true; /* dropped, as brokers do */
    }
    if (is_request(in->method)) {
        ++peer->requests;
        peer->checks += in->passive;
    }
    rule = rule_for(peer, in->method);
    return rule ? obey(peer, rule, in) : answer(peer, in);
}

static bool is_passive(uint32_t method, const uint8_t *arguments)
{
    const uint8_t *flags = arguments + 3 + arguments[2]; /* after the name */

    if (method == PEER_EXCHANGE_DECLARE) {
        flags += 1 + *flags; /* after the type */
    }
    return is_request(method) && method != PEER_QUEUE_BIND && (*flags & 1);
}

/* Counts what is no method; false for what no client sends. */
static bool take_other(struct peer *peer, uint8_t type, size_t size)
{
    if (type == 8) {
        ++peer->heartbeats;
    } else if (type == 3) {
        peer->body_bytes += size;
        peer->longest_frame =
            size > peer->longest_frame ? size : peer->longest_frame;
    }
    return type == 2 || type == 3 || type == 8;
}

/* Reads a frame and takes it. */
static bool take_next(struct peer *peer)
{
    uint8_t header[7];
    struct peer_held in = {.channel = 0};
    uint32_t size = 0;
    const uint8_t *const at = peer->payload;

    if (!peer_read(peer, header, sizeof(header))) {
        return false;
    }
    in.channel = (uint16_t)(header[1] << 8 | header[2]);
    size = (uint32_t)header[3] << 24 | (uint32_t)header[4] << 16 |
           (uint32_t)header[5] << 8 | header[6];
    if (size >= sizeof(peer->payload) ||
        !peer_read(peer, peer->payload, size + 1)) {
        return false;
    }
    if (header[0] != 1) {
        return take_other(peer, header[0], size);
    }
    in.method = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
                (uint32_t)at[2] << 8 | at[3];
    in.passive = is_passive(in.method, at + 4);
    if (in.method == PEER_START_OK) {
        memcpy(peer->login, at + 4, sizeof(peer->login));
    }
    if (in.method == PEER_ACK || in.method == PEER_NACK) {
        peer->settled = in.method;
        memcpy(peer->settlement, at + 4, sizeof(peer->settlement));
    }
    if (is_request(in.method)) {
        (void)snprintf(in.name, sizeof(in.name), "%.*s", at[6],
                       (const char *)at + 7);
        memcpy(peer->request, at + 4, sizeof(peer->request));
    }
    return take(peer, &in);
}

static void serve_one(struct peer *peer)
{
    const struct peer_held header = {.method = PEER_HEADER};
    uint8_t bytes[8];
    bool goes_on = peer_accept(peer) && peer_read(peer, bytes, sizeof(bytes)) &&
                   take(peer, &header);

    while (goes_on) {
        goes_on = take_next(peer);
    }
    peer_hang_up(peer, false);
}

static void *serve(void *data)
{
    struct peer *const peer = data;

    serve_one(peer);
    while (peer->more > 0) {
        --peer->more;
        peer->ended = false;
        memset(peer->closing, 0, sizeof(peer->closing));
        serve_one(peer);
    }
    return NULL;
}

bool peer_start(struct peer *peer)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof(address);
    struct sockaddr *const any = (struct sockaddr *)&address;

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    peer->fd = -1;
    peer->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (peer->listener < 0 || bind(peer->listener, any, size) ||
        listen(peer->listener, 1) || getsockname(peer->listener, any, &size)) {
        return false;
    }
    peer->port = ntohs(address.sin_port);
    peer->started = pthread_create(&peer->thread, NULL, serve, peer) == 0;
    return peer->started;
}

void peer_end(struct peer *peer)
{
    if (!peer->started) {
        return;
    }
    (void)shutdown(peer->listener, SHUT_RDWR); /* ends the wait for a client */
    (void)pthread_join(peer->thread, NULL);
    (void)close(peer->listener);
    peer->started = false;
}
