#ifndef CLI_CONNECTION_H
#define CLI_CONNECTION_H

#include "command.h"
#include "lilyq.h"

/* What a command that connects has; the two in which others differ apart. */
extern const struct option_row *const connection_options[];
extern const struct option_row option_vhost;
extern const struct option_row option_management_url;

/* Those of them that are of use with a connection over AMQP or HTTP only. */
extern const struct option_row *const connection_only_options[];

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
enum exit_code connection_find(const struct invocation *invocation,
                               struct lilyq *run, struct target *out);

/*
 * Finds the virtual host that connection_find() would, for what is only
 * printed: that of `option` if it is given, else by the same URLs. Says where
 * it is from unless it is that option or the default, and what is wrong.
 */
enum exit_code connection_vhost(const struct invocation *invocation,
                                struct lilyq *run,
                                const struct option_row *option,
                                const char **out);

#endif
