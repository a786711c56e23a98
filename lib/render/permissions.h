#ifndef LQ_RENDER_PERMISSIONS_H
#define LQ_RENDER_PERMISSIONS_H

#include "lilyq.h"
#include "plan/permissions.h"

#include <stddef.h>

/* What one user of the broker may do. */
struct lq_account {
    enum lilyq_role role;
    const char *user;
    struct lq_permissions permissions;
};

/* Of several users, in one vhost. All texts are UTF-8. */
struct lq_accounts {
    const char *vhost;
    const struct lq_account *list;
    size_t count;
};

/*
 * The lilyq-permissions document, format_version 1
 * (man/lilyq-permissions.schema.json). It is a definitions file as well. LQ_OK,
 * LQ_IO (the sink refused) or LQ_NOMEM.
 */
enum lq_status
lq_permissions_json_render(const struct lq_accounts *accounts,
                           const struct lilyq_sink *sink) LQ_CHECK;

/*
 * A rabbitmqctl command for each user, to be run by a POSIX shell. LQ_OK or
 * LQ_IO (the sink refused).
 */
enum lq_status
lq_permissions_shell_render(const struct lq_accounts *accounts,
                            const struct lilyq_sink *sink) LQ_CHECK;

#endif
