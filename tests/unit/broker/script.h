/* What a peer says to those who carry messages, as bytes for its rules. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "peer.h"

#include <string.h>

struct script {
    uint8_t at[300000];
    size_t length;
};

static inline void say_number(struct script *script, uint64_t number,
                              size_t size)
{
    while (size-- > 0) {
        script->at[script->length++] = (uint8_t)(number >> (8 * size));
    }
}

static inline void say_bytes(struct script *script, const void *at,
                             size_t length)
{
    memcpy(script->at + script->length, at, length);
    script->length += length;
}

static inline void say_frame(struct script *script, unsigned type,
                             unsigned channel, const void *payload,
                             size_t length)
{
    say_number(script, type, 1);
    say_number(script, channel, 2);
    say_number(script, length, 4);
    say_bytes(script, payload, length);
    say_number(script, 0xce, 1);
}

/* A method with arguments of which the numbers come first. */
static inline void say_method(struct script *script, unsigned channel,
                              enum peer_method method, const void *arguments,
                              size_t length)
{
    struct script payload = {.length = 0};

    say_number(&payload, method, 4);
    say_bytes(&payload, arguments, length);
    say_frame(script, 1, channel, payload.at, payload.length);
}

static inline void say_short(struct script *script, const char *text)
{
    say_number(script, strlen(text), 1);
    say_bytes(script, text, strlen(text));
}

static inline void say_deliver(struct script *script, uint64_t tag,
                               bool redelivered)
{
    struct script arguments = {.length = 0};

    say_short(&arguments, "a tag");
    say_number(&arguments, tag, 8);
    say_number(&arguments, redelivered, 1);
    say_short(&arguments, "orders");
    say_short(&arguments, "created");
    say_method(script, 1, PEER_DELIVER, arguments.at, arguments.length);
}

/* A header with these properties, flags included. */
static inline void say_header(struct script *script, unsigned class_id,
                              uint64_t body_length, const void *properties,
                              size_t length)
{
    struct script payload = {.length = 0};

    say_number(&payload, class_id, 2);
    say_number(&payload, 0, 2);
    say_number(&payload, body_length, 8);
    say_bytes(&payload, properties, length);
    say_frame(script, 2, 1, payload.at, payload.length);
}

static inline void say_body(struct script *script, const void *at,
                            size_t length)
{
    say_frame(script, 3, 1, at, length);
}

/* A delivery without properties. */
static inline void say_letter(struct script *script, uint64_t tag,
                              const char *body)
{
    say_deliver(script, tag, false);
    say_header(script, 60, strlen(body), "\0\0", 2);
    if (*body) {
        say_body(script, body, strlen(body));
    }
}

static inline void say_return(struct script *script, const char *key,
                              const void *properties, size_t length,
                              const char *body)
{
    struct script arguments = {.length = 0};

    say_number(&arguments, 312, 2);
    say_short(&arguments, "NO_ROUTE");
    say_short(&arguments, "orders");
    say_short(&arguments, key);
    say_method(script, 1, PEER_RETURN, arguments.at, arguments.length);
    say_header(script, 60, strlen(body), properties, length);
    if (*body) {
        say_body(script, body, strlen(body));
    }
}

/* basic.ack or basic.nack. */
static inline void say_settled(struct script *script, enum peer_method method,
                               uint64_t tag, unsigned bits)
{
    struct script arguments = {.length = 0};

    say_number(&arguments, tag, 8);
    say_number(&arguments, bits, 1);
    say_method(script, 1, method, arguments.at, arguments.length);
}

/* connection.blocked, for lack of memory, or connection.unblocked. */
static inline void say_alarm(struct script *script, bool blocked)
{
    if (blocked) {
        say_method(script, 0, PEER_BLOCKED, "\3low", 4);
    } else {
        say_method(script, 0, PEER_UNBLOCKED, "", 0);
    }
}

/* channel.close with 406. */
static inline void say_close(struct script *script)
{
    say_method(script, 1, PEER_CHANNEL_CLOSE, "\1\x96\2no\0\0\0\0", 9);
}

/* Says all of the script when the method comes, instead of an answer. */
static inline struct peer_rule on(enum peer_method method,
                                  const struct script *script)
{
    return (struct peer_rule){.on = method,
                              .act = PEER_SAYS,
                              .text = (const char *)script->at,
                              .length = script->length};
}

#endif
