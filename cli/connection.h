#ifndef CLI_CONNECTION_H
#define CLI_CONNECTION_H

#include "command.h"
#include "lilyq.h"

/* Options of commands that connect; other commands too have the other two. */
extern const struct option_row *const connection_options[];
extern const struct option_row option_vhost;
extern const struct option_row option_management_url;

/* Those of them that only make sense with a connection over AMQP or HTTP. */
extern const struct option_row *const connection_only_options[];

/* How to reach the broker, and how to call it. */
struct target {
    struct lilyq_connection connection;
    const char *addresses; /* "host:5672", commas between several; printable */
    const char *login;     /* "vhost '/' as guest", printable */
};

/*
 * Finds the settings of the connection: options first, then the environment,
 * [broker] of the files loaded into `run`, and the defaults. The vhost, user
 * and password of [broker] do not apply to a URL from elsewhere: a password
 * must not go to a broker that it was not meant for. Reports what is wrong.
 */
enum exit_code connection_find(const struct invocation *invocation,
                               struct lilyq *run, struct target *out);

/*
 * Finds the virtual host that connection_find() would find, for commands that
 * only print it: that of `option` if given, else that of the same URLs. Notes
 * where it comes from unless that is the option or the default, and reports
 * what is wrong.
 */
enum exit_code connection_vhost(const struct invocation *invocation,
                                struct lilyq *run,
                                const struct option_row *option,
                                const char **out);

#endif
