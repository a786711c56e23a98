#ifndef LQ_BROKER_URL_PARTS_H
#define LQ_BROKER_URL_PARTS_H

#include "base/diag.h"

#include <stddef.h>

/* A part of a URL, still percent-encoded. `at` is NULL when it is absent. */
struct lq_url_part {
    const char *at;
    size_t length;
};

struct lq_url_parts {
    struct lq_url_part user;
    struct lq_url_part password;
    struct lq_url_part host; /* an IPv6 address keeps its brackets */
    struct lq_url_part port;
    struct lq_url_part vhost;
};

/* Cuts up what follows "amqp://"; the parts point into `text`. */
enum lq_status lq_url_split(const char *text, struct lq_diags *diags,
                            struct lq_url_parts *out) LQ_CHECK;

#endif
