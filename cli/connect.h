#ifndef CLI_CONNECT_H
#define CLI_CONNECT_H

#include "command.h"

/* Options that are of use with a connection over AMQP or HTTP only. */
#define CONNECT_OPTION_COUNT 11
extern const enum option_id connect_options[CONNECT_OPTION_COUNT];

/* How to reach the broker, and how to call it. */
struct target {
    struct lilyq_connection connection;
    const char *addresses; /* "host:5672", commas between several; printable */
    const char *login;     /* "vhost '/' as guest", printable */
};

/*
 * Finds the settings of the connection: options first, then the environment,
 * [broker] of the files loaded into `run`, and the defaults. [broker] has no
 * say in vhost, user or password when the URL is not its own: a password must
 * not go to a broker that it was not written for. Says what is wrong.
 */
enum exit_code connect_find(const struct invocation *invocation,
                            struct lilyq *run, struct target *out);

#endif
