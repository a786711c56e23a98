/* The properties of a message, each as the bytes that it is on the wire. */
#ifndef LQ_LETTER_PROPERTIES_H
#define LQ_LETTER_PROPERTIES_H

#include "base/arena.h"
#include "base/bytes.h"

/* In the order in which they are written. */
enum lq_property {
    LQ_CONTENT_TYPE,
    LQ_CONTENT_ENCODING,
    LQ_HEADERS, /* a table */
    LQ_DELIVERY_MODE,
    LQ_PRIORITY,
    LQ_CORRELATION_ID,
    LQ_REPLY_TO,
    LQ_EXPIRATION,
    LQ_MESSAGE_ID,
    LQ_TIMESTAMP, /* seconds since 1970 */
    LQ_TYPE,
    LQ_USER_ID,
    LQ_APP_ID,
    LQ_CLUSTER_ID,
    LQ_PROPERTY_COUNT
};

/* What each is on the wire; no bytes: it is absent. */
struct lq_properties {
    struct lq_bytes parts[LQ_PROPERTY_COUNT];
};

/*
 * Takes the properties of a content header apart: flags, then values. False
 * when they are cut short, followed by anything, or flagged as something that
 * AMQP 0-9-1 does not have. The table is not looked into.
 */
bool lq_properties_read(struct lq_bytes from, struct lq_properties *out);

/* Writes flags and values into the arena; no bytes when out of memory. */
struct lq_bytes lq_properties_write(const struct lq_properties *properties,
                                    struct lq_arena *arena);

/* The text of a property that is a short string; no bytes when absent. */
struct lq_bytes lq_property_text(const struct lq_properties *properties,
                                 enum lq_property property);

/* The name of a property as AMQP has it: "content_type". A constant. */
const char *lq_property_name(enum lq_property property);

#endif
