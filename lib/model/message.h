#ifndef LQ_MODEL_MESSAGE_H
#define LQ_MODEL_MESSAGE_H

#include "base/bytes.h"

/*
 * A message as AMQP 0-9-1 carries it. Properties stay as they came, so that
 * whatever a broker delivers can be published again byte for byte.
 */
struct lq_message {
    struct lq_bytes exchange;
    struct lq_bytes routing_key;
    /* of the content header: property flags and the values that they name */
    struct lq_bytes properties;
    struct lq_bytes body;
};

#endif
